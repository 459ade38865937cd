/* A driver that builds no kernel and runs none: it hands out objects and says yes. An application makes the same launches on it as on
 * a device, as long as no result decides what it does next. It stands in where no driver works. Build: cc -shared -fPIC stand_in.c
 * -o libOpenCL.so */
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

struct _cl_program { char *text; };
struct _cl_kernel { char *name; cl_program program; };
struct _cl_mem { size_t size; cl_mem_flags flags; };
static char nothing[4];

static cl_int say(const void *value, size_t size, size_t room, void *target, size_t *found)
{
    if (found) *found = size;
    if (target && room < size) return -30;
    if (target) memcpy(target, value, size);
    return CL_SUCCESS;
}
static void *made(size_t size, cl_int *code)
{
    if (code) *code = CL_SUCCESS;
    return calloc(1, size);
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *found, cl_uint *count)
{
    if (found && room) found[0] = (cl_platform_id)&nothing[0];
    if (count) *count = 1;
    return CL_SUCCESS;
}
cl_int clGetDeviceIDs(cl_platform_id p, cl_device_type t, cl_uint room, cl_device_id *found, cl_uint *count)
{
    (void)p, (void)t;
    if (found && room) found[0] = (cl_device_id)&nothing[1];
    if (count) *count = 1;
    return CL_SUCCESS;
}
cl_context clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d, void *f, void *u, cl_int *code)
{
    (void)p, (void)n, (void)d, (void)f, (void)u;
    return made(1, code);
}
cl_command_queue clCreateCommandQueue(cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *code)
{
    (void)c, (void)d, (void)p;
    return made(1, code);
}
cl_program clCreateProgramWithSource(cl_context c, cl_uint count, const char **texts, const size_t *lengths, cl_int *code)
{
    (void)c;
    cl_program program = made(sizeof *program, code);
    size_t size = 1;
    for (cl_uint at = 0; at < count; at++) size += lengths && lengths[at] ? lengths[at] : strlen(texts[at]);
    program->text = calloc(1, size);
    for (cl_uint at = 0; at < count; at++) strncat(program->text, texts[at], lengths && lengths[at] ? lengths[at] : strlen(texts[at]));
    return program;
}
cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o, void *f, void *u)
{
    (void)p, (void)n, (void)d, (void)o, (void)f, (void)u;
    return CL_SUCCESS;
}
cl_int clGetProgramInfo(cl_program program, cl_uint what, size_t room, void *target, size_t *found)
{
    return what == 0x1164 ? say(program->text, strlen(program->text) + 1, room, target, found) : -30; /* CL_PROGRAM_SOURCE */
}
cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    cl_kernel kernel = made(sizeof *kernel, code);
    kernel->name = strdup(name);
    kernel->program = program;
    return kernel;
}
cl_int clGetKernelInfo(cl_kernel kernel, cl_uint what, size_t room, void *target, size_t *found)
{
    if (what == 0x1190) return say(kernel->name, strlen(kernel->name) + 1, room, target, found); /* CL_KERNEL_FUNCTION_NAME */
    if (what == 0x1194) return say(&kernel->program, sizeof kernel->program, room, target, found); /* CL_KERNEL_PROGRAM */
    if (what != 0x1191) return -30; /* CL_KERNEL_NUM_ARGS: a comma more than there are in the parentheses after the name */
    const char *at = kernel->program->text;
    size_t length = strlen(kernel->name);
    while ((at = strstr(at, kernel->name)) && at[length] != '(') at += length;
    cl_uint count = at ? 1 : 0;
    for (; at && *at && *at != ')'; at++) count += *at == ',';
    return say(&count, sizeof count, room, target, found);
}
cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
    (void)c, (void)host;
    cl_mem memory = made(sizeof *memory, code);
    memory->size = size;
    memory->flags = flags;
    return memory;
}
cl_int clGetMemObjectInfo(cl_mem memory, cl_uint what, size_t room, void *target, size_t *found)
{
    cl_uint buffer = 0x10F0;
    if (what == 0x1100) return say(&buffer, sizeof buffer, room, target, found); /* CL_MEM_TYPE */
    if (what == 0x1101) return say(&memory->flags, sizeof memory->flags, room, target, found); /* CL_MEM_FLAGS */
    return what == 0x1102 ? say(&memory->size, sizeof memory->size, room, target, found) : -30; /* CL_MEM_SIZE */
}
cl_int clSetKernelArg(cl_kernel k, cl_uint at, size_t size, const void *value)
{
    (void)k, (void)at, (void)size, (void)value;
    return CL_SUCCESS;
}
cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g, const size_t *l, cl_uint n,
                              const cl_event *w, cl_event *e)
{
    (void)q, (void)k, (void)d, (void)o, (void)g, (void)l, (void)n, (void)w, (void)e;
    return CL_SUCCESS;
}
cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t s, void *p, cl_uint n, const cl_event *w,
                           cl_event *e)
{
    (void)q, (void)m, (void)b, (void)o, (void)n, (void)w, (void)e;
    memset(p, 0, s);
    return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue q)
{
    (void)q;
    return CL_SUCCESS;
}
