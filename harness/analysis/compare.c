/* Compares contenders with the first of them, figure by figure. */
#include "harness/analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char contender_letter(size_t index)
{
    return (char)('A' + (int)index);
}

/* What is exact has an interval of no width. */
static struct estimate interval_of(const struct reached *f)
{
    return f->exact ? (struct estimate){f->value.value, f->value.value, f->value.value} : f->value;
}

static struct estimate ratio_of(const struct reached *a, const struct reached *b)
{
    if (a->sample_count > 0 && b->sample_count > 0)
        return ratio_of_samples(a->samples, a->sample_count, b->samples, b->sample_count);
    return estimate_ratio(interval_of(a), interval_of(b));
}

static struct comparison_row *row_named(struct comparison *c, const char *name)
{
    for (size_t i = 0; i < c->row_count; i++)
        if (strcmp(c->rows[i].example->name, name) == 0)
            return &c->rows[i];
    return NULL;
}

static void add_figure(struct comparison *c, size_t contender, const struct reached *f)
{
    struct comparison_row *row = row_named(c, f->name);

    if (row == NULL) {
        c->rows = xrealloc(c->rows, (c->row_count + 1) * sizeof *c->rows);
        row = &c->rows[c->row_count];
        *row = (struct comparison_row){.example = f, .found = c->row_count++};
    }
    row->cells[contender].reached = f;
}

static void compare_cells(struct comparison_row *row, size_t count)
{
    const struct reached *first = row->cells[0].reached;

    for (size_t i = 0; i < count; i++) {
        struct compared *cell = &row->cells[i];

        cell->ratio = (struct estimate){NAN, NAN, NAN};
        if (first == NULL || cell->reached == NULL)
            continue;
        cell->ratio = i == 0 ? (struct estimate){1, 1, 1} : ratio_of(cell->reached, first);
        cell->difference = difference_of(cell->ratio);
    }
}

static size_t holders(const struct comparison_row *row, size_t count)
{
    size_t holding = 0;

    for (size_t i = 0; i < count; i++)
        holding += row->cells[i].reached != NULL;
    return holding;
}

static size_t first_holder(const struct comparison_row *row)
{
    size_t holder = 0;

    while (row->cells[holder].reached == NULL)
        holder++;
    return holder;
}

/* What only one has is named, but no row. */
static void drop_lonely_rows(struct comparison *c)
{
    struct text alone[CONTENDERS_MOST] = {0};
    size_t kept = 0;

    for (size_t i = 0; i < c->row_count; i++) {
        struct text *mine = &alone[first_holder(&c->rows[i])];

        if (holders(&c->rows[i], c->count) > 1)
            c->rows[kept++] = c->rows[i];
        else
            text_addf(mine, "%s%s", mine->length > 0 ? "; " : "", c->rows[i].example->name);
    }
    c->row_count = kept;
    for (size_t i = 0; i < c->count; i++) {
        char *sentence = xasprintf("Only %c has: %s.", contender_letter(i), text_chars(&alone[i]));

        if (alone[i].length > 0)
            strings_add(&c->alone, sentence);
        free(sentence);
        text_free(&alone[i]);
    }
}

/* By group, then in the order of those that were named first. */
static int by_group(const void *a, const void *b)
{
    const struct comparison_row *x = a, *y = b;
    const int difference = (int)x->example->group - (int)y->example->group;

    return difference != 0 ? difference : (x->found > y->found) - (x->found < y->found);
}

/* The size of memory is no figure that two devices could be said to have in common. */
static bool meets_first(const struct comparison *c, size_t contender)
{
    for (size_t i = 0; i < c->row_count; i++)
        if (c->rows[i].example->group != REACHED_SIZE && c->rows[i].cells[0].reached != NULL &&
            c->rows[i].cells[contender].reached != NULL)
            return true;
    return false;
}

int comparison_of(struct comparison *c, const struct contender *contenders, size_t count,
                  struct text *why)
{
    *c = (struct comparison){.contenders = contenders, .count = count};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < contenders[i].count; k++)
            add_figure(c, i, &contenders[i].reached[k]);
    drop_lonely_rows(c);
    if (c->row_count > 0)
        qsort(c->rows, c->row_count, sizeof *c->rows, by_group);
    for (size_t i = 0; i < c->row_count; i++)
        compare_cells(&c->rows[i], count);
    for (size_t i = 1; i < count; i++)
        if (!meets_first(c, i)) {
            text_addf(why, "%s and %s have no measured or promised figure in common",
                      contenders[0].origin, contenders[i].origin);
            return -1;
        }
    comparison_add_warnings(c);
    return 0;
}

void comparison_free(struct comparison *c)
{
    free(c->rows);
    strings_free(&c->warnings);
    strings_free(&c->alone);
    for (size_t i = 0; i < c->ranking_count; i++) {
        free(c->rankings[i].title);
        free(c->rankings[i].method);
    }
    *c = (struct comparison){0};
}

static bool is_slower(const struct comparison_row *row, const struct compared *cell, double share)
{
    const struct estimate *r = &cell->ratio;

    if (row->example->better == MORE_IS_BETTER)
        return r->high < 1 && r->value < 1 - share;
    return row->example->better == LESS_IS_BETTER && r->low > 1 && r->value > 1 / (1 - share);
}

bool comparison_is_slower(const struct comparison *c, double share, struct text *which)
{
    bool slower = false;

    for (size_t i = 0; i < c->row_count; i++)
        for (size_t k = 1; k < c->count; k++) {
            const struct compared *cell = &c->rows[i].cells[k];

            if (!is_slower(&c->rows[i], cell, share))
                continue;
            text_addf(which, "%s%c in %s (%.3g times)", slower ? ", " : "", contender_letter(k),
                      c->rows[i].example->name, cell->ratio.value);
            slower = true;
        }
    return slower;
}
