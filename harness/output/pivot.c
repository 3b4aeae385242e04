/* Chooses which parameter of a set of rows runs down a table and which run across. */
#include "harness/output/pivot.h"
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct parameter *parameter_of(const struct measurement *m, const char *name)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (strcmp(m->parameters.items[i].name, name) == 0)
            return &m->parameters.items[i];
    return NULL;
}

static int compare_words(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

/* Unknown numbers equal each other and come first. */
static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(b) - isnan(a);
    return (a > b) - (a < b);
}

static int compare_by(const struct measurement *a, const struct measurement *b, const char *key)
{
    const struct parameter *p, *q;

    if (strcmp(key, "role") == 0)
        return compare_words(a->role, b->role);
    p = parameter_of(a, key);
    q = parameter_of(b, key);
    if (p == NULL || q == NULL)
        return (p != NULL) - (q != NULL);
    if (p->word != NULL || q->word != NULL)
        return compare_words(p->word, q->word);
    return compare_numbers(p->number, q->number);
}

/* What rows are numbered by: a key, or two numberings at once. */
struct order {
    const struct pivot *pivot;
    const char *key;
    const struct numbering *first, *second;
};

static int compare_rows(size_t a, size_t b, const struct order *o)
{
    if (o->key != NULL)
        return compare_by(o->pivot->rows[a], o->pivot->rows[b], o->key);
    if (o->first->of[a] != o->first->of[b])
        return o->first->of[a] < o->first->of[b] ? -1 : 1;
    return (o->second->of[a] > o->second->of[b]) - (o->second->of[a] < o->second->of[b]);
}

/* Equal rows in order of appearance. */
static int compare_indices(const void *a, const void *b, void *order)
{
    const size_t *i = a, *j = b;
    const int by_value = compare_rows(*i, *j, order);

    return by_value != 0 ? by_value : (*i > *j) - (*i < *j);
}

static struct numbering number_rows(const struct order *o)
{
    const size_t count = o->pivot->count;
    struct numbering n = {xcalloc(count, sizeof *n.of), 0};
    size_t *sorted = xcalloc(count, sizeof *sorted), *first = xcalloc(count, sizeof *first);
    struct order copy = *o;

    for (size_t i = 0; i < count; i++)
        sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, compare_indices, &copy);
    for (size_t i = 0; i < count; i++)
        first[sorted[i]] = i > 0 && compare_rows(sorted[i - 1], sorted[i], o) == 0
                               ? first[sorted[i - 1]]
                               : sorted[i];
    for (size_t i = 0; i < count; i++)
        n.of[i] = first[i] == i ? n.count++ : n.of[first[i]];
    free(sorted);
    free(first);
    return n;
}

static struct numbering number_by(const struct pivot *p, const char *key)
{
    return number_rows(&(struct order){.pivot = p, .key = key});
}

static struct numbering number_pairs(const struct pivot *p, const struct numbering *first,
                                     const struct numbering *second)
{
    return number_rows(&(struct order){.pivot = p, .first = first, .second = second});
}

static void replace(struct numbering *n, struct numbering by)
{
    free(n->of);
    *n = by;
}

static void choose_down(struct pivot *p)
{
    const struct parameters *names = &p->rows[0]->parameters;
    size_t most = 0;

    p->down = "role";
    replace(&p->lines, number_by(p, "role"));
    for (size_t i = 0; i < names->count; i++) {
        struct numbering values = number_by(p, names->items[i].name);
        /* A curve is read along its numbers, even where there are more words than numbers. */
        const bool curve = values.count > 2 && names->items[i].word == NULL;
        const size_t weight = values.count + (curve ? p->count : 0);

        if (weight > most) {
            most = weight;
            p->down = names->items[i].name;
            replace(&p->lines, values);
        } else {
            free(values.of);
        }
    }
}

/* Takes the key across when it tells rows apart that still share a cell. */
static void try_across(struct pivot *p, struct numbering *cells, const char *key)
{
    struct numbering values, finer;

    if (cells->count == p->count || strcmp(key, p->down) == 0 || p->across_count == PIVOT_KEYS_MAX)
        return;
    values = number_by(p, key);
    finer = number_pairs(p, cells, &values);
    if (finer.count > cells->count) {
        p->across[p->across_count++] = key;
        replace(&p->columns, number_pairs(p, &p->columns, &values));
        replace(cells, finer);
    } else {
        free(finer.of);
    }
    free(values.of);
}

void pivot_plan(struct pivot *p)
{
    struct numbering cells;

    choose_down(p);
    cells = number_pairs(p, &p->lines, &p->lines);
    p->across_count = 0;
    replace(&p->columns, (struct numbering){xcalloc(p->count, sizeof *p->columns.of), 1});
    try_across(p, &cells, "role");
    for (size_t i = 0; i < p->rows[0]->parameters.count; i++)
        try_across(p, &cells, p->rows[0]->parameters.items[i].name);
    free(cells.of);
}

void pivot_free(struct pivot *p)
{
    free(p->lines.of);
    free(p->columns.of);
    p->lines = p->columns = (struct numbering){0};
}

static bool ends_with(const char *word, const char *end)
{
    const size_t length = strlen(word), tail = strlen(end);

    return length >= tail && strcmp(word + length - tail, end) == 0;
}

char *pivot_value(const struct measurement *m, const char *key)
{
    const struct parameter *p = parameter_of(m, key);
    char number[UNITS_MAX];

    if (strcmp(key, "role") == 0)
        return spoken(m->role == NULL ? "-" : m->role);
    if (p == NULL)
        return xstrdup("-");
    if (p->word != NULL)
        return spoken(p->word);
    if (p->number == floor(p->number) && fabs(p->number) < 1e15 && !ends_with(key, "bytes"))
        return xasprintf("%.0f", p->number);
    return xstrdup(units_format(number, p->number, ends_with(key, "bytes") ? "B" : ""));
}

static bool is_constant(const struct pivot *p, const char *key)
{
    for (size_t i = 1; i < p->count; i++)
        if (compare_by(p->rows[0], p->rows[i], key) != 0)
            return false;
    return p->count > 1 && strcmp(key, p->down) != 0;
}

static void add_parameter(struct text *out, const struct measurement *m, const char *name)
{
    char *said = spoken(name), *value = pivot_value(m, name);

    text_addf(out, "%s%s %s", out->length > 0 ? ", " : "", said, value);
    free(said);
    free(value);
}

void pivot_constants(struct text *out, const struct pivot *p)
{
    for (size_t i = 0; i < p->rows[0]->parameters.count; i++)
        if (is_constant(p, p->rows[0]->parameters.items[i].name))
            add_parameter(out, p->rows[0], p->rows[0]->parameters.items[i].name);
}

void pivot_parameters(struct text *out, const struct measurement *m)
{
    struct text said = TEXT_EMPTY;

    for (size_t i = 0; i < m->parameters.count; i++)
        add_parameter(&said, m, m->parameters.items[i].name);
    text_add(out, text_chars(&said));
    text_free(&said);
}
