/* How much work must be under way to hide latency: warps on every SM times independent operations
 * in each; on a CPU, independent chains of loads on every core (METHOD 8). */
#include "bench/hiding_figures.h"
#include "harness/measure/experiment.h"
#include "kernels/chains.h"
#include "kernels/fill.h"
#include "kernels/hide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, CHECKED_THREADS = 64, FILL_SEED = 8, CHAIN_STEPS = 8192 };

/* Of a launch of FMAs at the usual clock: 0.1 ms with few warps, 0.6 ms with all. */
static const double fma_trips = 1000, usual_clock_hz = 1.5e9;
/* Sums of FILL_POSITIVE: n elements of mean 1 and this deviation. */
static const double element_deviation = 0.288675134594813;
/* Each step takes one off, for as many steps as a launch has: a step too few shows. */
static const float FACTOR_A = 1 - 0x1p-20f, FACTOR_B = -(1 - 0x1p-19f);

static const struct metric metric_loads = {"loads", "1/s", true};

static const char *const curve_names[] = {
    "4 B x 1", "4 B x 2", "4 B x 4", "4 B x 8", "16 B x 1", "16 B x 2", "16 B x 4",
    "fma x 1", "fma x 2", "fma x 4", "fma x 8", "chains",   NULL,
};
/* Warps of an SM, or chains of a core. */
static const double points[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { POINTS = sizeof points / sizeof *points };

static bool is_power_of_two(unsigned n)
{
    return !(n & (n - 1));
}

/* ---- cards ---- */

static unsigned most_warps(const struct facts *facts)
{
    return (unsigned)fmin(facts->threads_per_unit / LANES,
                          facts->blocks_per_unit * HIDE_THREADS / LANES);
}

/* Quick keeps the points between which curves bend: memory at 8 to 32 warps, FMAs earlier. */
static bool is_quick(const struct curve *curve, unsigned warps)
{
    return curve->quick && warps != 2 && warps != 48 &&
           (curve->operation == HIDE_LOAD || is_power_of_two(warps));
}

static bool is_asked_of_card(const struct trial *t, const struct curve *curve, unsigned warps)
{
    const unsigned most = most_warps(&t->device->facts);

    if (warps > most || warps == 3 || warps == 6)
        return false;
    return t->plan != PLAN_QUICK || is_quick(curve, warps) || (curve->quick && warps == most);
}

static int read_buffer(struct trial *t, struct hide_args *args)
{
    const size_t count = (size_t)trial_bytes_beyond_caches(t) / 16 * 4;
    const unsigned words = args->ilp * args->access_bytes / 4;
    bool fresh;
    float *in = trial_buffer(t, "in", MEMORY_DEVICE, count * sizeof *in, &fresh);
    const struct fill_args fill = {
        .out = in, .count = count, .seed = FILL_SEED, .kind = FILL_POSITIVE};

    args->in = in;
    args->trips = (unsigned)(count / ((size_t)args->blocks * args->threads * words));
    if (!in || (fresh && trial_execute(t, &kernel_fill, &fill)))
        return -1;
    return args->trips ? 0 : trial_skip(t, "%zu B are not even one trip for all warps", count * 4);
}

static int card_buffers(struct trial *t, struct hide_args *args)
{
    const struct facts *facts = &t->device->facts;
    const size_t threads = (size_t)(facts->units * facts->threads_per_unit);
    const size_t blocks = threads / LANES;

    args->out = trial_buffer(t, "out", MEMORY_DEVICE, threads * sizeof *args->out, NULL);
    args->marks = trial_buffer(t, "marks", MEMORY_DEVICE, blocks * sizeof *args->marks, NULL);
    if (!args->out || !args->marks)
        return -1;
    args->trips = (unsigned)ceil(fma_trips * fmin(1, facts->clock_max_hz / usual_clock_hz));
    return args->operation == HIDE_LOAD ? read_buffer(t, args) : 0;
}

static double threads_of(const struct hide_args *args)
{
    return (double)args->blocks * args->threads;
}

static void describe(struct trial *t, const struct curve *curve, const struct hide_args *args)
{
    const double work = threads_of(args) * args->trips;

    trial_parameter_word(t, "operation", operation_names[curve->operation]);
    trial_parameter_number(t, "warps_per_sm", args->warps);
    trial_parameter_number(t, "ilp", args->ilp);
    if (curve->operation == HIDE_LOAD)
        trial_parameter_number(t, "access_bytes", args->access_bytes);
    t->metric = curve->operation == HIDE_LOAD ? metric_bandwidth : metric_flops;
    t->work = curve->operation == HIDE_LOAD
                  ? (struct work){work * args->ilp * args->access_bytes, NAN, NAN}
                  : (struct work){NAN, 2 * work * HIDE_FMA_TRIP, NAN};
}

static int prepare_card(struct trial *t, const struct curve *curve, unsigned warps)
{
    struct hide_args *args = trial_args(t, sizeof *args);

    *args = (struct hide_args){.operation = curve->operation,
                               .ilp = curve->ilp,
                               .access_bytes = curve->access_bytes,
                               .warps = warps,
                               .a = FACTOR_A,
                               .b = FACTOR_B};
    t->kernel = &kernel_hide;
    t->timed_by = TIMED_BY_EVENTS;
    if (trial_plan(t, t->kernel, args))
        return -1;
    if (args->resident != args->blocks_per_sm)
        return trial_skip(t, "%u blocks of %u threads would be on an SM instead of %u",
                          args->resident, args->threads, args->blocks_per_sm);
    if (card_buffers(t, args))
        return -1;
    describe(t, curve, args);
    return 0;
}

/* All sums must be such as so many random elements make; some are added again, bit for bit. */
static int check_sums(struct trial *t, const struct hide_args *args, const float *out)
{
    const size_t threads = (size_t)args->blocks * args->threads;
    const double mean = (double)args->trips * args->ilp * args->access_bytes / 4;
    const double allowed = 8 * element_deviation * sqrt(mean) + 1e-4 * mean;

    for (size_t i = 0; i < threads; i++)
        if (!(fabs((double)out[i] - mean) <= allowed))
            return trial_wrong(t, "thread %zu has the sum %g of %g elements of mean 1", i,
                               (double)out[i], mean);
    for (size_t n = 0; n < CHECKED_THREADS; n++) {
        const size_t i = n * (threads - 1) / (CHECKED_THREADS - 1);
        const float right = hide_load_expected(args, FILL_SEED, i);

        if (memcmp(&out[i], &right, sizeof right))
            return trial_wrong(t, "thread %zu has the sum %a where %a is right", i, (double)out[i],
                               (double)right);
    }
    return 0;
}

static int check_chains(struct trial *t, const struct hide_args *args, const float *out)
{
    float *expected;
    char name[32];
    bool fresh;

    snprintf(name, sizeof name, "expected %u", args->ilp);
    expected = trial_buffer(t, name, MEMORY_PAGEABLE, LANES * sizeof *expected, &fresh);
    for (unsigned lane = 0; expected && fresh && lane < LANES; lane++)
        expected[lane] = hide_fma_expected(args, lane);
    for (size_t i = 0; expected && i < (size_t)threads_of(args); i++)
        if (memcmp(&out[i], &expected[i % LANES], sizeof *out))
            return trial_wrong(t, "thread %zu has %a where %a is right", i, (double)out[i],
                               (double)expected[i % LANES]);
    return expected ? 0 : -1;
}

/* Whether every SM held the blocks that it was meant to hold, as they themselves recorded. */
static int check_residency(struct trial *t, const struct hide_args *args)
{
    const size_t bytes = args->blocks * sizeof *args->marks;
    struct hide_mark *marks = xmalloc(bytes);
    const int failed = trial_copy(t, marks, args->marks, bytes);

    if (!failed &&
        hide_misplaced(marks, args->blocks, (unsigned)t->device->facts.units, args->blocks_per_sm))
        trial_doubt(t, "residency");
    free(marks);
    return failed;
}

static int check_card(struct trial *t)
{
    const struct hide_args *args = t->args;
    const size_t bytes = (size_t)threads_of(args) * sizeof *args->out;
    float *out = xmalloc(bytes);
    int failed;

    memset(out, 0xFF, bytes);
    failed =
        trial_copy(t, args->out, out, bytes) || trial_execute(t, t->kernel, args) ||
        trial_copy(t, out, args->out, bytes) ||
        (args->operation == HIDE_LOAD ? check_sums(t, args, out) : check_chains(t, args, out)) ||
        check_residency(t, args);
    free(out);
    return failed ? -1 : 0;
}

/* ---- the host ---- */

static unsigned cores_of(const struct trial *t)
{
    return (unsigned)t->device->facts.units;
}

static unsigned nodes_log2_of(const struct trial *t)
{
    return (unsigned)floor(log2(trial_bytes_beyond_caches(t) / CHASE_NODE_BYTES));
}

/* All chains of all cores begin as far from each other as the cycle allows. */
static void spread_cursors(uint32_t *cursors, unsigned cores, unsigned nodes_log2)
{
    const uint64_t chains = (uint64_t)cores * CHAINS_MAX;

    for (uint64_t i = 0; i < chains; i++)
        cursors[i] = CHASE_NODE_WORDS * chase_after(0, (i << nodes_log2) / chains, nodes_log2);
}

static int prepare_host(struct trial *t, unsigned chains)
{
    struct chains_args *args = trial_args(t, sizeof *args);
    const unsigned nodes_log2 = nodes_log2_of(t);
    const size_t cursors = (size_t)cores_of(t) * CHAINS_MAX;
    bool fresh;
    uint32_t *next =
        trial_buffer(t, "nodes", MEMORY_DEVICE, (size_t)CHASE_NODE_BYTES << nodes_log2, &fresh);
    const struct chase_link_args link = {.next = next, .nodes_log2 = nodes_log2};

    *args = (struct chains_args){.next = next, .chains = chains, .steps = CHAIN_STEPS};
    args->cursors =
        trial_buffer(t, "cursors", MEMORY_DEVICE, cursors * sizeof *args->cursors, NULL);
    t->kernel = &kernel_chains;
    t->timed_by = TIMED_BY_HOST;
    if (!next || !args->cursors || (fresh && trial_execute(t, &kernel_chase_link, &link)))
        return -1;
    if (fresh)
        spread_cursors(args->cursors, cores_of(t), nodes_log2);
    trial_parameter_number(t, "chains", chains);
    t->metric = metric_loads;
    t->work = (struct work){NAN, NAN, (double)cores_of(t) * chains * args->steps};
    return 0;
}

/* Every chain must stand where its steps over the one cycle lead. */
static int check_host(struct trial *t)
{
    const struct chains_args *args = t->args;
    const unsigned nodes_log2 = nodes_log2_of(t);
    const size_t count = (size_t)cores_of(t) * CHAINS_MAX;
    uint32_t *before = xmalloc(count * sizeof *before);
    int failed;

    memcpy(before, args->cursors, count * sizeof *before);
    failed = trial_execute(t, t->kernel, args);
    for (size_t i = 0; i < count && !failed; i++) {
        const uint32_t walked = i % CHAINS_MAX < args->chains ? args->steps : 0;

        if (args->cursors[i] !=
            CHASE_NODE_WORDS * chase_after(before[i] / CHASE_NODE_WORDS, walked, nodes_log2))
            failed = trial_wrong(t, "chain %zu went astray", i);
    }
    free(before);
    return failed;
}

/* ---- both ---- */

static int prepare(struct trial *t)
{
    const size_t curve = (size_t)t->at[0];
    const unsigned point = (unsigned)trial_number(t, "point");

    t->role = "latency_hiding";
    if (trial_on_host(t))
        return curve == CURVES && point <= CHAINS_MAX &&
                       (t->plan != PLAN_QUICK || is_power_of_two(point))
                   ? prepare_host(t, point)
                   : trial_omit(t);
    if (curve == CURVES || !is_asked_of_card(t, &curves[curve], point))
        return trial_omit(t);
    return prepare_card(t, &curves[curve], point);
}

static int check(struct trial *t)
{
    return trial_on_host(t) ? check_host(t) : check_card(t);
}

const struct experiment experiment_latency_hiding = {
    .name = "latency_hiding",
    .summary = "how much work must be under way to hide latency",
    .axis = {{.name = "curve", .names = curve_names, .latent = true},
             {.name = "point", .numbers = points, .count = POINTS, .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = hiding_conclude,
    .share = 2,
};
