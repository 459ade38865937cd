/* As much of OpenCL as the recorder needs, from the specification (OpenCL 3.0, appendix "Header": names, numbers, signatures). */
#ifndef SPMD_OPENCL_H
#define SPMD_OPENCL_H

#include "recorder.h"

typedef struct cl_object *cl_object; /* a handle of any kind */
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef void (*cl_callback)(void);

enum {
    CL_SUCCESS = 0, CL_INVALID_VALUE = -30,
    CL_MEM_USE_HOST_PTR = 8,
    CL_PROGRAM_SOURCE = 0x1164, CL_PROGRAM_IL = 0x1169,
    CL_KERNEL_FUNCTION_NAME = 0x1190, CL_KERNEL_NUM_ARGS = 0x1191, CL_KERNEL_PROGRAM = 0x1194,
    CL_KERNEL_ARG_ADDRESS_QUALIFIER = 0x1196, CL_KERNEL_ARG_ADDRESS_GLOBAL = 0x119B, CL_KERNEL_ARG_ADDRESS_CONSTANT = 0x119C,
    CL_MEM_TYPE = 0x1100, CL_MEM_FLAGS = 0x1101, CL_MEM_SIZE = 0x1102, CL_MEM_HOST_PTR = 0x1103,
    CL_MEM_ASSOCIATED_MEMOBJECT = 0x1107, CL_MEM_OFFSET = 0x1108,
    CL_MEM_OBJECT_BUFFER = 0x10F0, CL_MEM_OBJECT_PIPE = 0x10F7,
    CL_IMAGE_FORMAT = 0x1110, CL_IMAGE_WIDTH = 0x1114, CL_IMAGE_HEIGHT = 0x1115, CL_IMAGE_DEPTH = 0x1116,
    CL_LAYER_API_VERSION = 0x4240, CL_LAYER_API_VERSION_100 = 100
};

/* Which place of a loader's table of functions each one has (cl_icd.h). */
enum {
    AT_clCreateBuffer = 14, AT_clCreateImage2D = 15, AT_clCreateImage3D = 16, AT_clGetMemObjectInfo = 20, AT_clGetImageInfo = 21,
    AT_clCreateSampler = 22, AT_clCreateProgramWithSource = 26, AT_clCreateProgramWithBinary = 27, AT_clBuildProgram = 30,
    AT_clGetProgramInfo = 32, AT_clCreateKernel = 34, AT_clCreateKernelsInProgram = 35, AT_clSetKernelArg = 38,
    AT_clGetKernelInfo = 39, AT_clEnqueueNDRangeKernel = 59, AT_clEnqueueTask = 60, AT_clGetExtensionFunctionAddress = 65,
    AT_clCreateFromGLBuffer = 66, AT_clCreateSubBuffer = 82, AT_clCreateImage = 96, AT_clCreateProgramWithBuiltInKernels = 97,
    AT_clCompileProgram = 98, AT_clLinkProgram = 99, AT_clGetKernelArgInfo = 101, AT_clGetExtensionFunctionAddressForPlatform = 107,
    AT_clCreateFromGLTexture = 108, AT_clCreatePipe = 124, AT_clSVMAlloc = 126, AT_clSVMFree = 127,
    AT_clCreateSamplerWithProperties = 133, AT_clSetKernelArgSVMPointer = 134, AT_clCloneKernel = 137,
    AT_clCreateProgramWithIL = 138, AT_clCreateBufferWithProperties = 146, AT_clCreateImageWithProperties = 147,
    TABLE = 149
};

/* The functions behind the recorder, in the places of a loader's table. */
typedef struct { void *at[TABLE]; } Behind;

/* Every function that is recorded: result, name, parameters, arguments. */
#define EVERY(F)                                                                                                                       \
    F(cl_object, clCreateBuffer, (cl_object c, cl_ulong flags, size_t size, void *host, cl_int *e), (c, flags, size, host, e))         \
    F(cl_object, clCreateBufferWithProperties, (cl_object c, const cl_ulong *p, cl_ulong flags, size_t size, void *host, cl_int *e),   \
      (c, p, flags, size, host, e))                                                                                                    \
    F(cl_object, clCreateSubBuffer, (cl_object b, cl_ulong flags, cl_uint type, const void *info, cl_int *e), (b, flags, type, info, e)) \
    F(cl_object, clCreateImage, (cl_object c, cl_ulong flags, const void *format, const void *about, void *host, cl_int *e),           \
      (c, flags, format, about, host, e))                                                                                              \
    F(cl_object, clCreateImageWithProperties,                                                                                          \
      (cl_object c, const cl_ulong *p, cl_ulong flags, const void *format, const void *about, void *host, cl_int *e),                  \
      (c, p, flags, format, about, host, e))                                                                                           \
    F(cl_object, clCreateImage2D,                                                                                                      \
      (cl_object c, cl_ulong flags, const void *format, size_t w, size_t h, size_t pitch, void *host, cl_int *e),                      \
      (c, flags, format, w, h, pitch, host, e))                                                                                        \
    F(cl_object, clCreateImage3D,                                                                                                      \
      (cl_object c, cl_ulong flags, const void *format, size_t w, size_t h, size_t d, size_t row, size_t slice, void *host, cl_int *e), \
      (c, flags, format, w, h, d, row, slice, host, e))                                                                                \
    F(cl_object, clCreatePipe, (cl_object c, cl_ulong flags, cl_uint size, cl_uint count, const void *p, cl_int *e),                   \
      (c, flags, size, count, p, e))                                                                                                   \
    F(cl_object, clCreateFromGLBuffer, (cl_object c, cl_ulong flags, cl_uint name, cl_int *e), (c, flags, name, e))                    \
    F(cl_object, clCreateFromGLTexture, (cl_object c, cl_ulong flags, cl_uint target, cl_int level, cl_uint name, cl_int *e),          \
      (c, flags, target, level, name, e))                                                                                              \
    F(cl_object, clCreateSampler, (cl_object c, cl_uint norm, cl_uint mode, cl_uint filter, cl_int *e), (c, norm, mode, filter, e))    \
    F(cl_object, clCreateSamplerWithProperties, (cl_object c, const cl_ulong *p, cl_int *e), (c, p, e))                                \
    F(void *, clSVMAlloc, (cl_object c, cl_ulong flags, size_t size, cl_uint align), (c, flags, size, align))                          \
    F(cl_object, clCreateProgramWithSource, (cl_object c, cl_uint n, const char **texts, const size_t *lengths, cl_int *e),            \
      (c, n, texts, lengths, e))                                                                                                       \
    F(cl_object, clCreateProgramWithBinary,                                                                                            \
      (cl_object c, cl_uint n, const cl_object *devices, const size_t *lengths, const unsigned char **binaries, cl_int *status, cl_int *e), \
      (c, n, devices, lengths, binaries, status, e))                                                                                   \
    F(cl_object, clCreateProgramWithIL, (cl_object c, const void *il, size_t length, cl_int *e), (c, il, length, e))                   \
    F(cl_object, clCreateProgramWithBuiltInKernels, (cl_object c, cl_uint n, const cl_object *devices, const char *names, cl_int *e),  \
      (c, n, devices, names, e))                                                                                                       \
    F(cl_int, clBuildProgram,                                                                                                          \
      (cl_object p, cl_uint n, const cl_object *devices, const char *options, cl_callback done, void *data),                           \
      (p, n, devices, options, done, data))                                                                                            \
    F(cl_int, clCompileProgram,                                                                                                        \
      (cl_object p, cl_uint n, const cl_object *devices, const char *options, cl_uint headers, const cl_object *texts,                 \
       const char **names, cl_callback done, void *data),                                                                              \
      (p, n, devices, options, headers, texts, names, done, data))                                                                     \
    F(cl_object, clLinkProgram,                                                                                                        \
      (cl_object c, cl_uint n, const cl_object *devices, const char *options, cl_uint count, const cl_object *inputs,                  \
       cl_callback done, void *data, cl_int *e),                                                                                       \
      (c, n, devices, options, count, inputs, done, data, e))                                                                          \
    F(cl_object, clCreateKernel, (cl_object p, const char *name, cl_int *e), (p, name, e))                                             \
    F(cl_int, clCreateKernelsInProgram, (cl_object p, cl_uint n, cl_object *kernels, cl_uint *count), (p, n, kernels, count))          \
    F(cl_object, clCloneKernel, (cl_object k, cl_int *e), (k, e))                                                                      \
    F(cl_int, clSetKernelArg, (cl_object k, cl_uint at, size_t size, const void *value), (k, at, size, value))                         \
    F(cl_int, clSetKernelArgSVMPointer, (cl_object k, cl_uint at, const void *value), (k, at, value))                                  \
    F(cl_int, clEnqueueNDRangeKernel,                                                                                                  \
      (cl_object q, cl_object k, cl_uint dims, const size_t *offset, const size_t *global, const size_t *local, cl_uint n,             \
       const cl_object *waits, cl_object *event),                                                                                      \
      (q, k, dims, offset, global, local, n, waits, event))                                                                            \
    F(cl_int, clEnqueueTask, (cl_object q, cl_object k, cl_uint n, const cl_object *waits, cl_object *event), (q, k, n, waits, event)) \
    F(void *, clGetExtensionFunctionAddress, (const char *name), (name))                                                               \
    F(void *, clGetExtensionFunctionAddressForPlatform, (cl_object platform, const char *name), (platform, name))

/* Every function as it is asked for by the others. */
#define DECLARE(result, name, parameters, arguments) typedef result(*name##_f) parameters;
EVERY(DECLARE)
#undef DECLARE
typedef cl_int (*get_info_f)(cl_object, cl_uint, size_t, void *, size_t *);
typedef cl_int (*clGetKernelArgInfo_f)(cl_object, cl_uint, cl_uint, size_t, void *, size_t *);
typedef void (*clSVMFree_f)(cl_object, void *);

#define CALL(behind, name) ((name##_f)(behind)->at[AT_##name])

/* A memory object, as it was created. `root`: the object whose memory it is. */
typedef struct { char kind; unsigned root; size_t offset, size; cl_ulong flags; char about[96]; } Memory;

enum { UNSET, VALUE, LOCAL, OBJECT, SVM };
typedef struct { int kind; size_t size; unsigned char *bytes; Memory memory; const void *pointer; } Argument;

typedef struct { char *name; Line *program; cl_uint count; Argument *arguments; } Kernel;

/* `body`: the fields of its line that are known already; `line`: once it is written. `source`: its text, if it has one; `site`: where
 * it was made, which is told where the place of its build is not a line of Python. */
typedef struct { Text body, source, site; Line *line; } Program;

extern Table programs, kernels, memories;

Program *program_of(const Behind *behind, cl_object handle);
Kernel *kernel_of(const Behind *behind, cl_object handle);
void new_program(cl_object handle, const char *kind, const void *content, size_t size, const char *name);
void built_program(const Behind *behind, cl_object handle, const char *options, int result, cl_uint headers,
                   const cl_object *texts, const char **names);
void linked_program(cl_object handle, const char *options, cl_uint count, const cl_object *inputs);
void new_kernel(const Behind *behind, cl_object handle);
void set_argument(const Behind *behind, cl_object handle, cl_uint at, size_t size, const void *value, int is_svm);
Line *launch_of(const Behind *behind, cl_object handle, cl_uint dims, const size_t *offset, const size_t *global,
                const size_t *local);
void new_memory(const Behind *behind, cl_object handle, char kind, cl_object parent, size_t offset);
void new_svm(const void *at, size_t size);

#endif
