/* Images of device code: how long they are, and what they say of a kernel's parameters. PTX is text; a cubin is an ELF file, with the
 * parameters in `.nv.info.NAME`; a fat binary holds several of both. Parts that are compressed by LZ4, as nvcc did before drivers told
 * parameters, are unpacked; others (zstd, which needs a driver that tells them) are passed over. */
#define _GNU_SOURCE
#include "cuda.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRAPPER 0x466243b1u /* a fat binary's address, as compilers leave it in a program */
#define FAT 0xba55ed50u
#define KPARAM_INFO 0x17

typedef struct { unsigned magic, version; const void *data; } Wrapper;
typedef struct { unsigned magic; unsigned short version, header; unsigned long long size; } Fat;
typedef struct { unsigned short kind, version; unsigned header; unsigned long long size; } Part;
/* What follows in a part's head, where that is long enough: `packed` bytes become `whole` ones. */
typedef struct { Part part; unsigned packed, words[5]; unsigned long long flags, zero, whole; } Packed;
#define BY_LZ4 0x2000u
#define BY_ZSTD 0x8000u
#define LARGEST (1ull << 28)

static int is_text(const char *at) { return *at == '/' || *at == '.' || *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'; }

static size_t elf_size(const char *image)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
    if (head->e_ident[EI_CLASS] != ELFCLASS64) return 0;
    size_t end = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    size_t other = head->e_phoff + (size_t)head->e_phnum * head->e_phentsize;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + head->e_shoff);
    if (other > end) end = other;
    for (int at = 0; at < head->e_shnum; at++)
        if (sections[at].sh_type != SHT_NOBITS && sections[at].sh_offset + sections[at].sh_size > end)
            end = sections[at].sh_offset + sections[at].sh_size;
    return end;
}

/* How long an image is, by what it says itself; 0 for what is none of the three. */
size_t image_size(const void *image, const char **kind, const void **whole)
{
    unsigned magic;
    *whole = image;
    if (!image) return 0;
    memcpy(&magic, image, sizeof magic);
    if (magic == WRAPPER) {
        image = *whole = ((const Wrapper *)image)->data;
        if (!image) return 0;
        memcpy(&magic, image, sizeof magic);
    }
    if (magic == FAT) {
        *kind = "fatbin";
        return ((const Fat *)image)->header + ((const Fat *)image)->size;
    }
    if (!memcmp(image, ELFMAG, SELFMAG)) {
        *kind = "cubin";
        return elf_size(image);
    }
    *kind = "ptx";
    return is_text(image) ? strlen(image) : 0;
}

static int add_param(Params *params, int at, unsigned offset, unsigned size)
{
    if (at < 0 || at >= CU_PARAMS) return 0;
    params->offset[at] = offset;
    params->size[at] = size;
    if (at >= params->count) params->count = at + 1;
    return 1;
}

/* `.entry NAME ( .param [.align A] .TYPE NAME[N], … )` */
static int ptx_params(const char *text, const char *kernel, Params *params)
{
    size_t length = strlen(kernel);
    for (const char *at = text; (at = strstr(at, ".entry")); ) {
        at += 6;
        at += strspn(at, " \t\r\n");
        const char *after = at + length;
        if (strncmp(at, kernel, length) || !strchr(" \t\r\n({", *after)) continue;
        after += strspn(after, " \t\r\n");
        if (*after != '(') return *after == '{';
        const char *end = strchr(after, ')');
        unsigned offset = 0;
        for (const char *param = after; end && (param = strstr(param, ".param")) && param < end; ) {
            unsigned align = 0, bits = 0, count = 1;
            const char *stop = strpbrk(param, ",)"), *dot = param + 6, *open = memchr(param, '[', (size_t)(stop - param));
            for (; (dot = memchr(dot, '.', (size_t)(stop - dot))); dot++) {
                if (sscanf(dot, ".align %u", &align) == 1 || sscanf(dot, ".ptr .%*s .align %*u")) continue;
                if (strchr("usbf", dot[1]) && sscanf(dot + 2, "%u", &bits) == 1) break;
            }
            if (open && sscanf(open, "[%u]", &count) != 1) return 0;
            unsigned size = bits / 8;
            if (!size) return 0;
            if (!align) align = size;
            offset = (offset + align - 1) / align * align;
            if (!add_param(params, params->count, offset, size * count)) return 0;
            offset += size * count;
            param = stop;
        }
        return end != NULL;
    }
    return 0;
}

static int elf_params(const char *image, size_t size, const char *kernel, Params *params)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
    if (size < sizeof *head || head->e_shoff + (size_t)head->e_shnum * sizeof(Elf64_Shdr) > size) return 0;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + head->e_shoff);
    if (head->e_shstrndx >= head->e_shnum) return 0;
    const Elf64_Shdr *strings = &sections[head->e_shstrndx];
    if (strings->sh_offset + strings->sh_size > size) return 0;
    for (int at = 0; at < head->e_shnum; at++) {
        const Elf64_Shdr *section = &sections[at];
        const char *name = image + strings->sh_offset + section->sh_name;
        if (section->sh_name >= strings->sh_size || strncmp(name, ".nv.info.", 9) || strcmp(name + 9, kernel)) continue;
        if (section->sh_offset + section->sh_size > size) return 0;
        const unsigned char *from = (const unsigned char *)image + section->sh_offset, *end = from + section->sh_size;
        while (from + 4 <= end) {
            unsigned short length;
            unsigned words[3];
            memcpy(&length, from + 2, 2);
            if (from[0] != 4) length = 0;
            if (from + 4 + length > end) return 0;
            if (from[0] == 4 && from[1] == KPARAM_INFO && length == sizeof words) {
                memcpy(words, from + 4, sizeof words);
                if (!add_param(params, words[1] & 0xffff, words[1] >> 16, words[2] >> 18)) return 0;
            }
            from += 4 + length;
        }
        return 1;
    }
    return 0;
}

/* A length of LZ4: four bits, and as long as they or the last byte are full, bytes that are added. */
static int lz4_length(const unsigned char **from, const unsigned char *end, size_t *length)
{
    for (unsigned char more = *length == 15 ? 255 : 0; more == 255; *length += more) {
        if (*from == end) return 0;
        more = *(*from)++;
    }
    return 1;
}

/* A block of LZ4: literals and matches by turns, each match a distance back and a length; the last literals end it. Gives whether it
 * came to exactly `room` bytes. */
static int lz4(const unsigned char *from, size_t count, unsigned char *to, size_t room)
{
    const unsigned char *end = from + count;
    for (size_t at = 0; from < end; ) {
        size_t literals = *from >> 4, match = *from & 15;
        from++;
        if (!lz4_length(&from, end, &literals) || literals > (size_t)(end - from) || literals > room - at) return 0;
        memcpy(to + at, from, literals);
        at += literals;
        from += literals;
        if (from == end) return at == room;
        if (end - from < 2) return 0;
        size_t back = from[0] | (size_t)from[1] << 8;
        from += 2;
        if (!lz4_length(&from, end, &match) || !back || back > at || (match += 4) > room - at) return 0;
        for (; match; match--, at++) to[at] = to[at - back];
    }
    return 0;
}

/* A copy of what a part holds, aligned and with an end behind it; NULL where it cannot be had. */
static char *part_copy(const Part *part, size_t *size)
{
    Packed head = {0};
    const char *inner = (const char *)part + part->header;
    memcpy(&head, part, part->header < sizeof head ? part->header : sizeof head);
    int is_packed = part->header >= sizeof head && head.flags & (BY_LZ4 | BY_ZSTD);
    if (is_packed && (head.flags & BY_ZSTD || head.packed > part->size || head.whole > LARGEST)) return NULL;
    *size = is_packed ? head.whole : part->size;
    char *copy = calloc(1, *size + 1);
    if (copy && !is_packed) memcpy(copy, inner, *size);
    if (!copy || !is_packed || lz4((const unsigned char *)inner, head.packed, (unsigned char *)copy, *size)) return copy;
    free(copy);
    return NULL;
}

/* The sizes of a kernel's parameters, from an image; 0 where it does not say. */
int image_params(const char *image, size_t size, const char *kernel, Params *params)
{
    unsigned magic;
    if (size < 4) return 0;
    memcpy(&magic, image, sizeof magic);
    if (!memcmp(image, ELFMAG, SELFMAG)) {
        params->from = "cubin";
        return elf_params(image, size, kernel, params);
    }
    if (magic != FAT) {
        params->from = "ptx";
        return is_text(image) && ptx_params(image, kernel, params);
    }
    for (size_t at = ((const Fat *)image)->header; at + sizeof(Part) <= size; ) {
        const Part *part = (const Part *)(image + at);
        if (!part->header || part->size > size - at || part->header > size - at - part->size) return 0;
        size_t inside = 0;
        char *copy = part->kind == 1 || part->kind == 2 ? part_copy(part, &inside) : NULL;
        params->count = 0;
        int is_found = copy && image_params(copy, inside, kernel, params);
        free(copy);
        if (is_found) return 1;
        at += part->header + part->size;
    }
    return 0;
}
