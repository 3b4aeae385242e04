/* A comparison for spreadsheets and programs: one line for a figure of a contender (RFC 4180). */
#include "harness/output/compare_writers.h"

#include <math.h>
#include <string.h>

static void add_word(struct text *out, const char *word)
{
    if (word != NULL && strpbrk(word, ",\"\r\n") != NULL) {
        text_add(out, "\"");
        for (; *word != '\0'; word++)
            text_addf(out, *word == '"' ? "\"\"" : "%c", *word);
        text_add(out, "\"");
    } else if (word != NULL) {
        text_add(out, word);
    }
    text_add(out, ",");
}

static void add_number(struct text *out, double number)
{
    if (isfinite(number))
        text_addf(out, number == floor(number) && fabs(number) < 1e15 ? "%.0f" : "%.17g", number);
    text_add(out, ",");
}

static void add_estimate(struct text *out, const struct estimate *e)
{
    add_number(out, e->value);
    add_number(out, e->low);
    add_number(out, e->high);
}

static void add_contender(struct text *out, const struct comparison *c, size_t i)
{
    const struct contender *d = &c->contenders[i];

    text_addf(out, "%c,", contender_letter(i));
    add_word(out, d->name);
    add_word(out, d->measured ? "measured" : "datasheet");
    add_word(out, d->origin);
}

static void end_line(struct text *out)
{
    out->length--;
    out->chars[out->length] = '\0';
    text_add(out, "\r\n");
}

static void add_line(struct text *out, const struct comparison *c, const struct comparison_row *row,
                     size_t i)
{
    const struct compared *cell = &row->cells[i];

    add_contender(out, c, i);
    add_word(out, row->example->name);
    add_word(out, row->example->unit);
    add_estimate(out, &cell->reached->value);
    add_number(out, (double)cell->reached->sample_count);
    add_estimate(out, &cell->ratio);
    add_word(out, i == 0 ? "" : difference_word(cell->difference, row->example->better));
    for (size_t d = 0; d < c->divisor_count; d++)
        add_number(out, row->example->better == MORE_IS_BETTER
                            ? cell->reached->value.value / c->divisors[d].of[i]
                            : NAN);
    end_line(out);
}

static void add_places(struct text *out, const struct comparison *c, const struct ranking *r)
{
    for (size_t i = 0; i < r->count; i++) {
        add_contender(out, c, r->places[i].contender);
        text_add(out, "\"");
        text_addf(out, "ranking for %s", r->title);
        text_add(out, "\",");
        add_word(out, r->unit);
        add_estimate(out, &r->places[i].score);
        text_add(out, ",,,,,");
        for (size_t d = 0; d < c->divisor_count; d++)
            add_number(out, ranking_per(r, i, &c->divisors[d]));
        end_line(out);
    }
}

void comparison_csv(struct text *out, const struct comparison *c, const struct view *view)
{
    (void)view;
    text_add(out, "letter,name,source,from,figure,unit,value,low,high,samples,ratio,ratio_low,"
                  "ratio_high,verdict");
    for (size_t d = 0; d < c->divisor_count; d++)
        text_addf(out, ",%s", c->divisors[d].name);
    text_add(out, "\r\n");
    for (size_t i = 0; i < c->row_count; i++)
        for (size_t k = 0; k < c->count; k++)
            if (c->rows[i].cells[k].reached != NULL)
                add_line(out, c, &c->rows[i], k);
    for (size_t i = 0; i < c->ranking_count; i++)
        add_places(out, c, &c->rankings[i]);
}
