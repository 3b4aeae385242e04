/* What makes a row doubtful, judged by one table. */
#include "harness/measure/doubts.h"

#include "harness/measure/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* METHOD 1.2: set aside below 75 % of the default clock. */
static const double slow_clock = 0.75;

bool sample_is_slow(const struct trial *t, const struct telemetry *state)
{
    return !trial_on_host(t) && state->sm_clock_hz < slow_clock * t->device->facts.clock_max_hz &&
           (isnan(state->event_reasons) || !((unsigned)state->event_reasons & REASON_POWER_CAP));
}

/* Each of these is one quantity of a row, NAN where it cannot be told: no doubt then. */

static double few(const struct trial *t)
{
    return -(double)t->row->samples;
}

static double half_interval(const struct trial *t)
{
    const struct summary *v = &t->row->value;
    return fmax(v->ci_high - v->median, v->median - v->ci_low) / v->median;
}

static double quartile_ratio(const struct trial *t)
{
    return t->row->value.p75 / t->row->value.p25;
}

/* How many times too short; ticks of a kernel are exact however short it is. */
static double shortness(const struct trial *t)
{
    const double once = summary_of(t->row->seconds, t->row->samples).median;
    return t->timed_by == TIMED_BY_KERNEL ? NAN : sampler_least_seconds(t) / (once * t->times);
}

static unsigned reasons(const struct trial *t)
{
    const double mask = t->row->telemetry.event_reasons;
    return isnan(mask) ? 0 : (unsigned)mask;
}

static double slowdowns(const struct trial *t)
{
    size_t slow = 0;

    for (size_t i = 0; i < t->row->readings; i++)
        slow += sample_is_slow(t, &t->row->timeline[i].state);
    return reasons(t) & REASONS_SLOWDOWN ? 1 : (double)slow / (double)t->row->readings;
}

static double median_clock(const struct reading *readings, size_t count)
{
    double *clocks = xcalloc(count ? count : 1, sizeof *clocks), median;
    size_t known = 0;

    for (size_t i = 0; i < count; i++)
        if (!isnan(readings[i].state.sm_clock_hz))
            clocks[known++] = readings[i].state.sm_clock_hz;
    median = summary_of(clocks, known).median;
    free(clocks);
    return median;
}

static double drift(const struct trial *t)
{
    const struct measurement *row = t->row;
    const size_t third = row->readings / 3;

    if (trial_on_host(t) || !third)
        return NAN;
    return fabs(median_clock(row->timeline + row->readings - third, third) /
                    median_clock(row->timeline, third) -
                1);
}

/* Share of the rated clock that is missing while the driver gives no reason for it. */
static double unexplained(const struct trial *t)
{
    const struct telemetry *seen = &t->row->telemetry;

    if (trial_on_host(t) || isnan(seen->event_reasons) ||
        reasons(t) & (REASON_POWER_CAP | REASONS_SLOWDOWN))
        return NAN;
    return 1 - seen->sm_clock_hz / t->device->facts.clock_max_hz;
}

static double power_cap(const struct trial *t)
{
    return reasons(t) & REASON_POWER_CAP ? 1 : 0;
}

static const struct {
    const char *name;
    double (*quantity)(const struct trial *t);
    double most; /* doubtful above */
} rules[] = {
    {"few", few, -6},                   /* METHOD 1.3: no 95 % interval with fewer */
    {"noisy", half_interval, 0.01},     /* METHOD 1.3 */
    {"spread", quartile_ratio, 1.03},   /* METHOD 1.3 */
    {"short", shortness, 1},            /* METHOD 1.3 */
    {"throttled", slowdowns, 0.5},      /* METHOD 1.2: when more than half would go */
    {"clock_drift", drift, 0.03},       /* METHOD 1.2 */
    {"clock_locked", unexplained, 0.1}, /* METHOD 1.2 names 19 %; a tenth is ours */
    {"power_capped", power_cap, 0.5},   /* METHOD 1.2 */
};

void doubts_find(struct trial *t)
{
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (rules[i].quantity(t) > rules[i].most)
            trial_doubt(t, rules[i].name);
}
