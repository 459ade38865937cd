/* The headers that a program's text includes, as they are when it is built: found as a compiler does, in the folders that the build
 * options give, then in the working folder. Names that macros make are not followed. */
#define _GNU_SOURCE
#include "recorder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDERS 32
#define FILES 256

typedef struct { Text *out; char *folders[FOLDERS]; int count; char *seen[FILES]; int files; } Search;

static void add_folder(Search *search, const char *from, size_t length)
{
    if (length && search->count < FOLDERS) search->folders[search->count++] = strndup(from, length);
}

/* The folders of one option: `-I DIR`, `-IDIR`, `--include-path=DIR`, quoted or not, also as a whole. */
static void read_folders_of(Search *search, const char *options, const char *name)
{
    for (const char *at = options; (at = strstr(at, name)); ) {
        int is_begin = at == options || strchr(" \t'", at[-1]);
        int is_quoted = at != options && at[-1] == '\'';
        at += strlen(name);
        if (!is_begin) continue;
        if (is_quoted) {
            add_folder(search, at, strcspn(at, "'"));
            continue;
        }
        while (*at == ' ') at++;
        char quote = *at == '"' || *at == '\'' ? *at++ : 0;
        size_t length = quote ? strcspn(at, quote == '"' ? "\"" : "'") : strcspn(at, " \t");
        add_folder(search, at, length);
        at += length;
    }
}

static void read_folders(Search *search, const char *options)
{
    read_folders_of(search, options, "-I");
    read_folders_of(search, options, "--include-path=");
    add_folder(search, ".", 1);
}

static void read_includes(Search *search, const char *text, size_t count, const char *folder, const char *within);

/* A header under one of the folders; 0 where it is not there. */
static int take(Search *search, const char *folder, const char *name)
{
    char path[PATH_MAX], hex[65];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (int at = 0; at < search->files; at++)
        if (!strcmp(search->seen[at], path)) return 1;
    char *bytes = search->files < FILES ? read_whole(path, &count) : NULL;
    if (!bytes) return 0;
    search->seen[search->files++] = strdup(path);
    if (store_content(bytes, count, hex)) {
        text_add(search->out, "%s{\"folder\":", search->out->at[search->out->used - 1] == '[' ? "" : ",");
        text_quote(search->out, folder, strlen(folder));
        text_add(search->out, ",\"name\":");
        text_quote(search->out, name, strlen(name));
        text_add(search->out, ",\"content\":\"%s\"}", hex);
    }
    const char *slash = strrchr(name, '/');
    char *within = strndup(name, slash ? (size_t)(slash - name + 1) : 0);
    if (within) read_includes(search, bytes, count, folder, within);
    free(within);
    free(bytes);
    return 1;
}

static void find(Search *search, const char *name, const char *folder, const char *within)
{
    char beside[PATH_MAX];
    if (folder && (size_t)snprintf(beside, sizeof beside, "%s%s", within, name) < sizeof beside && take(search, folder, beside)) return;
    for (int at = 0; at < search->count; at++)
        if (take(search, search->folders[at], name)) return;
}

static void read_includes(Search *search, const char *text, size_t count, const char *folder, const char *within)
{
    const char *end = text + count;
    for (const char *line = text; line < end; ) {
        const char *next = memchr(line, '\n', (size_t)(end - line)), *at = line;
        const char *stop = next ? next : end;
        while (at < stop && (*at == ' ' || *at == '\t')) at++;
        if (at < stop && *at == '#') {
            at++;
            while (at < stop && (*at == ' ' || *at == '\t')) at++;
            if (stop - at > 9 && !strncmp(at, "include", 7)) {
                at += 7;
                while (at < stop && (*at == ' ' || *at == '\t')) at++;
                char close = at < stop && *at == '"' ? '"' : at < stop && *at == '<' ? '>' : 0;
                const char *last = close ? memchr(at + 1, close, (size_t)(stop - at - 1)) : NULL;
                char *name = last ? strndup(at + 1, (size_t)(last - at - 1)) : NULL;
                if (name && name[0] && name[0] != '/') find(search, name, folder, within);
                free(name);
            }
        }
        line = stop + 1;
    }
}

void add_headers(Text *out, const char *source, size_t count, const char *options)
{
    Search search = {.out = out};
    read_folders(&search, options);
    read_includes(&search, source, count, NULL, "");
    while (search.count) free(search.folders[--search.count]);
    while (search.files) free(search.seen[--search.files]);
}
