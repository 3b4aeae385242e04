/* What a card keeps up: matrix products for seconds, with rate, clock, power and temperature over
 * time.  Burst and sustained differ where power or heat holds the clock down.  Then the same with
 * zeros, for less long: what data do to power, and by it to the rate.  Their figures are
 *   zeros_over_random, zeros_power_over_random   of rate and power at the series' ends */
#include "harness/measure/experiment.h"
#include "kernels/gemm_reference.h"

#include <math.h>
#include <stdlib.h>

enum { SEED_A = 21, SEED_B = 22, CHECKED_ENTRIES = 16, LARGEST = 8192, SMALLEST = 1024 };
/* One sample of the time line, and the length of it all by plan (quick: not asked). */
static const double sample_seconds = 0.1, series_seconds[PLANS] = {0, 6, 60};
static const double zeros_share = 1 / 3.0; /* of that */
enum { RANDOM, ZEROS };
static const char *const data_names[] = {"random", "zeros", NULL};

struct call {
    struct gemm_args args;
    unsigned executions;
};

/* The largest cube whose matrices have room, one of zeros among them; 0: none has. */
static size_t size_of(const struct trial *t)
{
    const double element =
        3.0 * (double)gemm_formats[GEMM_FP16].in_bytes + (double)gemm_formats[GEMM_FP16].out_bytes;
    const double room = (double)trial_memory_limit(t, MEMORY_DEVICE) - GEMM_WORKSPACE_BYTES;
    size_t size = LARGEST;

    while (size >= SMALLEST && (double)size * (double)size * element > room)
        size /= 2;
    return size >= SMALLEST ? size : 0;
}

static bool is_zeros(const struct trial *t)
{
    return t->at[0] == ZEROS;
}

/* Zeros are one matrix for both operands. */
static void *operand(struct trial *t, const char *name, size_t size, uint64_t seed)
{
    const struct gemm_format *f = &gemm_formats[GEMM_FP16];
    const enum fill_kind kind = is_zeros(t) ? FILL_CONSTANT : f->fill;
    const size_t bytes = size * size * f->in_bytes;
    bool fresh;
    void *memory = trial_buffer(t, is_zeros(t) ? "zeros" : name, MEMORY_DEVICE, bytes, &fresh);
    struct fill_args fill = {memory, bytes / fill_element_bytes(kind), is_zeros(t) ? 0 : seed,
                             kind};

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
    t->headline = !is_zeros(t);
    t->sample_seconds = sample_seconds;
    t->samples = (unsigned)lround(series_seconds[t->plan] * (is_zeros(t) ? zeros_share : 1) /
                                  sample_seconds);
    trial_parameter_word(t, "precision", gemm_formats[GEMM_FP16].precision);
    trial_parameter_word(t, "accumulate", gemm_formats[GEMM_FP16].accumulate);
    trial_parameter_number(t, "n", (double)size);
    if (size == 0)
        return trial_skip(t, "no room for three matrices of %d x %d", SMALLEST, SMALLEST);
    return prepare_product(t, size);
}

static int check_entry(struct trial *t, const struct gemm_args *a, size_t row, size_t column)
{
    const size_t bytes = gemm_formats[a->type].out_bytes;
    struct gemm_entry right = {0};
    unsigned char element[sizeof(double)] = {0};

    if (trial_copy(t, element, (const char *)a->c + (row * a->n + column) * bytes, bytes))
        return -1;
    if (!is_zeros(t))
        right = gemm_reference(a, SEED_A, SEED_B, 0, row, column);
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

static const struct measurement *series_of(const struct conclusion *c, const char *data)
{
    const char *const conditions[] = {"data", data, NULL};
    const struct measurement *m = conclusion_row(c, "sustained", conditions);

    return m && m->readings >= 10 ? m : NULL;
}

/* Of its last third, when clocks have settled. */
static struct estimate settled(const struct measurement *m, double (*of)(const struct reading *))
{
    return median_of(m, m->readings - m->readings / 3, m->readings, of);
}

/* The first tenth is the burst. */
static void conclude(struct conclusion *c)
{
    const struct measurement *random = series_of(c, data_names[RANDOM]);
    const struct measurement *zeros = series_of(c, data_names[ZEROS]);
    struct estimate burst, kept, power;

    if (!random)
        return;
    burst = median_of(random, 0, random->readings / 10, value_of);
    kept = settled(random, value_of);
    power = settled(random, power_of);
    add_figure(c, "burst", burst, "FLOP/s");
    add_figure(c, "sustained", kept, "FLOP/s");
    add_figure(c, "sustained_over_burst", estimate_ratio(kept, burst), "");
    add_figure(c, "flops_per_watt", estimate_ratio(kept, power), "FLOP/s/W");
    if (!zeros)
        return;
    add_figure(c, "zeros_over_random", estimate_ratio(settled(zeros, value_of), kept), "");
    add_figure(c, "zeros_power_over_random", estimate_ratio(settled(zeros, power_of), power), "");
}

const struct experiment experiment_sustained = {
    .name = "sustained",
    .summary = "matrix products for seconds: rate, clock, power and temperature over time",
    .axis = {{.name = "data", .names = data_names}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .cold = true,
    .in_turn = true,
};
