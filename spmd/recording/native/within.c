/* Recording begun and ended by the process itself: this library is loaded when others are long at work, so the places in which
 * they keep the addresses of functions (their global offset tables) are given the recorder's. What is loaded later is looked at when
 * the first name is looked up in it. */
#define _GNU_SOURCE
#include "recorder.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __x86_64__

static unsigned long long seen; /* how often something was loaded, when it was last looked at */
static int is_on;

/* Libraries whose own calls among their functions are no calls of the application. */
static int is_behind(const char *path)
{
    static const char *const names[] = {"libOpenCL", "libcuda.so", "libnvrtc", "ld-linux", "libc.so", "libdl.so"};
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    for (size_t at = 0; at < sizeof names / sizeof *names; at++)
        if (!strncmp(name, names[at], strlen(names[at]))) return 1;
    return 0;
}

/* The recorder's function of a name. */
static void *ours(const char *name)
{
    static void *self;
    Dl_info here;
    if (strncmp(name, "cl", 2) && strncmp(name, "cu", 2) && strncmp(name, "nvrtc", 5) && strcmp(name, "dlsym")) return NULL;
    if (!self && dladdr((const void *)ours, &here)) self = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void *found = self ? real_dlsym(self, name) : NULL;
    return found && is_of_recorder(found) ? found : NULL;
}

static void put(void **place, void *address)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *begin = (void *)((uintptr_t)place / page * page);
    size_t size = (uintptr_t)(place + 1) - (uintptr_t)begin;
    if (*place == address || mprotect(begin, size, PROT_READ | PROT_WRITE)) return;
    *place = address; /* the page stays writable: whether it was, nobody says */
}

static void turn(const struct link_map *object, const Elf64_Rela *all, size_t size, const Elf64_Sym *symbols, const char *names)
{
    for (size_t at = 0; all && at < size / sizeof *all; at++) {
        unsigned type = ELF64_R_TYPE(all[at].r_info);
        const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(all[at].r_info)];
        if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) || symbol->st_shndx != SHN_UNDEF) continue;
        void *address = ours(names + symbol->st_name);
        if (address) put((void **)(object->l_addr + all[at].r_offset), address);
    }
}

static void look(const struct link_map *object)
{
    const Elf64_Dyn *dynamic = object->l_ld;
    const Elf64_Rela *jumps = NULL, *others = NULL;
    const Elf64_Sym *symbols = NULL;
    const char *names = NULL;
    size_t jumps_size = 0, others_size = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        const char *at = (const char *)dynamic->d_un.d_ptr;
        if ((uintptr_t)at < object->l_addr) at += object->l_addr; /* one that the linker left as it was */
        switch (dynamic->d_tag) {
        case DT_JMPREL: jumps = (const Elf64_Rela *)at; break;
        case DT_RELA: others = (const Elf64_Rela *)at; break;
        case DT_SYMTAB: symbols = (const Elf64_Sym *)at; break;
        case DT_STRTAB: names = at; break;
        case DT_PLTRELSZ: jumps_size = dynamic->d_un.d_val; break;
        case DT_RELASZ: others_size = dynamic->d_un.d_val; break;
        }
    }
    if (!symbols || !names) return;
    turn(object, jumps, jumps_size, symbols, names);
    turn(object, others, others_size, symbols, names);
}

/* What is loaded, by name, and how often something was loaded. */
typedef struct { unsigned long long count; size_t used, room; char **names; } Loaded;

static int add_loaded(struct dl_phdr_info *object, size_t room, void *given)
{
    Loaded *loaded = given;
    (void)room;
    loaded->count = object->dlpi_adds;
    if (loaded->count == seen) return 1;
    if (loaded->used == loaded->room) {
        size_t more = loaded->room * 2 + 64;
        char **names = realloc(loaded->names, more * sizeof *names);
        if (!names) return 1;
        loaded->names = names;
        loaded->room = more;
    }
    char *name = strdup(object->dlpi_name ? object->dlpi_name : "");
    if (name) loaded->names[loaded->used++] = name;
    return 0;
}

/* Nothing is looked up while the C library goes through what is loaded: another thread that is loading something waits for that to end
 * and keeps what looking up waits for. Meanwhile an object may be unloaded, so each is held while its table is changed. */
void look_at_loaded(void)
{
    Loaded loaded = {0, 0, 0, NULL};
    if (!is_on) return;
    dl_iterate_phdr(add_loaded, &loaded);
    seen = loaded.count;
    for (size_t at = 0; at < loaded.used; at++) {
        const char *name = loaded.names[at];
        struct link_map *object = is_behind(name) ? NULL : dlopen(name[0] ? name : NULL, RTLD_LAZY | RTLD_NOLOAD);
        if (object) {
            if (!is_of_recorder(object->l_ld)) look(object);
            dlclose(object);
        }
        free(loaded.names[at]);
    }
    free(loaded.names);
}

/* Begin to record this process into a folder; 0 where that is not possible: it is recorded already, or the folder has no usable name. */
EXPORT int spmd_recording_begin(const char *folder)
{
    if (!recorder_into(folder)) return 0;
    keeps_contents = 1;
    is_on = 1;
    seen = 0;
    look_at_loaded();
    return 1;
}

EXPORT void spmd_recording_end(void)
{
    recorder_into(NULL);
}

#else

void look_at_loaded(void) { }
EXPORT int spmd_recording_begin(const char *folder) { return (void)folder, 0; }
EXPORT void spmd_recording_end(void) { }

#endif
