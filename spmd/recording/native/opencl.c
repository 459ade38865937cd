/* OpenCL's functions, recorded. Each comes in twice: as an entry of a layer, which loaders put between themselves and a driver
 * (`OPENCL_LAYERS`), however the application reached the loader; and under its own name, for applications that are linked to a
 * loader without layers, or to a driver. Where both are passed the outer one records. */
#define _GNU_SOURCE
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which function is being handed on under its own name, so that the layer behind it lets it pass; 0: none. */
static __thread int passing;

/* ---- what is done around each function ---- */

#define MEMORY(kind, parent, offset)                                                                                                   \
    if (made && recorder_begin()) {                                                                                                    \
        new_memory(behind, made, kind, parent, offset);                                                                                \
        recorder_end();                                                                                                                \
    }                                                                                                                                  \
    return made;

#define AROUND(result, name, parameters) static result around_##name(const Behind *behind, TAKE parameters)
#define TAKE(...) __VA_ARGS__

AROUND(cl_object, clCreateBuffer, (cl_object c, cl_ulong flags, size_t size, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateBuffer)(c, flags, size, host, e);
    MEMORY('b', NULL, 0)
}
AROUND(cl_object, clCreateBufferWithProperties,
       (cl_object c, const cl_ulong *p, cl_ulong flags, size_t size, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateBufferWithProperties)(c, p, flags, size, host, e);
    MEMORY('b', NULL, 0)
}
AROUND(cl_object, clCreateSubBuffer, (cl_object b, cl_ulong flags, cl_uint type, const void *info, cl_int *e))
{
    size_t origin = info && type == 0x1220 ? *(const size_t *)info : 0; /* CL_BUFFER_CREATE_TYPE_REGION: origin, size */
    cl_object made = CALL(behind, clCreateSubBuffer)(b, flags, type, info, e);
    MEMORY('b', b, origin)
}
AROUND(cl_object, clCreateImage, (cl_object c, cl_ulong flags, const void *format, const void *about, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateImage)(c, flags, format, about, host, e);
    MEMORY('i', NULL, 0)
}
AROUND(cl_object, clCreateImageWithProperties,
       (cl_object c, const cl_ulong *p, cl_ulong flags, const void *format, const void *about, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateImageWithProperties)(c, p, flags, format, about, host, e);
    MEMORY('i', NULL, 0)
}
AROUND(cl_object, clCreateImage2D,
       (cl_object c, cl_ulong flags, const void *format, size_t w, size_t h, size_t pitch, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateImage2D)(c, flags, format, w, h, pitch, host, e);
    MEMORY('i', NULL, 0)
}
AROUND(cl_object, clCreateImage3D, (cl_object c, cl_ulong flags, const void *format, size_t w, size_t h, size_t d, size_t row,
                                    size_t slice, void *host, cl_int *e))
{
    cl_object made = CALL(behind, clCreateImage3D)(c, flags, format, w, h, d, row, slice, host, e);
    MEMORY('i', NULL, 0)
}
AROUND(cl_object, clCreatePipe, (cl_object c, cl_ulong flags, cl_uint size, cl_uint count, const void *p, cl_int *e))
{
    cl_object made = CALL(behind, clCreatePipe)(c, flags, size, count, p, e);
    MEMORY('p', NULL, 0)
}
AROUND(cl_object, clCreateFromGLBuffer, (cl_object c, cl_ulong flags, cl_uint name, cl_int *e))
{
    cl_object made = CALL(behind, clCreateFromGLBuffer)(c, flags, name, e);
    MEMORY('b', NULL, 0)
}
AROUND(cl_object, clCreateFromGLTexture, (cl_object c, cl_ulong flags, cl_uint target, cl_int level, cl_uint name, cl_int *e))
{
    cl_object made = CALL(behind, clCreateFromGLTexture)(c, flags, target, level, name, e);
    MEMORY('i', NULL, 0)
}
AROUND(cl_object, clCreateSampler, (cl_object c, cl_uint norm, cl_uint mode, cl_uint filter, cl_int *e))
{
    cl_object made = CALL(behind, clCreateSampler)(c, norm, mode, filter, e);
    MEMORY('s', NULL, 0)
}
AROUND(cl_object, clCreateSamplerWithProperties, (cl_object c, const cl_ulong *p, cl_int *e))
{
    cl_object made = CALL(behind, clCreateSamplerWithProperties)(c, p, e);
    MEMORY('s', NULL, 0)
}
AROUND(void *, clSVMAlloc, (cl_object c, cl_ulong flags, size_t size, cl_uint align))
{
    void *made = CALL(behind, clSVMAlloc)(c, flags, size, align);
    if (made && recorder_begin()) {
        new_svm(made, size);
        recorder_end();
    }
    return made;
}

AROUND(cl_object, clCreateProgramWithSource,
       (cl_object c, cl_uint n, const char **texts, const size_t *lengths, cl_int *e))
{
    cl_object made = CALL(behind, clCreateProgramWithSource)(c, n, texts, lengths, e);
    if (made && recorder_begin_here()) {
        Text whole = {0};
        for (cl_uint at = 0; at < n; at++)
            text_bytes(&whole, texts[at], lengths && lengths[at] ? lengths[at] : strlen(texts[at]));
        if (!whole.is_bad) new_program(made, "source", whole.at ? whole.at : "", whole.used, NULL);
        text_free(&whole);
        recorder_end();
    }
    return made;
}
AROUND(cl_object, clCreateProgramWithBinary, (cl_object c, cl_uint n, const cl_object *devices, const size_t *lengths,
                                              const unsigned char **binaries, cl_int *status, cl_int *e))
{
    cl_object made = CALL(behind, clCreateProgramWithBinary)(c, n, devices, lengths, binaries, status, e);
    if (made && recorder_begin_here()) {
        new_program(made, "binary", binaries[0], lengths[0], NULL);
        recorder_end();
    }
    return made;
}
AROUND(cl_object, clCreateProgramWithIL, (cl_object c, const void *il, size_t length, cl_int *e))
{
    cl_object made = CALL(behind, clCreateProgramWithIL)(c, il, length, e);
    if (made && recorder_begin_here()) {
        new_program(made, "il", il, length, NULL);
        recorder_end();
    }
    return made;
}
AROUND(cl_object, clCreateProgramWithBuiltInKernels,
       (cl_object c, cl_uint n, const cl_object *devices, const char *names, cl_int *e))
{
    cl_object made = CALL(behind, clCreateProgramWithBuiltInKernels)(c, n, devices, names, e);
    if (made && recorder_begin_here()) {
        new_program(made, "built-in", NULL, 0, names);
        recorder_end();
    }
    return made;
}
AROUND(cl_int, clBuildProgram,
       (cl_object p, cl_uint n, const cl_object *devices, const char *options, cl_callback done, void *data))
{
    cl_int result = CALL(behind, clBuildProgram)(p, n, devices, options, done, data);
    if (recorder_begin_here()) {
        built_program(behind, p, options, result, 0, NULL, NULL);
        recorder_end();
    }
    return result;
}
AROUND(cl_int, clCompileProgram, (cl_object p, cl_uint n, const cl_object *devices, const char *options, cl_uint headers,
                                  const cl_object *texts, const char **names, cl_callback done, void *data))
{
    cl_int result = CALL(behind, clCompileProgram)(p, n, devices, options, headers, texts, names, done, data);
    if (recorder_begin_here()) {
        built_program(behind, p, options, result, headers, texts, names);
        recorder_end();
    }
    return result;
}
AROUND(cl_object, clLinkProgram, (cl_object c, cl_uint n, const cl_object *devices, const char *options, cl_uint count,
                                  const cl_object *inputs, cl_callback done, void *data, cl_int *e))
{
    cl_object made = CALL(behind, clLinkProgram)(c, n, devices, options, count, inputs, done, data, e);
    if (made && recorder_begin_here()) {
        linked_program(made, options, count, inputs);
        recorder_end();
    }
    return made;
}

static void kernel_made(const Behind *behind, cl_object made)
{
    if (!made || !recorder_begin_here()) return;
    new_kernel(behind, made);
    recorder_end();
}
AROUND(cl_object, clCreateKernel, (cl_object p, const char *name, cl_int *e))
{
    cl_object made = CALL(behind, clCreateKernel)(p, name, e);
    kernel_made(behind, made);
    return made;
}
AROUND(cl_int, clCreateKernelsInProgram, (cl_object p, cl_uint n, cl_object *made, cl_uint *count))
{
    cl_uint here = 0;
    cl_int result = CALL(behind, clCreateKernelsInProgram)(p, n, made, &here);
    if (count) *count = here;
    for (cl_uint at = 0; result == CL_SUCCESS && made && at < here && at < n; at++) kernel_made(behind, made[at]);
    return result;
}
AROUND(cl_object, clCloneKernel, (cl_object k, cl_int *e))
{
    cl_object made = CALL(behind, clCloneKernel)(k, e);
    kernel_made(behind, made);
    if (made && recorder_begin()) {
        const Kernel *from = table_get(&kernels, k);
        Kernel *to = table_get(&kernels, made);
        for (cl_uint at = 0; from && to && at < from->count && at < to->count; at++) {
            Argument copy = from->arguments[at];
            if (copy.bytes) {
                unsigned char *bytes = malloc(copy.size + 1);
                if (bytes) memcpy(bytes, copy.bytes, copy.size);
                else copy.kind = UNSET;
                copy.bytes = bytes;
            }
            to->arguments[at] = copy;
        }
        recorder_end();
    }
    return made;
}
AROUND(cl_int, clSetKernelArg, (cl_object k, cl_uint at, size_t size, const void *value))
{
    cl_int result = CALL(behind, clSetKernelArg)(k, at, size, value);
    if (result == CL_SUCCESS && recorder_begin()) {
        set_argument(behind, k, at, size, value, 0);
        recorder_end();
    }
    return result;
}
AROUND(cl_int, clSetKernelArgSVMPointer, (cl_object k, cl_uint at, const void *value))
{
    cl_int result = CALL(behind, clSetKernelArgSVMPointer)(k, at, value);
    if (result == CL_SUCCESS && recorder_begin()) {
        set_argument(behind, k, at, sizeof value, value, 1);
        recorder_end();
    }
    return result;
}

/* A launch is written before it is made, for it may end the process. */
static Line *launching(const Behind *behind, cl_object k, cl_uint dims, const size_t *offset, const size_t *global,
                       const size_t *local)
{
    Line *line = NULL;
    if (!recorder_begin_here()) return NULL;
    line = launch_of(behind, k, dims, offset, global, local);
    line_count(line, 0, 1);
    recorder_end();
    return line;
}
static void refused(Line *line)
{
    if (!line || !recorder_begin()) return;
    line_count(line, 0, -1);
    line_count(line, 1, 1);
    recorder_end();
}
AROUND(cl_int, clEnqueueNDRangeKernel, (cl_object q, cl_object k, cl_uint dims, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint n, const cl_object *waits, cl_object *event))
{
    Line *line = k && global ? launching(behind, k, dims, offset, global, local) : NULL;
    cl_int result = CALL(behind, clEnqueueNDRangeKernel)(q, k, dims, offset, global, local, n, waits, event);
    if (result != CL_SUCCESS) refused(line);
    return result;
}
AROUND(cl_int, clEnqueueTask, (cl_object q, cl_object k, cl_uint n, const cl_object *waits, cl_object *event))
{
    static const size_t one = 1;
    Line *line = k ? launching(behind, k, 1, NULL, &one, &one) : NULL;
    cl_int result = CALL(behind, clEnqueueTask)(q, k, n, waits, event);
    if (result != CL_SUCCESS) refused(line);
    return result;
}

/* Functions of extensions are handed out by name, and pass the recorder by. Those that matter are told. */
static void asked_for(const char *name)
{
    static const char *const unseen[] = {"clCommandNDRangeKernelKHR", "clSetKernelArgMemPointerINTEL", "clCreateProgramWithILKHR",
                                         "clSetKernelArgDevicePointerEXT"};
    for (size_t at = 0; name && at < sizeof unseen / sizeof *unseen; at++)
        if (!strcmp(name, unseen[at]) && recorder_begin()) {
            char text[160];
            snprintf(text, sizeof text, "the application asks for %s: what it does with it is not recorded", name);
            note(text);
            recorder_end();
        }
}
AROUND(void *, clGetExtensionFunctionAddress, (const char *name))
{
    asked_for(name);
    return CALL(behind, clGetExtensionFunctionAddress)(name);
}
AROUND(void *, clGetExtensionFunctionAddressForPlatform, (cl_object platform, const char *name))
{
    asked_for(name);
    return CALL(behind, clGetExtensionFunctionAddressForPlatform)(platform, name);
}

/* ---- as a layer ---- */

static Behind layered;
static void *entries[TABLE];

#define GIVE(...) __VA_ARGS__
#define ENTRY(result, name, parameters, arguments)                                                                                     \
    static result layer_##name parameters                                                                                              \
    {                                                                                                                                  \
        int is_passing = passing == AT_##name + 1;                                                                                     \
        passing = 0;                                                                                                                   \
        return is_passing ? CALL(&layered, name) arguments : around_##name(&layered, GIVE arguments);                                  \
    }
EVERY(ENTRY)

EXPORT cl_int clGetLayerInfo(cl_uint what, size_t room, void *value, size_t *size)
{
    static const cl_uint version = CL_LAYER_API_VERSION_100;
    if (what != CL_LAYER_API_VERSION || (value && room < sizeof version)) return CL_INVALID_VALUE;
    if (value) memcpy(value, &version, sizeof version);
    if (size) *size = sizeof version;
    return CL_SUCCESS;
}

EXPORT cl_int clInitLayer(cl_uint count, void *const *target, cl_uint *ours, void *const **given)
{
    if (!target || !ours || !given) return CL_INVALID_VALUE;
    cl_uint most = count < TABLE ? count : TABLE;
    for (cl_uint at = 0; at < most; at++) layered.at[at] = entries[at] = target[at];
#define PLACE(result, name, parameters, arguments)                                                                                     \
    if (AT_##name < most && target[AT_##name]) entries[AT_##name] = (void *)layer_##name;
    EVERY(PLACE)
    *ours = most;
    *given = entries;
    return CL_SUCCESS;
}

/* ---- under their own names ---- */

#define LOOK_UP(result, name, parameters, arguments) behind->at[AT_##name] = next_symbol(#name, caller);

/* The functions that a caller would have reached. Callers in one object reach the same. */
static const Behind *behind_for(const char *name, const void *caller)
{
    static Behind found[8];
    static const void *first[8];
    static int used;
    const void *mark = next_symbol("clGetKernelInfo", caller);
    if (!mark || !recorder_begin()) return NULL;
    const Behind *known = NULL;
    for (int at = 0; at < used && !known; at++)
        if (first[at] == mark) known = &found[at];
    int is_room = used < 8;
    recorder_end();
    if (known || !is_room || !next_symbol(name, caller)) return known;
    Behind fresh = {{0}}, *behind = &fresh; /* looked up while nothing is held: whoever loads a library may wait for the recorder */
    EVERY(LOOK_UP)
    behind->at[AT_clGetKernelInfo] = next_symbol("clGetKernelInfo", caller);
    behind->at[AT_clGetKernelArgInfo] = next_symbol("clGetKernelArgInfo", caller);
    behind->at[AT_clGetProgramInfo] = next_symbol("clGetProgramInfo", caller);
    behind->at[AT_clGetMemObjectInfo] = next_symbol("clGetMemObjectInfo", caller);
    behind->at[AT_clGetImageInfo] = next_symbol("clGetImageInfo", caller);
    if (!recorder_begin()) return NULL;
    for (int at = 0; at < used && !known; at++)
        if (first[at] == mark) known = &found[at];
    if (!known && used < 8) {
        found[used] = fresh;
        first[used] = mark;
        known = &found[used++];
    }
    recorder_end();
    return known;
}

#define NAMED(result, name, parameters, arguments)                                                                                     \
    EXPORT result name parameters                                                                                                      \
    {                                                                                                                                  \
        const void *caller = __builtin_return_address(0);                                                                              \
        const Behind *behind = behind_for(#name, caller);                                                                              \
        if (!behind || !behind->at[AT_##name]) return ((name##_f)next_symbol(#name, caller)) arguments;                                \
        passing = AT_##name + 1;                                                                                                       \
        result found = around_##name(behind, GIVE arguments);                                                                          \
        passing = 0;                                                                                                                   \
        return found;                                                                                                                  \
    }
EVERY(NAMED)
