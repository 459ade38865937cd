/* A layer of OpenCL's loader that writes down launches, one a line, into the file that TRACE names: what a recording is held to. It knows
 * nothing of the recorder: kernel, status, global size, local size and offset, 0 where none is given. */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INFO = 39, LAUNCH = 59, TABLE = 256 };
typedef cl_int (*info)(cl_kernel, cl_uint, size_t, void *, size_t *);
typedef cl_int (*launch)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *,
                         cl_event *);
static void *behind[TABLE], *ours[TABLE];

static void sizes(FILE *file, cl_uint dims, const size_t *given)
{
    for (cl_uint at = 0; at < dims; at++) fprintf(file, "%s%zu", at ? "," : " ", given ? given[at] : 0);
}

static cl_int launched(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
                       const size_t *local, cl_uint n, const cl_event *waits, cl_event *event)
{
    cl_int result = ((launch)behind[LAUNCH])(queue, kernel, dims, offset, global, local, n, waits, event);
    FILE *file = fopen(getenv("TRACE"), "a");
    char name[256] = "";
    ((info)behind[INFO])(kernel, 0x1190, sizeof name, name, NULL);
    if (!file) return result;
    fprintf(file, "%s %d", name, result);
    sizes(file, dims, global);
    sizes(file, dims, local);
    sizes(file, dims, offset);
    fputc('\n', file);
    fclose(file);
    return result;
}

cl_int clGetLayerInfo(cl_uint what, size_t room, void *value, size_t *size)
{
    static const cl_uint version = 100;
    if (what != 0x4240 || (value && room < sizeof version)) return -30;
    if (value) memcpy(value, &version, sizeof version);
    if (size) *size = sizeof version;
    return 0;
}

cl_int clInitLayer(cl_uint count, void *const *target, cl_uint *used, void *const **given)
{
    for (cl_uint at = 0; at < count && at < TABLE; at++) behind[at] = ours[at] = target[at];
    ours[LAUNCH] = (void *)launched;
    *used = count < TABLE ? count : TABLE;
    *given = ours;
    return 0;
}
