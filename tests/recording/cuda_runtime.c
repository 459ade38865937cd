/* A stand-in for CUDA's runtime, of the tests' own, with which programs of nvcc are linked (`-cudart none`), statically or not. As
 * NVIDIA's does, it loads the driver itself and asks `cuGetProcAddress` for each function; NVIDIA's own refuses a driver that is not
 * NVIDIA's. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;
typedef struct { unsigned grid[3], block[3], shared; void *stream, *attributes; unsigned count; } config;
typedef struct { dim3 grid, block; size_t shared; void *stream, *attributes; unsigned count; } launch_config;
typedef int (*look_up)(const char *, void **, int, unsigned long long, int *);
static struct { const void *host; const char *name; void **module, *kernel; } kernels[256];
static int used, error;
static __thread struct { dim3 grid, block; size_t shared; void *stream; } pushed;

static void *driver(const char *name)
{
    static look_up look;
    void *found = NULL;
    if (!look) {
        void *library = dlopen("libcuda.so.1", RTLD_NOW);
        if (library) look = (look_up)dlsym(library, "cuGetProcAddress_v2");
        if (look) ((int (*)(unsigned))(look("cuInit", &found, 12000, 0, NULL), found))(0);
    }
    return look && !look(name, &found, 13000, 0, NULL) ? found : NULL;
}

void **__cudaRegisterFatBinary(void *image)
{
    void **module = calloc(2, sizeof *module);
    module[1] = image;
    return module;
}
void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }
void __cudaUnregisterFatBinary(void **module) { free(module); }
char __cudaInitModule(void **module) { return module != NULL; }
void __cudaRegisterFunction(void **module, const void *host, char *device, const char *name, int limit, void *t, void *b, void *d,
                            void *g, int *w)
{
    (void)device, (void)limit, (void)t, (void)b, (void)d, (void)g, (void)w;
    kernels[used].host = host;
    kernels[used].name = name;
    kernels[used++].module = module;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    pushed.grid = grid, pushed.block = block, pushed.shared = shared, pushed.stream = stream;
    return 0;
}
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void **stream)
{
    *grid = pushed.grid, *block = pushed.block, *shared = pushed.shared, *stream = pushed.stream;
    return 0;
}

static void *kernel_of(const void *host)
{
    for (int at = 0; at < used; at++) {
        if (kernels[at].host != host) continue;
        int (*load)(void **, const void *, int *, void **, unsigned, int *, void **, unsigned) = driver("cuLibraryLoadData");
        int (*get)(void **, void *, const char *) = driver("cuLibraryGetKernel");
        if (load && !kernels[at].module[0]) load(&kernels[at].module[0], kernels[at].module[1], NULL, NULL, 0, NULL, NULL, 0);
        if (get && !kernels[at].kernel) get(&kernels[at].kernel, kernels[at].module[0], kernels[at].name);
        return kernels[at].kernel;
    }
    return NULL;
}
int __cudaGetKernel(void **kernel, const void *host) { return (*kernel = kernel_of(host)) ? 0 : 98; }
int __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared, void *stream)
{
    int (*run)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) = driver("cuLaunchKernel");
    return error = run ? run(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared, stream, args, NULL) : 35;
}
int cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared, void *stream)
{
    return __cudaLaunchKernel(kernel_of(host), grid, block, args, shared, stream);
}
int cudaLaunchKernelExC(const launch_config *c, const void *host, void **args)
{
    int (*run)(const config *, void *, void **, void **) = driver("cuLaunchKernelEx");
    config to = {{c->grid.x, c->grid.y, c->grid.z}, {c->block.x, c->block.y, c->block.z}, (unsigned)c->shared, c->stream, c->attributes, c->count};
    return error = run ? run(&to, kernel_of(host), args, NULL) : 35;
}
int cudaMalloc(void **made, size_t size)
{
    int (*allocate)(void **, size_t) = driver("cuMemAlloc");
    return allocate ? allocate(made, size) : 35;
}
int cudaFree(void *at)
{
    int (*give)(void *) = driver("cuMemFree");
    return give ? give(at) : 35;
}
int cudaDeviceSynchronize(void) { return 0; }
int cudaGetLastError(void)
{
    int last = error;
    error = 0;
    return last;
}
const char *cudaGetErrorString(int code) { return code ? "an error" : "no error"; }
