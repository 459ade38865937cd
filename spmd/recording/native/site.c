/* Where in the application a call comes from: a line of Python, where Python is what calls; else an address in a loaded object, which
 * the reader of the recording looks up in the debug information. */
#define _GNU_SOURCE
#include "recorder.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROOM 16384 /* of the lines of a stack of Python's */
#define DEPTH 24
#define CALLERS 8 /* of one object: the first may be of a library that is linked into it */

static int is_ours(const void *address)
{
    Dl_info here, there;
    return dladdr((const void *)is_ours, &here) && dladdr(address, &there) && here.dli_fbase == there.dli_fbase;
}

/* Objects that hand calls on: loaders, drivers, runtimes. */
static int hands_on(const char *object)
{
    static const char *const names[] = {"libOpenCL", "libpocl", "libcuda.so", "libcudart", "libnvrtc", "libnvidia"};
    const char *name = strrchr(object, '/');
    name = name ? name + 1 : object;
    for (size_t at = 0; at < sizeof names / sizeof *names; at++)
        if (!strncmp(name, names[at], strlen(names[at]))) return 1;
    return 0;
}

/* Installed packages, and texts that are no files. */
static int is_library(const char *file)
{
    return file[0] == '<' || strstr(file, "/site-packages/") || strstr(file, "/dist-packages/");
}

static void name_line(Text *found, const char *file, size_t count, int line)
{
    found->used = 0;
    text_add(found, ",\"site\":{\"file\":");
    text_quote(found, file, count);
    text_add(found, ",\"line\":%d}", line);
}

/* The same as `add_python`, where the caller lets other threads of Python run during the call, as `ctypes` does: no object of Python's
 * may be touched then. Python up to 3.12 has a function for such a case (for crashes), which writes `File "NAME", line N in F` for each
 * call, the innermost first; what it had to shorten or to spell with backslashes is left out. */
static int add_dumped(Text *text)
{
    void *(*own)(void) = (void *(*)(void))real_dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    void (*dump)(int, void *) = (void (*)(int, void *))real_dlsym(RTLD_DEFAULT, "_Py_DumpTraceback");
    void *state = own && dump ? own() : NULL;
    int file = state ? (int)syscall(SYS_memfd_create, "spmd", 1u) : -1; /* 1: closed in programs that this one becomes */
    if (file < 0) return 0;
    char lines[ROOM] = "";
    Text found = {0};
    dump(file, state);
    ssize_t count = pread(file, lines, sizeof lines - 1, 0);
    close(file);
    for (char *at = lines, *end; count > 0 && (end = strchr(at, '\n')); at = end + 1) {
        *end = 0;
        char *name = strstr(at, "File \""), *rest = name ? strstr(name, "\", line ") : NULL;
        if (!rest || memchr(name, '\\', (size_t)(rest - name)) || !strncmp(rest - 3, "...", 3)) continue;
        *rest = 0;
        int is_end = !is_library(name + 6);
        if (is_end || !found.used) name_line(&found, name + 6, (size_t)(rest - name - 6), atoi(rest + 8));
        if (is_end) break;
    }
    int has_found = found.used && !found.is_bad;
    if (has_found) text_bytes(text, found.at, found.used);
    text_free(&found);
    return has_found;
}

/* The line of Python that is being run, outside of installed packages if there is one. */
static int add_python(Text *text)
{
    int (*is_held)(void) = (int (*)(void))real_dlsym(RTLD_DEFAULT, "PyGILState_Check");
    int (*is_on)(void) = (int (*)(void))real_dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    void *(*current)(void) = (void *(*)(void))real_dlsym(RTLD_DEFAULT, "PyEval_GetFrame");
    void *(*back)(void *) = (void *(*)(void *))real_dlsym(RTLD_DEFAULT, "PyFrame_GetBack");
    void *(*code)(void *) = (void *(*)(void *))real_dlsym(RTLD_DEFAULT, "PyFrame_GetCode");
    int (*line)(void *) = (int (*)(void *))real_dlsym(RTLD_DEFAULT, "PyFrame_GetLineNumber");
    void *(*attribute)(void *, const char *) = (void *(*)(void *, const char *))real_dlsym(RTLD_DEFAULT, "PyObject_GetAttrString");
    const char *(*utf8)(void *) = (const char *(*)(void *))real_dlsym(RTLD_DEFAULT, "PyUnicode_AsUTF8");
    void (*drop)(void *) = (void (*)(void *))real_dlsym(RTLD_DEFAULT, "Py_DecRef");
    void (*take)(void *) = (void (*)(void *))real_dlsym(RTLD_DEFAULT, "Py_IncRef");
    void (*clear)(void) = (void (*)(void))real_dlsym(RTLD_DEFAULT, "PyErr_Clear");
    if (!clear || !is_held || !is_on || !current || !back || !code || !line || !attribute || !utf8 || !drop || !take) return 0;
    if (!is_on()) return 0;
    if (!is_held()) return add_dumped(text);
    Text found = {0};
    void *frame = current();
    if (frame) take(frame);
    for (int depth = 0; frame && depth < 64; depth++) {
        void *body = code(frame), *name = body ? attribute(body, "co_filename") : NULL;
        const char *file = name ? utf8(name) : NULL;
        if (!file) clear();
        int is_end = file && !is_library(file);
        if (file && (is_end || !found.used)) {
            name_line(&found, file, strlen(file), line(frame));
        }
        if (name) drop(name);
        if (body) drop(body);
        void *outer = is_end ? NULL : back(frame);
        drop(frame);
        frame = outer;
    }
    int has_found = found.used && !found.is_bad;
    if (has_found) text_bytes(text, found.at, found.used);
    text_free(&found);
    return has_found;
}

/* Where an object lies on disk. Each thread knows for itself: nothing is held here. */
static const char *whole_path(const struct link_map *map, const char *given)
{
    static __thread struct { const struct link_map *map; const char *given; char *whole; } known[64];
    static __thread size_t used;
    if (!map) return given;
    for (size_t at = 0; at < used; at++)
        if (known[at].map == map && known[at].given == map->l_name) return known[at].whole;
    char *whole = realpath(map->l_name && map->l_name[0] ? map->l_name : "/proc/self/exe", NULL);
    if (!whole || used == sizeof known / sizeof *known) {
        free(whole);
        return given;
    }
    known[used].map = map;
    known[used].given = map->l_name;
    known[used].whole = whole;
    return known[used++].whole;
}

static void find_site(Text *text)
{
    void *frames[DEPTH];
    Dl_info about;
    struct link_map *map = NULL;
    if (add_python(text)) return;
    int count = backtrace(frames, DEPTH), told = 0;
    const void *inside = NULL;
    for (int at = 0; at < count && told < CALLERS; at++) {
        if (is_ours(frames[at])) continue;
        if (!dladdr1(frames[at], &about, (void **)&map, RTLD_DL_LINKMAP) || !about.dli_fname) continue;
        if (inside ? about.dli_fbase != inside : hands_on(about.dli_fname)) continue;
        if (!told++) {
            const char *object = whole_path(map, about.dli_fname);
            inside = about.dli_fbase;
            text_add(text, ",\"site\":{\"object\":");
            text_quote(text, object, strlen(object));
        }
        text_add(text, "%s%llu", told == 1 ? ",\"offset\":" : told == 2 ? ",\"callers\":[" : ",",
                 (unsigned long long)((uintptr_t)frames[at] - (map ? map->l_addr : 0) - 1));
    }
    if (told) text_add(text, "%s}", told > 1 ? "]" : "");
}

static __thread Text here;

void look_up_site(void)
{
    here.used = 0;
    find_site(&here);
}

void forget_site(void)
{
    here.used = 0;
}

void add_site(Text *text)
{
    if (here.used && !here.is_bad) text_bytes(text, here.at, here.used);
}
