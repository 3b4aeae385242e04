/* What a card keeps up: matrix products for seconds, with rate, clock, power and temperature over
 * time.  Burst and sustained differ where power or heat holds the clock down. */
#include "harness/measure/experiment.h"
#include "kernels/gemm_reference.h"

#include <math.h>
#include <stdlib.h>

enum { SEED_A = 21, SEED_B = 22, CHECKED_ENTRIES = 16, LARGEST = 8192, SMALLEST = 1024 };
/* One sample of the time line, and the length of it all by plan (quick: not asked). */
static const double sample_seconds = 0.1, series_seconds[PLANS] = {0, 6, 60};

struct call {
    struct gemm_args args;
    unsigned executions;
};

/* The largest cube whose three matrices have room; 0: none has. */
static size_t size_of(const struct trial *t)
{
    const double element =
        2.0 * (double)gemm_formats[GEMM_FP16].in_bytes + (double)gemm_formats[GEMM_FP16].out_bytes;
    const double room = (double)trial_memory_limit(t, MEMORY_DEVICE) - GEMM_WORKSPACE_BYTES;
    size_t size = LARGEST;

    while (size >= SMALLEST && (double)size * (double)size * element > room)
        size /= 2;
    return size >= SMALLEST ? size : 0;
}

static void *operand(struct trial *t, const char *name, size_t size, uint64_t seed)
{
    const struct gemm_format *f = &gemm_formats[GEMM_FP16];
    const size_t bytes = size * size * f->in_bytes;
    bool fresh;
    void *memory = trial_buffer(t, name, MEMORY_DEVICE, bytes, &fresh);
    struct fill_args fill = {memory, bytes / fill_element_bytes(f->fill), seed, f->fill};

    return memory && fresh && trial_execute(t, &kernel_fill, &fill) ? NULL : memory;
}

static int prepare_product(struct trial *t, size_t size)
{
    struct call *call = trial_args(t, sizeof *call);
    struct gemm_args *a = &call->args;

    a->type = GEMM_FP16;
    a->m = a->n = a->k = size;
    a->sets = 1;
    a->executions = &call->executions;
    a->workspace_bytes = GEMM_WORKSPACE_BYTES;
    a->a = operand(t, "a", size, SEED_A);
    a->b = a->a ? operand(t, "b", size, SEED_B) : NULL;
    a->c = a->b ? trial_buffer(t, "c", MEMORY_DEVICE,
                               size * size * gemm_formats[GEMM_FP16].out_bytes, NULL)
                : NULL;
    a->workspace =
        a->c ? trial_buffer(t, "workspace", MEMORY_DEVICE, GEMM_WORKSPACE_BYTES, NULL) : NULL;
    if (!a->workspace || trial_plan(t, &kernel_gemm, a))
        return -1;
    if (a->refusal[0])
        return trial_skip(t, "%s", a->refusal);
    t->work = (struct work){gemm_bytes(a), gemm_flops(a), NAN};
    return 0;
}

static int prepare(struct trial *t)
{
    const size_t size = size_of(t);

    if (trial_on_host(t) || series_seconds[t->plan] <= 0)
        return trial_omit(t);
    t->role = "sustained";
    t->metric = metric_flops;
    t->timed_by = TIMED_BY_EVENTS;
    t->kernel = &kernel_gemm;
    t->headline = true;
    t->sample_seconds = sample_seconds;
    t->samples = (unsigned)lround(series_seconds[t->plan] / sample_seconds);
    trial_parameter_word(t, "precision", gemm_formats[GEMM_FP16].precision);
    trial_parameter_word(t, "accumulate", gemm_formats[GEMM_FP16].accumulate);
    trial_parameter_word(t, "data", "random");
    trial_parameter_number(t, "n", (double)size);
    if (size == 0)
        return trial_skip(t, "no room for three matrices of %d x %d", SMALLEST, SMALLEST);
    return prepare_product(t, size);
}

static int check_entry(struct trial *t, const struct gemm_args *a, size_t row, size_t column)
{
    const size_t bytes = gemm_formats[a->type].out_bytes;
    const struct gemm_entry right = gemm_reference(a, SEED_A, SEED_B, 0, row, column);
    unsigned char element[sizeof(double)] = {0};

    if (trial_copy(t, element, (const char *)a->c + (row * a->n + column) * bytes, bytes))
        return -1;
    if (!(fabs(gemm_decode(a->type, element) - right.value) <= gemm_bound(a, &right)))
        return trial_wrong(t, "entry (%zu, %zu) is %.9g instead of %.9g", row, column,
                           gemm_decode(a->type, element), right.value);
    return 0;
}

/* Entries over all of the product, computed over what cannot be one. */
static int check(struct trial *t)
{
    const struct gemm_args *a = t->args;
    const struct fill_args poison = {a->c, a->m * a->n * gemm_formats[a->type].out_bytes / 4,
                                     UINT32_MAX, FILL_CONSTANT};
    int status = trial_execute(t, &kernel_fill, &poison);

    if (!status)
        status = trial_execute(t, &kernel_gemm, a);
    for (size_t i = 0; i < CHECKED_ENTRIES && !status; i++)
        status = check_entry(t, a, (a->m - 1) * i / (CHECKED_ENTRIES - 1), a->n / 7 * (i % 7));
    return status;
}

/* ---- conclude ---- */

static double value_of(const struct reading *r)
{
    return r->value;
}

static double power_of(const struct reading *r)
{
    return r->state.power_watts;
}

/* Of readings from..to of the time line. */
static struct estimate median_of(const struct measurement *m, size_t from, size_t to,
                                 double (*of)(const struct reading *))
{
    double *values = xcalloc(to - from + 1, sizeof *values);
    struct summary s;

    for (size_t i = from; i < to; i++)
        values[i - from] = of(&m->timeline[i]);
    s = summary_of(values, to - from);
    free(values);
    return estimate_of(&s);
}

static void add_figure(struct conclusion *c, const char *name, struct estimate value,
                       const char *unit)
{
    if (value.value > 0)
        conclusion_figure(c, "sustained", name, value, unit);
}

/* The first tenth is the burst; by the last third clocks have settled. */
static void conclude(struct conclusion *c)
{
    const struct measurement *m = conclusion_row(c, "sustained", NULL);
    struct estimate burst, kept;

    if (!m || m->readings < 10)
        return;
    burst = median_of(m, 0, m->readings / 10, value_of);
    kept = median_of(m, m->readings - m->readings / 3, m->readings, value_of);
    add_figure(c, "burst", burst, "FLOP/s");
    add_figure(c, "sustained", kept, "FLOP/s");
    add_figure(c, "sustained_over_burst", estimate_ratio(kept, burst), "");
    add_figure(
        c, "flops_per_watt",
        estimate_ratio(kept, median_of(m, m->readings - m->readings / 3, m->readings, power_of)),
        "FLOP/s/W");
}

const struct experiment experiment_sustained = {
    .name = "sustained",
    .summary = "matrix products for seconds: rate, clock, power and temperature over time",
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .cold = true,
};
