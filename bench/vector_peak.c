/* The peak of the vector units: chains of fused multiply-adds, more and more of them in each lane
 * (METHOD 5). */
#include "harness/measure/experiment.h"
#include "kernels/fma.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values settle at ADDEND / (1 - FACTOR) = 1, slowly enough that a missing or a superfluous step of
 * a short run shows, and never become denormal. */
static const double FACTOR = 0.99, ADDEND = 0.01;
static const double PASS_SECONDS = 5e-3; /* METHOD 5: a launch of at least 5 ms */
static const double TOLERANCE[] = {[FMA_FP32] = 1e-5, [FMA_FP64] = 1e-13};

static const char *const precisions[] = {[FMA_FP32] = "fp32", [FMA_FP64] = "fp64", NULL};
static const double chain_counts[] = {1, 2, 4, 8, FMA_CHAINS_MAX};

/* FMAs per clock and SM by compute capability (METHOD 1.5). */
static const struct {
    const char *capability;
    double fp32, fp64;
} rates[] = {
    {"7.0", 64, 32},   {"7.5", 64, 2},     {"8.0", 64, 32},  {"8.6", 128, 2},
    {"8.7", 128, NAN}, {"8.9", 128, 2},    {"9.0", 128, 64}, {"10.0", 128, 64},
    {"10.3", 128, 2},  {"11.0", 128, NAN}, {"12.0", 128, 2}, {"12.1", 128, 2},
};

/* NAN for the host and for a capability that the table lacks. */
static double fma_per_clock(const struct facts *facts, enum fma_precision p)
{
    for (size_t i = 0; facts->capability && i < sizeof rates / sizeof *rates; i++)
        if (strcmp(rates[i].capability, facts->capability) == 0)
            return p == FMA_FP64 ? rates[i].fp64 : rates[i].fp32;
    return NAN;
}

/* Lanes and blocks: from the runtime on a card, a block for each core on the host. */
static int choose_shape(struct trial *t, struct fma_args *a)
{
    if (!trial_on_host(t))
        return trial_plan(t, &kernel_fma, a);
    a->simd = fma_host_widest();
    a->lanes = fma_host_lanes(a->simd, a->precision);
    a->blocks = t->device->facts.units >= 1 ? (unsigned)t->device->facts.units : 1;
    return 0;
}

/* Steps that make an execution take PASS_SECONDS, from a probe that is long enough to be timed. */
static int choose_steps(struct trial *t, struct fma_args *a)
{
    const unsigned trip = FMA_TRIP, most = 1u << 24;
    const double least_seconds = PASS_SECONDS / 10;
    struct run_times probe = {0};

    for (a->steps = 64 * trip; a->steps < most; a->steps *= 4) {
        if (trial_probe(t, &kernel_fma, a, t->timed_by, 1, &probe) < 0)
            return -1;
        if (probe.seconds > least_seconds)
            break;
    }
    a->steps =
        trip * (unsigned)ceil(a->steps / trip * PASS_SECONDS / fmax(probe.seconds, least_seconds));
    t->once_seconds = PASS_SECONDS;
    return 0;
}

static int prepare(struct trial *t)
{
    struct fma_args *a = trial_args(t, sizeof *a);
    const bool host = trial_on_host(t);

    a->precision = trial_at(t, "precision", "fp64") ? FMA_FP64 : FMA_FP32;
    a->chains = (unsigned)trial_number(t, "ilp");
    a->a = FACTOR;
    a->b = ADDEND;
    if (!host && a->chains == FMA_CHAINS_MAX)
        return trial_omit(t);
    if (choose_shape(t, a) < 0)
        return -1;
    char name[40];
    snprintf(name, sizeof name, "out of %s by %u", precisions[a->precision], a->chains);
    a->out = trial_buffer(t, name, host ? MEMORY_PAGEABLE : MEMORY_DEVICE,
                          fma_element_bytes(a->precision) * a->lanes * a->blocks, NULL);
    t->timed_by = host ? TIMED_BY_HOST : TIMED_BY_EVENTS;
    if (!a->out || choose_steps(t, a) < 0)
        return -1;
    if (host)
        trial_parameter_word(t, "simd", fma_simd_names[a->simd]);
    t->kernel = &kernel_fma;
    t->args = a;
    t->role = "vector_peak";
    t->metric = metric_flops;
    t->work = (struct work){.bytes = NAN, .flops = fma_flops(a), .operations = NAN};
    t->headline = a->chains == (host ? FMA_CHAINS_MAX : 4);
    return 0;
}

/* Executes `a` on poisoned memory and compares every element. */
static int check_execution(struct trial *t, const struct fma_args *a)
{
    const size_t bytes = fma_element_bytes(a->precision) * a->lanes * a->blocks;
    void *out = xmalloc(bytes);
    double error = NAN;

    memset(out, 0xFF, bytes);
    int status = trial_copy(t, a->out, out, bytes);
    if (status == 0)
        status = trial_execute(t, &kernel_fma, a);
    if (status == 0)
        status = trial_copy(t, out, a->out, bytes);
    if (status == 0)
        error = fma_worst_error(a, out);
    free(out);
    if (status == 0 && !(error <= TOLERANCE[a->precision]))
        return trial_wrong(t, "after %u steps a sum is off by %.2g of itself, %.0e is allowed",
                           a->steps, error, TOLERANCE[a->precision]);
    return status;
}

/* A run of one pass shows each step; the timed one shows that nothing was left out or overflowed.
 */
static int check(struct trial *t)
{
    struct fma_args once = *(const struct fma_args *)t->args;

    once.steps = FMA_TRIP / once.chains;
    return check_execution(t, &once) < 0 ? -1 : check_execution(t, t->args);
}

static const struct measurement *best_of(const struct conclusion *c, const char *precision)
{
    const struct measurement *best = NULL;

    for (const struct measurement *m = c->rows; m < c->rows + c->count; m++)
        if (measurement_usable(m) && parameters_match(&m->parameters, "precision", precision) &&
            (!best || m->value.median > best->value.median))
            best = m;
    return best;
}

static void add_figure(struct conclusion *c, const struct measurement *from, const char *name,
                       struct estimate value, const char *unit)
{
    struct figure *f = conclusion_figure(c, "vector_peak", name, value, unit);

    parameters_set_word(&f->parameters, "precision",
                        parameters_word(&from->parameters, "precision"));
    parameters_set_number(&f->parameters, "ilp", parameters_number(&from->parameters, "ilp"));
}

static void conclude(struct conclusion *c)
{
    for (enum fma_precision p = FMA_FP32; p <= FMA_FP64; p++) {
        const struct measurement *best = best_of(c, precisions[p]);

        if (!best)
            continue;
        struct estimate rate = estimate_of(&best->value);
        double peak =
            2 * fma_per_clock(c->facts, p) * c->facts->units * best->telemetry.sm_clock_hz;

        add_figure(c, best, "best", rate, "FLOP/s");
        if (isfinite(peak) && peak > 0)
            add_figure(c, best, "share_of_clock_peak", estimate_scale(rate, 1 / peak), "");
    }
}

const struct experiment experiment_vector_peak = {
    .name = "vector_peak",
    .summary = "the peak of the vector units, by chains of fused multiply-adds",
    .axis = {{.name = "precision", .names = precisions},
             {.name = "ilp",
              .numbers = chain_counts,
              .count = sizeof chain_counts / sizeof *chain_counts}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
};
