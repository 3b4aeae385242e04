/* Growing text, memory that does not fail quietly, and the nearest known word. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Text that grows.  Start with TEXT_EMPTY; chars is NULL or NUL-terminated; may hold any bytes. */
struct text {
    char *chars;
    size_t length, capacity;
};
#define TEXT_EMPTY ((struct text){0})

void text_add(struct text *t, const char *chars);
void text_add_bytes(struct text *t, const void *bytes, size_t count);
void text_addf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vaddf(struct text *t, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));
/* The contents, never NULL; owned by t. */
const char *text_chars(const struct text *t);
/* Hands the contents (never NULL) to the caller, who frees them; t is empty afterwards. */
char *text_take(struct text *t);
void text_free(struct text *t);

/* A growing list of owned strings.  Start with {0}. */
struct strings {
    char **items;
    size_t count;
};
void strings_add(struct strings *list, const char *item); /* copies item */
int strings_have(const struct strings *list, const char *item);
void strings_free(struct strings *list);

/* malloc and kin that end the program with a message when the system has no memory. */
void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t bytes);
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *chars); /* NULL stays NULL */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The name (of `count`) nearest to word by edit distance, or NULL when none is near. */
const char *text_nearest(const char *word, const char *const *names, size_t count);

/* Whole file as text.  Returns 0, or -1 with errno set. */
int text_read_file(struct text *out, const char *path);
/* Writes beside `path` and renames: the old file stays untouched on failure.  Returns 0, or -1 with
 * errno set. */
int text_write_file(const struct text *contents, const char *path);

#endif
