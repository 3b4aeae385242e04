/* Writes the cells of a pivot: one scale a column, marks for doubts. */
#include "harness/base/units.h"
#include "harness/output/page.h"
#include "harness/output/pivot_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that stand for the lines and the columns of the table: the first of each. */
struct frame {
    const struct measurement **lines, **columns;
    size_t line_count, column_count;
};

static int by_down(const void *a, const void *b, void *key)
{
    const struct measurement *const *m = a, *const *n = b;
    const char *const *down = key;
    const double x = parameters_number(&(*m)->parameters, *down);
    const double y = parameters_number(&(*n)->parameters, *down);

    return (x > y) - (x < y);
}

static void find_lines(struct frame *f, const struct pivot *p)
{
    const char *down = p->down;

    f->lines = xcalloc(p->count + 1, sizeof(struct measurement *));
    for (size_t i = 0; i < p->count; i++) {
        size_t j = 0;

        while (j < f->line_count && !pivot_same(f->lines[j], p->rows[i], p->down))
            j++;
        if (j == f->line_count)
            f->lines[f->line_count++] = p->rows[i];
    }
    if (pivot_is_number(p->rows[0], p->down))
        qsort_r(f->lines, f->line_count, sizeof(struct measurement *), by_down, &down);
}

static void find_columns(struct frame *f, const struct pivot *p)
{
    f->columns = xcalloc(p->count + 1, sizeof(struct measurement *));
    for (size_t i = 0; i < p->count && f->column_count + 4 < TABLE_COLUMNS_MAX; i++) {
        size_t j = 0;

        while (j < f->column_count && !pivot_same_cell(p, f->columns[j], p->rows[i]))
            j++;
        if (j == f->column_count)
            f->columns[f->column_count++] = p->rows[i];
    }
}

static const struct measurement *cell_row(const struct pivot *p, const struct measurement *line,
                                          const struct measurement *column)
{
    for (size_t i = 0; i < p->count; i++)
        if (pivot_same(p->rows[i], line, p->down) && pivot_same_cell(p, p->rows[i], column))
            return p->rows[i];
    return NULL;
}

static double column_scale(const struct pivot *p, const struct measurement *column,
                           char unit[UNITS_MAX])
{
    double most = 0, scale = 1;

    for (size_t i = 0; i < p->count; i++)
        if (pivot_same_cell(p, p->rows[i], column) && p->rows[i]->value.median > most)
            most = p->rows[i]->value.median;
    units_scale(unit, most, column->metric.unit, &scale);
    return scale;
}

static void add_value(struct table *t, const struct measurement *m, double scale)
{
    char number[UNITS_MAX];

    if (m == NULL || isnan(m->value.median))
        table_add(t, "-");
    else
        table_addf(t, "%s%s", units_format(number, m->value.median / scale, ""),
                   m->status == ROW_INVALID ? "!"
                   : m->doubts.count > 0    ? "~"
                                            : "");
}

/* With one column there is room for what else is known of a row. */
static void add_details(struct table *t, const struct measurement *m)
{
    struct estimate value = {NAN, NAN, NAN};
    struct text doubts = TEXT_EMPTY;
    char interval[UNITS_MAX];

    if (m != NULL)
        value = estimate_of(&m->value);
    for (size_t i = 0; m != NULL && i < m->doubts.count; i++)
        text_addf(&doubts, "%s%s", i > 0 ? ", " : "", m->doubts.items[i]);
    table_add(t, interval_format(interval, &value));
    table_addf(t, "%zu", m == NULL ? 0 : m->value.n);
    table_add(t, text_chars(&doubts));
    text_free(&doubts);
}

static void add_headings(struct table *t, const struct pivot *p, const struct frame *f)
{
    char *down = spoken(p->down), unit[UNITS_MAX];

    for (size_t k = 0; k < p->across_count; k++) {
        char *key = spoken(p->across[k]);

        table_add(t, strcmp(key, "role") == 0 ? "" : key);
        free(key);
        for (size_t c = 0; c < f->column_count; c++) {
            char *value = pivot_value(f->columns[c], p->across[k]);

            table_add(t, value);
            free(value);
        }
    }
    table_add(t, down);
    for (size_t c = 0; c < f->column_count; c++) {
        column_scale(p, f->columns[c], unit);
        table_add(t, unit);
    }
    free(down);
    if (f->column_count == 1) {
        table_add(t, "95 %");
        table_add(t, "samples");
        table_add(t, "doubts");
    }
}

static bool is_headline(const struct pivot *p, const struct measurement *line)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->rows[i]->headline && pivot_same(p->rows[i], line, p->down))
            return true;
    return false;
}

/* Line i of n, when only `most` of them are shown: spread evenly, the first and the last among
 * them. */
static bool is_chosen(size_t i, size_t n, size_t most)
{
    if (most == 0 || n <= most)
        return true;
    for (size_t k = 0; k < most; k++)
        if ((k * (n - 1) + (most - 1) / 2) / (most - 1) == i)
            return true;
    return false;
}

static void add_line(struct table *t, const struct pivot *p, const struct frame *f, size_t line)
{
    char *name = pivot_value(f->lines[line], p->down), unit[UNITS_MAX];

    table_add(t, name);
    free(name);
    for (size_t c = 0; c < f->column_count; c++)
        add_value(t, cell_row(p, f->lines[line], f->columns[c]),
                  column_scale(p, f->columns[c], unit));
    if (f->column_count == 1)
        add_details(t, cell_row(p, f->lines[line], f->columns[0]));
}

struct table *pivot_table(const struct pivot *p, size_t most, size_t *left_out)
{
    struct frame f = {0};
    struct table *t;

    find_lines(&f, p);
    find_columns(&f, p);
    t = f.column_count == 1 ? table_new(5, 1 + p->across_count, "l.rrl")
                            : table_new(1 + f.column_count, 1 + p->across_count, "l.");
    add_headings(t, p, &f);
    *left_out = 0;
    for (size_t i = 0; i < f.line_count; i++)
        if (is_chosen(i, f.line_count, most) || is_headline(p, f.lines[i]))
            add_line(t, p, &f, i);
        else
            ++*left_out;
    free(f.lines);
    free(f.columns);
    return t;
}
