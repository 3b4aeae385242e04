/* Inputs that are computed from a row's time line.  A time line is one input: cut short, or with a
 * gap in what is asked for, it is unknown. */
#include "harness/analysis/inputs.h"

#include <math.h>
#include <stdlib.h>

enum { READINGS_LEAST = 6 };
enum { REASON_POWER_CAP = 0x4, REASON_HW_SLOWDOWN = 0x8, REASONS_OF_ITS_OWN = 0x40 | 0x80 };

static bool is_complete(const struct measurement *m)
{
    return m->readings >= READINGS_LEAST && m->readings == m->value.n;
}

double input_series_length(const struct scene *s)
{
    return is_complete(s->row) ? s->row->timeline[s->row->readings - 1].at_seconds : NAN;
}

static double value_of(const struct reading *r)
{
    return r->value;
}

static double clock_of(const struct reading *r)
{
    return r->state.sm_clock_hz;
}

/* Median over the first or the last third. */
static double third(const struct measurement *m, bool last, double (*of)(const struct reading *))
{
    const size_t count = m->readings / 3, from = last ? m->readings - count : 0;
    double *values, median = 0;

    if (!is_complete(m))
        return NAN;
    values = xmalloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = of(&m->timeline[from + i]);
        median += values[i];
    }
    if (!isnan(median))
        median = summary_of(values, count).median;
    free(values);
    return median;
}

double input_first_value(const struct scene *s)
{
    return third(s->row, false, value_of);
}

double input_last_value(const struct scene *s)
{
    return third(s->row, true, value_of);
}

double input_first_clock(const struct scene *s)
{
    return third(s->row, false, clock_of);
}

double input_last_clock(const struct scene *s)
{
    return third(s->row, true, clock_of);
}

double input_cap_share(const struct scene *s)
{
    const struct measurement *m = s->row;
    size_t capped = 0;

    if (!is_complete(m))
        return NAN;
    for (size_t i = 0; i < m->readings; i++) {
        const double mask = m->timeline[i].state.event_reasons;

        if (isnan(mask))
            return NAN;
        capped += ((unsigned long long)mask & REASON_POWER_CAP) != 0;
    }
    return (double)capped / (double)m->readings;
}

/* The bit flashes when the performance state changes; what lasts is a slowdown. */
double input_slowdowns_running(const struct scene *s)
{
    const struct measurement *m = s->row;
    size_t most = 0, running = 0;

    if (!is_complete(m))
        return NAN;
    for (size_t i = 0; i < m->readings; i++) {
        const double reasons = m->timeline[i].state.event_reasons;

        if (isnan(reasons))
            return NAN;
        const unsigned long long mask = (unsigned long long)reasons;
        running = mask & REASON_HW_SLOWDOWN && !(mask & REASONS_OF_ITS_OWN) ? running + 1 : 0;
        most = running > most ? running : most;
    }
    return (double)most;
}
