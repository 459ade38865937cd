/* Texts that grow, JSON strings, tables by handle. */
#define _GNU_SOURCE
#include "recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_room(Text *text, size_t more)
{
    if (text->is_bad) return 0;
    if (text->used + more + 1 <= text->room) return 1;
    size_t room = (text->used + more + 1) * 2;
    char *grown = realloc(text->at, room);
    if (!grown) return !(text->is_bad = 1);
    text->at = grown;
    text->room = room;
    return 1;
}

void text_bytes(Text *text, const char *bytes, size_t count)
{
    if (!has_room(text, count)) return;
    memcpy(text->at + text->used, bytes, count);
    text->at[text->used += count] = 0;
}

void text_add(Text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (count < 0 || !has_room(text, (size_t)count)) return;
    va_start(list, format);
    vsnprintf(text->at + text->used, (size_t)count + 1, format, list);
    va_end(list);
    text->used += (size_t)count;
}

void text_quote(Text *text, const char *bytes, size_t count)
{
    text_bytes(text, "\"", 1);
    for (size_t at = 0; at < count; at++) {
        unsigned char c = (unsigned char)bytes[at];
        if (c == '"' || c == '\\') {
            char both[2] = {'\\', (char)c};
            text_bytes(text, both, 2);
        } else if (c < 0x20 || c == 0x7f) {
            text_add(text, "\\u%04x", c);
        } else {
            text_bytes(text, (const char *)&c, 1);
        }
    }
    text_bytes(text, "\"", 1);
}

void text_hex(Text *text, const void *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    if (!has_room(text, 2 * count)) return;
    for (size_t at = 0; at < count; at++) {
        unsigned char c = ((const unsigned char *)bytes)[at];
        text->at[text->used++] = digits[c >> 4];
        text->at[text->used++] = digits[c & 15];
    }
    text->at[text->used] = 0;
}

void text_free(Text *text)
{
    free(text->at);
    memset(text, 0, sizeof *text);
}

static size_t slot(const Table *table, const void *key)
{
    size_t at = ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u % table->room;
    while (table->keys[at] && table->keys[at] != key) at = (at + 1) % table->room;
    return at;
}

void *table_get(const Table *table, const void *key)
{
    return table->room && key ? table->values[slot(table, key)] : NULL;
}

void *table_put(Table *table, const void *key, void *value)
{
    if (!key) return NULL;
    if (2 * (table->used + 1) > table->room) {
        Table grown = {NULL, NULL, 0, table->room ? 2 * table->room : 64};
        grown.keys = calloc(grown.room, sizeof *grown.keys);
        grown.values = calloc(grown.room, sizeof *grown.values);
        if (!grown.keys || !grown.values) {
            free(grown.keys);
            free(grown.values);
            return value;
        }
        for (size_t at = 0; at < table->room; at++)
            if (table->keys[at]) table_put(&grown, table->keys[at], table->values[at]);
        free(table->keys);
        free(table->values);
        *table = grown;
    }
    size_t at = slot(table, key);
    void *before = table->keys[at] ? table->values[at] : NULL;
    table->used += !table->keys[at];
    table->keys[at] = key;
    table->values[at] = value;
    return before;
}
