/* From one trial to a series of samples. */
#include "harness/measure/sampler.h"

#include "harness/measure/doubts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned headline_samples[PLANS] = {20, 51, 100}, curve_samples[PLANS] = {9, 20, 51};

enum { PROBES_MAX = 5, GROWTH_MAX = 256, TIMES_MAX = 1000000 };
/* A sample is aimed so much longer than it must be, since clocks rise after the calibration. */
static const double margin = 1.2;
/* One execution that fills so many samples is not preceded by an untimed one: what the caches held
 * before it no longer matters, and time does. */
static const double long_executions = 4;

unsigned sampler_count(const struct trial *t)
{
    if (t->samples)
        return t->samples;
    return t->headline ? headline_samples[t->plan] : curve_samples[t->plan];
}

double sampler_least_seconds(const struct trial *t)
{
    const double least = t->sample_seconds > 0 ? t->sample_seconds : 5e-3;

    return t->plan == PLAN_QUICK ? least / 2 : least;
}

static int run(struct trial *t, unsigned times, struct run_times *out)
{
    if (trial_probe(t, t->kernel, t->args, t->timed_by, times, out))
        return -1;
    if (!(out->seconds > 0))
        return trial_fail(t, "the device measured %g s for %u executions of %s", out->seconds,
                          times, t->kernel->name);
    return 0;
}

/* Executions that would make `seconds` at `once` seconds each. */
static unsigned times_for(double seconds, double once)
{
    return (unsigned)fmin(TIMES_MAX, fmax(1, ceil(seconds / once)));
}

/* The least that probes have shown: what comes on top is the machine's other work. */
struct probed {
    double once;   /* seconds of one execution */
    double beside; /* wall seconds of a run beside its executions */
};

/* Probes once and learns from it.  0, or -1. */
static int probe(struct trial *t, unsigned times, struct probed *least, double *seconds)
{
    const double before = t->device->ops->now(t->device);
    struct run_times out;

    if (run(t, times, &out))
        return -1;
    *seconds = out.seconds;
    least->once = fmin(least->once, out.seconds / times);
    least->beside =
        fmin(least->beside, fmax(0, t->device->ops->now(t->device) - before - out.seconds));
    return 0;
}

/* Is a probe long enough, and not so much too long that a disturbance may have made it so?  A
 * second such one is believed, and one that is too long for a disturbance. */
static bool is_settled(double seconds, double aim, unsigned *long_ones)
{
    if (seconds < aim / margin)
        return false;
    return seconds < 2 * aim || seconds > 30 * aim || (*long_ones)++;
}

/* Probes until it knows how many executions make a sample; returns how many, 0 on failure. */
static unsigned find_times(struct trial *t, struct probed *least)
{
    const double aim = margin * sampler_least_seconds(t);
    unsigned times = t->once_seconds > 0 ? times_for(aim, t->once_seconds) : 1, long_ones = 0;
    bool settled = false;
    double seconds;

    times = times < GROWTH_MAX ? times : GROWTH_MAX; /* the guess may be far off */
    for (unsigned i = 0; i < PROBES_MAX && !settled; i++) {
        if (probe(t, times, least, &seconds))
            return 0;
        settled = is_settled(seconds, aim, &long_ones);
        times = (unsigned)fmin(times_for(aim, least->once), (double)times * GROWTH_MAX);
    }
    return times_for(aim, least->once);
}

static bool starts_warm(const struct trial *t)
{
    return !t->experiment->cold && t->once_seconds < long_executions * sampler_least_seconds(t);
}

int sampler_calibrate(struct trial *t)
{
    struct probed least = {INFINITY, INFINITY};
    unsigned runs;
    double ignored;

    if (t->times ? probe(t, t->times, &least, &ignored) : !(t->times = find_times(t, &least)))
        return -1;
    t->once_seconds = least.once;
    runs = starts_warm(t) ? 2 : 1;
    t->sample_wall = runs * least.beside + least.once * (t->times + runs - 1);
    return 0;
}

static void append(struct trial *t, double seconds, const struct run_times *out)
{
    struct measurement *row = t->row;
    struct reading *r;

    row->seconds = xrealloc(row->seconds, (row->samples + 1) * sizeof *row->seconds);
    row->seconds[row->samples++] = seconds;
    row->timeline = xrealloc(row->timeline, (row->readings + 1) * sizeof *row->timeline);
    r = &row->timeline[row->readings++];
    *r = (struct reading){t->device->ops->now(t->device),
                          metric_value(&t->metric, &t->work, seconds), out->telemetry};
    if (!isnan(out->sm_clock_hz))
        r->state.sm_clock_hz = out->sm_clock_hz;
}

int sampler_take(struct trial *t)
{
    struct run_times out;

    if (starts_warm(t) && run(t, 1, &out))
        return -1;
    if (run(t, t->times, &out))
        return -1;
    append(t, out.seconds / t->times, &out);
    return sample_is_slow(t, &t->row->timeline[t->row->readings - 1].state) ? SAMPLE_ASIDE
                                                                            : SAMPLE_KEPT;
}

size_t sampler_kept(const struct trial *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->row->readings; i++)
        kept += !sample_is_slow(t, &t->row->timeline[i].state);
    return kept;
}

/* Drops the samples aside, unless they are the majority: a filter that rejects everything leaves
 * nothing to look at. */
static void drop_aside(struct trial *t)
{
    struct measurement *row = t->row;
    size_t kept = 0;

    if (2 * sampler_kept(t) < row->samples)
        return;
    for (size_t i = 0; i < row->samples; i++)
        if (!sample_is_slow(t, &row->timeline[i].state)) {
            row->seconds[kept] = row->seconds[i];
            row->timeline[kept++] = row->timeline[i];
        }
    row->samples = row->readings = kept;
}

/* Members of a telemetry of which the median is taken, by their place in it. */
static const size_t medians[] = {
    offsetof(struct telemetry, sm_clock_hz),       offsetof(struct telemetry, nvml_sm_clock_hz),
    offsetof(struct telemetry, memory_clock_hz),   offsetof(struct telemetry, power_watts),
    offsetof(struct telemetry, power_limit_watts), offsetof(struct telemetry, temperature_celsius),
    offsetof(struct telemetry, link_generation),   offsetof(struct telemetry, link_width),
    offsetof(struct telemetry, utilisation),       offsetof(struct telemetry, pstate),
    offsetof(struct telemetry, margin_celsius),    offsetof(struct telemetry, others_share),
    offsetof(struct telemetry, host_span_seconds), offsetof(struct telemetry, steal_share),
};

/* Members that count up. */
static const size_t counters[] = {
    offsetof(struct telemetry, pcie_replays),       offsetof(struct telemetry, ecc_uncorrected),
    offsetof(struct telemetry, power_cap_seconds),  offsetof(struct telemetry, sw_thermal_seconds),
    offsetof(struct telemetry, hw_thermal_seconds), offsetof(struct telemetry, power_brake_seconds),
};

static double member(const struct telemetry *state, size_t offset)
{
    double value;

    memcpy(&value, (const char *)state + offset, sizeof value);
    return value;
}

/* The median of what is known; NAN where nothing is. */
static double median_of(const struct measurement *row, size_t offset, double *scratch)
{
    size_t known = 0;

    for (size_t i = 0; i < row->readings; i++) {
        const double value = member(&row->timeline[i].state, offset);
        if (!isnan(value))
            scratch[known++] = value;
    }
    return summary_of(scratch, known).median;
}

static double last_of(const struct measurement *row, size_t offset)
{
    double last = NAN;

    for (size_t i = 0; i < row->readings; i++) {
        const double value = member(&row->timeline[i].state, offset);
        last = isnan(value) ? last : value;
    }
    return last;
}

static double all_reasons(const struct measurement *row)
{
    double all = NAN;

    for (size_t i = 0; i < row->readings; i++) {
        const double mask = row->timeline[i].state.event_reasons;
        if (!isnan(mask))
            all = (double)((unsigned long long)mask | (isnan(all) ? 0 : (unsigned long long)all));
    }
    return all;
}

/* Sets the row's telemetry; says whether any of it is known. */
static bool summarise(struct measurement *row)
{
    double *scratch = xcalloc(row->readings + 1, sizeof *scratch);
    bool any = false;

    for (size_t i = 0; i < COUNT_OF(medians); i++) {
        const double value = median_of(row, medians[i], scratch);
        memcpy((char *)&row->telemetry + medians[i], &value, sizeof value);
        any = any || !isnan(value);
    }
    for (size_t i = 0; i < COUNT_OF(counters); i++) {
        const double value = last_of(row, counters[i]);
        memcpy((char *)&row->telemetry + counters[i], &value, sizeof value);
    }
    row->telemetry.event_reasons = all_reasons(row);
    free(scratch);
    return any;
}

/* Until now the readings stand at the device's own time. */
static void start_timeline_at_zero(struct measurement *row)
{
    const double start = row->readings ? row->timeline[0].at_seconds : 0;

    for (size_t i = 0; i < row->readings; i++)
        row->timeline[i].at_seconds -= start;
}

void sampler_finish(struct trial *t)
{
    struct measurement *row = t->row;
    bool any;

    drop_aside(t);
    start_timeline_at_zero(row);
    any = summarise(row);
    row->repetitions = t->times;
    measurement_derive(row);
    if (row->status == ROW_OK)
        doubts_find(t);
    if (any && (t->headline || t->experiment->in_turn))
        return;
    free(row->timeline);
    row->timeline = NULL;
    row->readings = 0;
}
