/* A stand-in for CUDA's driver, of the tests' own: it accepts the calls that a runtime or an application makes, computes nothing, and
 * writes each launch that it accepts into the file that STANDIN_LOG names. Device memory is memory of the host. With STANDIN_PARAMS
 * ("kernel:offset/size,…;…") it tells the parameters of kernels, as drivers since 12.4 do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long pointer;
typedef struct { unsigned grid[3], block[3], shared; void *stream, *attributes; unsigned count; } config;
typedef struct Function { char name[256]; } Function;
static struct { pointer base; size_t size; } all[4096];
static int used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int cuInit(unsigned flags) { return flags; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetExportTable(const void **table, const void *name) { return (*table = NULL), name ? 500 : 1; }
int cuCtxSynchronize(void) { return 0; }
int cuMemAlloc_v2(pointer *made, size_t size)
{
    if (posix_memalign((void **)made, 256, size ? size : 1)) return 2;
    pthread_mutex_lock(&mutex);
    all[used % 4096].base = *made;
    all[used++ % 4096].size = size;
    pthread_mutex_unlock(&mutex);
    return 0;
}
int cuMemFree_v2(pointer at)
{
    pthread_mutex_lock(&mutex);
    for (int each = 0; each < used && each < 4096; each++)
        if (all[each].base == at) all[each].size = 0;
    pthread_mutex_unlock(&mutex);
    free((void *)at);
    return 0;
}
int cuMemGetAddressRange_v2(pointer *base, size_t *size, pointer at)
{
    int found = 1;
    pthread_mutex_lock(&mutex);
    for (int each = 0; each < used && each < 4096; each++)
        if (at >= all[each].base && at < all[each].base + all[each].size) {
            *base = all[each].base;
            *size = all[each].size;
            found = 0;
        }
    pthread_mutex_unlock(&mutex);
    return found;
}
int cuModuleLoadData(void **made, const void *image) { return (*made = malloc(8)) && image ? 0 : 1; }
int cuModuleLoadDataEx(void **made, const void *image, unsigned n, int *o, void **v) { return (void)n, (void)o, (void)v, cuModuleLoadData(made, image); }
int cuModuleLoad(void **made, const char *file) { return cuModuleLoadData(made, file); }
int cuModuleUnload(void *module) { return free(module), 0; }
int cuModuleGetFunction(void **made, void *module, const char *name)
{
    Function *function = calloc(1, sizeof *function);
    snprintf(function->name, sizeof function->name, "%s", name);
    return (*made = function), module ? 0 : 1;
}
int cuLibraryLoadData(void **made, const void *image, int *o, void **v, unsigned n, int *p, void **w, unsigned k)
{
    return (void)o, (void)v, (void)n, (void)p, (void)w, (void)k, cuModuleLoadData(made, image);
}
int cuLibraryGetKernel(void **made, void *library, const char *name) { return cuModuleGetFunction(made, library, name); }
int cuKernelGetFunction(void **made, void *kernel) { return (*made = kernel), 0; }
int cuFuncGetName(const char **name, void *function) { return (*name = ((Function *)function)->name), 0; }
int cuFuncGetParamInfo(void *function, size_t number, size_t *offset, size_t *size)
{
    const char *at = getenv("STANDIN_PARAMS"), *name = ((Function *)function)->name;
    size_t length = strlen(name);
    for (; at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL) {
        if (strncmp(at, name, length) || at[length] != ':') continue;
        for (at += length + 1; number && (at = strpbrk(at, ",;")) && *at == ','; at++) number--;
        return at && *at != ';' && sscanf(at, "%zu/%zu", offset, size) == 2 ? 0 : 1;
    }
    return 801;
}

static int launched(void *function, const unsigned *grid, const unsigned *block, unsigned shared)
{
    FILE *log = getenv("STANDIN_LOG") ? fopen(getenv("STANDIN_LOG"), "a") : NULL;
    if (!function || block[0] * block[1] * block[2] > 1024) return log ? fclose(log), 1 : 1;
    if (log) fprintf(log, "%s %u %u %u %u %u %u %u\n", ((Function *)function)->name, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared);
    return log ? fclose(log), 0 : 0;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream,
                   void **params, void **extra)
{
    return (void)stream, (void)params, (void)extra, launched(f, (unsigned[]){gx, gy, gz}, (unsigned[]){bx, by, bz}, shared);
}
int cuLaunchKernel_ptsz(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        void *stream, void **params, void **extra)
{
    return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}
int cuLaunchKernelEx(const config *c, void *f, void **params, void **extra)
{
    return (void)params, (void)extra, launched(f, c->grid, c->block, c->shared);
}
int cuGraphLaunch(void *graph, void *stream) { return (void)graph, (void)stream, 0; }
int cuGetProcAddress_v2(const char *name, void **found, int version, pointer flags, int *status)
{
    static const char *const endings[] = {"_ptsz", "_v2", ""};
    *found = NULL;
    for (int at = flags & 2 ? 0 : 1; at < 3 && !*found && version >= 3020; at++) {
        char whole[200];
        Dl_info here;
        snprintf(whole, sizeof whole, "%s%s", name, endings[at]);
        void *own = dladdr((void *)cuGetProcAddress_v2, &here) ? dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
        void *(*look)(void *, const char *) = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
        *found = own && look ? look(own, whole) : NULL;
    }
    if (status) *status = *found ? 0 : 1;
    return *found ? 0 : 500;
}
int cuGetProcAddress(const char *name, void **found, int version, pointer flags)
{
    return cuGetProcAddress_v2(name, found, version, flags, NULL);
}
