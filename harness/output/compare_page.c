/* A comparison laid out for people: who is compared, figures, ratios, rankings. */
#include "harness/base/units.h"
#include "harness/output/compare_writers.h"

#include <math.h>
#include <stdlib.h>

static const char *measured_word(const struct contender *c)
{
    return c->measured ? "measured" : "datasheet";
}

static void add_legend(struct page *page, const struct comparison *c)
{
    struct table *t = table_new(5, 1, "lllll");

    table_add(t, "");
    table_add(t, "device");
    table_add(t, "figures");
    table_add(t, "plan");
    table_add(t, "from");
    for (size_t i = 0; i < c->count; i++) {
        const struct contender *d = &c->contenders[i];

        table_addf(t, "%c", contender_letter(i));
        table_add(t, d->name);
        table_add(t, measured_word(d));
        table_add(t, d->setting.plan != NULL ? d->setting.plan : "-");
        table_add(t, d->origin);
    }
    page_add_table(page, t);
}

static void add_letters(struct table *t, const struct comparison *c, size_t from)
{
    for (size_t i = from; i < c->count; i++)
        table_addf(t, "%c %s", contender_letter(i), measured_word(&c->contenders[i]));
}

static void add_value(struct table *t, const struct reached *f)
{
    char number[UNITS_MAX], interval[UNITS_MAX];

    if (f == NULL) {
        table_add(t, "-");
        return;
    }
    units_format(number, f->value.value, f->unit);
    interval_format(interval, &f->value);
    if (f->exact || interval[0] == '-')
        table_addf(t, "%s%s", number, f->weak ? "*" : "");
    else
        table_addf(t, "%s %s", number, interval);
}

static void add_figures(struct page *page, const struct comparison *c)
{
    struct table *t = table_new(c->count + 1, 1, "lr");
    bool weak = false;

    table_add(t, "figure");
    add_letters(t, c, 0);
    for (size_t i = 0; i < c->row_count; i++) {
        table_add(t, c->rows[i].example->name);
        for (size_t k = 0; k < c->count; k++) {
            const struct reached *f = c->rows[i].cells[k].reached;

            add_value(t, f);
            weak = weak || (f != NULL && f->weak);
        }
    }
    page_add(page, BLOCK_SECTION, "Figures");
    page_add_table(page, t);
    if (weak)
        page_add(page, BLOCK_NOTE, "* rests on one source or is derived");
}

/* With the digits that a difference of a tenth of a per cent needs, and no more. */
static int ratio_digits(double ratio)
{
    static const double steps[] = {0.01, 0.1, 10, 100, 1000};
    int digits = 5;

    for (size_t i = 0; i < COUNT_OF(steps) && ratio >= steps[i]; i++)
        digits--;
    return digits;
}

static void add_ratio(struct table *t, const struct estimate *r)
{
    const int digits = ratio_digits(r->value);

    if (!isfinite(r->value))
        table_add(t, "-");
    else if (!isfinite(r->low) || r->low == r->high)
        table_addf(t, "%.*f", digits, r->value);
    else
        table_addf(t, "%.*f (%.*f to %.*f)", digits, r->value, digits, r->low, digits, r->high);
}

static void add_ratios(struct page *page, const struct comparison *c)
{
    struct table *t = table_new(2 * c->count - 1, 1, "lrl");

    for (size_t k = 3; k < t->columns; k++)
        t->align[k] = k % 2 == 1 ? 'r' : 'l';
    table_add(t, "figure");
    for (size_t k = 1; k < c->count; k++) {
        table_addf(t, "%c / A", contender_letter(k));
        table_addf(t, "%c is", contender_letter(k));
    }
    for (size_t i = 0; i < c->row_count; i++) {
        if (c->rows[i].cells[0].reached == NULL)
            continue;
        table_add(t, c->rows[i].example->name);
        for (size_t k = 1; k < c->count; k++) {
            const struct compared *cell = &c->rows[i].cells[k];

            add_ratio(t, &cell->ratio);
            table_add(t, difference_word(cell->difference, c->rows[i].example->better));
        }
    }
    page_add(page, BLOCK_SECTION, "Against A");
    page_add_table(page, t);
    page_add(page, BLOCK_NOTE, comparison_rule);
}

static void add_divided(struct table *t, const struct comparison *c,
                        const struct comparison_row *row, const struct divisor *d)
{
    table_add(t, row->example->name);
    for (size_t k = 0; k < c->count; k++) {
        const struct reached *f = row->cells[k].reached;
        char number[UNITS_MAX];

        if (f == NULL || !isfinite(d->of[k]))
            table_add(t, "-");
        else
            table_addf(t, "%s %s", units_format(number, f->value.value / d->of[k], f->unit),
                       d->suffix);
    }
    for (size_t k = 1; k < c->count; k++)
        add_ratio(t, &(struct estimate){row->cells[k].ratio.value * d->of[0] / d->of[k], NAN, NAN});
}

static void add_divisor(struct page *page, const struct comparison *c, const struct divisor *d)
{
    struct table *t = table_new(2 * c->count, 1, "lr");

    table_add(t, "figure");
    for (size_t k = 0; k < c->count; k++)
        table_addf(t, "%c", contender_letter(k));
    for (size_t k = 1; k < c->count; k++)
        table_addf(t, "%c / A", contender_letter(k));
    for (size_t i = 0; i < c->row_count; i++)
        if (c->rows[i].example->better == MORE_IS_BETTER)
            add_divided(t, c, &c->rows[i], d);
    page_addf(page, BLOCK_SECTION, "Rates %s", d->name);
    page_add_table(page, t);
}

static void add_score(struct table *t, const struct ranking *r, const struct estimate *score)
{
    char value[UNITS_MAX], interval[UNITS_MAX];

    if (*r->unit == '\0') {
        add_ratio(t, score);
        return;
    }
    units_format(value, score->value, r->unit);
    interval_format(interval, score);
    if (interval[0] == '-' || score->low == score->high)
        table_add(t, value);
    else
        table_addf(t, "%s %s", value, interval);
}

/* Scores whose intervals meet share a place in truth; the table says so. */
static bool meets_next(const struct ranking *r, size_t place)
{
    const struct estimate *a, *b;

    if (place + 1 >= r->count)
        return false;
    a = &r->places[place].score;
    b = &r->places[place + 1].score;
    return a->low <= b->high && b->low <= a->high;
}

static void add_ranking(struct page *page, const struct comparison *c, const struct ranking *r)
{
    struct table *t = table_new(4 + c->divisor_count, 1, "lrlr");

    for (size_t d = 0; d < c->divisor_count; d++)
        t->align[4 + d] = 'r';
    table_add(t, "");
    table_add(t, "place");
    table_add(t, "device");
    table_add(t, *r->unit == '\0' ? "times A" : "time");
    for (size_t d = 0; d < c->divisor_count; d++)
        table_addf(t, "%s, times A", c->divisors[d].name);
    for (size_t i = 0; i < r->count; i++) {
        const struct place *p = &r->places[i];

        table_addf(t, "%c", contender_letter(p->contender));
        table_addf(t, "%zu%s", i + 1, meets_next(r, i) ? "=" : "");
        table_addf(t, "%s, %s", c->contenders[p->contender].name,
                   measured_word(&c->contenders[p->contender]));
        add_score(t, r, &p->score);
        for (size_t d = 0; d < c->divisor_count; d++)
            add_ratio(t, &(struct estimate){ranking_per(r, i, &c->divisors[d]), NAN, NAN});
    }
    page_addf(page, BLOCK_SECTION, "Ranking for %s", r->title);
    page_add_table(page, t);
    page_addf(page, BLOCK_NOTE, "%s. A place with = cannot be told from the next.", r->method);
}

void comparison_page(struct page *page, const struct comparison *c)
{
    *page = (struct page){0};
    page_addf(page, BLOCK_TITLE, "Comparison with A, %s", c->contenders[0].name);
    add_legend(page, c);
    for (size_t i = 0; i < c->warnings.count; i++)
        page_add(page, BLOCK_BANNER, c->warnings.items[i]);
    add_figures(page, c);
    add_ratios(page, c);
    for (size_t i = 0; i < c->divisor_count; i++)
        add_divisor(page, c, &c->divisors[i]);
    for (size_t i = 0; i < c->ranking_count; i++)
        add_ranking(page, c, &c->rankings[i]);
    for (size_t i = 0; i < c->alone.count; i++)
        page_add(page, BLOCK_NOTE, c->alone.items[i]);
}
