/* The chart of a sustained row: rate, clock and power over time, each as a share of its own. */
#include "harness/analysis/say.h"
#include "harness/output/charts_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer readings than this are no course of time. */
enum { READINGS_LEAST = 8 };

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

/* One member of the readings, as per cent of `whole`. */
static void add_course(struct chart *c, const struct chart_source *s, const char *name,
                       const struct measurement *m, size_t offset, double whole)
{
    bool known = false;

    for (size_t i = 0; i < m->readings; i++)
        known = known || isfinite(*(const double *)((const char *)&m->timeline[i] + offset));
    if (!known || !(whole > 0))
        return;
    for (size_t i = 0; i < m->readings; i++)
        series_add(chart_series(c, s, name, LOOK_CURVE), m->timeline[i].at_seconds,
                   100 * *(const double *)((const char *)&m->timeline[i] + offset) / whole);
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

    add_course(c, s, "rate, of its first", m, offsetof(struct reading, value), first);
    add_course(c, s, "clock, of its rated maximum", m, offsetof(struct reading, state.sm_clock_hz),
               s->device->facts.clock_max_hz);
    add_course(c, s, "power, of its limit", m, offsetof(struct reading, state.power_watts),
               s->device->facts.power_limit_watts);
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
