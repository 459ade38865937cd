/* CUDA's functions, recorded: those of the driver, which every launch comes to, whatever runtime it was made through; and those of
 * NVRTC, which have the text. An application reaches them under their own names, by `dlsym`, or by the driver's own
 * `cuGetProcAddress`, as NVIDIA's runtime does, linked statically or not. */
#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum {
#define CU_NUMBER(name, parameters, arguments) AT_##name,
    EVERY_CU(CU_NUMBER)
    CU_COUNT
};

/* The functions behind; NULL while none was looked up, and the next one of that name is meant. */
static void *behind[CU_COUNT];
static __thread int is_behind; /* in a function that launches: what the driver calls itself there is no other launch */

#define REAL(name) ((name##_f)(behind[AT_##name] ? behind[AT_##name] : next_symbol(#name, caller)))
#define TAKE(...) __VA_ARGS__
#define AROUND(name, parameters) static cu_result around_##name(const void *caller, TAKE parameters)

/* After a call that went well. */
#define SEEN(result, what)                                                                                                             \
    if ((result) == CU_SUCCESS && recorder_begin()) {                                                                                  \
        what;                                                                                                                          \
        recorder_end();                                                                                                                \
    }
#define PASS(name, arguments, what)                                                                                                    \
    cu_result result = REAL(name) arguments;                                                                                           \
    SEEN(result, what)                                                                                                                 \
    return result;

/* Of an image in memory, what it was loaded with is looked up before anything is held. */
#define LOADED(name, arguments, handle, image)                                                                                         \
    const char *from = loaded_from(image);                                                                                             \
    PASS(name, arguments, new_module(handle, image, NULL, from))

AROUND(cuModuleLoad, (void **m, const char *file)) { PASS(cuModuleLoad, (m, file), new_module(*m, NULL, file, file)) }
AROUND(cuModuleLoadData, (void **m, const void *image)) { LOADED(cuModuleLoadData, (m, image), *m, image) }
AROUND(cuModuleLoadDataEx, (void **m, const void *image, unsigned n, int *o, void **v))
{
    LOADED(cuModuleLoadDataEx, (m, image, n, o, v), *m, image)
}
AROUND(cuModuleLoadFatBinary, (void **m, const void *image)) { LOADED(cuModuleLoadFatBinary, (m, image), *m, image) }
AROUND(cuModuleGetFunction, (void **f, void *m, const char *name)) { PASS(cuModuleGetFunction, (f, m, name), new_function(*f, m, name)) }
AROUND(cuModuleUnload, (void *m)) { PASS(cuModuleUnload, (m), ended_module(m)) }
AROUND(cuLibraryUnload, (void *l)) { PASS(cuLibraryUnload, (l), ended_module(l)) }
AROUND(cuLibraryLoadData, (void **l, const void *image, int *o, void **v, unsigned n, int *p, void **w, unsigned k))
{
    LOADED(cuLibraryLoadData, (l, image, o, v, n, p, w, k), *l, image)
}
AROUND(cuLibraryLoadFromFile, (void **l, const char *file, int *o, void **v, unsigned n, int *p, void **w, unsigned k))
{
    PASS(cuLibraryLoadFromFile, (l, file, o, v, n, p, w, k), new_module(*l, NULL, file, file))
}
AROUND(cuLibraryGetKernel, (void **f, void *l, const char *name)) { PASS(cuLibraryGetKernel, (f, l, name), new_function(*f, l, name)) }
AROUND(cuLibraryGetModule, (void **m, void *l)) { PASS(cuLibraryGetModule, (m, l), same_module(*m, l)) }
AROUND(cuKernelGetFunction, (void **f, void *k)) { PASS(cuKernelGetFunction, (f, k), same_function(*f, k)) }
AROUND(cuLinkAddData, (void *state, int type, void *data, size_t size, const char *name, unsigned n, int *o, void **v))
{
    PASS(cuLinkAddData, (state, type, data, size, name, n, o, v), linked_input(state, data, size))
}
AROUND(cuLinkAddData_v2, (void *state, int type, void *data, size_t size, const char *name, unsigned n, int *o, void **v))
{
    PASS(cuLinkAddData_v2, (state, type, data, size, name, n, o, v), linked_input(state, data, size))
}
AROUND(cuLinkComplete, (void *state, void **image, size_t *size)) { PASS(cuLinkComplete, (state, image, size), linked_image(state, *image)) }

/* A launch is written before it is made, for it may end the process. */
#define LAUNCH(name, arguments, line)                                                                                                  \
    Line *made = NULL;                                                                                                                 \
    if (!is_behind) cuda_queries_of(caller);                                                                                           \
    if (!is_behind && recorder_begin_here()) {                                                                                         \
        made = line;                                                                                                                   \
        line_count(made, 0, 1);                                                                                                        \
        recorder_end();                                                                                                                \
    }                                                                                                                                  \
    is_behind++;                                                                                                                       \
    cu_result result = REAL(name) arguments;                                                                                           \
    is_behind--;                                                                                                                       \
    if (result != CU_SUCCESS && made && recorder_begin()) {                                                                            \
        line_count(made, 0, -1);                                                                                                       \
        line_count(made, 1, 1);                                                                                                        \
        recorder_end();                                                                                                                \
    }                                                                                                                                  \
    return result;
#define THREE(a, b, c) ((const unsigned[3]){a, b, c})
#define PLAIN(extra, is_cooperative)                                                                                                   \
    cuda_launch(f, THREE(gx, gy, gz), THREE(bx, by, bz), shared, params, extra, NULL, is_cooperative)

AROUND(cuLaunchKernel, (void *f, CU_SIZES, void *stream, void **params, void **extra))
{
    LAUNCH(cuLaunchKernel, (f, CU_GIVEN, stream, params, extra), PLAIN(extra, 0))
}
AROUND(cuLaunchKernel_ptsz, (void *f, CU_SIZES, void *stream, void **params, void **extra))
{
    LAUNCH(cuLaunchKernel_ptsz, (f, CU_GIVEN, stream, params, extra), PLAIN(extra, 0))
}
AROUND(cuLaunchCooperativeKernel, (void *f, CU_SIZES, void *stream, void **params))
{
    LAUNCH(cuLaunchCooperativeKernel, (f, CU_GIVEN, stream, params), PLAIN(NULL, 1))
}
AROUND(cuLaunchCooperativeKernel_ptsz, (void *f, CU_SIZES, void *stream, void **params))
{
    LAUNCH(cuLaunchCooperativeKernel_ptsz, (f, CU_GIVEN, stream, params), PLAIN(NULL, 1))
}

static Line *configured(const cu_config *config, void *f, void **params, void **extra)
{
    const unsigned *cluster = NULL;
    int is_cooperative = 0;
    if (!config) return NULL;
    for (unsigned at = 0; config->attributes && at < config->count; at++) {
        const cu_attribute *attribute = &config->attributes[at];
        if (attribute->id == CU_ATTRIBUTE_CLUSTER && attribute->value.cluster[0]) cluster = attribute->value.cluster;
        if (attribute->id == CU_ATTRIBUTE_COOPERATIVE && attribute->value.cooperative) is_cooperative = 1;
    }
    return cuda_launch(f, config->grid, config->block, config->shared, params, extra, cluster, is_cooperative);
}
AROUND(cuLaunchKernelEx, (const cu_config *config, void *f, void **params, void **extra))
{
    LAUNCH(cuLaunchKernelEx, (config, f, params, extra), configured(config, f, params, extra))
}
AROUND(cuLaunchKernelEx_ptsz, (const cu_config *config, void *f, void **params, void **extra))
{
    LAUNCH(cuLaunchKernelEx_ptsz, (config, f, params, extra), configured(config, f, params, extra))
}

static const char GRAPHS[] = "the application launches graphs: what was captured from a stream is recorded once, kernels that were added "
                             "to a graph are not";
static const char DEVICES[] = "the application launches kernels on several devices at once: those are not recorded";
AROUND(cuLaunchCooperativeKernelMultiDevice, (void *list, unsigned n, unsigned flags))
{
    PASS(cuLaunchCooperativeKernelMultiDevice, (list, n, flags), note(DEVICES))
}
AROUND(cuGraphLaunch, (void *graph, void *stream)) { PASS(cuGraphLaunch, (graph, stream), note(GRAPHS)) }
AROUND(cuGraphLaunch_ptsz, (void *graph, void *stream)) { PASS(cuGraphLaunch_ptsz, (graph, stream), note(GRAPHS)) }

/* ---- NVRTC ---- */

AROUND(nvrtcCreateProgram,
       (void **p, const char *text, const char *name, int n, const char *const *headers, const char *const *names))
{
    PASS(nvrtcCreateProgram, (p, text, name, n, headers, names), nvrtc_created(*p, text, n, headers, names))
}
AROUND(nvrtcAddNameExpression, (void *p, const char *name)) { PASS(nvrtcAddNameExpression, (p, name), nvrtc_named(p, name)) }
AROUND(nvrtcCompileProgram, (void *p, int n, const char *const *options))
{
    cu_result result = REAL(nvrtcCompileProgram)(p, n, options);
    if (recorder_begin_here()) {
        nvrtc_compiled(p, n, options, result);
        recorder_end();
    }
    return result;
}
AROUND(nvrtcGetPTX, (void *p, char *text)) { PASS(nvrtcGetPTX, (p, text), nvrtc_gave(p, text, 0)) }
AROUND(nvrtcGetCUBIN, (void *p, char *image)) { PASS(nvrtcGetCUBIN, (p, image), nvrtc_gave(p, image, 0)) }
AROUND(nvrtcGetLTOIRSize, (void *p, size_t *size)) { PASS(nvrtcGetLTOIRSize, (p, size), nvrtc_sized(p, *size)) }
AROUND(nvrtcGetLTOIR, (void *p, char *image)) { PASS(nvrtcGetLTOIR, (p, image), nvrtc_gave(p, image, 1)) }
AROUND(nvrtcDestroyProgram, (void **p))
{
    void *ended = p ? *p : NULL;
    PASS(nvrtcDestroyProgram, (p), nvrtc_ended(ended))
}

/* ---- looked up by name ---- */

AROUND(cuGetProcAddress, (const char *name, void **found, int version, cu_pointer flags))
{
    cu_result result = REAL(cuGetProcAddress)(name, found, version, flags);
    if (result == CU_SUCCESS && name && found && *found) *found = cuda_instead(name, *found, version, flags);
    return result;
}
AROUND(cuGetProcAddress_v2, (const char *name, void **found, int version, cu_pointer flags, int *status))
{
    cu_result result = REAL(cuGetProcAddress_v2)(name, found, version, flags, status);
    if (result == CU_SUCCESS && name && found && *found) *found = cuda_instead(name, *found, version, flags);
    return result;
}

/* Under their own names. */
#define GIVE(...) __VA_ARGS__
#define NAMED(name, parameters, arguments)                                                                                             \
    EXPORT cu_result name parameters { return around_##name(__builtin_return_address(0), GIVE arguments); }
EVERY_CU(NAMED)

static int place_of(const char *name, const char *ending)
{
#define IN_PLACE(each, parameters, arguments) #each,
    static const char *const names[] = {EVERY_CU(IN_PLACE)};
    size_t length = strlen(name);
    for (int at = 0; at < CU_COUNT; at++)
        if (!strncmp(names[at], name, length) && !strcmp(names[at] + length, ending)) return at;
    return -1;
}

int cuda_has(const char *name) { return (*name == 'c' || *name == 'n') && place_of(name, "") >= 0; }

void *cuda_instead(const char *name, void *real, int version, cu_pointer flags)
{
#define ADDRESS(each, parameters, arguments) (void *)each,
    static void *const ours[] = {EVERY_CU(ADDRESS)};
    int at = -1;
    if (is_of_recorder(real)) return real;
    if (version >= 0) { /* by `cuGetProcAddress`: the plain name, and the version of CUDA that says which signature is meant */
        if (flags & CU_PER_THREAD) at = place_of(name, "_ptsz");
        if (at < 0 && !strcmp(name, "cuGetProcAddress") && version >= 12000) at = AT_cuGetProcAddress_v2;
        if (at < 0 && !strcmp(name, "cuLinkAddData")) at = AT_cuLinkAddData_v2;
    }
    if (at < 0) at = place_of(name, "");
    if (at < 0) return real;
    behind[at] = real;
    return ours[at];
}
