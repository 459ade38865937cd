/* What is known of CUDA's objects: modules, functions with the sizes of their parameters, programs of NVRTC; and of a launch its line.
 * All of this is asked for between `recorder_begin` and `recorder_end`; functions of the driver that are called are queries alone. */
#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define INLINE_LIMIT 65536
#define LOWEST 4096 /* no memory has a smaller address */

static Table modules, functions, links;
static const char *const query_names[] = {"cuFuncGetParamInfo", "cuKernelGetParamInfo", "cuFuncGetName", "cuKernelGetName",
                                          "cuMemGetAddressRange_v2"};
enum { FUNC_PARAM, KERNEL_PARAM, FUNC_NAME, KERNEL_NAME, RANGE, QUERIES };
static void *queries[QUERIES];

void cuda_queries_from(void *(*look_up)(void *, const char *), void *handle)
{
    for (int at = 0; at < QUERIES; at++)
        if (!queries[at]) queries[at] = look_up(handle, query_names[at]);
}

/* Of a driver that no name was looked up in: the one that a caller is linked with, such as a module of Python's. */
void cuda_queries_of(const void *caller)
{
    static const void *last;
    if (caller == last) return;
    for (int at = 0; at < QUERIES; at++)
        if (!queries[at]) queries[at] = next_symbol(query_names[at], caller);
    last = caller;
}

static void *query(int which) { return queries[which]; }

/* ---- modules and functions ---- */

static Line *unseen_program(const char *from)
{
    Text text = {0};
    text_add(&text, ",\"kind\":\"module\",\"language\":\"cuda\",\"bytes\":0,\"names\":");
    text_quote(&text, from, strlen(from));
    Line *line = text.is_bad ? NULL : line_of("program", text.at, NULL);
    text_free(&text);
    return line;
}

/* The program that an image is of: what it was compiled from, where that was seen. */
static Line *program_with(const void *image, size_t size, const char *kind, const char *from)
{
    char hex[65];
    Text text = {0};
    sha256_hex(image, size, hex);
    Line *line = nvrtc_program(hex);
    if (line) return line;
    text_add(&text, ",\"kind\":\"module\",\"language\":\"cuda\",\"bytes\":%zu,\"sha256\":\"%s\",\"image\":\"%s\",\"names\":", size, hex, kind);
    text_quote(&text, from, strlen(from));
    line = text.is_bad ? NULL : line_of("program", text.at, NULL);
    text_free(&text);
    return line;
}

const char *loaded_from(const void *image)
{
    Dl_info about;
    return image && dladdr(image, &about) && about.dli_fname ? about.dli_fname : "";
}

void new_module(void *handle, const void *image, const char *file, const char *from)
{
    const char *kind = "";
    const void *whole = image;
    size_t size = 0;
    char *read = file ? read_whole(file, &size) : NULL;
    if (read) image = read;
    size_t said = image ? image_size(image, &kind, &whole) : 0;
    if (!file || said < size) size = said;
    Module *module = calloc(1, sizeof *module);
    if (module) {
        module->program = size ? program_with(whole, size, kind, from) : unseen_program(from);
        module->image = size ? malloc(size + 1) : NULL;
        module->size = size;
        if (module->image) {
            memcpy(module->image, whole, size);
            module->image[size] = 0;
        }
        Module *before = table_put(&modules, handle, module);
        if (before) free(before->image);
        free(before);
    }
    free(read);
}

void same_module(void *handle, void *library)
{
    const Module *from = table_get(&modules, library);
    Module *copy = from ? calloc(1, sizeof *copy) : NULL;
    if (!copy) return;
    copy->program = from->program;
    copy->owner = library;
    if (from->image && (copy->image = malloc(from->size + 1))) memcpy(copy->image, from->image, (copy->size = from->size) + 1);
    Module *before = table_put(&modules, handle, copy);
    if (before) free(before->image);
    free(before);
}

static Function *put_function(void *handle, const char *name, Line *program, const void *owner)
{
    Function *function = calloc(1, sizeof *function);
    if (!function) return NULL;
    function->name = strdup(name);
    function->program = program;
    function->owner = owner;
    Function *before = table_put(&functions, handle, function);
    if (before) free(before->name);
    free(before);
    return function;
}

void new_function(void *handle, void *module, const char *name)
{
    const Module *from = table_get(&modules, module);
    Function *function = put_function(handle, name, from ? from->program : unseen_program(""), module);
    if (!function || !from || !from->image) return;
    if (!image_params(from->image, from->size, name, &function->params)) function->params.from = NULL;
}

void same_function(void *handle, void *kernel)
{
    const Function *from = table_get(&functions, kernel);
    Function *function = from ? put_function(handle, from->name, from->program, from->owner) : NULL;
    if (function) function->params = from->params;
}

static int is_under(const Function *function, const void *owner)
{
    const Module *module = table_get(&modules, function->owner);
    return function->owner == owner || (module && module->owner == owner);
}

/* Handles of what is unloaded may be given to others. */
void ended_module(void *handle)
{
    for (size_t at = 0; at < functions.room; at++) {
        Function *function = functions.values[at];
        if (!function || !is_under(function, handle)) continue;
        functions.values[at] = NULL;
        free(function->name);
        free(function);
    }
}

/* A linked image is of the one program of which a part was seen; of none where there are two. */
void linked_input(void *state, const void *data, size_t size)
{
    static Line several;
    char hex[65];
    sha256_hex(data, size, hex);
    Line *line = nvrtc_program(hex);
    if (!line && size && !((const char *)data)[size - 1]) { /* text with its end */
        sha256_hex(data, size - 1, hex);
        line = nvrtc_program(hex);
    }
    Line *before = table_get(&links, state);
    if (line) table_put(&links, state, before && before != line ? &several : line);
}

void linked_image(void *state, const void *image)
{
    Line *line = table_put(&links, state, NULL);
    if (line && line->body) nvrtc_image(image, 0, line);
}

/* ---- launches ---- */

static Function *function_of(void *handle)
{
    Function *function = table_get(&functions, handle);
    const char *name = NULL;
    typedef cu_result (*name_f)(const char **, void *);
    name_f ask = query(FUNC_NAME), other = query(KERNEL_NAME);
    if (!function && ask && !ask(&name, handle) && name) return put_function(handle, name, unseen_program(""), NULL);
    if (!function && other && !other(&name, handle) && name) return put_function(handle, name, unseen_program(""), NULL);
    return function;
}

/* What the driver says of the parameters goes before what an image says. */
static void ask_params(Function *function, void *handle)
{
    typedef cu_result (*info_f)(void *, size_t, size_t *, size_t *);
    static const int both[] = {FUNC_PARAM, KERNEL_PARAM};
    if (function->params.from && !strcmp(function->params.from, "driver")) return;
    for (int which = 0; which < 2; which++) {
        info_f ask = query(both[which]);
        Params found = {.count = 0};
        size_t offset, size;
        cu_result result = CU_NOT_FOUND;
        while (ask && found.count < CU_PARAMS && !(result = ask(handle, (size_t)found.count, &offset, &size))) {
            found.offset[found.count] = (unsigned)offset;
            found.size[found.count++] = (unsigned)size;
        }
        if (!found.count && result != 1) continue; /* CUDA_ERROR_INVALID_VALUE: there is no such parameter */
        found.from = "driver";
        function->params = found;
        return;
    }
}

/* The memory that an address lies in, and which argument is the first with the same. */
typedef struct { cu_pointer base; int first; } Root;
typedef struct { Root all[CU_PARAMS]; int count; } Roots;

static int add_memory(Text *text, const char *head, const unsigned char *word, Roots *roots, int argument)
{
    typedef cu_result (*range_f)(cu_pointer *, size_t *, cu_pointer);
    cu_pointer value, base = 0;
    size_t size = 0;
    range_f ask = query(RANGE);
    memcpy(&value, word, sizeof value);
    if (!ask || value < LOWEST || ask(&base, &size, value) || value < base || value - base >= size) return 0;
    int at = 0;
    while (at < roots->count && roots->all[at].base != base) at++;
    if (at == CU_PARAMS) return 0;
    if (at == roots->count) roots->all[roots->count++] = (Root){base, argument};
    text_add(text, "%s\"root\":%d,\"size\":%zu,\"offset\":%llu}", head, roots->all[at].first, size - (size_t)(value - base), value - base);
    return 1;
}

static void add_value(Text *text, const unsigned char *bytes, unsigned size, unsigned offset, Roots *roots, int argument)
{
    if (size == 8 && offset % 8 == 0 && add_memory(text, "{\"kind\":\"buffer\",", bytes, roots, argument)) return;
    unsigned char *copy = malloc(size + 1);
    if (!copy) {
        text->is_bad = 1;
        return;
    }
    memcpy(copy, bytes, size);
    Text memory = {0};
    for (unsigned at = 0; size > 8 && offset % 8 == 0 && at + 8 <= size; at += 8) {
        char head[40];
        Text open = {0};
        text_add(&open, "%s{\"at\":%u,", memory.used ? "," : "", at);
        memcpy(head, open.at ? open.at : "", open.at && open.used < sizeof head ? open.used + 1 : 1);
        text_free(&open);
        if (add_memory(&memory, head, bytes + at, roots, argument)) memset(copy + at, 0, 8);
    }
    text_add(text, "{\"kind\":\"value\",\"size\":%u,\"hex\":\"", size);
    text_hex(text, copy, size);
    text_add(text, "\"");
    if (memory.used) text_add(text, ",\"memory\":[%s]", memory.at);
    text_add(text, "}");
    text_free(&memory);
    free(copy);
}

/* `extra` holds all arguments in one piece of memory: pairs of a name (1: where, 2: pointer to its size), ended by 0. */
static const unsigned char *blob_of(void **extra, size_t *size)
{
    const unsigned char *blob = NULL;
    for (; extra && extra[0]; extra += 2) {
        if ((uintptr_t)extra[0] == 1) blob = extra[1];
        else if ((uintptr_t)extra[0] == 2) *size = *(const size_t *)extra[1];
        else return NULL;
    }
    return blob;
}

static void add_arguments(Text *text, const Function *function, void **params, void **extra)
{
    const Params *known = &function->params;
    size_t room = 0;
    const unsigned char *blob = params ? NULL : blob_of(extra, &room);
    Roots roots = {.count = 0};
    if (!known->from) {
        text_add(text, ",\"args\":null");
        return;
    }
    text_add(text, ",\"parameters\":\"%s\",\"args\":[", known->from);
    for (int at = 0; at < known->count; at++) {
        unsigned size = known->size[at], offset = known->offset[at];
        const unsigned char *bytes = params ? params[at] : blob && offset + size <= room ? blob + offset : NULL;
        if (at) text_add(text, ",");
        if (bytes && size && size <= INLINE_LIMIT) add_value(text, bytes, size, offset, &roots, at);
        else text_add(text, "{\"kind\":\"unset\"}");
    }
    text_add(text, "]");
}

static void add_three(Text *text, const char *name, const unsigned *sizes)
{
    text_add(text, ",\"%s\":[%u,%u,%u]", name, sizes[0], sizes[1], sizes[2]);
}

Line *cuda_launch(void *handle, const unsigned grid[3], const unsigned block[3], unsigned shared, void **params, void **extra,
                  const unsigned *cluster, int is_cooperative)
{
    Function *function = handle ? function_of(handle) : NULL;
    Text text = {0};
    if (!function || !function->name || !function->program) {
        if (handle) note("a kernel was launched of which the driver does not tell the name (cuFuncGetName, CUDA 12.3): it is not recorded");
        return NULL;
    }
    ask_params(function, handle);
    text_add(&text, ",\"program\":%u,\"kernel\":", function->program->number);
    text_quote(&text, function->name, strlen(function->name));
    add_three(&text, "grid", grid);
    add_three(&text, "block", block);
    text_add(&text, ",\"shared\":%u", shared);
    if (cluster) add_three(&text, "cluster", cluster);
    if (is_cooperative) text_add(&text, ",\"cooperative\":true");
    add_arguments(&text, function, params, extra);
    add_site(&text);
    Line *line = text.is_bad ? NULL : line_of("launch", text.at, function->program);
    text_free(&text);
    return line;
}
