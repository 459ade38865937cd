/* What all parts of the recorder share. The library is loaded into an application that knows nothing of it, so whatever goes wrong
 * in here is noted, and the application goes on: no message, no signal, no descriptor that stays open, `errno` as it was. */
#ifndef SPMD_RECORDER_H
#define SPMD_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* A text that grows; `is_bad` once there is no memory for it. */
typedef struct { char *at; size_t used, room; int is_bad; } Text;

void text_bytes(Text *text, const char *bytes, size_t count);
void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_quote(Text *text, const char *bytes, size_t count); /* as a JSON string */
void text_hex(Text *text, const void *bytes, size_t count);
void text_free(Text *text);

/* One line of the recording that is written once, however often it happens. */
typedef struct Line Line;
struct Line {
    Line *next, *needs; /* `needs`: a line that has to stand before this one */
    uint64_t hash;
    char *kind, *body;
    unsigned number, generation;
    uint64_t counts[2]; /* launches that were accepted, and those that were refused */
};

/* Begin and end of work on the recorder's own data. `begin` gives 0 where nothing is to be recorded: in a process without a
 * recording, and inside of the recorder's own calls. No function of the application or of a driver is called in between. */
int recorder_begin(void);
int recorder_begin_here(void); /* the same, with the place of the application's call looked up before (`add_site`) */
extern int keeps_contents; /* whether contents are kept for further folders */
int recorder_into(const char *folder); /* NULL: record no longer */
void look_at_loaded(void); /* in a process that began to record itself: at what was loaded since */
void recorder_end(void);

Line *line_of(const char *kind, const char *body, Line *needs); /* NULL: no memory */
void line_count(Line *line, int which, int change);
void note(const char *text); /* something that the recording does not hold */
int store_content(const void *bytes, size_t count, char hex[65]); /* by its SHA-256; 0: it could not be stored */
void sha256_hex(const void *bytes, size_t count, char hex[65]);
void add_headers(Text *out, const char *source, size_t count, const char *options); /* what a text includes; `out` ends in `[` or `}` */
char *read_whole(const char *path, size_t *count); /* a file; NULL where it cannot be read */

/* Where the application calls: `,"site":{…}`, or nothing where that is not known. It is looked up before the recorder's data are held:
 * Python, and whoever loads a library, may wait for another thread meanwhile that itself waits for those. */
void look_up_site(void);
void forget_site(void);
void add_site(Text *text);

/* Objects of an interface, by handle. */
typedef struct { const void **keys; void **values; size_t used, room; } Table;
void *table_get(const Table *table, const void *key);
void *table_put(Table *table, const void *key, void *value); /* the value before it */

extern void *(*real_dlsym)(void *, const char *); /* the one of the C library: the recorder has one of that name */
int is_of_recorder(const void *address);
void *next_symbol(const char *name, const void *caller); /* the function that `caller` would have reached without the recorder */

#endif
