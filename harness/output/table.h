/* A table of words, and how wide they are. */
#ifndef OUTPUT_TABLE_H
#define OUTPUT_TABLE_H

#include "harness/base/text.h"

#include <stdbool.h>

enum { TABLE_COLUMNS_MAX = 64 };

/* Row after row; the first `headers` rows are headings. */
struct table {
    size_t columns, headers;
    char align[TABLE_COLUMNS_MAX]; /* 'l' left, 'r' right, '.' on the decimal point */
    struct strings cells;
};

/* `align` has a letter for every column; its last letter holds for all further columns. */
struct table *table_new(size_t columns, size_t headers, const char *align);
void table_free(struct table *t);
/* Adds the next cell (NULL: an empty one); control characters become '?'. */
void table_add(struct table *t, const char *cell);
void table_addf(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t table_rows(const struct table *t);
/* The first column, and any other with more than "-" in its body, are shown. */
bool table_shows(const struct table *t, size_t column);
const char *table_cell(const struct table *t, size_t row, size_t column);

/* Columns that a UTF-8 string takes on a terminal. */
size_t width_of(const char *chars);
/* A copy in which control characters (terminal escapes, ends of line) are '?'; caller frees. */
char *printable(const char *chars);

#endif
