/* The chart of a sustained row: rate, clock and power over time, each as a share of its own. */
#include "harness/analysis/say.h"
#include "harness/base/units.h"
#include "harness/output/charts_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer readings than this are no course of time; about so many are marked. */
enum { READINGS_LEAST = 8, MARKS_MOST = 60 };

/* The row with the longest time line: a sustained one where there is any. */
static const struct measurement *longest(const struct chart_source *s)
{
    const struct measurement *found = NULL;

    for (size_t i = 0; i < s->report->measurement_count; i++) {
        const struct measurement *m = &s->report->measurements[i];

        if (strcmp(m->device, s->device->id) == 0 && m->role != NULL &&
            strcmp(m->role, "sustained") == 0 && m->readings >= READINGS_LEAST &&
            (found == NULL || m->readings > found->readings))
            found = m;
    }
    return found;
}

/* A member of the readings: what it is called, where it stands, its unit, what it is a share of. */
struct course {
    const char *name;
    size_t offset;
    const char *unit;
    double whole; /* drawn as per cent of this; NAN: there is no course */
};

static double reading_of(const struct reading *r, size_t offset)
{
    return *(const double *)((const char *)r + offset);
}

/* "rate: 312 TFLOP/s after 4.2 s"; caller frees. */
static char *note_of(const struct course *course, const struct reading *r)
{
    char value[UNITS_MAX], at[UNITS_MAX];
    const int length = (int)strcspn(course->name, ",");

    return xasprintf("%.*s: %s after %s", length, course->name,
                     units_format(value, reading_of(r, course->offset), course->unit),
                     units_format(at, r->at_seconds, "s"));
}

/* So many of the points are marked that they can be told apart. */
static void add_course(struct chart *c, const struct chart_source *s, const struct measurement *m,
                       const struct course *course)
{
    const size_t step = m->readings / MARKS_MOST + 1;

    for (size_t i = 0; i < m->readings; i++) {
        const struct reading *r = &m->timeline[i];
        const double share = 100 * reading_of(r, course->offset) / course->whole;
        struct series *series;

        if (!isfinite(share) || !isfinite(r->at_seconds))
            continue;
        series = chart_series(c, s, course->name, LOOK_CURVE);
        series_add(series, r->at_seconds, share);
        if (i % step == 0)
            series->points[series->count - 1].note = note_of(course, r);
    }
}

static double first_value(const struct measurement *m)
{
    for (size_t i = 0; i < m->readings; i++)
        if (isfinite(m->timeline[i].value))
            return m->timeline[i].value;
    return NAN;
}

static void add_source(struct chart *c, const struct chart_source *s, struct text *sentence)
{
    const struct measurement *m = longest(s);
    const struct reading *last = &m->timeline[m->readings - 1];
    const double first = first_value(m);
    const struct course courses[] = {
        {"rate, of its first", offsetof(struct reading, value), m->metric.unit, first},
        {"clock, of its rated maximum", offsetof(struct reading, state.sm_clock_hz), "Hz",
         s->device->facts.clock_max_hz},
        {"power, of its limit", offsetof(struct reading, state.power_watts), "W",
         s->device->facts.power_limit_watts},
        {"temperature, of 100 °C", offsetof(struct reading, state.temperature_celsius), "°C", 100},
    };

    for (size_t i = 0; i < COUNT_OF(courses); i++)
        add_course(c, s, m, &courses[i]);
    if (isfinite(last->value / first))
        say(sentence, "After {s} {w} did {%} of the rate that it began with.", last->at_seconds,
            s->device->id, last->value / first);
}

void chart_add_time(struct charts *charts, const struct chart_sources *sources)
{
    struct text sentence = TEXT_EMPTY;
    struct chart *c = NULL;

    for (size_t i = 0; i < sources->count; i++) {
        if (longest(&sources->items[i]) == NULL || sources->items[i].host)
            continue;
        if (c == NULL)
            c = charts_add(charts, "time", xstrdup("Sustained work over time"));
        add_source(c, &sources->items[i], &sentence);
    }
    if (c == NULL)
        return;
    c->x = (struct axis){.label = "time", .unit = "s", .low = NAN, .high = NAN};
    c->y = (struct axis){.label = "share", .unit = "%", .low = NAN, .high = NAN};
    c->sentence = text_take(&sentence);
}
