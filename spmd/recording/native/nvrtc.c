/* Programs that are compiled while the application runs: text, headers and options, by the hash of each image that comes of them. */
#define _GNU_SOURCE
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES 1024

typedef struct { Text body, source, names; Line *line; size_t size; } Compiled;
static Table compiled;
static struct { char hex[65]; Line *line; } images[IMAGES];
static int used;

static void drop(Compiled *program)
{
    if (!program) return;
    text_free(&program->body);
    text_free(&program->source);
    text_free(&program->names);
    free(program);
}

static void add_header(Text *text, const char *name, const char *bytes)
{
    char hex[65];
    if (!name || !bytes || !store_content(bytes, strlen(bytes), hex)) return;
    text_add(text, "%s{\"folder\":\"\",\"name\":", text->at[text->used - 1] == '[' ? "" : ",");
    text_quote(text, name, strlen(name));
    text_add(text, ",\"content\":\"%s\"}", hex);
}

void nvrtc_created(void *handle, const char *text, int count, const char *const *headers, const char *const *names)
{
    Compiled *program = calloc(1, sizeof *program);
    char hex[65];
    if (!program || !text) {
        free(program);
        return;
    }
    text_bytes(&program->source, text, strlen(text));
    text_add(&program->body, ",\"kind\":\"source\",\"language\":\"cuda\",\"bytes\":%zu", strlen(text));
    if (store_content(text, strlen(text), hex)) text_add(&program->body, ",\"content\":\"%s\"", hex);
    text_add(&program->body, ",\"headers\":[");
    for (int at = 0; at < count; at++) add_header(&program->body, names ? names[at] : NULL, headers ? headers[at] : NULL);
    drop(table_put(&compiled, handle, program));
}

void nvrtc_named(void *handle, const char *name)
{
    Compiled *program = table_get(&compiled, handle);
    if (program && name) text_add(&program->names, "%s%s", program->names.used ? ", " : "", name);
}

/* Options as one text, as a shell would take it: quoted where one holds a blank or a quote. */
static void join_options(Text *text, int count, const char *const *options)
{
    for (int at = 0; at < count; at++) {
        int is_plain = options[at][0] && !strpbrk(options[at], " \t\n'\"\\$");
        text_add(text, at ? " " : "");
        if (is_plain) {
            text_bytes(text, options[at], strlen(options[at]));
            continue;
        }
        text_bytes(text, "'", 1);
        for (const char *c = options[at]; *c; c++) {
            if (*c == '\'') text_bytes(text, "'\\''", 4);
            else text_bytes(text, c, 1);
        }
        text_bytes(text, "'", 1);
    }
}

void nvrtc_compiled(void *handle, int count, const char *const *options, int result)
{
    Compiled *program = table_get(&compiled, handle);
    Text joined = {0}, body = {0};
    if (!program || program->body.is_bad) return;
    join_options(&joined, options ? count : 0, options);
    text_bytes(&body, program->body.at, program->body.used);
    add_headers(&body, program->source.at ? program->source.at : "", program->source.used, joined.at ? joined.at : "");
    text_add(&body, "],\"options\":");
    text_quote(&body, joined.at ? joined.at : "", joined.used);
    text_add(&body, ",\"result\":%d", result);
    if (program->names.used) {
        text_add(&body, ",\"names\":");
        text_quote(&body, program->names.at, program->names.used);
    }
    add_site(&body);
    program->line = body.is_bad ? NULL : line_of("program", body.at, NULL);
    text_free(&body);
    text_free(&joined);
}

void nvrtc_sized(void *handle, size_t size)
{
    Compiled *program = table_get(&compiled, handle);
    if (program) program->size = size;
}

void nvrtc_image(const void *image, size_t size, Line *line)
{
    const char *kind;
    const void *whole = image;
    if (!size) size = image_size(image, &kind, &whole);
    if (!size) return;
    sha256_hex(whole, size, images[used % IMAGES].hex);
    images[used++ % IMAGES].line = line;
}

void nvrtc_gave(void *handle, const void *image, int is_sized)
{
    const Compiled *program = table_get(&compiled, handle);
    if (program && program->line && image && (program->size || !is_sized)) nvrtc_image(image, is_sized ? program->size : 0, program->line);
}

void nvrtc_ended(void *handle)
{
    drop(table_put(&compiled, handle, NULL));
}

Line *nvrtc_program(const char hex[65])
{
    for (int at = 0; at < IMAGES && at < used; at++)
        if (!memcmp(images[at].hex, hex, 65)) return images[at].line;
    return NULL;
}
