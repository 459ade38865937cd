/* What is known of OpenCL's objects: programs with their text and options, memory, kernels with their arguments; and of a launch
 * its line. All of this is asked for between `recorder_begin` and `recorder_end`; functions of the driver that are called are
 * queries alone. */
#define _GNU_SOURCE
#include "opencl.h"

#include <stdlib.h>
#include <string.h>

#define INLINE_LIMIT 65536 /* bytes of one argument */

Table programs, kernels, memories;

static cl_int ask(const Behind *behind, int place, cl_object handle, cl_uint what, size_t room, void *value, size_t *size)
{
    get_info_f get = (get_info_f)behind->at[place];
    return get ? get(handle, what, room, value, size) : CL_INVALID_VALUE;
}

/* ---- programs ---- */

void new_program(cl_object handle, const char *kind, const void *content, size_t size, const char *name)
{
    Program *program = calloc(1, sizeof *program);
    if (!program) return;
    text_add(&program->body, ",\"kind\":\"%s\",\"bytes\":%zu", kind, size);
    if (content) {
        char hex[65];
        if (!strcmp(kind, "source")) {
            text_bytes(&program->source, content, size);
            if (store_content(content, size, hex)) text_add(&program->body, ",\"content\":\"%s\"", hex);
        } else {
            sha256_hex(content, size, hex);
            text_add(&program->body, ",\"sha256\":\"%s\"", hex);
        }
    }
    if (name) {
        text_add(&program->body, ",\"names\":");
        text_quote(&program->body, name, strlen(name));
    }
    add_site(&program->site);
    Program *before = table_put(&programs, handle, program);
    if (before) { /* a handle that is used again */
        text_free(&before->body);
        text_free(&before->source);
        text_free(&before->site);
        free(before);
    }
}

Program *program_of(const Behind *behind, cl_object handle)
{
    Program *program = table_get(&programs, handle);
    if (program) return program;
    size_t size = 0;
    char *source = NULL;
    if (!ask(behind, AT_clGetProgramInfo, handle, CL_PROGRAM_SOURCE, 0, NULL, &size) && size > 1 && (source = calloc(1, size + 1))
        && !ask(behind, AT_clGetProgramInfo, handle, CL_PROGRAM_SOURCE, size, source, NULL))
        new_program(handle, "source", source, strlen(source), NULL);
    else
        new_program(handle, "unknown", NULL, 0, NULL);
    free(source);
    return table_get(&programs, handle);
}

static void write_program(Program *program)
{
    if (!program->line && !program->body.is_bad) program->line = line_of("program", program->body.at, NULL);
}

/* The program's line begins anew where it was built before. */
static Text begun(const Program *program)
{
    Text text = {0};
    const char *end = program->line ? strstr(program->body.at, ",\"options\":") : NULL;
    text_bytes(&text, program->body.at, end ? (size_t)(end - program->body.at) : program->body.used);
    return text;
}

static void add_options(Text *text, const char *options)
{
    text_add(text, ",\"options\":");
    text_quote(text, options ? options : "", options ? strlen(options) : 0);
}

static void add_build_site(Text *text, const Program *program)
{
    Text here = {0};
    add_site(&here);
    int is_told = here.at && strstr(here.at, "\"file\":");
    const Text *best = !is_told && program->site.at && strstr(program->site.at, "\"file\":") ? &program->site : &here;
    if (best->at) text_bytes(text, best->at, best->used);
    text_free(&here);
}

void built_program(const Behind *behind, cl_object handle, const char *options, int result, cl_uint headers,
                   const cl_object *texts, const char **names)
{
    Program *program = program_of(behind, handle);
    if (!program) return;
    Text text = begun(program);
    add_options(&text, options);
    text_add(&text, ",\"result\":%d,\"headers\":[", result);
    for (cl_uint at = 0; at < headers; at++) {
        const Program *header = texts && names ? program_of(behind, texts[at]) : NULL;
        char hex[65];
        if (!header || !header->source.at || !store_content(header->source.at, header->source.used, hex)) continue;
        text_add(&text, "%s{\"folder\":\"\",\"name\":", text.at[text.used - 1] == '[' ? "" : ",");
        text_quote(&text, names[at], strlen(names[at]));
        text_add(&text, ",\"content\":\"%s\"}", hex);
    }
    if (program->source.at) add_headers(&text, program->source.at, program->source.used, options ? options : "");
    text_add(&text, "]");
    add_build_site(&text, program);
    text_free(&program->body);
    program->body = text;
    program->line = NULL;
    write_program(program);
}

void linked_program(cl_object handle, const char *options, cl_uint count, const cl_object *inputs)
{
    new_program(handle, "linked", NULL, 0, NULL);
    Program *program = table_get(&programs, handle);
    if (!program) return;
    add_options(&program->body, options);
    text_add(&program->body, ",\"inputs\":[");
    for (cl_uint at = 0; at < count; at++) {
        Program *input = table_get(&programs, inputs[at]);
        if (input) write_program(input);
        if (input && input->line) text_add(&program->body, "%s%u", at ? "," : "", input->line->number);
    }
    text_add(&program->body, "]");
    add_site(&program->body);
    write_program(program);
}

/* ---- memory ---- */

void new_memory(const Behind *behind, cl_object handle, char kind, cl_object parent, size_t offset)
{
    static unsigned roots;
    if (parent && !table_get(&memories, parent)) new_memory(behind, parent, 'b', NULL, 0); /* made before the recording began */
    Memory *memory = table_get(&memories, handle);
    const Memory *whole = parent ? table_get(&memories, parent) : NULL;
    if (!memory && !(memory = malloc(sizeof *memory))) return;
    *memory = (Memory){kind, whole ? whole->root : ++roots, (whole ? whole->offset : 0) + offset, 0, 0, ""};
    if (kind != 's') {
        ask(behind, AT_clGetMemObjectInfo, handle, CL_MEM_SIZE, sizeof memory->size, &memory->size, NULL);
        ask(behind, AT_clGetMemObjectInfo, handle, CL_MEM_FLAGS, sizeof memory->flags, &memory->flags, NULL);
    }
    if (kind == 'i') {
        cl_uint format[2] = {0, 0}, type = 0;
        size_t size[3] = {0, 0, 0};
        Text text = {0};
        ask(behind, AT_clGetMemObjectInfo, handle, CL_MEM_TYPE, sizeof type, &type, NULL);
        ask(behind, AT_clGetImageInfo, handle, CL_IMAGE_FORMAT, sizeof format, format, NULL);
        for (cl_uint axis = 0; axis < 3; axis++)
            ask(behind, AT_clGetImageInfo, handle, CL_IMAGE_WIDTH + axis, sizeof *size, &size[axis], NULL);
        text_add(&text, ",\"image\":[%u,%u,%u,%zu,%zu,%zu]", type, format[0], format[1], size[0], size[1], size[2]);
        if (!text.is_bad && text.used < sizeof memory->about) memcpy(memory->about, text.at, text.used + 1);
        text_free(&text);
    }
    table_put(&memories, handle, memory);
}

/* Shared memory, as regions; the youngest that holds an address is the one. */
typedef struct Region { struct Region *next; const char *from; size_t size; unsigned number; } Region;
static Region *regions;

void new_svm(const void *at, size_t size)
{
    static unsigned count;
    Region *region = malloc(sizeof *region);
    if (!region) return;
    *region = (Region){regions, at, size, ++count};
    regions = region;
}

static const Region *region_of(const void *pointer)
{
    for (const Region *region = regions; region; region = region->next)
        if ((const char *)pointer >= region->from && (const char *)pointer < region->from + region->size) return region;
    return NULL;
}

/* ---- kernels ---- */

static void drop_kernel(Kernel *kernel)
{
    if (!kernel) return;
    for (cl_uint at = 0; at < kernel->count; at++) free(kernel->arguments[at].bytes);
    free(kernel->arguments);
    free(kernel->name);
    free(kernel);
}

void new_kernel(const Behind *behind, cl_object handle)
{
    size_t size = 0;
    cl_object owner = NULL;
    Kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return;
    ask(behind, AT_clGetKernelInfo, handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size);
    kernel->name = calloc(1, size + 1);
    ask(behind, AT_clGetKernelInfo, handle, CL_KERNEL_NUM_ARGS, sizeof kernel->count, &kernel->count, NULL);
    kernel->arguments = calloc(kernel->count + 1, sizeof *kernel->arguments);
    if (!kernel->name || !kernel->arguments) {
        kernel->count = 0;
        drop_kernel(kernel);
        return;
    }
    ask(behind, AT_clGetKernelInfo, handle, CL_KERNEL_FUNCTION_NAME, size, kernel->name, NULL);
    ask(behind, AT_clGetKernelInfo, handle, CL_KERNEL_PROGRAM, sizeof owner, &owner, NULL);
    Program *program = owner ? program_of(behind, owner) : NULL;
    if (program) {
        write_program(program);
        kernel->program = program->line;
    }
    drop_kernel(table_put(&kernels, handle, kernel));
}

Kernel *kernel_of(const Behind *behind, cl_object handle)
{
    if (!table_get(&kernels, handle)) new_kernel(behind, handle);
    return table_get(&kernels, handle);
}

/* Memory that was made before the recording began: where the kernel has a buffer or image for a parameter, what is passed is one. */
static const Memory *older_memory(const Behind *behind, cl_object handle, cl_uint at, cl_object passed)
{
    clGetKernelArgInfo_f get = (clGetKernelArgInfo_f)behind->at[AT_clGetKernelArgInfo];
    cl_uint space = 0, type = 0;
    if (!get || !passed || get(handle, at, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL)) return NULL;
    if (space != CL_KERNEL_ARG_ADDRESS_GLOBAL && space != CL_KERNEL_ARG_ADDRESS_CONSTANT) return NULL;
    if (ask(behind, AT_clGetMemObjectInfo, passed, CL_MEM_TYPE, sizeof type, &type, NULL)) return NULL;
    cl_object whole = NULL;
    size_t offset = 0;
    ask(behind, AT_clGetMemObjectInfo, passed, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    if (whole && type == CL_MEM_OBJECT_BUFFER) ask(behind, AT_clGetMemObjectInfo, passed, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    new_memory(behind, passed, type == CL_MEM_OBJECT_BUFFER ? 'b' : type == CL_MEM_OBJECT_PIPE ? 'p' : 'i', whole, offset);
    return table_get(&memories, passed);
}

void set_argument(const Behind *behind, cl_object handle, cl_uint at, size_t size, const void *value, int is_svm)
{
    Kernel *kernel = kernel_of(behind, handle);
    if (!kernel || at >= kernel->count) return;
    Argument *argument = &kernel->arguments[at];
    free(argument->bytes);
    *argument = (Argument){UNSET, size, NULL, {0, 0, 0, 0, 0, ""}, NULL};
    if (is_svm) {
        argument->kind = SVM;
        argument->pointer = value;
        return;
    }
    if (!value) {
        argument->kind = LOCAL;
        return;
    }
    const Memory *memory = size == sizeof(void *) ? table_get(&memories, *(void *const *)value) : NULL;
    if (!memory && size == sizeof(void *)) memory = older_memory(behind, handle, at, *(void *const *)value);
    if (memory) {
        argument->kind = OBJECT;
        argument->memory = *memory;
        return;
    }
    argument->kind = VALUE;
    if (size > INLINE_LIMIT || !(argument->bytes = malloc(size + 1))) argument->kind = UNSET;
    else memcpy(argument->bytes, value, size);
}

/* ---- launches ---- */

/* Which argument is the first with the same memory. */
static cl_uint first_with(const Kernel *kernel, cl_uint at)
{
    const Argument *argument = &kernel->arguments[at];
    for (cl_uint before = 0; before < at; before++) {
        const Argument *other = &kernel->arguments[before];
        if (other->kind != argument->kind) continue;
        if (other->kind == OBJECT && other->memory.root == argument->memory.root) return before;
        if (other->kind == SVM) {
            const Region *a = region_of(other->pointer), *b = region_of(argument->pointer);
            if (a ? a == b : other->pointer == argument->pointer) return before;
        }
    }
    return at;
}

static void add_argument(Text *text, const Kernel *kernel, cl_uint at)
{
    const Argument *argument = &kernel->arguments[at];
    const Memory *memory = &argument->memory;
    switch (argument->kind) {
    case VALUE:
        text_add(text, "{\"kind\":\"value\",\"size\":%zu,\"hex\":\"", argument->size);
        text_hex(text, argument->bytes, argument->size);
        text_add(text, "\"}");
        return;
    case LOCAL:
        text_add(text, "{\"kind\":\"local\",\"size\":%zu}", argument->size);
        return;
    case OBJECT:
        if (memory->kind == 's') {
            text_add(text, "{\"kind\":\"sampler\"}");
            return;
        }
        text_add(text, "{\"kind\":\"%s\",\"root\":%u,\"size\":%zu,\"offset\":%zu,\"flags\":%llu%s}",
                 memory->kind == 'b' ? "buffer" : memory->kind == 'i' ? "image" : "pipe", first_with(kernel, at), memory->size,
                 memory->offset, (unsigned long long)memory->flags, memory->about);
        return;
    case SVM: {
        const Region *region = region_of(argument->pointer);
        if (region)
            text_add(text, "{\"kind\":\"svm\",\"root\":%u,\"size\":%zu,\"offset\":%zu}", first_with(kernel, at),
                     region->size - (size_t)((const char *)argument->pointer - region->from),
                     (size_t)((const char *)argument->pointer - region->from));
        else
            text_add(text, "{\"kind\":\"svm\",\"root\":%u}", first_with(kernel, at));
        return;
    }
    }
    text_add(text, "{\"kind\":\"unset\"}");
}

static void add_sizes(Text *text, const char *name, cl_uint dims, const size_t *sizes)
{
    text_add(text, ",\"%s\":", name);
    if (!sizes) {
        text_add(text, "null");
        return;
    }
    for (cl_uint at = 0; at < dims && at < 3; at++) text_add(text, "%s%zu", at ? "," : "[", sizes[at]);
    text_add(text, "]");
}

Line *launch_of(const Behind *behind, cl_object handle, cl_uint dims, const size_t *offset, const size_t *global,
                const size_t *local)
{
    const Kernel *kernel = kernel_of(behind, handle);
    Text text = {0};
    if (!kernel || !kernel->program || !dims || dims > 3) return NULL;
    text_add(&text, ",\"program\":%u,\"kernel\":", kernel->program->number);
    text_quote(&text, kernel->name, strlen(kernel->name));
    add_sizes(&text, "global", dims, global);
    add_sizes(&text, "local", dims, local);
    add_sizes(&text, "offset", dims, offset);
    text_add(&text, ",\"args\":[");
    for (cl_uint at = 0; at < kernel->count; at++) {
        if (at) text_add(&text, ",");
        add_argument(&text, kernel, at);
    }
    text_add(&text, "]");
    add_site(&text);
    Line *line = text.is_bad ? NULL : line_of("launch", text.at, kernel->program);
    text_free(&text);
    return line;
}
