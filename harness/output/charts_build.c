/* Series of charts: found or added by name, filled with rows and what they say. */
#include "harness/output/charts_build.h"
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct chart *charts_add(struct charts *charts, const char *name, char *title)
{
    struct chart *c;

    charts->items = xrealloc(charts->items, (charts->count + 1) * sizeof *charts->items);
    c = &charts->items[charts->count++];
    *c = (struct chart){.name = name, .title = title};
    c->x.low = c->x.high = c->y.low = c->y.high = NAN;
    return c;
}

static struct series *add_series(struct chart *c, char *name, enum series_look look)
{
    c->series = xrealloc(c->series, (c->count + 1) * sizeof *c->series);
    c->series[c->count] = (struct series){.name = name, .look = look, .owner = c->count};
    return &c->series[c->count++];
}

static char *full_name(const struct chart_source *s, const char *name)
{
    return xasprintf("%s%s", s->prefix, name);
}

/* How many series of their own there are that begin with the source's prefix. */
static size_t count_own(const struct chart *c, const struct chart_source *s)
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++)
        count += c->series[i].owner == i &&
                 strncmp(c->series[i].name, s->prefix, strlen(s->prefix)) == 0;
    return count;
}

struct series *chart_find(struct chart *c, const struct chart_source *s, const char *name)
{
    char *wanted = full_name(s, name);
    struct series *found = NULL;

    for (size_t i = 0; i < c->count && found == NULL; i++)
        if (strcmp(c->series[i].name, wanted) == 0)
            found = &c->series[i];
    free(wanted);
    return found;
}

struct series *chart_series(struct chart *c, const struct chart_source *s, const char *name,
                            enum series_look look)
{
    struct series *series = chart_find(c, s, name);
    const size_t nth = count_own(c, s);

    if (series != NULL)
        return series;
    series = add_series(c, full_name(s, name), look);
    series->colour = s->shared ? s->nth + 1 : nth + 1;
    series->mark = nth;
    return series;
}

struct series *chart_companion(struct chart *c, const struct chart_source *s, const char *owner,
                               const char *name, enum series_look look)
{
    const struct series *found = owner == NULL ? NULL : chart_find(c, s, owner);
    const size_t own = found == NULL ? c->count : (size_t)(found - c->series);
    const size_t colour = found == NULL ? (s->shared ? s->nth + 1 : 0) : found->colour;
    struct series *series = add_series(c, full_name(s, name), look);

    series->owner = own;
    series->colour = colour;
    return series;
}

static struct chart_point *add_point(struct series *series, struct chart_point p)
{
    series->points = xrealloc(series->points, (series->count + 1) * sizeof *series->points);
    series->points[series->count] = p;
    return &series->points[series->count++];
}

void series_add(struct series *series, double x, double y)
{
    if (isfinite(x) && isfinite(y))
        add_point(series, (struct chart_point){x, y, NAN, NAN, NULL, false});
}

void series_add_row(struct series *series, double x, const struct measurement *m, char *note)
{
    const struct summary *v = &m->value;

    if (isfinite(x) && isfinite(v->median))
        add_point(series, (struct chart_point){x, v->median, v->ci_low, v->ci_high, note,
                                               m->doubts.count > 0 || m->status != ROW_OK});
    else
        free(note);
}

static void add_state(struct text *note, const char *before, double value, const char *unit)
{
    char number[UNITS_MAX];

    if (isfinite(value))
        text_addf(note, "%s%s", before, units_format(number, value, unit));
}

char *chart_note(const char *series, const char *place, const struct measurement *m)
{
    const struct estimate value = estimate_of(&m->value);
    struct text note = TEXT_EMPTY;
    char number[UNITS_MAX], interval[UNITS_MAX];

    text_addf(&note, "%s%s%s: %s", series, *place == '\0' ? "" : ", ", place,
              units_format(number, value.value, m->metric.unit));
    if (isfinite(value.low))
        text_addf(&note, " %s", interval_format(interval, &value));
    text_addf(&note, ", %zu sample%s, %s", m->value.n, m->value.n == 1 ? "" : "s",
              row_status_names[m->status]);
    for (size_t i = 0; i < m->doubts.count; i++)
        text_addf(&note, "%s%s", i > 0 ? ", " : "; in doubt: ", m->doubts.items[i]);
    add_state(&note, "; clock ", m->telemetry.sm_clock_hz, "Hz");
    add_state(&note, ", ", m->telemetry.power_watts, "W");
    add_state(&note, ", ", m->telemetry.temperature_celsius, "°C");
    return text_take(&note);
}

static void chart_free(struct chart *c)
{
    for (size_t i = 0; i < c->count; i++) {
        for (size_t k = 0; k < c->series[i].count; k++)
            free(c->series[i].points[k].note);
        free(c->series[i].points);
        free(c->series[i].name);
    }
    free(c->series);
    free(c->title);
    free(c->sentence);
    strings_free(&c->x.names);
}

void charts_free(struct charts *charts)
{
    for (size_t i = 0; i < charts->count; i++)
        chart_free(&charts->items[i]);
    free(charts->items);
    *charts = (struct charts){0};
}

const struct chart *charts_named(const struct charts *charts, const char *name)
{
    for (size_t i = 0; i < charts->count; i++)
        if (strcmp(charts->items[i].name, name) == 0)
            return &charts->items[i];
    return NULL;
}
