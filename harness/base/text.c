/* Growing text, memory that does not fail quietly, and the nearest known word. */
#include "harness/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_OUT_OF_MEMORY = 4, WORD_MAX = 64 };

static void *memory_or_end(void *memory)
{
    if (memory == NULL) {
        fputs("ridge: out of memory\n", stderr);
        exit(STATUS_OUT_OF_MEMORY);
    }
    return memory;
}

/* One byte at least: what malloc(0) returns is the library's choice. */
void *xmalloc(size_t bytes)
{
    return memory_or_end(malloc(bytes > 0 ? bytes : 1));
}

void *xcalloc(size_t count, size_t bytes)
{
    return memory_or_end(calloc(count > 0 ? count : 1, bytes > 0 ? bytes : 1));
}

void *xrealloc(void *memory, size_t bytes)
{
    return memory_or_end(realloc(memory, bytes > 0 ? bytes : 1));
}

char *xstrdup(const char *chars)
{
    return chars == NULL ? NULL : memory_or_end(strdup(chars));
}

char *xasprintf(const char *format, ...)
{
    struct text t = TEXT_EMPTY;
    va_list values;

    va_start(values, format);
    text_vaddf(&t, format, values);
    va_end(values);
    return text_take(&t);
}

/* Room for `count` more bytes and the NUL. */
static void text_reserve(struct text *t, size_t count)
{
    const size_t least = 64;

    if (count >= SIZE_MAX / 4 - t->length) {
        memory_or_end(NULL);
    }
    if (t->length + count < t->capacity) {
        return;
    }
    t->capacity = 2 * (t->length + count) + least;
    t->chars = xrealloc(t->chars, t->capacity);
}

void text_add_bytes(struct text *t, const void *bytes, size_t count)
{
    text_reserve(t, count);
    if (count > 0) {
        memcpy(t->chars + t->length, bytes, count);
    }
    t->length += count;
    t->chars[t->length] = '\0';
}

void text_add(struct text *t, const char *chars)
{
    text_add_bytes(t, chars, strlen(chars));
}

void text_vaddf(struct text *t, const char *format, va_list values)
{
    va_list again;

    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return;
    }
    text_reserve(t, (size_t)length);
    vsnprintf(t->chars + t->length, (size_t)length + 1, format, values);
    t->length += (size_t)length;
}

void text_addf(struct text *t, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    text_vaddf(t, format, values);
    va_end(values);
}

const char *text_chars(const struct text *t)
{
    return t->chars != NULL ? t->chars : "";
}

char *text_take(struct text *t)
{
    char *chars = t->chars != NULL ? t->chars : xstrdup("");

    *t = TEXT_EMPTY;
    return chars;
}

void text_free(struct text *t)
{
    free(t->chars);
    *t = TEXT_EMPTY;
}

void strings_add(struct strings *list, const char *item)
{
    list->items = xrealloc(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count++] = xstrdup(item);
}

int strings_have(const struct strings *list, const char *item)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], item) == 0) {
            return 1;
        }
    }
    return 0;
}

void strings_free(struct strings *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i]);
    }
    free(list->items);
    *list = (struct strings){0};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Insertions, deletions, replacements and swaps of neighbours that make b of a; case is free. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t width = strlen(b);

    for (size_t j = 0; j <= width; j++) {
        last[j] = j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            const size_t replaced = last[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            row[j] = smaller(replaced, 1 + smaller(last[j], row[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1])) {
                row[j] = smaller(row[j], before[j - 2] + 1);
            }
        }
        size_t *oldest = before;
        before = last, last = row, row = oldest;
    }
    return last[width];
}

/* A word that was only begun ("trans") is as near as one wrong letter. */
static size_t word_distance(const char *word, const char *name)
{
    const size_t length = strlen(word);

    if (length >= 2 && strncasecmp(word, name, length) == 0) {
        return strlen(name) > length;
    }
    return edit_distance(word, name);
}

const char *text_nearest(const char *word, const char *const *names, size_t count)
{
    const size_t length = strlen(word), limit = (length + 2) / 3;
    const char *nearest = NULL;
    size_t least = limit + 1;

    for (size_t i = 0; i < count && length > 0 && length <= WORD_MAX; i++) {
        if (strlen(names[i]) > WORD_MAX) {
            continue;
        }
        const size_t distance = word_distance(word, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

int text_read_file(struct text *out, const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    char bytes[1 << 16];
    ssize_t got = -1;

    if (file < 0) {
        return -1;
    }
    for (;;) {
        got = read(file, bytes, sizeof bytes);
        if (got > 0) {
            text_add_bytes(out, bytes, (size_t)got);
        } else if (got == 0 || errno != EINTR) {
            break;
        }
    }
    const int cause = errno;
    close(file);
    errno = cause;
    return got < 0 ? -1 : 0;
}

static int write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t done = write(file, bytes, count);
        if (done < 0 && errno != EINTR) {
            return -1;
        }
        bytes += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

/* Writes and closes `file`; `kept`: until it is on the disk. */
static int fill_file(int file, const struct text *contents, int kept)
{
    int failed = file < 0 || write_all(file, text_chars(contents), contents->length) != 0 ||
                 (kept && fsync(file) != 0);
    const int cause = errno;

    if (file >= 0 && close(file) != 0 && !failed) {
        return -1;
    }
    errno = cause;
    return failed ? -1 : 0;
}

static int replace_file(const struct text *contents, const char *path)
{
    char *beside = xasprintf("%s.%ld.tmp", path, (long)getpid());
    const int file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    int failed = fill_file(file, contents, 1) != 0 || rename(beside, path) != 0;
    const int cause = errno;

    if (failed && file >= 0) {
        unlink(beside);
    }
    free(beside);
    errno = cause;
    return failed ? -1 : 0;
}

int text_write_file(const struct text *contents, const char *path)
{
    struct stat state;

    /* A device or a pipe is written to: a rename would put a file in its place. */
    if (stat(path, &state) == 0 && !S_ISREG(state.st_mode)) {
        return fill_file(open(path, O_WRONLY | O_CLOEXEC), contents, 0);
    }
    char *target = realpath(path, NULL); /* through a symbolic link, which stays one */
    const int result = replace_file(contents, target != NULL ? target : path);
    const int cause = errno;
    free(target);
    errno = cause;
    return result;
}
