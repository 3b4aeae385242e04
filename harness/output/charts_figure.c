/* One chart, by name, as a picture or for a terminal. */
#include "harness/output/charts.h"
#include "harness/output/picture.h"
#include "harness/output/text_table.h"

#include <stdlib.h>
#include <string.h>

/* The roofline has a drawing of its own, with its ceilings labelled, where it is a picture. */
static const enum picture_form forms[] = {
    [CHART_SVG] = PICTURE_SVG,
    [CHART_PNG] = PICTURE_PNG,
    [CHART_TERMINAL] = PICTURE_TERMINAL,
    [CHART_BRAILLE] = PICTURE_BRAILLE,
};

static void say_which(struct text *why, const struct charts *charts, const char *name)
{
    text_addf(why, "nothing measured here makes the figure '%s'", name);
    for (size_t i = 0; i < charts->count; i++)
        text_addf(why, "%s%s", i == 0 ? "; there are " : ", ", charts->items[i].name);
}

/* On a terminal there is no room for it within the picture. */
static void add_banner(struct text *out, const struct report *const *reports, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (reports[i]->environment.virtual_card == FLAG_YES) {
            text_add(out, "VIRTUAL CARD: nothing here was measured on hardware\n");
            return;
        }
}

static int draw_named(struct text *out, const struct report *const *reports, size_t count,
                      const char *name, enum chart_form form, size_t columns, struct text *why)
{
    struct charts charts;
    const struct chart *chart;
    int result = -1;

    charts_of(&charts, reports, count);
    chart = charts_named(&charts, name);
    if (chart == NULL)
        say_which(why, &charts, name);
    else
        result = chart_draw(out, chart, form, columns, why);
    charts_free(&charts);
    return result;
}

int figure_draw(struct text *out, const struct report *const *reports, size_t count,
                const char *name, enum chart_form form, size_t columns, struct text *why)
{
    struct text drawn = TEXT_EMPTY;
    int result;

    if (name == NULL || strcmp(name, "roofline") == 0)
        result = picture_draw(&drawn, reports, count, forms[form], columns, why);
    else
        result = draw_named(&drawn, reports, count, name, form, columns, why);
    if (result == 0 && (form == CHART_TERMINAL || form == CHART_BRAILLE))
        add_banner(out, reports, count);
    if (result == 0)
        text_add_bytes(out, drawn.chars, drawn.length);
    text_free(&drawn);
    return result;
}

static void add_sentences(struct text *out, const char *sentences, size_t columns)
{
    while (*sentences != '\0') {
        const size_t length = strcspn(sentences, "\n");
        char *line = xasprintf("%.*s", (int)length, sentences);

        text_add_wrapped(out, line, "→ ", "  ", columns);
        free(line);
        sentences += length + (sentences[length] == '\n');
    }
}

static int plot_all(struct text *out, const struct charts *charts,
                    const struct report *const *reports, size_t count, size_t columns,
                    struct text *why)
{
    for (size_t i = 0; i < charts->count; i++) {
        const struct chart *c = &charts->items[i];
        const bool roofline = strcmp(c->name, "roofline") == 0;

        text_addf(out, "\n%s%s", roofline ? c->title : "", roofline ? "\n" : "");
        if ((roofline ? picture_draw(out, reports, count, PICTURE_BRAILLE, columns, why)
                      : chart_draw(out, c, CHART_BRAILLE, columns, why)) != 0)
            return -1;
        add_sentences(out, c->sentence, columns);
    }
    return 0;
}

int figures_plot(struct text *out, const struct report *const *reports, size_t count,
                 size_t columns, struct text *why)
{
    struct charts charts;
    int result = -1;

    charts_of(&charts, reports, count);
    add_banner(out, reports, count);
    if (charts.count == 0)
        text_add(why, "Nothing was measured that a chart could show.");
    else
        result = plot_all(out, &charts, reports, count, columns, why);
    charts_free(&charts);
    return result;
}
