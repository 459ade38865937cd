/* An application of CUDA's driver interface in many shapes: `cuda_host SHAPE`. It is linked to the driver, and loads NVRTC itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long pointer;
extern int cuInit(unsigned), cuMemAlloc_v2(pointer *, size_t), cuMemFree_v2(pointer), cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **);
extern int cuModuleLoad(void **, const char *), cuModuleUnload(void *), cuModuleGetFunction(void **, void *, const char *), cuGraphLaunch(void *, void *);
extern int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

static const char TEXT[] =
    "#include \"amount.h\"\n"
    "extern \"C\" __global__ void shift(float *x, int n, short by)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) x[i] += by * AMOUNT + WIDTH;\n}\n"
    "template <int N> __global__ void set(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = N; }\n"
    "//ptx .visible .entry shift( .param .u64 a, .param .u32 b, .param .u16 c ) { } .visible .entry _Z3setILi4EEvPi( .param .u64 a ) { }\n";
static const char BARE[] = ".version 6.4\n.visible .entry bare(\n .param .u64 a,\n .param .align 4 .b8 b[12]\n)\n{\n}\n";

#define MUST(call)                                                                                                                     \
    do {                                                                                                                               \
        int code = (call);                                                                                                             \
        if (code) printf("%s:%d: %d\n", __FILE__, __LINE__, code), exit(9);                                                            \
    } while (0)

static void *compiled(const char *text)
{
    void *library = dlopen(getenv("NVRTC"), RTLD_NOW), *made = NULL, *module = NULL;
    int (*create)(void **, const char *, const char *, int, const char **, const char **) = dlsym(library, "nvrtcCreateProgram");
    int (*named)(void *, const char *) = dlsym(library, "nvrtcAddNameExpression"), (*compile)(void *, int, const char **) = dlsym(library, "nvrtcCompileProgram");
    int (*sized)(void *, size_t *) = dlsym(library, "nvrtcGetPTXSize"), (*get)(void *, char *) = dlsym(library, "nvrtcGetPTX");
    int (*end)(void **) = dlsym(library, "nvrtcDestroyProgram");
    const char *header = "#define AMOUNT 3\n", *name = "amount.h", *options[] = {"-DWIDTH=(5 + 2)", "--std=c++17"};
    size_t size = 0;
    MUST(create(&made, text, "shift.cu", 1, &header, &name));
    MUST(named(made, "set<4>"));
    MUST(compile(made, 2, options));
    MUST(sized(made, &size));
    char *ptx = malloc(size);
    MUST(get(made, ptx));
    MUST(end(&made));
    MUST(cuModuleLoadDataEx(&module, ptx, 0, NULL, NULL));
    free(ptx);
    return module;
}

static void *function(void *module, const char *name)
{
    void *found = NULL;
    MUST(cuModuleGetFunction(&found, module, name));
    return found;
}

static pointer memory(size_t size)
{
    pointer made = 0;
    MUST(cuMemAlloc_v2(&made, size));
    return made;
}

static void plain(void)
{
    void *module = compiled(TEXT), *shift = function(module, "shift"), *set = function(module, "_Z3setILi4EEvPi");
    pointer x = memory(400);
    int n = 100;
    short by = -2;
    void *params[] = {&x, &n, &by}, *only[] = {&x};
    MUST(cuLaunchKernel(shift, 2, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    struct { pointer x; int n; short by; } blob = {x, 50, 7};
    size_t size = sizeof blob;
    void *extra[] = {(void *)1, &blob, (void *)2, &size, NULL};
    MUST(cuLaunchKernel(shift, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, extra));
    MUST(cuLaunchKernel(set, 5, 1, 1, 20, 1, 1, 0, NULL, only, NULL));
    x = 0;
    n = 0;
    MUST(cuLaunchKernel(shift, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
}

static void bare(void) /* a module of which the text is not seen, by address and from a file; a graph */
{
    struct { int a, b, c; } three = {1, 2, 3};
    pointer x = memory(64) + 16;
    void *module = NULL, *params[] = {&x, &three};
    MUST(cuModuleLoadDataEx(&module, BARE, 0, NULL, NULL));
    MUST(cuLaunchKernel(function(module, "bare"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    MUST(cuModuleUnload(module));
    MUST(cuModuleLoad(&module, getenv("MODULE")));
    MUST(cuLaunchKernel(function(module, "bare"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    MUST(cuGraphLaunch(module, NULL));
}

static void releases(void) /* modules end early, and others take their place */
{
    static const char *const texts[] = {"extern \"C\" __global__ void one(int *x) { x[threadIdx.x] = 1; }\n//ptx .entry one( .param .u64 a )\n",
                                        "extern \"C\" __global__ void two(int *x) { x[threadIdx.x] = 2; }\n//ptx .entry two( .param .u64 a )\n"};
    for (int turn = 0; turn < 6; turn++) {
        void *module = compiled(texts[turn % 2]);
        pointer x = memory(128);
        void *params[] = {&x};
        MUST(cuLaunchKernel(function(module, turn % 2 ? "two" : "one"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
        MUST(cuModuleUnload(module));
        MUST(cuMemFree_v2(x));
    }
}

static void idle(void) /* a function that is never launched, and a launch that is refused */
{
    void *module = compiled(TEXT), *shift = function(module, "shift"), *params[] = {NULL, NULL, NULL};
    pointer x = memory(4);
    int n = 1;
    short by = 1;
    params[0] = &x, params[1] = &n, params[2] = &by;
    function(module, "_Z3setILi4EEvPi");
    printf("%d\n", cuLaunchKernel(shift, 1, 1, 1, 5000, 1, 1, 0, NULL, params, NULL));
}

static void many(void) /* 10,000 launches of five kernels, three sizes each */
{
    static const char text[] =
        "#define K(name) extern \"C\" __global__ void name(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; }\n"
        "K(k0) K(k1) K(k2) K(k3) K(k4)\n"
        "//ptx .entry k0(.param .u64 a,.param .u32 b) .entry k1(.param .u64 a,.param .u32 b) .entry k2(.param .u64 a,.param .u32 b)"
        " .entry k3(.param .u64 a,.param .u32 b) .entry k4(.param .u64 a,.param .u32 b)\n";
    void *module = compiled(text), *all[5];
    pointer x = memory(4096);
    for (int at = 0; at < 5; at++) all[at] = function(module, (char[]){'k', (char)('0' + at), 0});
    for (int turn = 0; turn < 10000; turn++) {
        int n = 100 * (1 + turn / 5 % 3);
        void *params[] = {&x, &n};
        MUST(cuLaunchKernel(all[turn % 5], 8, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    }
}

int main(int count, char **words)
{
    static const struct { const char *name; void (*shape)(void); } shapes[] = {
        {"bare", bare}, {"releases", releases}, {"idle", idle}, {"many", many}};
    MUST(cuInit(0));
    for (size_t at = 0; at < sizeof shapes / sizeof *shapes; at++)
        if (count > 1 && !strcmp(words[1], shapes[at].name)) return shapes[at].shape(), 0;
    plain();
    return count > 1 ? atoi(words[1]) : 0;
}
