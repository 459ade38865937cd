/* The recording on disk. Each process has a file of lines and a file of counts; contents lie beside them under their hash.
 * A line is one write at the end of the file, so a crash loses none that was complete. Files are opened for each write: an application
 * that closes every descriptor, or counts on which number the next one gets, sees no difference. */
#define _GNU_SOURCE
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BUCKETS 4096

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_inside, errno_before;
static char folder[PATH_MAX - 128];
static char own[PATH_MAX];  /* this process's files, without their ending */
static unsigned generation; /* of this process among its forks */
static unsigned numbers;
static Line *lines[BUCKETS];
int keeps_contents;

/* Some bytes into a file; a file size limit is an error like a full disk, not a signal. */
static int put(const char *path, int flags, const void *bytes, size_t count, off_t at)
{
    sigset_t limit, before, pending;
    struct timespec now = {0, 0};
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    int was_pending = !sigpending(&pending) && sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    ssize_t done = -1;
    if (file >= 0) {
        done = at < 0 ? write(file, bytes, count) : pwrite(file, bytes, count, at);
        close(file);
    }
    if (!was_pending) sigtimedwait(&limit, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done == (ssize_t)count;
}

/* That something was lost is marked in a file that already has the room for it. */
static void lost(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/lost", folder);
    put(path, 0, "1", 1, 0);
}

static int append(const char *bytes, size_t count)
{
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s.jsonl", own);
    int is_done = put(path, O_APPEND, bytes, count, -1);
    if (!is_done) lost();
    return is_done;
}

/* The first line of this process's file. A process that was here before with the same number has another file. */
static int open_own(void)
{
    char path[PATH_MAX + 8], executable[PATH_MAX];
    for (int turn = 0; turn < 1000; turn++) {
        snprintf(own, sizeof own, "%s/processes/%d-%d", folder, (int)getpid(), turn);
        snprintf(path, sizeof path, "%s.jsonl", own);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0 && errno == EEXIST) continue;
        if (file < 0) break;
        close(file);
        ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
        struct timespec now = {0, 0};
        clock_gettime(CLOCK_REALTIME, &now);
        Text text = {0};
        text_add(&text, "{\"event\":\"process\",\"schema\":\"spmd-recording/1\",\"pid\":%d,\"parent\":%d,\"began\":%lld.%09ld,"
                 "\"executable\":", (int)getpid(), (int)getppid(), (long long)now.tv_sec, now.tv_nsec);
        text_quote(&text, executable, length > 0 ? (size_t)length : 0);
        text_add(&text, "}\n");
        int is_done = !text.is_bad && append(text.at, text.used);
        text_free(&text);
        return is_done;
    }
    lost();
    own[0] = 0;
    return 0;
}

static void before_fork(void) { pthread_mutex_lock(&mutex); }
static void in_parent(void) { pthread_mutex_unlock(&mutex); }

/* What was written before is another file's. */
static void anew(void)
{
    own[0] = 0;
    generation++;
    for (int at = 0; at < BUCKETS; at++)
        for (Line *line = lines[at]; line; line = line->next) line->counts[0] = line->counts[1] = 0;
}

static void in_child(void)
{
    anew();
    pthread_mutex_unlock(&mutex);
}

/* Record into another folder, or no longer (NULL). 0 where something is recorded already, or the folder cannot be named here. */
int recorder_into(const char *stated)
{
    static int is_watching;
    if (stated && (stated[0] != '/' || strlen(stated) >= sizeof folder || folder[0])) return 0;
    pthread_mutex_lock(&mutex);
    anew();
    strcpy(folder, stated ? stated : "");
    pthread_mutex_unlock(&mutex);
    if (!is_watching++) pthread_atfork(before_fork, in_parent, in_child);
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    const char *stated = getenv("SPMD_RECORDING");
    if (stated) recorder_into(stated);
}

static int begin(int is_here)
{
    if (!folder[0] || is_inside) return 0;
    errno_before = errno;
    is_inside = 1;
    if (is_here) look_up_site();
    pthread_mutex_lock(&mutex);
    return 1;
}

int recorder_begin(void) { return begin(0); }
int recorder_begin_here(void) { return begin(1); }

void recorder_end(void)
{
    pthread_mutex_unlock(&mutex);
    forget_site();
    is_inside = 0;
    errno = errno_before;
}

static void save_counts(const Line *line)
{
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s.counts", own);
    if (!put(path, 0, line->counts, sizeof line->counts, (off_t)(line->number * sizeof line->counts))) lost();
}

/* Contents by their names, of a process that records into several folders: each of these has to hold what its lines name. */
typedef struct Content { struct Content *next; char hex[65]; size_t size; char *bytes; } Content;
static Content *contents;

static int put_content(const char *hex, const void *bytes, size_t count)
{
    char path[PATH_MAX + 128], part[PATH_MAX + 192];
    struct stat found;
    snprintf(path, sizeof path, "%s/contents/%s", folder, hex);
    if (!stat(path, &found) && (size_t)found.st_size == count) return 1;
    snprintf(part, sizeof part, "%s.%d", path, (int)getpid());
    if (put(part, O_EXCL, bytes, count, -1) && !rename(part, path)) return 1;
    unlink(part);
    lost();
    return 0;
}

static void keep_content(const char *hex, const void *bytes, size_t count)
{
    Content *content = contents;
    while (content && strcmp(content->hex, hex)) content = content->next;
    if (content || !(content = calloc(1, sizeof *content)) || !(content->bytes = malloc(count + 1))) return;
    memcpy(content->bytes, bytes, count);
    memcpy(content->hex, hex, sizeof content->hex);
    content->size = count;
    content->next = contents;
    contents = content;
}

int store_content(const void *bytes, size_t count, char hex[65])
{
    sha256_hex(bytes, count, hex);
    if (keeps_contents) keep_content(hex, bytes, count);
    return put_content(hex, bytes, count);
}

/* The contents that a line names, in the folder that it is written into. */
static void bring_contents(const char *body)
{
    static const char mark[] = "\"content\":\"";
    for (const char *at = body; contents && (at = strstr(at, mark)); ) {
        at += sizeof mark - 1;
        for (const Content *content = contents; content; content = content->next)
            if (!strncmp(content->hex, at, 64)) put_content(content->hex, content->bytes, content->size);
    }
}

/* Written, in the file of this process; what it needs before it. */
static void written(Line *line)
{
    if (line->generation == generation + 1) return;
    if (line->needs) written(line->needs);
    if (!own[0] && !open_own()) return;
    bring_contents(line->body);
    Text text = {0};
    text_add(&text, "{\"event\":\"%s\",\"number\":%u%s}\n", line->kind, line->number, line->body);
    if (text.is_bad) lost();
    else append(text.at, text.used);
    text_free(&text);
    line->generation = generation + 1;
}

static uint64_t hash_of(const char *kind, const char *body)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *kind; kind++) hash = (hash ^ (unsigned char)*kind) * 0x100000001b3u;
    for (; *body; body++) hash = (hash ^ (unsigned char)*body) * 0x100000001b3u;
    return hash;
}

Line *line_of(const char *kind, const char *body, Line *needs)
{
    uint64_t hash = hash_of(kind, body);
    Line **bucket = &lines[hash % BUCKETS];
    for (Line *line = *bucket; line; line = line->next)
        if (line->hash == hash && !strcmp(line->kind, kind) && !strcmp(line->body, body)) {
            written(line);
            return line;
        }
    Line *line = calloc(1, sizeof *line);
    char *kept = strdup(body), *sort = strdup(kind);
    if (!line || !kept || !sort) {
        free(line);
        free(kept);
        free(sort);
        lost();
        return NULL;
    }
    *line = (Line){*bucket, needs, hash, sort, kept, numbers++, 0, {0, 0}};
    *bucket = line;
    written(line);
    return line;
}

void line_count(Line *line, int which, int change)
{
    if (!line) return;
    line->counts[which] += (uint64_t)(int64_t)change;
    if (own[0]) save_counts(line);
}

void note(const char *text)
{
    Text body = {0};
    text_add(&body, ",\"text\":");
    text_quote(&body, text, strlen(text));
    if (!body.is_bad) line_of("note", body.at, NULL);
    text_free(&body);
}

char *read_whole(const char *path, size_t *count)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *bytes = NULL;
    if (file < 0) return NULL;
    if (!fstat(file, &about) && S_ISREG(about.st_mode) && (bytes = malloc((size_t)about.st_size + 1))) {
        ssize_t got = read(file, bytes, (size_t)about.st_size);
        *count = got > 0 ? (size_t)got : 0;
        bytes[*count] = 0;
    }
    close(file);
    return bytes;
}
