/* One application in many shapes: `app SHAPE`. Each does something that a recorder could stumble over. */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *PARTS[] = {
    "struct pair { int n; float by; };\n"
    "__kernel void scale(__global float *x, float by, int n) {\n    int i = get_global_id(0);\n    if (i < n) x[i] *= by;\n}\n",
    "__kernel void add(__global float *x, __global const float *y, int n) {\n    int i = get_global_id(0);\n"
    "    if (i < n) x[i] += y[i];\n}\n",
    "__kernel void rows(__global int *x) {\n    x[get_global_id(1) * get_global_size(0) + get_global_id(0)] = WIDTH;\n}\n"
    "__kernel void shifted(__global float *x, struct pair p, int2 at) {\n    int i = get_global_id(0) + at.y;\n"
    "    if (i < p.n) x[i] = p.by;\n}\n",
    "__kernel void turned(__global float *x, __local float *t) {\n    int l = get_local_id(0), n = get_local_size(0);\n"
    "    t[l] = x[get_global_id(0)];\n    barrier(CLK_LOCAL_MEM_FENCE);\n    x[get_global_id(0)] = t[n - 1 - l];\n}\n"};
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

#define MUST(call)                                                                                                                     \
    do {                                                                                                                               \
        cl_int code = (call);                                                                                                          \
        if (code != CL_SUCCESS) {                                                                                                      \
            printf("%s:%d: %d\n", __FILE__, __LINE__, code);                                                                           \
            exit(9);                                                                                                                   \
        }                                                                                                                              \
    } while (0)

static void begin(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    MUST(clGetPlatformIDs(8, platforms, &count));
    for (cl_uint at = 0; at < count && !device; at++) clGetDeviceIDs(platforms[at], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (!device) exit(8);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    program = clCreateProgramWithSource(context, 4, PARTS, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, "-D WIDTH=7", NULL, NULL));
}

static cl_mem buffer(size_t bytes) { return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL); }

static cl_kernel scale(cl_mem x, float by, int n)
{
    cl_kernel kernel = clCreateKernel(program, "scale", NULL);
    MUST(clSetKernelArg(kernel, 0, sizeof x, &x));
    MUST(clSetKernelArg(kernel, 1, sizeof by, &by));
    MUST(clSetKernelArg(kernel, 2, sizeof n, &n));
    return kernel;
}

static void launch(cl_kernel kernel, size_t global, size_t local)
{
    MUST(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
}

static void plain(void)
{
    int n = 100;
    float by = 2;
    struct { int n; float by; } pair = {50, 3};
    int at[2] = {1, 2};
    size_t global[2] = {12, 6}, local[2] = {4, 3};
    cl_mem x = buffer(400), y = buffer(400), z = buffer(288);
    cl_kernel kernel = scale(x, by, n), add = clCreateKernel(program, "add", NULL), rows = clCreateKernel(program, "rows", NULL);
    cl_kernel shifted = clCreateKernel(program, "shifted", NULL), turned = clCreateKernel(program, "turned", NULL);
    for (int turn = 0; turn < 3; turn++) launch(kernel, 128, 64);
    launch(kernel, 128, 0);
    MUST(clSetKernelArg(add, 0, sizeof x, &x));
    MUST(clSetKernelArg(add, 1, sizeof y, &y));
    MUST(clSetKernelArg(add, 2, sizeof n, &n));
    launch(add, 128, 32);
    MUST(clSetKernelArg(add, 1, sizeof x, &x)); /* in place */
    launch(add, 128, 32);
    MUST(clSetKernelArg(rows, 0, sizeof z, &z));
    MUST(clEnqueueNDRangeKernel(queue, rows, 2, NULL, global, local, 0, NULL, NULL));
    MUST(clSetKernelArg(shifted, 0, sizeof x, &x));
    MUST(clSetKernelArg(shifted, 1, sizeof pair, &pair));
    MUST(clSetKernelArg(shifted, 2, sizeof at, at));
    launch(shifted, 64, 64);
    MUST(clSetKernelArg(turned, 0, sizeof x, &x));
    MUST(clSetKernelArg(turned, 1, 16 * sizeof(float), NULL));
    launch(turned, 96, 16);
    MUST(clFinish(queue));
    printf("done\n");
}

static void forks(void) /* before OpenCL is used, as it must be */
{
    pid_t child = fork();
    begin();
    launch(scale(buffer(400), 1, child ? 100 : 90), 128, 64);
    MUST(clFinish(queue));
    if (!child) _exit(3);
    int status = 0;
    waitpid(child, &status, 0);
    printf("child %d\n", WEXITSTATUS(status));
}

static void forks_late(void) /* the child only leaves */
{
    begin();
    launch(scale(buffer(400), 1, 100), 128, 64);
    MUST(clFinish(queue));
    pid_t child = fork();
    if (!child) {
        for (int file = 3; file < 256; file++) close(file);
        execl("/bin/true", "true", (char *)NULL);
    }
    waitpid(child, NULL, 0);
    launch(scale(buffer(400), 1, 100), 128, 64);
    MUST(clFinish(queue));
}

static void crashes(void)
{
    begin();
    launch(scale(buffer(400), 1, 100), 128, 64);
    MUST(clFinish(queue));
    abort();
}

static void *work(void *number)
{
    cl_command_queue own = clCreateCommandQueue(context, device, 0, NULL);
    size_t global = 128, local = 64;
    for (int turn = 0; turn < 50; turn++) {
        cl_mem x = buffer(400);
        cl_kernel kernel = scale(x, 1, 90 + (int)(intptr_t)number);
        MUST(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        MUST(clFinish(own));
        MUST(clReleaseKernel(kernel));
        MUST(clReleaseMemObject(x));
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[8];
    begin();
    for (intptr_t at = 0; at < 8; at++) pthread_create(&all[at], NULL, work, (void *)at);
    for (int at = 0; at < 8; at++) pthread_join(all[at], NULL);
}

static void releases(void) /* programs and kernels end early, and others take their place */
{
    begin();
    for (int turn = 0; turn < 6; turn++) {
        const char *texts[] = {"__kernel void one(__global int *x) { x[get_global_id(0)] = 1; }",
                               "__kernel void two(__global int *y, int n) { if (get_global_id(0) < n) y[get_global_id(0)] = 2; }"};
        int n = 64;
        cl_mem x = buffer(256);
        cl_program made = clCreateProgramWithSource(context, 1, &texts[turn % 2], NULL, NULL);
        MUST(clBuildProgram(made, 1, &device, "", NULL, NULL));
        cl_kernel kernel;
        cl_uint count = 0;
        MUST(clCreateKernelsInProgram(made, 1, &kernel, &count));
        MUST(clReleaseProgram(made));
        MUST(clSetKernelArg(kernel, 0, sizeof x, &x));
        if (turn % 2) MUST(clSetKernelArg(kernel, 1, sizeof n, &n));
        launch(kernel, 64, 32);
        MUST(clFinish(queue));
        MUST(clReleaseKernel(kernel));
        MUST(clReleaseMemObject(x));
    }
}

static void shares(void) /* sub-buffers, shared memory, images, samplers */
{
    begin();
    cl_mem whole = buffer(4096);
    cl_buffer_region first = {0, 2048}, last = {2048, 2048};
    cl_mem x = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &first, NULL);
    cl_mem y = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &last, NULL);
    cl_kernel add = clCreateKernel(program, "add", NULL);
    int n = 512;
    MUST(clSetKernelArg(add, 0, sizeof x, &x));
    MUST(clSetKernelArg(add, 1, sizeof y, &y));
    MUST(clSetKernelArg(add, 2, sizeof n, &n));
    launch(add, 512, 64);
    MUST(clSetKernelArg(add, 1, sizeof whole, &whole)); /* overlaps x */
    launch(add, 512, 64);
    float *shared = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    if (shared) {
        cl_kernel kernel = scale(x, 1, n);
        MUST(clSetKernelArgSVMPointer(kernel, 0, shared + 512));
        launch(kernel, 512, 64);
        MUST(clFinish(queue));
    }
    const char *text = "__kernel void seen(read_only image2d_t image, sampler_t how, __global float *x) {\n"
                       "    x[get_global_id(0)] = read_imagef(image, how, (int2)(get_global_id(0), 0)).x;\n}\n";
    cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc about = {CL_MEM_OBJECT_IMAGE2D, 64, 4, 0, 0, 0, 0, 0, 0, NULL};
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &about, NULL, NULL);
    cl_sampler how = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel seen = clCreateKernel(program, "seen", NULL);
    MUST(clSetKernelArg(seen, 0, sizeof image, &image));
    MUST(clSetKernelArg(seen, 1, sizeof how, &how));
    MUST(clSetKernelArg(seen, 2, sizeof x, &x));
    launch(seen, 64, 16);
    MUST(clFinish(queue));
}

static void idle(void) /* arguments, and no launch; then one that is refused */
{
    size_t global = 128, local = 1 << 30;
    begin();
    cl_kernel kernel = scale(buffer(400), 1, 100);
    printf("%d\n", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) != CL_SUCCESS);
}

static void binary(void)
{
    size_t size = 0;
    begin();
    MUST(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    MUST(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bytes, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    launch(scale(buffer(400), 1, 100), 128, 64);
    MUST(clFinish(queue));
}

static void headers(void) /* app headers FOLDER: a text that includes files, and one that is compiled and linked */
{
    begin();
    const char *text = "#include \"size.h\"\n__kernel void sized(__global int *x) { x[get_global_id(0)] = SIZE; }\n";
    char options[300];
    cl_mem x = buffer(256);
    snprintf(options, sizeof options, "-I %s/include", getenv("HEADERS"));
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, options, NULL, NULL));
    cl_kernel sized = clCreateKernel(program, "sized", NULL);
    MUST(clSetKernelArg(sized, 0, sizeof x, &x));
    launch(sized, 64, 32);
    MUST(clFinish(queue));
    const char *part = "#include \"given.h\"\n__kernel void linked(__global int *x) { x[get_global_id(0)] = GIVEN; }\n";
    const char *given = "#define GIVEN 5\n", *name = "given.h";
    cl_program header = clCreateProgramWithSource(context, 1, &given, NULL, NULL);
    cl_program compiled = clCreateProgramWithSource(context, 1, &part, NULL, NULL);
    MUST(clCompileProgram(compiled, 1, &device, "", 1, &header, &name, NULL, NULL));
    program = clLinkProgram(context, 1, &device, "", 1, &compiled, NULL, NULL, NULL);
    cl_kernel linked = clCreateKernel(program, "linked", NULL);
    MUST(clSetKernelArg(linked, 0, sizeof x, &x));
    launch(linked, 64, 32);
    MUST(clFinish(queue));
}

static void offsets(void) /* work-items that do not begin at 0, and last groups that are smaller */
{
    begin();
    const char *text = "__kernel void put(__global int *x) { x[get_global_id(0)] = (int)get_global_offset(0); }";
    size_t global = 64, local = 64, begins[] = {36, 37}, many = 100, few = 32;
    cl_mem x = buffer(404);
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL));
    cl_kernel put = clCreateKernel(program, "put", NULL);
    MUST(clSetKernelArg(put, 0, sizeof x, &x));
    for (int turn = 0; turn < 2; turn++) {
        MUST(clEnqueueNDRangeKernel(queue, put, 1, &begins[turn], &global, &local, 0, NULL, NULL));
        MUST(clFinish(queue));
    }
    clEnqueueNDRangeKernel(queue, put, 1, NULL, &many, &few, 0, NULL, NULL); /* or it is refused */
    x = buffer(400);
    MUST(clSetKernelArg(put, 0, sizeof x, &x));
    clEnqueueNDRangeKernel(queue, put, 1, &begins[1], &global, NULL, 0, NULL, NULL);
    MUST(clFinish(queue));
}

static void many(void) /* app many: 10,000 launches of five kernels, three sizes each */
{
    begin();
    const char *text =
        "#define K(name) __kernel void name(__global float *x, int n) { int i = get_global_id(0); if (i < n) x[i] += 1; }\n"
        "K(k0) K(k1) K(k2) K(k3) K(k4)\n";
    program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_mem x = buffer(4096);
    cl_kernel all[5];
    for (int at = 0; at < 5; at++) {
        char name[3] = {'k', (char)('0' + at), 0};
        all[at] = clCreateKernel(program, name, NULL);
        MUST(clSetKernelArg(all[at], 0, sizeof x, &x));
    }
    for (int turn = 0; turn < 10000; turn++) {
        int n = 100 * (1 + turn / 5 % 3);
        MUST(clSetKernelArg(all[turn % 5], 1, sizeof n, &n));
        launch(all[turn % 5], 512, 64);
        if (turn % 500 == 499) MUST(clFinish(queue));
    }
    MUST(clFinish(queue));
}

int main(int count, char **words)
{
    static const struct { const char *name; void (*shape)(void); } shapes[] = {
        {"forks", forks}, {"forks_late", forks_late}, {"crashes", crashes}, {"threads", threads}, {"releases", releases},
        {"shares", shares}, {"idle", idle}, {"binary", binary}, {"headers", headers}, {"offsets", offsets}, {"many", many}};
    for (size_t at = 0; at < sizeof shapes / sizeof *shapes; at++)
        if (count > 1 && !strcmp(words[1], shapes[at].name)) {
            shapes[at].shape();
            return 0;
        }
    begin();
    plain();
    return count > 1 ? atoi(words[1]) : 0;
}
