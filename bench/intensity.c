/* A walk along the roofline: memory is read once and every element given more and more FMAs.  The
 * rate must follow memory's slope and then the FMA units' ceiling; where it does not, the roofs do
 * not describe the device (METHOD 10). */
#include "kernels/intensity.h"
#include "harness/measure/experiment.h"
#include "kernels/fill.h"

#include <math.h>
#include <stdlib.h>

/* Arithmetic alone decides beyond: then fewer elements do. */
static const double memory_fmas = 32;
/* Each FMA brings an element nearer to 3 by a 1024th: one too few shows in their sum. */
static const float FACTOR = 1 - 0x1p-10f, ADDEND = 3 * 0x1p-10f;
static const double FIXED_POINT = 3, TOLERANCE = 1e-5;

enum { SEED = 6 };

/* Quick asks on the slope, near the usual ridge points of FP32, and beyond. */
static bool is_asked(const struct trial *t, unsigned fmas)
{
    return t->plan != PLAN_QUICK || fmas == 1 || fmas == 8 || fmas == 64;
}

static size_t buffer_bytes(const struct trial *t)
{
    return (size_t)trial_bytes_beyond_caches(t) / 64 * 64;
}

/* Whole granules, of all the buffer or of less of it. */
static size_t count_of(const struct trial *t, const struct intensity_args *a)
{
    const double granule = (double)intensity_granule(a);
    const double all = floor((double)(buffer_bytes(t) / sizeof *a->in) / granule);
    const double wanted = ceil(all * fmin(1, memory_fmas / a->fmas));

    return (size_t)(wanted * granule);
}

static int prepare_buffers(struct trial *t, struct intensity_args *a)
{
    const size_t bytes = buffer_bytes(t);
    bool fresh;
    float *in = trial_buffer(t, "in", MEMORY_DEVICE, bytes, &fresh);
    const struct fill_args fill = {in, bytes / sizeof *in, SEED, FILL_POSITIVE};
    char *name = xasprintf("sums %zu", a->sum_count); /* grids differ */

    if (in && !(fresh && trial_execute(t, &kernel_fill, &fill)))
        a->sums = trial_buffer(t, name, MEMORY_DEVICE, a->sum_count * sizeof *a->sums, NULL);
    a->in = in;
    free(name);
    return a->sums ? 0 : -1;
}

static int prepare(struct trial *t)
{
    const unsigned fmas = (unsigned)trial_number(t, "fmas");
    struct intensity_args *a;

    if (!is_asked(t, fmas))
        return trial_omit(t);
    a = trial_args(t, sizeof *a);
    *a = (struct intensity_args){
        .fmas = fmas, .a = FACTOR, .b = ADDEND, .sum_count = (size_t)t->device->facts.units};
    t->kernel = &kernel_intensity;
    t->role = "intensity";
    t->metric = metric_flops;
    t->timed_by = trial_on_host(t) ? TIMED_BY_HOST : TIMED_BY_EVENTS;
    trial_parameter_word(t, "precision", "fp32");
    if (trial_plan(t, t->kernel, a))
        return -1;
    a->count = count_of(t, a);
    if (a->count == 0)
        return trial_skip(t, "%zu B are too few for one pass of all threads", buffer_bytes(t));
    trial_parameter_number(t, "bytes", (double)(a->count * sizeof *a->in));
    t->work = (struct work){(double)(a->count * sizeof *a->in), 2.0 * fmas * (double)a->count, NAN};
    return prepare_buffers(t, a);
}

/* What all elements must add up to: the distance of each to the fixed point has shrunk. */
static double expected_sum(const struct intensity_args *a)
{
    double sum = 0;

    for (size_t i = 0; i < a->count; i++)
        sum += (double)fill_positive(SEED, i);
    return FIXED_POINT * (double)a->count +
           (sum - FIXED_POINT * (double)a->count) * pow((double)a->a, a->fmas);
}

static int check(struct trial *t)
{
    const struct intensity_args *a = t->args;
    const size_t bytes = a->sum_count * sizeof *a->sums;
    const double right = expected_sum(a);
    float *sums = xcalloc(a->sum_count, sizeof *sums);
    double found = 0;
    const int failed = trial_copy(t, a->sums, sums, bytes) || trial_execute(t, t->kernel, a) ||
                       trial_copy(t, sums, a->sums, bytes);

    for (size_t i = 0; i < a->sum_count; i++)
        found += (double)sums[i];
    free(sums);
    if (!failed && !(fabs(found - right) <= TOLERANCE * right))
        return trial_wrong(t, "the elements add up to %.9g and must to %.9g", found, right);
    return failed ? -1 : 0;
}

const struct experiment experiment_intensity = {
    .name = "intensity",
    .summary = "arithmetic for every byte read, from memory's roof to that of the FMA units",
    .axis = {{.name = "fmas", .first = 1, .last = INTENSITY_FMAS_MOST, .factor = 2}},
    .prepare = prepare,
    .check = check,
};
