/* A small OpenCL application: frames of several widths go through scaling, smoothing, transposition and a sum, each frame several
 * times. `pipeline [KERNELS.cl] [FRAMES] [WIDTHS]`. Build: cc -g pipeline.c -lOpenCL */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUP 64
#define TILE 16

static void must(cl_int code, const char *what)
{
    if (code == CL_SUCCESS) return;
    fprintf(stderr, "%s: error %d\n", what, code);
    exit(1);
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!file || !fread(text, 1, (1 << 16) - 1, file)) must(-1, path);
    fclose(file);
    return text;
}

static void pass(cl_kernel kernel, cl_uint at, size_t size, const void *value) { must(clSetKernelArg(kernel, at, size, value), "argument"); }

static void along(cl_command_queue queue, cl_kernel kernel, int cells)
{
    size_t local = GROUP, global = (size_t)(cells + GROUP - 1) / GROUP * GROUP;
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
}

static void across(cl_command_queue queue, cl_kernel kernel, int width, int height)
{
    size_t local[] = {TILE, TILE};
    size_t global[] = {(size_t)(width + TILE - 1) / TILE * TILE, (size_t)(height + TILE - 1) / TILE * TILE};
    must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "launch");
}

static void frames(cl_context context, cl_command_queue queue, cl_program program, int width, int height, int count)
{
    int cells = width * height;
    float gain = 0.5f;
    size_t bytes = sizeof(float) * (size_t)cells, groups = (size_t)(cells + GROUP - 1) / GROUP;
    cl_mem one = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem two = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem sums = clCreateBuffer(context, CL_MEM_READ_WRITE, groups * sizeof(float), NULL, NULL);
    cl_kernel scale = clCreateKernel(program, "scale", NULL), smooth = clCreateKernel(program, "smooth", NULL);
    cl_kernel turn = clCreateKernel(program, "turn", NULL), total = clCreateKernel(program, "total", NULL);
    pass(scale, 0, sizeof one, &one), pass(scale, 1, sizeof gain, &gain), pass(scale, 2, sizeof cells, &cells);
    pass(smooth, 0, sizeof one, &one), pass(smooth, 1, sizeof two, &two), pass(smooth, 2, sizeof cells, &cells);
    pass(turn, 0, sizeof two, &two), pass(turn, 1, sizeof one, &one);
    pass(turn, 2, sizeof width, &width), pass(turn, 3, sizeof height, &height);
    pass(total, 0, sizeof one, &one), pass(total, 1, sizeof sums, &sums), pass(total, 2, sizeof cells, &cells);
    for (int frame = 0; frame < count; frame++) {
        along(queue, scale, cells);
        along(queue, smooth, cells);
        across(queue, turn, width, height);
        along(queue, total, cells);
    }
    clFinish(queue);
}

int main(int count, char **words)
{
    static const int widths[] = {64, 80, 96, 100, 128, 160, 200, 256, 320, 333};
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must(code, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    const char *text = text_of(count > 1 ? words[1] : "pipeline.cl");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    must(clBuildProgram(program, 1, &device, "-D GROUP=64 -D TILE=16", NULL, NULL), "build");
    size_t all = sizeof widths / sizeof *widths, most = count > 3 ? (size_t)atoi(words[3]) : all;
    for (size_t at = 0; at < all && at < most; at++)
        frames(context, queue, program, widths[at], widths[at] * 3 / 4, count > 2 ? atoi(words[2]) : 25);
    puts("done");
    return 0;
}
