/* As much of CUDA's driver interface and of NVRTC as the recorder needs, from their documented interfaces (names, numbers,
 * signatures). Handles of all kinds are plain pointers here. */
#ifndef SPMD_CUDA_H
#define SPMD_CUDA_H

#include "recorder.h"

typedef int cu_result;
typedef unsigned long long cu_pointer;
typedef struct { unsigned id; char pad[4]; union { char room[64]; unsigned cluster[3]; int cooperative; } value; } cu_attribute;
typedef struct { unsigned grid[3], block[3], shared; void *stream; cu_attribute *attributes; unsigned count; } cu_config;

enum { CU_SUCCESS = 0, CU_NOT_FOUND = 500, CU_PER_THREAD = 2, CU_ATTRIBUTE_COOPERATIVE = 2, CU_ATTRIBUTE_CLUSTER = 4 };

#define CU_SIZES unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared
#define CU_GIVEN gx, gy, gz, bx, by, bz, shared

/* Every function that is recorded: name, parameters, arguments. The endings are those of the driver's library: `_v2` for a later
 * signature, `_ptsz` for another default stream. */
#define EVERY_CU(F)                                                                                                                    \
    F(cuModuleLoad, (void **m, const char *file), (m, file))                                                                           \
    F(cuModuleLoadData, (void **m, const void *image), (m, image))                                                                     \
    F(cuModuleLoadDataEx, (void **m, const void *image, unsigned n, int *o, void **v), (m, image, n, o, v))                            \
    F(cuModuleLoadFatBinary, (void **m, const void *image), (m, image))                                                                \
    F(cuModuleGetFunction, (void **f, void *m, const char *name), (f, m, name))                                                        \
    F(cuLibraryLoadData, (void **l, const void *image, int *o, void **v, unsigned n, int *p, void **w, unsigned k),                    \
      (l, image, o, v, n, p, w, k))                                                                                                    \
    F(cuLibraryLoadFromFile, (void **l, const char *file, int *o, void **v, unsigned n, int *p, void **w, unsigned k),                 \
      (l, file, o, v, n, p, w, k))                                                                                                     \
    F(cuLibraryGetKernel, (void **f, void *l, const char *name), (f, l, name))                                                         \
    F(cuLibraryGetModule, (void **m, void *l), (m, l))                                                                                 \
    F(cuKernelGetFunction, (void **f, void *k), (f, k))                                                                                \
    F(cuModuleUnload, (void *m), (m))                                                                                                  \
    F(cuLibraryUnload, (void *l), (l))                                                                                                 \
    F(cuLinkAddData, (void *state, int type, void *data, size_t size, const char *name, unsigned n, int *o, void **v),                 \
      (state, type, data, size, name, n, o, v))                                                                                        \
    F(cuLinkAddData_v2, (void *state, int type, void *data, size_t size, const char *name, unsigned n, int *o, void **v),              \
      (state, type, data, size, name, n, o, v))                                                                                        \
    F(cuLinkComplete, (void *state, void **image, size_t *size), (state, image, size))                                                 \
    F(cuLaunchKernel, (void *f, CU_SIZES, void *stream, void **params, void **extra), (f, CU_GIVEN, stream, params, extra))            \
    F(cuLaunchKernel_ptsz, (void *f, CU_SIZES, void *stream, void **params, void **extra), (f, CU_GIVEN, stream, params, extra))       \
    F(cuLaunchKernelEx, (const cu_config *config, void *f, void **params, void **extra), (config, f, params, extra))                   \
    F(cuLaunchKernelEx_ptsz, (const cu_config *config, void *f, void **params, void **extra), (config, f, params, extra))              \
    F(cuLaunchCooperativeKernel, (void *f, CU_SIZES, void *stream, void **params), (f, CU_GIVEN, stream, params))                      \
    F(cuLaunchCooperativeKernel_ptsz, (void *f, CU_SIZES, void *stream, void **params), (f, CU_GIVEN, stream, params))                 \
    F(cuLaunchCooperativeKernelMultiDevice, (void *list, unsigned n, unsigned flags), (list, n, flags))                                \
    F(cuGraphLaunch, (void *graph, void *stream), (graph, stream))                                                                     \
    F(cuGraphLaunch_ptsz, (void *graph, void *stream), (graph, stream))                                                                \
    F(cuGetProcAddress, (const char *name, void **found, int version, cu_pointer flags), (name, found, version, flags))                \
    F(cuGetProcAddress_v2, (const char *name, void **found, int version, cu_pointer flags, int *status),                               \
      (name, found, version, flags, status))                                                                                           \
    F(nvrtcCreateProgram, (void **p, const char *text, const char *name, int n, const char *const *headers, const char *const *names), \
      (p, text, name, n, headers, names))                                                                                              \
    F(nvrtcAddNameExpression, (void *p, const char *name), (p, name))                                                                  \
    F(nvrtcCompileProgram, (void *p, int n, const char *const *options), (p, n, options))                                              \
    F(nvrtcGetPTX, (void *p, char *text), (p, text))                                                                                   \
    F(nvrtcGetCUBIN, (void *p, char *image), (p, image))                                                                               \
    F(nvrtcGetLTOIRSize, (void *p, size_t *size), (p, size))                                                                           \
    F(nvrtcGetLTOIR, (void *p, char *image), (p, image))                                                                               \
    F(nvrtcDestroyProgram, (void **p), (p))

#define CU_DECLARE(name, parameters, arguments) typedef cu_result(*name##_f) parameters;
EVERY_CU(CU_DECLARE)
#undef CU_DECLARE

/* Where each parameter of a kernel lies among its arguments, in bytes. `from`: who said so; NULL while nobody has. */
#define CU_PARAMS 256
typedef struct { int count; unsigned offset[CU_PARAMS], size[CU_PARAMS]; const char *from; } Params;

/* What a module's functions come from. `image`: a copy of it, where sizes of parameters can be read from it. */
typedef struct { Line *program; char *image; size_t size; const void *owner; } Module;
typedef struct { char *name; Line *program; const void *owner; Params params; } Function;

size_t image_size(const void *image, const char **kind, const void **whole);
int image_params(const char *image, size_t size, const char *kernel, Params *params);

/* Queries of the driver that are asked at a launch; NULL where it has them not. */
void cuda_queries_from(void *(*look_up)(void *, const char *), void *handle);
void cuda_queries_of(const void *caller);

const char *loaded_from(const void *image); /* the file that an image in memory was loaded with; "" where none is known */
void new_module(void *handle, const void *image, const char *file, const char *from); /* `file`: an image that lies there */
void same_module(void *handle, void *library);
void new_function(void *handle, void *module, const char *name);
void same_function(void *handle, void *kernel);
void linked_input(void *state, const void *data, size_t size);
void linked_image(void *state, const void *image);
void ended_module(void *handle);
Line *cuda_launch(void *handle, const unsigned grid[3], const unsigned block[3], unsigned shared, void **params, void **extra,
                  const unsigned *cluster, int is_cooperative);

void nvrtc_created(void *handle, const char *text, int count, const char *const *headers, const char *const *names);
void nvrtc_named(void *handle, const char *name);
void nvrtc_compiled(void *handle, int count, const char *const *options, int result);
void nvrtc_sized(void *handle, size_t size);
void nvrtc_gave(void *handle, const void *image, int is_sized);
void nvrtc_ended(void *handle);
void nvrtc_image(const void *image, size_t size, Line *line); /* size 0: as it says itself */
Line *nvrtc_program(const char hex[65]); /* what an image was compiled from; NULL: nothing that was seen */

int cuda_has(const char *name);

/* The recorder's function in place of the driver's; `real`, where it is one of those. */
void *cuda_instead(const char *name, void *real, int version, cu_pointer flags);

#endif
