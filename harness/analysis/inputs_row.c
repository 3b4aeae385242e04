/* Inputs that are computed from one row. */
#include "harness/analysis/inputs.h"
#include "harness/analysis/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double input_value(const struct scene *s)
{
    return s->row->value.median;
}

/* Distinct bytes that one execution touches: what a pass over its arrays declares. */
double input_footprint(const struct scene *s)
{
    return s->row->work.bytes;
}

double input_copy_bytes(const struct scene *s)
{
    return parameters_number(&s->row->parameters, "bytes");
}

double input_length(const struct scene *s)
{
    return s->row->samples == 0 ? NAN : summary_of(s->row->seconds, s->row->samples).median;
}

double input_launch_cost(const struct scene *s)
{
    const struct figure *f =
        report_figure(s->report, s->device->id, "launch", "back_to_back", NULL);

    return f == NULL ? NAN : f->value.value;
}

/* A sensor that shows twice what the card may draw is frozen or broken. */
double input_power(const struct scene *s)
{
    const struct telemetry *t = &s->row->telemetry;
    const double limit = fmax(t->power_limit_watts, s->device->facts.power_limit_default_watts);

    return t->power_watts >= 1 && !(t->power_watts > 2 * limit) ? t->power_watts : NAN;
}

double input_link_roof(const struct scene *s)
{
    return rate_of_lane(input_get(INPUT_LINK_GEN, s)) * input_get(INPUT_LINK_WIDTH, s);
}

double input_flops_roof(const struct scene *s)
{
    return s->device->facts.units * rate_of_row(s->device, s->row) * input_get(INPUT_SM_CLOCK, s);
}

/* Wide formats emulated by narrow ones exceed their own units' roof; libraries do so from
 * compute capability 10.0. */
double input_emulated(const struct scene *s)
{
    const char *capability = s->device->facts.capability;

    if (strcmp(s->row->role, "vector_peak") == 0)
        return 0;
    return capability != NULL && strtod(capability, NULL) < 10 ? 0 : NAN;
}

/* Of a whole sample. */
double input_event_span(const struct scene *s)
{
    return same_word(s->row->timed_by, "events") ? input_length(s) * s->row->repetitions : NAN;
}

double input_rechecks_wrong(const struct scene *s)
{
    return s->row->rechecks_wrong;
}

double input_rechecks_alike(const struct scene *s)
{
    return s->row->rechecks_alike == FLAG_UNKNOWN ? NAN : s->row->rechecks_alike;
}

double input_may_emulate(const struct scene *s)
{
    const char *capability = s->device->facts.capability;

    return capability == NULL ? NAN : strtod(capability, NULL) >= 10;
}

/* The same direction alone, by the fit over sizes. */
double input_one_way(const struct scene *s)
{
    static const char *const pinned[] = {"memory", "pinned", NULL};
    const char *direction = parameters_word(&s->row->parameters, "direction");
    const struct figure *f =
        direction == NULL ? NULL
                          : report_figure(s->report, s->device->id, direction, "rate", pinned);

    return f == NULL ? NAN : f->value.value;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

enum { SAMPLES_LEAST = 9 }; /* the least that a plan takes */

/* The row's samples as values; NULL where there are too few to say anything. */
static double *sorted_values(const struct measurement *m)
{
    double *values;

    if (m->samples < SAMPLES_LEAST)
        return NULL;
    values = xmalloc(m->samples * sizeof *values);
    for (size_t i = 0; i < m->samples; i++)
        values[i] = metric_value(&m->metric, &m->work, m->seconds[i]);
    qsort(values, m->samples, sizeof *values, compare_numbers);
    return values;
}

double input_relative_mad(const struct scene *s)
{
    double *values = sorted_values(s->row);
    const double mad = values == NULL ? NAN : samples_mad(values, s->row->samples);

    free(values);
    return mad / s->row->value.median;
}

/* Both are the median where there is one mode. */
static double mode(const struct scene *s, bool high)
{
    const size_t n = s->row->samples;
    double *values = sorted_values(s->row), found;
    const size_t at = values == NULL ? 0 : samples_split(values, n);

    if (at == 0)
        found = values == NULL ? NAN : s->row->value.median;
    else
        found = high ? summary_of(values + at, n - at).median : summary_of(values, at).median;
    free(values);
    return found;
}

double input_low_mode(const struct scene *s)
{
    return mode(s, false);
}

double input_high_mode(const struct scene *s)
{
    return mode(s, true);
}
