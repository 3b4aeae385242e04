/* Lays a table out in columns of characters. */
#include "harness/output/text_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, GAP = 2, WORDS_LEAST = 24 };

/* What a column needs: cells on the decimal point have a part before and a part after it. */
struct column {
    size_t index, width, before, after;
};

/* Characters before the decimal point of a number; all of any other cell. */
static size_t before_point(const char *cell)
{
    const size_t digits = strspn(cell, "0123456789-");

    return cell[digits] == '.' ? digits : digits > 0 && cell[0] != '-' ? digits : width_of(cell);
}

static void measure(struct column *c, const struct table *t, size_t index)
{
    const size_t rows = table_rows(t);

    *c = (struct column){.index = index};
    for (size_t r = 0; r < rows; r++) {
        const char *cell = table_cell(t, r, index);
        const size_t width = width_of(cell);

        if (r >= t->headers && t->align[index] == '.') {
            const size_t before = before_point(cell);

            c->before = before > c->before ? before : c->before;
            c->after = width - before > c->after ? width - before : c->after;
        }
        c->width = width > c->width ? width : c->width;
    }
    if (c->before + c->after > c->width)
        c->width = c->before + c->after;
}

static void add_blanks(struct text *out, size_t count)
{
    for (; count > 0; count--)
        text_add(out, " ");
}

static void add_cell(struct text *out, const struct table *t, const struct column *c, size_t row)
{
    const char *cell = table_cell(t, row, c->index);
    size_t left = c->width - width_of(cell), right = 0;

    if (t->align[c->index] == 'l') {
        right = left;
        left = 0;
    } else if (t->align[c->index] == '.' && row >= t->headers) {
        right = c->after - (width_of(cell) - before_point(cell));
        left -= right;
    }
    add_blanks(out, left);
    text_add(out, cell);
    add_blanks(out, right);
}

static void end_line(struct text *out)
{
    while (out->length > 0 && out->chars[out->length - 1] == ' ')
        out->chars[--out->length] = '\0';
    text_add(out, "\n");
}

static void add_rule(struct text *out, const struct column *shown, size_t count)
{
    add_blanks(out, INDENT);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < shown[i].width; k++)
            text_add(out, "─");
        add_blanks(out, i + 1 < count ? GAP : 0);
    }
    text_add(out, "\n");
}

/* The last column of words is folded into what is left of the line. */
static void add_last(struct text *out, const struct table *t, const struct column *c, size_t row,
                     size_t at, size_t columns)
{
    struct text folded = TEXT_EMPTY;
    char *hang;

    if (t->align[c->index] != 'l' || at + width_of(table_cell(t, row, c->index)) <= columns) {
        add_cell(out, t, c, row);
        end_line(out);
        return;
    }
    hang = xasprintf("\n%*s", (int)at, "");
    text_add_wrapped(&folded, table_cell(t, row, c->index), hang, hang + 1, columns);
    text_add(out, text_chars(&folded) + strlen(hang));
    text_free(&folded);
    free(hang);
}

static void add_rows(struct text *out, const struct table *t, struct column *shown, size_t count,
                     size_t columns)
{
    size_t at = INDENT;

    for (size_t i = 0; i + 1 < count; i++)
        at += shown[i].width + GAP;
    if (t->align[shown[count - 1].index] == 'l' && at + shown[count - 1].width > columns)
        shown[count - 1].width = columns > at + WORDS_LEAST ? columns - at : WORDS_LEAST;
    for (size_t row = 0; row < table_rows(t); row++) {
        if (row == t->headers && row > 0)
            add_rule(out, shown, count);
        add_blanks(out, INDENT);
        for (size_t i = 0; i + 1 < count; i++) {
            add_cell(out, t, &shown[i], row);
            add_blanks(out, GAP);
        }
        add_last(out, t, &shown[count - 1], row, at, columns);
    }
}

/* How many of the columns fit in one line; two at least, so that a table always goes on. */
static size_t fitting(const struct table *t, const struct column *shown, size_t count,
                      size_t columns)
{
    size_t at = INDENT;

    for (size_t i = 0; i < count; i++) {
        const bool folds = i + 1 == count && t->align[shown[i].index] == 'l';

        at += folds && shown[i].width > WORDS_LEAST ? WORDS_LEAST : shown[i].width;
        if (at > columns && i >= 2)
            return i;
        at += GAP;
    }
    return count;
}

void text_add_table(struct text *out, const struct table *t, size_t columns)
{
    struct column shown[TABLE_COLUMNS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < t->columns; i++) {
        if (table_shows(t, i))
            measure(&shown[count++], t, i);
    }
    while (count > 0) {
        const size_t now = fitting(t, shown, count, columns);

        add_rows(out, t, shown, now, columns);
        memmove(&shown[1], &shown[now], (count - now) * sizeof shown[0]);
        count = count - now == 0 ? 0 : count - now + 1;
        text_add(out, count > 0 ? "\n" : "");
    }
}
