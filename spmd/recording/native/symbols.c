/* Which function a caller would have reached without the recorder in between; and the functions that look others up by name, so that
 * an application that loads CUDA's driver itself, as its runtime does, reaches the recorder's. */
#define _GNU_SOURCE
#include "cuda.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 64

static void *first_dlsym(void *handle, const char *name);
void *(*real_dlsym)(void *, const char *) = first_dlsym;

/* The C library's own, under the version that this machine's has. */
static void find_dlsym(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (size_t at = 0; at < sizeof versions / sizeof *versions; at++) {
        void *found = dlvsym(RTLD_NEXT, "dlsym", versions[at]);
        if (!found) continue;
        real_dlsym = (void *(*)(void *, const char *))found;
        return;
    }
    abort(); /* no C library that this was built for */
}

static void *first_dlsym(void *handle, const char *name)
{
    find_dlsym();
    return real_dlsym(handle, name);
}

int is_of_recorder(const void *address)
{
    Dl_info here, there;
    return dladdr((const void *)is_of_recorder, &here) && dladdr(address, &there) && here.dli_fbase == there.dli_fbase;
}

/* In the caller's own libraries, then in the order in which the program was linked. */
static void *found(const char *name, const void *caller)
{
    Dl_info about;
    struct link_map *map = NULL;
    void *own = NULL;
    if (dladdr1(caller, &about, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name && map->l_name[0]) {
        void *handle = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
        own = handle ? real_dlsym(handle, name) : NULL;
    }
    return own && !is_of_recorder(own) ? own : real_dlsym(RTLD_NEXT, name);
}

void *next_symbol(const char *name, const void *caller)
{
    static __thread struct { const char *name; const void *caller; void *found; } kept[KEPT];
    size_t at = ((uintptr_t)name ^ (uintptr_t)caller >> 2) % KEPT;
    if (kept[at].name != name || kept[at].caller != caller || !kept[at].found) {
        kept[at].name = name;
        kept[at].caller = caller;
        kept[at].found = found(name, caller);
    }
    return kept[at].found;
}

#ifdef __x86_64__
/* What a name that is looked up stands for: 1, the C library shall say; else the answer. A name that the recorder alone has is not
 * there for the application. */
__attribute__((used, visibility("hidden"))) void *recorder_looked_up(void *handle, const char *name, const void *caller)
{
    int is_cuda = name && cuda_has(name);
    look_at_loaded();
    if (handle == RTLD_NEXT || !(is_cuda || (name && handle == RTLD_DEFAULT && !strncmp(name, "cl", 2)))) return (void *)1;
    if (!is_cuda) {
        void *own = real_dlsym(handle, name);
        return !own || !is_of_recorder(own) ? (void *)1 : found(name, caller) ? own : NULL;
    }
    void *real = handle == RTLD_DEFAULT ? found(name, caller) : real_dlsym(handle, name);
    if (!real) return NULL;
    if (!strncmp(name, "cu", 2)) cuda_queries_from(real_dlsym, handle);
    return cuda_instead(name, real, -1, 0);
}

/* `dlsym` itself has to see who called it, so it is jumped to. */
__asm__(".text\n.globl dlsym\n.type dlsym, @function\ndlsym:\n"
        ".cfi_startproc\n"
        "push %rdi\n.cfi_adjust_cfa_offset 8\npush %rsi\n.cfi_adjust_cfa_offset 8\nsub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
        "mov 24(%rsp), %rdx\ncall recorder_looked_up\n"
        "add $8, %rsp\n.cfi_adjust_cfa_offset -8\npop %rsi\n.cfi_adjust_cfa_offset -8\npop %rdi\n.cfi_adjust_cfa_offset -8\n"
        "cmp $1, %rax\nje 1f\nret\n"
        "1: mov real_dlsym@GOTPCREL(%rip), %rax\njmp *(%rax)\n"
        ".cfi_endproc\n.size dlsym, .-dlsym\n");
#endif
