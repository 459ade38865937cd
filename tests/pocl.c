/* PoCL 3.0 on processors that came after it. Its LLVM calls such a processor "generic", its compiler knows no processor of that name,
 * and no setting gives it another. This library stands before it in OpenCL's loader: it loads the PoCL that POCL_LIBRARY names and, if
 * that says "generic", has it say the processor for which the built-in functions were compiled that PoCL then loads: the best of its
 * variants for which this processor has the instructions. All else is PoCL's own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *processor(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        return strdup("skylake-avx512");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) return strdup("haswell");
    return strdup("x86-64");
}

/* Let a function begin with a jump to another one: movabs rax, other; jmp rax. */
static void replace(void *function, void *other)
{
    unsigned char jump[12] = {0x48, 0xb8, [10] = 0xff, [11] = 0xe0};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)((uintptr_t)function & ~(page - 1));
    memcpy(jump + 2, &other, sizeof other);
    if (mprotect(begin, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC)) return;
    memcpy(function, jump, sizeof jump);
    mprotect(begin, 2 * page, PROT_READ | PROT_EXEC);
}

static void *behind(const char *name)
{
    static void *library;
    if (!library && getenv("POCL_LIBRARY") && (library = dlopen(getenv("POCL_LIBRARY"), RTLD_NOW | RTLD_LOCAL))) {
        char *(*says)(void) = (char *(*)(void))dlsym(library, "pocl_get_llvm_cpu_name");
        char *said = says ? says() : NULL;
        if (said && !strcmp(said, "generic")) replace((void *)says, (void *)processor);
        free(said);
    }
    return library ? dlsym(library, name) : NULL;
}

void *clGetExtensionFunctionAddress(const char *name)
{
    void *(*address)(const char *) = (void *(*)(const char *))behind("clGetExtensionFunctionAddress");
    return address ? address(name) : NULL;
}

int clIcdGetPlatformIDsKHR(unsigned room, void *platforms, unsigned *count)
{
    int (*all)(unsigned, void *, unsigned *) = (int (*)(unsigned, void *, unsigned *))clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR");
    return all ? all(room, platforms, count) : -1001;
}
