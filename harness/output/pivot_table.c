/* Writes the cells of a pivot: one scale a column, marks for doubts. */
#include "harness/base/units.h"
#include "harness/output/page.h"
#include "harness/output/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns beyond this are not shown; with one column its details need further ones. */
enum { COLUMNS_SHOWN = TABLE_COLUMNS_MAX - 1, DETAILS = 3 };

struct column {
    const struct measurement *first; /* stands for the column */
    double most, scale;
    char unit[UNITS_MAX];
};

/* The table as a grid of rows; lines in the order in which they are shown. */
struct grid {
    const struct measurement **cells; /* NULL: no such row */
    size_t *order;
    bool *headline; /* a line with a headline row */
    const struct measurement **lines;
    struct column *columns;
    size_t line_count, column_count;
};

static void grid_take(struct grid *g, const struct measurement *m, size_t line, size_t column)
{
    struct column *c = &g->columns[column];

    g->headline[line] = g->headline[line] || m->headline;
    if (g->lines[line] == NULL)
        g->lines[line] = m;
    if (c->first == NULL)
        c->first = m;
    if (m->value.median > c->most)
        c->most = m->value.median;
    if (g->cells[line * g->column_count + column] == NULL)
        g->cells[line * g->column_count + column] = m;
}

/* What a line has of the parameter that runs down; words have no order of their own. */
struct position {
    double number;
    size_t line;
};

static int by_number(const void *a, const void *b)
{
    const struct position *p = a, *q = b;

    if (p->number != q->number && !isnan(p->number) && !isnan(q->number))
        return p->number < q->number ? -1 : 1;
    return (p->line > q->line) - (p->line < q->line);
}

static void grid_sort(struct grid *g, const char *down)
{
    struct position *positions = xcalloc(g->line_count, sizeof *positions);

    for (size_t i = 0; i < g->line_count; i++)
        positions[i] = (struct position){parameters_number(&g->lines[i]->parameters, down), i};
    qsort(positions, g->line_count, sizeof *positions, by_number);
    for (size_t i = 0; i < g->line_count; i++)
        g->order[i] = positions[i].line;
    free(positions);
}

static void grid_init(struct grid *g, const struct pivot *p)
{
    g->line_count = p->lines.count;
    g->column_count = p->columns.count < COLUMNS_SHOWN ? p->columns.count : COLUMNS_SHOWN;
    g->cells = xcalloc(g->line_count * g->column_count, sizeof(struct measurement *));
    g->order = xcalloc(g->line_count, sizeof *g->order);
    g->headline = xcalloc(g->line_count, sizeof *g->headline);
    g->lines = xcalloc(g->line_count, sizeof(struct measurement *));
    g->columns = xcalloc(g->column_count, sizeof *g->columns);
    for (size_t i = 0; i < p->count; i++)
        if (p->columns.of[i] < g->column_count)
            grid_take(g, p->rows[i], p->lines.of[i], p->columns.of[i]);
        else if (g->lines[p->lines.of[i]] == NULL)
            g->lines[p->lines.of[i]] = p->rows[i];
    for (size_t i = 0; i < g->column_count; i++)
        units_scale(g->columns[i].unit, g->columns[i].most, p->rows[0]->metric.unit,
                    &g->columns[i].scale);
    grid_sort(g, p->down);
}

static void grid_free(struct grid *g)
{
    free(g->cells);
    free(g->order);
    free(g->headline);
    free(g->lines);
    free(g->columns);
}

/* Doubts are marked where no column names them. */
static void add_value(struct table *t, const struct measurement *m, double scale, bool mark)
{
    char number[UNITS_MAX];

    if (m == NULL || isnan(m->value.median))
        table_add(t, "-");
    else
        table_addf(t, "%s%s", units_format(number, m->value.median / scale, ""),
                   m->status == ROW_INVALID      ? "!"
                   : mark && m->doubts.count > 0 ? "~"
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

static void add_key(struct table *t, const struct grid *g, const char *key)
{
    char *name = spoken(key);

    table_add(t, strcmp(key, "role") == 0 ? "" : name);
    free(name);
    for (size_t i = 0; i < g->column_count; i++) {
        char *value = pivot_value(g->columns[i].first, key);

        table_add(t, value);
        free(value);
    }
    for (size_t i = 0; g->column_count == 1 && i < DETAILS; i++)
        table_add(t, "");
}

static void add_headings(struct table *t, const struct pivot *p, const struct grid *g)
{
    char *down = spoken(p->down);

    for (size_t k = 0; k < p->across_count; k++)
        add_key(t, g, p->across[k]);
    table_add(t, down);
    free(down);
    for (size_t i = 0; i < g->column_count; i++)
        table_add(t, g->columns[i].unit);
    if (g->column_count == 1) {
        table_add(t, "95 %");
        table_add(t, "samples");
        table_add(t, "doubts");
    }
}

/* Line i of n, when only `most` of them are shown: spread evenly, the first and the last among
 * them. */
static bool is_chosen(size_t i, size_t n, size_t most)
{
    if (most == 0 || n <= most)
        return true;
    return i == 0 || i * (most - 1) / (n - 1) != (i - 1) * (most - 1) / (n - 1);
}

static void add_line(struct table *t, const struct pivot *p, const struct grid *g, size_t line)
{
    const struct measurement **cells = &g->cells[line * g->column_count];
    char *name = pivot_value(g->lines[line], p->down);

    table_add(t, name);
    free(name);
    for (size_t i = 0; i < g->column_count; i++)
        add_value(t, cells[i], g->columns[i].scale, g->column_count > 1);
    if (g->column_count == 1)
        add_details(t, cells[0]);
}

struct table *pivot_table(const struct pivot *p, size_t most, size_t *left_out)
{
    const size_t headers = 1 + p->across_count;
    struct grid g = {0};
    struct table *t;

    grid_init(&g, p);
    t = g.column_count == 1 ? table_new(2 + DETAILS, headers, "l.rrl")
                            : table_new(1 + g.column_count, headers, "l.");
    add_headings(t, p, &g);
    *left_out = 0;
    for (size_t i = 0; i < g.line_count; i++)
        if (is_chosen(i, g.line_count, most) || g.headline[g.order[i]])
            add_line(t, p, &g, g.order[i]);
        else
            ++*left_out;
    grid_free(&g);
    return t;
}
