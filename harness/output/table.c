/* Tables: rows of cells that writers lay out each in their own way. */
#include "harness/output/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct table *table_new(size_t columns, size_t headers, const char *align)
{
    struct table *t = xcalloc(1, sizeof *t);

    assert(columns > 0 && columns <= TABLE_COLUMNS_MAX);
    t->columns = columns;
    t->headers = headers;
    for (size_t i = 0; i < columns; i++) {
        t->align[i] = *align;
        if (align[1] != '\0')
            align++;
    }
    return t;
}

void table_free(struct table *t)
{
    if (t != NULL)
        strings_free(&t->cells);
    free(t);
}

void table_add(struct table *t, const char *cell)
{
    char *clean = printable(cell == NULL ? "" : cell);

    strings_add(&t->cells, clean);
    free(clean);
}

void table_addf(struct table *t, const char *format, ...)
{
    struct text cell = TEXT_EMPTY;
    va_list values;

    va_start(values, format);
    text_vaddf(&cell, format, values);
    va_end(values);
    table_add(t, text_chars(&cell));
    text_free(&cell);
}

size_t table_rows(const struct table *t)
{
    return t->cells.count / t->columns;
}

const char *table_cell(const struct table *t, size_t row, size_t column)
{
    return t->cells.items[row * t->columns + column];
}

bool table_shows(const struct table *t, size_t column)
{
    for (size_t row = t->headers; row < table_rows(t); row++) {
        const char *cell = table_cell(t, row, column);

        if (*cell != '\0' && strcmp(cell, "-") != 0)
            return true;
    }
    return column == 0;
}

size_t width_of(const char *chars)
{
    size_t width = 0;

    for (; *chars != '\0'; chars++)
        if (((unsigned char)*chars & 0xC0) != 0x80)
            width++;
    return width;
}

char *printable(const char *chars)
{
    char *copy = xstrdup(chars);

    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';
    return copy;
}
