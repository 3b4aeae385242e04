/* Estimates as tables: the figure, where it is likely to lie; below them how it came about. */
#include "harness/output/estimate_page.h"
#include "harness/base/units.h"
#include "harness/report/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const headings[] = {
    [ESTIMATED_MEMORY] = "Memory",
    [ESTIMATED_SPEED] = "Speed",
    [ESTIMATED_LINK] = "The way to the card",
    [ESTIMATED_BREAKEVEN] = "Card or host",
};

/* A share with the same digits as its band, so that it lies within it. */
static const char *value_format(char out[UNITS_MAX], double value, const char *unit)
{
    if (strcmp(unit, "%") == 0 && isfinite(value)) {
        snprintf(out, UNITS_MAX, "%.1f %%", value * 100);
        return out;
    }
    if (*unit == '\0' && isfinite(value)) {
        snprintf(out, UNITS_MAX, "%.0f", value);
        return out;
    }
    if (strcmp(unit, "tokens/s") == 0 && value >= 1000) { /* kilotokens are nobody's unit */
        const double step = pow(10, floor(log10(value)) - 2);

        snprintf(out, UNITS_MAX, "%.0f %s", round(value / step) * step, unit);
        return out;
    }
    return units_format(out, value, unit);
}

/* The ends in the unit of the value: "43.2 to 68.4". */
static void band_format(struct text *out, const struct estimated *item)
{
    char scaled[UNITS_MAX], low[UNITS_MAX], high[UNITS_MAX];
    double scale = 1;

    const bool scales =
        *item->unit != '\0' && strcmp(item->unit, "%") != 0 && strcmp(item->unit, "tokens/s") != 0;

    if (scales)
        units_scale(scaled, item->value.value, item->unit, &scale);
    value_format(low, item->value.low / scale, scales ? " " : item->unit);
    value_format(high, item->value.high / scale, scales ? " " : item->unit);
    text_addf(out, "%.*s to %.*s", (int)strcspn(low, " "), low, (int)strcspn(high, " "), high);
}

static void add_line(struct table *t, const struct estimated *item)
{
    char number[UNITS_MAX];
    struct text band = TEXT_EMPTY;

    band_format(&band, item);
    table_add(t, item->name);
    table_add(t, value_format(number, item->value.value, item->unit));
    table_add(t, item->value.low < item->value.high ? text_chars(&band) : "-");
    text_free(&band);
}

static void add_formulas(struct page *page, const struct estimates *e, enum estimated_group group)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i].group == group)
            page_addf(page, BLOCK_NOTE, "%s: %s", e->items[i].name, e->items[i].formula);
}

static void add_group(struct page *page, const struct estimates *e, enum estimated_group group)
{
    struct table *t = table_new(3, 1, "lrl");

    table_add(t, "");
    table_add(t, "estimate");
    table_add(t, "likely");
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i].group == group)
            add_line(t, &e->items[i]);
    if (table_rows(t) > 1)
        page_add(page, BLOCK_SECTION, headings[group]);
    page_add_table(page, t);
    add_formulas(page, e, group);
}

void estimates_page(struct page *page, const struct estimates *e, const struct contender *card,
                    const char *question)
{
    *page = (struct page){0};
    page_addf(page, BLOCK_TITLE, "Estimate for %s (%s): %s", card->name,
              card->measured ? "measured" : "by its datasheet", question);
    if (card->setting.virtual_card == FLAG_YES)
        page_add(page, BLOCK_BANNER,
                 "The card was simulated: the figures say nothing about a real "
                 "one.");
    for (size_t g = 0; g < COUNT_OF(headings); g++)
        add_group(page, e, (enum estimated_group)g);
    for (size_t i = 0; i < e->notes.count; i++)
        page_add(page, BLOCK_NOTE, e->notes.items[i]);
}

static void add_member(struct text *out, const char *name, const char *word)
{
    json_text_string(out, name);
    text_add(out, ":");
    json_text_string(out, word);
}

static void add_number(struct text *out, const char *name, double number)
{
    text_addf(out, ",\"%s\":", name);
    json_text_number(out, number);
}

static void add_item(struct text *out, const struct estimated *item)
{
    add_member(out, "name", item->name);
    text_add(out, ",");
    add_member(out, "unit", strcmp(item->unit, "%") == 0 ? "" : item->unit);
    add_number(out, "value", item->value.value);
    add_number(out, "low", item->value.low);
    add_number(out, "high", item->value.high);
    text_add(out, ",");
    add_member(out, "formula", item->formula);
}

void estimates_json(struct text *out, const struct estimates *e, const struct contender *card,
                    const char *question)
{
    text_add(out, "{\"schema\":\"ridge-estimate\",\"schema_version\":1,");
    add_member(out, "device", card->name);
    text_addf(out, ",\"source\":\"%s\",", card->measured ? "measured" : "datasheet");
    add_member(out, "question", question);
    text_add(out, ",\"estimates\":[");
    for (size_t i = 0; i < e->count; i++) {
        text_add(out, i > 0 ? ",\n{" : "\n{");
        add_item(out, &e->items[i]);
        text_add(out, "}");
    }
    text_add(out, "\n],\"notes\":[");
    for (size_t i = 0; i < e->notes.count; i++) {
        text_add(out, i > 0 ? "," : "");
        json_text_string(out, e->notes.items[i]);
    }
    text_add(out, "]}\n");
}
