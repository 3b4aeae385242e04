/* A comparison as JSON: SI numbers, null where unknown. */
#include "harness/output/compare_writers.h"
#include "harness/report/json_text.h"

#include <math.h>

/* "name": and a value; members are told apart by a comma before all but the first. */
static void add_name(struct text *out, const char *name)
{
    if (out->length > 0 && out->chars[out->length - 1] != '{')
        text_add(out, ",");
    json_text_string(out, name);
    text_add(out, ":");
}

static void add_word(struct text *out, const char *name, const char *word)
{
    add_name(out, name);
    json_text_string(out, word);
}

static void add_number(struct text *out, const char *name, double number)
{
    add_name(out, name);
    json_text_number(out, number);
}

static void add_letter(struct text *out, size_t contender)
{
    const char letter[] = {contender_letter(contender), '\0'};

    add_word(out, "letter", letter);
}

static void add_estimate(struct text *out, const char *name, const struct estimate *e)
{
    add_name(out, name);
    text_add(out, "{");
    add_number(out, "value", e->value);
    add_number(out, "low", e->low);
    add_number(out, "high", e->high);
    text_add(out, "}");
}

static void add_strings(struct text *out, const char *name, const struct strings *list)
{
    add_name(out, name);
    text_add(out, "[");
    for (size_t i = 0; i < list->count; i++) {
        text_add(out, i > 0 ? "," : "");
        json_text_string(out, list->items[i]);
    }
    text_add(out, "]");
}

static void add_contenders(struct text *out, const struct comparison *c)
{
    add_name(out, "contenders");
    text_add(out, "[");
    for (size_t i = 0; i < c->count; i++) {
        const struct contender *d = &c->contenders[i];

        text_add(out, i > 0 ? ",{" : "{");
        add_letter(out, i);
        add_word(out, "name", d->name);
        add_word(out, "source", d->measured ? "measured" : "datasheet");
        add_word(out, "from", d->origin);
        add_word(out, "id", d->id);
        add_word(out, "plan", d->setting.plan);
        for (size_t k = 0; k < c->divisor_count; k++)
            add_number(out, c->divisors[k].name, c->divisors[k].of[i]);
        text_add(out, "}");
    }
    text_add(out, "]");
}

static void add_cell(struct text *out, const struct comparison *c, const struct comparison_row *row,
                     size_t i)
{
    const struct compared *cell = &row->cells[i];

    add_letter(out, i);
    add_estimate(out, "value", &cell->reached->value);
    add_number(out, "samples", (double)cell->reached->sample_count);
    add_estimate(out, "ratio", &cell->ratio);
    add_word(out, "verdict",
             i == 0 ? NULL : difference_word(cell->difference, row->example->better));
    for (size_t d = 0; d < c->divisor_count; d++)
        if (row->example->better == MORE_IS_BETTER)
            add_number(out, c->divisors[d].name, cell->reached->value.value / c->divisors[d].of[i]);
}

static void add_figure(struct text *out, const struct comparison *c,
                       const struct comparison_row *row)
{
    bool more = false;

    add_word(out, "figure", row->example->name);
    add_word(out, "unit", row->example->unit);
    add_name(out, "of");
    text_add(out, "[");
    for (size_t i = 0; i < c->count; i++) {
        if (row->cells[i].reached == NULL)
            continue;
        text_add(out, more ? ",{" : "{");
        add_cell(out, c, row, i);
        text_add(out, "}");
        more = true;
    }
    text_add(out, "]");
}

static void add_ranking(struct text *out, const struct comparison *c, const struct ranking *r)
{
    add_word(out, "title", r->title);
    add_word(out, "method", r->method);
    add_word(out, "unit", r->unit);
    add_name(out, "places");
    text_add(out, "[");
    for (size_t i = 0; i < r->count; i++) {
        text_add(out, i > 0 ? ",{" : "{");
        add_letter(out, r->places[i].contender);
        add_estimate(out, "score", &r->places[i].score);
        for (size_t d = 0; d < c->divisor_count; d++)
            add_number(out, c->divisors[d].name, ranking_per(r, i, &c->divisors[d]));
        text_add(out, "}");
    }
    text_add(out, "]");
}

void comparison_json(struct text *out, const struct comparison *c, const struct view *view)
{
    (void)view;
    text_add(out, "{");
    add_word(out, "schema", "ridge-comparison");
    add_number(out, "schema_version", 1);
    add_word(out, "rule", comparison_rule);
    add_contenders(out, c);
    add_strings(out, "warnings", &c->warnings);
    add_name(out, "figures");
    text_add(out, "[");
    for (size_t i = 0; i < c->row_count; i++) {
        text_add(out, i > 0 ? ",\n{" : "\n{");
        add_figure(out, c, &c->rows[i]);
        text_add(out, "}");
    }
    text_add(out, "\n]");
    add_name(out, "rankings");
    text_add(out, "[");
    for (size_t i = 0; i < c->ranking_count; i++) {
        text_add(out, i > 0 ? ",\n{" : "\n{");
        add_ranking(out, c, &c->rankings[i]);
        text_add(out, "}");
    }
    text_add(out, "]");
    add_strings(out, "only_one_has", &c->alone);
    text_add(out, "}\n");
}
