/* Chooses which parameter of a set of rows runs down a table and which run across. */
#include "harness/output/pivot.h"
#include "harness/base/units.h"
#include "harness/output/page.h"
#include "harness/output/pivot_cells.h"

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

static bool same_word(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool pivot_same(const struct measurement *a, const struct measurement *b, const char *key)
{
    const struct parameter *p = parameter_of(a, key), *q = parameter_of(b, key);

    if (strcmp(key, "role") == 0)
        return same_word(a->role, b->role);
    if (p == NULL || q == NULL)
        return p == q;
    if (p->word != NULL || q->word != NULL)
        return same_word(p->word, q->word);
    return p->number == q->number || (isnan(p->number) && isnan(q->number));
}

bool pivot_same_cell(const struct pivot *p, const struct measurement *a,
                     const struct measurement *b)
{
    for (size_t i = 0; i < p->across_count; i++)
        if (!pivot_same(a, b, p->across[i]))
            return false;
    return true;
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
    if (p->number == floor(p->number) && !ends_with(key, "bytes"))
        return xasprintf("%.0f", p->number);
    return xstrdup(units_format(number, p->number, ends_with(key, "bytes") ? "B" : ""));
}

bool pivot_is_number(const struct measurement *m, const char *key)
{
    const struct parameter *p = parameter_of(m, key);

    return p != NULL && p->word == NULL;
}

static size_t distinct_values(const struct pivot *p, const char *key)
{
    size_t distinct = 0;

    for (size_t i = 0; i < p->count; i++) {
        size_t j = 0;

        while (j < i && !pivot_same(p->rows[i], p->rows[j], key))
            j++;
        distinct += j == i;
    }
    return distinct;
}

/* Cells that hold a row, were these keys across. */
static size_t distinct_cells(const struct pivot *p)
{
    size_t distinct = 0;

    for (size_t i = 0; i < p->count; i++) {
        size_t j = 0;

        while (j < i && !(pivot_same(p->rows[i], p->rows[j], p->down) &&
                          pivot_same_cell(p, p->rows[i], p->rows[j])))
            j++;
        distinct += j == i;
    }
    return distinct;
}

static void choose_down(struct pivot *p)
{
    const struct parameters *names = &p->rows[0]->parameters;
    size_t most = 0;

    p->down = "role";
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i].name;
        const size_t values = distinct_values(p, name);
        /* A curve is read along its numbers, even where there are more words than numbers. */
        const size_t weight = values > 2 && names->items[i].word == NULL ? values + 1000 : values;

        if (weight > most) {
            most = weight;
            p->down = name;
        }
    }
}

static void try_across(struct pivot *p, const char *key)
{
    const size_t before = distinct_cells(p);

    if (before == p->count || strcmp(key, p->down) == 0 || p->across_count == PIVOT_KEYS_MAX)
        return;
    p->across[p->across_count++] = key;
    if (distinct_cells(p) == before)
        p->across_count--;
}

void pivot_plan(struct pivot *p)
{
    choose_down(p);
    p->across_count = 0;
    try_across(p, "role");
    for (size_t i = 0; i < p->rows[0]->parameters.count; i++)
        try_across(p, p->rows[0]->parameters.items[i].name);
}

void pivot_constants(struct text *out, const struct pivot *p)
{
    for (size_t i = 0; i < p->rows[0]->parameters.count; i++) {
        const char *name = p->rows[0]->parameters.items[i].name;
        char *said, *value;

        if (p->count < 2 || distinct_values(p, name) > 1 || strcmp(name, p->down) == 0)
            continue;
        said = spoken(name);
        value = pivot_value(p->rows[0], name);
        text_addf(out, "%s%s %s", out->length > 0 ? ", " : "", said, value);
        free(said);
        free(value);
    }
}
