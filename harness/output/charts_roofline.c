/* The roofline as a chart: ceilings, promises, the link and every point, each to be hidden. */
#include "harness/base/units.h"
#include "harness/output/charts_build.h"
#include "harness/output/drawing.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct series *add_named(struct chart *c, const char *name, enum series_look look,
                                size_t colour)
{
    char prefix[] = "";
    const struct chart_source bare = {.prefix = prefix};
    struct series *series = chart_series(c, &bare, name, look);

    series->colour = colour;
    return series;
}

static void add_ends(struct series *series, const struct line *line)
{
    series_add(series, line->x[0], line->y[0]);
    series_add(series, line->x[1], line->y[1]);
}

/* A ceiling's promise follows it in the drawing. */
static void add_lines(struct chart *c, const struct drawing *d)
{
    size_t owner = 0;

    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *line = &d->lines[i];
        struct series *series;

        if (line->kind == LINE_MEMORY || line->kind == LINE_COMPUTE) {
            series = add_named(c, line->label, LOOK_CURVE, line->colour);
            owner = (size_t)(series - c->series);
            add_ends(series, line);
        } else if (line->kind == LINE_LEVEL) {
            add_ends(add_named(c, line->label, LOOK_LEVEL, line->colour), line);
        } else if (line->kind == LINE_PROMISE) {
            char *name = xasprintf("%s, promised %zu", c->series[owner].name, i);

            series = add_named(c, name, LOOK_PROMISE, line->colour);
            series->owner = owner;
            add_ends(series, line);
            free(name);
        }
    }
}

/* The series of the ceiling of that name: its label begins with it, and two blanks. */
static size_t owner_of(const struct chart *c, const char *name)
{
    const size_t length = strlen(name);

    for (size_t i = 0; i < c->count; i++)
        if (strncmp(c->series[i].name, name, length) == 0 &&
            strncmp(c->series[i].name + length, "  ", 2) == 0)
            return i;
    return c->count;
}

/* "170 FLOP/B, n 4096"; caller frees. */
static char *place_of(const struct dot *dot)
{
    const double side = parameters_number(&dot->row->parameters, "n");
    char number[UNITS_MAX];

    if (dot->kind == POINT_FMA)
        return xstrdup("in registers");
    units_format(number, dot->x, "FLOP/B");
    return isfinite(side) ? xasprintf("%s, n %.0f", number, side) : xstrdup(number);
}

static void add_dots(struct chart *c, const struct drawing *d)
{
    for (size_t i = 0; i < d->dot_count; i++) {
        const struct dot *dot = &d->dots[i];
        const size_t before = c->count, owner = owner_of(c, dot->name);
        struct series *series = add_named(c, dot->name, LOOK_POINTS, dot->colour);
        char *place = place_of(dot), *note = chart_note(dot->name, place, dot->row);

        if (c->count > before && owner < before)
            series->owner = owner;
        series->mark = dot->kind;
        series_add_row(series, dot->x, dot->row, note);
        /* Memory's rows count bytes; under a roof they stand by their flops. */
        if (series->count > 0 && series->points[series->count - 1].x == dot->x) {
            struct chart_point *p = &series->points[series->count - 1];
            const double scale = dot->y / p->y;

            p->y = dot->y;
            p->low *= scale;
            p->high *= scale;
        }
        free(place);
    }
}

static const struct ridge_point *ridge_point_of(const struct report *r, const char *device)
{
    const struct roof *fastest = report_fastest(r, device);

    return fastest == NULL ? NULL : report_ridge_point(r, device, fastest->name, "measured");
}

/* Of one or two devices a sentence each, of more a list. */
enum { SENTENCES_MOST = 2 };

static void add_sentence(struct text *out, const struct report *r, const char *device)
{
    const struct ridge_point *p = ridge_point_of(r, device);

    if (p == NULL)
        return;
    text_add(out, out->length > 0 ? "\n" : "");
    ridge_point_sentence(out, r, p);
}

static void add_entry(struct text *out, const struct report *r, const char *device,
                      const char *letter)
{
    const struct ridge_point *p = ridge_point_of(r, device);
    char number[UNITS_MAX];

    if (p == NULL)
        return;
    text_add(out, out->length > 0
                      ? ", "
                      : "Arithmetic, not memory, limits from so many flops a byte on: ");
    text_addf(out, "%s%s %s (%s)", letter, device, units_format(number, p->flop_per_byte.value, ""),
              p->compute);
}

static size_t count_ridge_points(const struct report *const *reports, size_t count)
{
    size_t points = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->device_count; k++)
            points += ridge_point_of(reports[i], reports[i]->devices[k].id) != NULL;
    return points;
}

static void add_reports(struct chart *c, const struct report *const *reports, size_t count)
{
    const size_t points = count_ridge_points(reports, count);
    struct text sentence = TEXT_EMPTY;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->device_count; k++) {
            const char *device = reports[i]->devices[k].id;
            const char letter[] = {count > 1 ? (char)('A' + i % 26) : '\0', ':', '\0'};

            if (points > SENTENCES_MOST)
                add_entry(&sentence, reports[i], device, letter);
            else
                add_sentence(&sentence, reports[i], device);
        }
    if (points > SENTENCES_MOST)
        text_add(&sentence, ".");
    c->sentence = text_take(&sentence);
}

void chart_add_roofline(struct charts *charts, const struct report *const *reports, size_t count)
{
    struct drawing d;

    drawing_of(&d, reports, count);
    if (d.line_count > 0) {
        struct chart *c = charts_add(charts, "roofline", xasprintf("Roofline of %s", d.title));

        c->x = (struct axis){.label = "flops for every byte of memory traffic",
                             .unit = "",
                             .scale = AXIS_LOG,
                             .low = d.x_low,
                             .high = d.x_high};
        c->y = (struct axis){
            .label = "rate", .unit = "FLOP/s", .scale = AXIS_LOG, .low = d.y_low, .high = d.y_high};
        add_lines(c, &d);
        add_dots(c, &d);
        add_reports(c, reports, count);
    }
    drawing_free(&d);
}
