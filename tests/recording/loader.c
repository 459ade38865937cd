/* A loader of OpenCL for the tests' hosts: each function is called through the table of functions that an object begins with, as the
 * extension cl_khr_icd lays it out. The driver is the library that OPENCL_DRIVER names. It knows no layers. */
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>

#define FORWARD(at, result, name, parameters, object, arguments)                                                                       \
    result name parameters { return ((result (*) parameters)((void **)*(void **)(object))[at]) arguments; }

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *found, cl_uint *count)
{
    void *driver = dlopen(getenv("OPENCL_DRIVER"), RTLD_NOW | RTLD_LOCAL);
    void *(*extension)(const char *) = driver ? (void *(*)(const char *))dlsym(driver, "clGetExtensionFunctionAddress") : NULL;
    cl_int (*all)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    if (extension) all = (cl_int(*)(cl_uint, cl_platform_id *, cl_uint *))extension("clIcdGetPlatformIDsKHR");
    return all ? all(room, found, count) : -1001;
}
cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d, void *f, void *u, cl_int *e)
{
    typedef cl_context (*function)(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *, cl_int *);
    return ((function)((void **)*(void **)d[0])[4])(p, n, d, f, u, e);
}
FORWARD(2, cl_int, clGetDeviceIDs, (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *d, cl_uint *c), p, (p, t, n, d, c))
FORWARD(9, cl_command_queue, clCreateCommandQueue, (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *e), c,
        (c, d, p, e))
FORWARD(14, cl_mem, clCreateBuffer, (cl_context c, cl_mem_flags f, size_t s, void *h, cl_int *e), c, (c, f, s, h, e))
FORWARD(18, cl_int, clReleaseMemObject, (cl_mem m), m, (m))
FORWARD(20, cl_int, clGetMemObjectInfo, (cl_mem m, cl_uint w, size_t s, void *v, size_t *r), m, (m, w, s, v, r))
FORWARD(21, cl_int, clGetImageInfo, (cl_mem m, cl_uint w, size_t s, void *v, size_t *r), m, (m, w, s, v, r))
FORWARD(22, cl_sampler, clCreateSampler, (cl_context c, cl_bool n, cl_uint a, cl_uint f, cl_int *e), c, (c, n, a, f, e))
FORWARD(26, cl_program, clCreateProgramWithSource, (cl_context c, cl_uint n, const char **t, const size_t *l, cl_int *e), c,
        (c, n, t, l, e))
FORWARD(27, cl_program, clCreateProgramWithBinary, (cl_context c, cl_uint n, const cl_device_id *d, const size_t *l,
        const unsigned char **b, cl_int *s, cl_int *e), c, (c, n, d, l, b, s, e))
FORWARD(29, cl_int, clReleaseProgram, (cl_program p), p, (p))
FORWARD(30, cl_int, clBuildProgram, (cl_program p, cl_uint n, const cl_device_id *d, const char *o, void *f, void *u), p,
        (p, n, d, o, f, u))
FORWARD(32, cl_int, clGetProgramInfo, (cl_program p, cl_uint w, size_t s, void *v, size_t *r), p, (p, w, s, v, r))
FORWARD(34, cl_kernel, clCreateKernel, (cl_program p, const char *n, cl_int *e), p, (p, n, e))
FORWARD(35, cl_int, clCreateKernelsInProgram, (cl_program p, cl_uint n, cl_kernel *k, cl_uint *c), p, (p, n, k, c))
FORWARD(37, cl_int, clReleaseKernel, (cl_kernel k), k, (k))
FORWARD(38, cl_int, clSetKernelArg, (cl_kernel k, cl_uint a, size_t s, const void *v), k, (k, a, s, v))
FORWARD(39, cl_int, clGetKernelInfo, (cl_kernel k, cl_uint w, size_t s, void *v, size_t *r), k, (k, w, s, v, r))
FORWARD(47, cl_int, clFinish, (cl_command_queue q), q, (q))
FORWARD(48, cl_int, clEnqueueReadBuffer, (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void *p, cl_uint n,
        const cl_event *w, cl_event *e), q, (q, m, b, o, s, p, n, w, e))
FORWARD(49, cl_int, clEnqueueWriteBuffer, (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, const void *p, cl_uint n,
        const cl_event *w, cl_event *e), q, (q, m, b, o, s, p, n, w, e))
FORWARD(59, cl_int, clEnqueueNDRangeKernel, (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g,
        const size_t *l, cl_uint n, const cl_event *w, cl_event *e), q, (q, k, d, o, g, l, n, w, e))
FORWARD(60, cl_int, clEnqueueTask, (cl_command_queue q, cl_kernel k, cl_uint n, const cl_event *w, cl_event *e), q, (q, k, n, w, e))
FORWARD(82, cl_mem, clCreateSubBuffer, (cl_mem m, cl_mem_flags f, cl_uint t, const void *i, cl_int *e), m, (m, f, t, i, e))
FORWARD(96, cl_mem, clCreateImage, (cl_context c, cl_mem_flags f, const cl_image_format *t, const cl_image_desc *d, void *h,
        cl_int *e), c, (c, f, t, d, h, e))
FORWARD(98, cl_int, clCompileProgram, (cl_program p, cl_uint n, const cl_device_id *d, const char *o, cl_uint c, const cl_program *h,
        const char **m, void *f, void *u), p, (p, n, d, o, c, h, m, f, u))
FORWARD(99, cl_program, clLinkProgram, (cl_context c, cl_uint n, const cl_device_id *d, const char *o, cl_uint i, const cl_program *p,
        void *f, void *u, cl_int *e), c, (c, n, d, o, i, p, f, u, e))
FORWARD(126, void *, clSVMAlloc, (cl_context c, cl_svm_mem_flags f, size_t s, cl_uint a), c, (c, f, s, a))
FORWARD(134, cl_int, clSetKernelArgSVMPointer, (cl_kernel k, cl_uint a, const void *v), k, (k, a, v))

void clSVMFree(cl_context c, void *p) { ((void (*)(cl_context, void *))((void **)*(void **)c)[127])(c, p); }
