/* Particles that attract each other: a small OpenCL application. `nbody [KERNELS.cl] [STEPS]` prints the energy of three systems.
 *
 * Each step makes three launches: `forces` (every particle looks at every other), `drift` (speeds and places), `energy` (a sum of
 * each work-group, added up here). Build: cc nbody.c -lOpenCL -lm */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP 64

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

static cl_kernel kernel_of(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    must(code, name);
    return kernel;
}

static void pass(cl_kernel kernel, cl_uint at, size_t size, const void *value) { must(clSetKernelArg(kernel, at, size, value), "argument"); }

static void launch(cl_command_queue queue, cl_kernel kernel, int particles)
{
    size_t local = GROUP, global = (size_t)(particles + GROUP - 1) / GROUP * GROUP;
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
}

static void simulate(cl_context context, cl_command_queue queue, cl_program program, int n, int steps)
{
    size_t groups = (size_t)(n + GROUP - 1) / GROUP, bytes = 4 * sizeof(float) * (size_t)n;
    float dt = 0.01f, *place = malloc(bytes), *sums = malloc(groups * sizeof *sums), total = 0;
    for (int at = 0; at < 4 * n; at++) place[at] = at % 4 == 3 ? 1.0f : (float)(at * 7919 % 1000) / 1000.0f;
    cl_mem places = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, place, NULL);
    memset(place, 0, bytes);
    cl_mem speeds = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, place, NULL);
    cl_mem pulls = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem energies = clCreateBuffer(context, CL_MEM_READ_WRITE, groups * sizeof(float), NULL, NULL);
    cl_kernel forces = kernel_of(program, "forces"), drift = kernel_of(program, "drift"), energy = kernel_of(program, "energy");
    pass(forces, 0, sizeof places, &places);
    pass(forces, 1, sizeof pulls, &pulls);
    pass(forces, 2, sizeof n, &n);
    pass(drift, 0, sizeof places, &places);
    pass(drift, 1, sizeof speeds, &speeds);
    pass(drift, 2, sizeof pulls, &pulls);
    pass(drift, 3, sizeof dt, &dt);
    pass(drift, 4, sizeof n, &n);
    pass(energy, 0, sizeof speeds, &speeds);
    pass(energy, 1, sizeof energies, &energies);
    pass(energy, 2, sizeof n, &n);
    pass(energy, 3, GROUP * sizeof(float), NULL);
    for (int step = 0; step < steps; step++) {
        launch(queue, forces, n);
        launch(queue, drift, n);
    }
    launch(queue, energy, n);
    must(clEnqueueReadBuffer(queue, energies, CL_TRUE, 0, groups * sizeof *sums, sums, 0, NULL, NULL), "read");
    for (size_t at = 0; at < groups; at++) total += sums[at];
    printf("%5d particles: energy %.3e\n", n, (double)total);
    free(place);
    free(sums);
}

int main(int count, char **words)
{
    static const int sizes[] = {64, 256, 100};
    cl_platform_id platforms[8];
    cl_device_id device = NULL;
    cl_uint found = 0;
    cl_int code;
    must(clGetPlatformIDs(8, platforms, &found), "platforms");
    for (cl_uint at = 0; at < found && !device; at++) clGetDeviceIDs(platforms[at], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    must(code, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    const char *text = text_of(count > 1 ? words[1] : "nbody.cl");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    must(clBuildProgram(program, 1, &device, "-D GROUP=64", NULL, NULL), "build");
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++)
        simulate(context, queue, program, sizes[at], count > 2 ? atoi(words[2]) : 10);
    return 0;
}
