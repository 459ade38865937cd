/* As much of OpenCL's header as the tests' hosts and the case studies use, from the specification. */
#ifndef TESTS_CL_H
#define TESTS_CL_H
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef float cl_float;
typedef cl_uint cl_bool;
typedef cl_ulong cl_bitfield, cl_mem_flags, cl_device_type, cl_svm_mem_flags, cl_command_queue_properties, cl_map_flags;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef struct _cl_sampler *cl_sampler;
typedef intptr_t cl_context_properties;
typedef struct { cl_uint image_channel_order, image_channel_data_type; } cl_image_format;
typedef struct {
    cl_uint image_type;
    size_t image_width, image_height, image_depth, image_array_size, image_row_pitch, image_slice_pitch;
    cl_uint num_mip_levels, num_samples;
    cl_mem buffer;
} cl_image_desc;
typedef struct { size_t origin, size; } cl_buffer_region;

#define CL_SUCCESS 0
#define CL_FALSE 0
#define CL_TRUE 1
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFF
#define CL_MEM_READ_WRITE 1
#define CL_MEM_READ_ONLY 4
#define CL_MEM_COPY_HOST_PTR 32
#define CL_MEM_OBJECT_IMAGE2D 0x10F1
#define CL_R 0x10B0
#define CL_FLOAT 0x10DE
#define CL_PROGRAM_BINARY_SIZES 0x1165
#define CL_PROGRAM_BINARIES 0x1166
#define CL_BUFFER_CREATE_TYPE_REGION 0x1220
#define CL_ADDRESS_CLAMP 0x1132
#define CL_FILTER_NEAREST 0x1140

cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *);
cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
cl_context clCreateContext(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *, cl_int *);
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int *);
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *);
cl_program clCreateProgramWithBinary(cl_context, cl_uint, const cl_device_id *, const size_t *, const unsigned char **, cl_int *,
                                     cl_int *);
cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *, void *, void *);
cl_int clCompileProgram(cl_program, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *, const char **, void *,
                        void *);
cl_program clLinkProgram(cl_context, cl_uint, const cl_device_id *, const char *, cl_uint, const cl_program *, void *, void *,
                         cl_int *);
cl_int clGetProgramInfo(cl_program, cl_uint, size_t, void *, size_t *);
cl_kernel clCreateKernel(cl_program, const char *, cl_int *);
cl_int clCreateKernelsInProgram(cl_program, cl_uint, cl_kernel *, cl_uint *);
cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);
cl_int clSetKernelArgSVMPointer(cl_kernel, cl_uint, const void *);
cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t, void *, cl_int *);
cl_mem clCreateSubBuffer(cl_mem, cl_mem_flags, cl_uint, const void *, cl_int *);
cl_mem clCreateImage(cl_context, cl_mem_flags, const cl_image_format *, const cl_image_desc *, void *, cl_int *);
cl_sampler clCreateSampler(cl_context, cl_bool, cl_uint, cl_uint, cl_int *);
void *clSVMAlloc(cl_context, cl_svm_mem_flags, size_t, cl_uint);
void clSVMFree(cl_context, void *);
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint,
                              const cl_event *, cl_event *);
cl_int clEnqueueTask(cl_command_queue, cl_kernel, cl_uint, const cl_event *, cl_event *);
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *, cl_event *);
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *, cl_uint, const cl_event *, cl_event *);
cl_int clFinish(cl_command_queue);
cl_int clReleaseProgram(cl_program);
cl_int clReleaseKernel(cl_kernel);
cl_int clReleaseMemObject(cl_mem);
#endif
