/* One chart, by name, as a picture or for a terminal. */
#include "harness/output/charts.h"
#include "harness/output/picture.h"

#include <string.h>

/* The roofline has a drawing of its own, with its ceilings labelled, where it is a picture. */
static const enum picture_form forms[] = {
    [CHART_SVG] = PICTURE_SVG,
    [CHART_PNG] = PICTURE_PNG,
    [CHART_TERMINAL] = PICTURE_TERMINAL,
};

static void say_which(struct text *why, const struct charts *charts, const char *name)
{
    text_addf(why, "nothing measured here makes the figure '%s'", name);
    for (size_t i = 0; i < charts->count; i++)
        text_addf(why, "%s%s", i == 0 ? "; there are " : ", ", charts->items[i].name);
}

int figure_draw(struct text *out, const struct report *const *reports, size_t count,
                const char *name, enum chart_form form, size_t columns, struct text *why)
{
    struct charts charts;
    const struct chart *chart;
    int result = -1;

    if (name == NULL || strcmp(name, "roofline") == 0)
        return picture_draw(out, reports, count, forms[form], columns, why);
    charts_of(&charts, reports, count);
    chart = charts_named(&charts, name);
    if (chart == NULL)
        say_which(why, &charts, name);
    else
        result = chart_draw(out, chart, form, columns, why);
    charts_free(&charts);
    return result;
}
