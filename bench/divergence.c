/* What a warp pays when its lanes take different branches; and what a CPU pays when it cannot
 * foretell which branch comes (METHOD 7).
 *
 * On a card all rows launch the same full grid, so their times compare.  The figures:
 *   ratio_at_half               time with 16 of 32 lanes in the if, over the time with none
 *   ratio_of_paths              k paths in every warp over one path
 *   ratio_by_warp               two paths, but each warp all on one, over one path
 *   overhead_seconds_per_path   (T(k) - k T(1)) / (k trips) of the most paths, for one warp of a
 *                               scheduler: what a path costs beside its work
 *   ratio_shuffled, seconds_per_misprediction
 *                               of a CPU at half and half, where every second guess is wrong */
#include "harness/measure/experiment.h"
#include "kernels/branch.h"
#include "kernels/branch_loop.h"
#include "kernels/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, HALF = LANES / 2, SCHEDULERS = 4 };
enum { FIRST_SEED = 1, INPUTS = 64, LOOP_COUNT = 1 << 18 };

/* FIRST falls by one a step and SECOND swings about a half, and both go on doing so for as many
 * steps as a launch has: the answer tells the arms apart and one step from none. */
static const float FACTOR_A = 1 - 0x1p-20f, FACTOR_B = -(1 - 0x1p-19f);
/* Of one launch at the usual clock: 0.1 to 0.6 ms without divergence, so that the gaps between
 * launches (about a microsecond) do not flatten the ratios. */
static const double usual_clock_hz = 1.5e9;
static const int trips_of[BRANCH_KINDS] = {
    [BRANCH_STRAIGHT] = 512, [BRANCH_ARMS_64_64] = 512, [BRANCH_ARMS_256_64] = 256,
    [BRANCH_SELECT] = 512,   [BRANCH_LADDER_64] = 256,  [BRANCH_LADDER_256] = 128,
};

/* What is asked with each pattern.  Points are lanes in the if, or numbers of paths. */
struct pattern {
    const char *parameter; /* what a point is called in the row; NULL: nothing */
    enum branch_kind kind; /* of cards */
    bool host;
    unsigned first, last;  /* points */
    bool powers;           /* of two only */
    unsigned every[PLANS]; /* besides ends and headline: each multiple of this; 0: none at all */
};
enum {
    NO_BRANCH,
    SPLIT,
    UNEQUAL,
    PATHS,
    SHORT_PATHS,
    UNIFORM_PATHS,
    BY_WARP,
    SELECT,
    SORTED,
    SHUFFLED
};
static const char *const pattern_names[] = {
    "no_branch", "split",  "unequal", "paths",    "short_paths", "uniform_paths",
    "by_warp",   "select", "sorted",  "shuffled", NULL,
};
static const struct pattern patterns[] = {
    [NO_BRANCH] = {NULL, BRANCH_STRAIGHT, false, 0, 0, false, {1, 1, 1}},
    [SPLIT] = {"lanes_in_if", BRANCH_ARMS_64_64, false, 0, 32, false, {8, 1, 1}},
    [UNEQUAL] = {"lanes_in_if", BRANCH_ARMS_256_64, false, 0, 32, false, {16, 4, 1}},
    [PATHS] = {"paths", BRANCH_LADDER_256, false, 1, 32, true, {1, 1, 1}},
    [SHORT_PATHS] = {"paths", BRANCH_LADDER_64, false, 1, 32, true, {0, 1, 1}},
    [UNIFORM_PATHS] = {"paths", BRANCH_LADDER_256, false, 1, 32, true, {8, 1, 1}},
    [BY_WARP] = {"paths", BRANCH_LADDER_256, false, 2, 2, true, {1, 1, 1}},
    [SELECT] = {"lanes_in_if", BRANCH_SELECT, false, HALF, HALF, false, {1, 1, 1}},
    [SORTED] = {"lanes_in_if", BRANCH_STRAIGHT, true, 0, 32, false, {16, 2, 1}},
    [SHUFFLED] = {"lanes_in_if", BRANCH_STRAIGHT, true, 0, 32, false, {8, 2, 1}},
};

static unsigned pattern_of(const struct trial *t)
{
    return (unsigned)t->at[0];
}

static unsigned point_of(const struct trial *t)
{
    return (unsigned)trial_number(t, "point");
}

/* The rows that a summary shows: a step, and what lies at its ends; the path that all are held
 * against, and the most of them. */
static bool is_headline(unsigned pattern, unsigned point)
{
    if (pattern == PATHS)
        return point == 1 || point == LANES;
    if (pattern == SORTED || pattern == SHUFFLED)
        return point == HALF;
    return pattern == SPLIT && (point <= 1 || point == HALF || point >= LANES - 1);
}

static bool is_asked(unsigned pattern, unsigned point, enum plan plan)
{
    const struct pattern *p = &patterns[pattern];

    if (point < p->first || point > p->last || (p->powers && (point & (point - 1))) ||
        !p->every[plan])
        return false;
    if (point == p->first || point == p->last || is_headline(pattern, point))
        return true;
    return point % p->every[plan] == 0 || (pattern == UNEQUAL && (point == 1 || point == 31));
}

/* ---- cards ---- */

static float input_of(size_t thread)
{
    return fill_positive(FIRST_SEED, thread % INPUTS);
}

/* In table `log2 k` each thread of a warp holds one of k paths, in table `6 + log2 k` each warp. */
enum { PATH_TABLES = 12 };

static uint8_t path_of(unsigned table, size_t thread)
{
    const unsigned paths = 1u << table % (PATH_TABLES / 2);
    const size_t warp = thread / LANES;

    return (uint8_t)((table < PATH_TABLES / 2 ? thread + warp : warp) % paths);
}

/* The inputs of all threads, then the tables of their paths.  0, or -1. */
static int fill_tables(struct trial *t, float *to, size_t threads)
{
    const size_t bytes = threads * (sizeof(float) + PATH_TABLES);
    float *in = xmalloc(bytes);
    uint8_t *path = (uint8_t *)(in + threads);
    int failed;

    for (size_t i = 0; i < threads; i++)
        in[i] = input_of(i);
    for (size_t i = 0; i < threads * PATH_TABLES; i++)
        path[i] = path_of((unsigned)(i / threads), i % threads);
    failed = trial_copy(t, to, in, bytes);
    free(in);
    return failed;
}

/* Gives the launch its memory.  0, or -1. */
static int card_buffers(struct trial *t, struct branch_args *args, size_t threads)
{
    const bool by_lane = pattern_of(t) == PATHS || pattern_of(t) == SHORT_PATHS;
    const int table = ilogb(args->paths) + (by_lane ? 0 : PATH_TABLES / 2);
    bool fresh;
    float *in = trial_buffer(t, "in and paths", MEMORY_DEVICE, threads * (sizeof *in + PATH_TABLES),
                             &fresh);

    args->out = trial_buffer(t, "out", MEMORY_DEVICE, threads * sizeof *args->out, NULL);
    if (!in || !args->out || (fresh && fill_tables(t, in, threads)))
        return -1;
    args->in = in;
    args->path = (const uint8_t *)(in + threads) + threads * (unsigned)table;
    return 0;
}

static bool is_masked(enum branch_kind kind)
{
    return kind == BRANCH_ARMS_64_64 || kind == BRANCH_ARMS_256_64 || kind == BRANCH_SELECT;
}

static double useful_flops(const struct branch_args *args)
{
    const double first = is_masked(args->kind) ? __builtin_popcount(args->mask) : LANES;
    const double steps =
        first * branch_steps(args->kind, true) + (LANES - first) * branch_steps(args->kind, false);

    return 2 * steps / LANES * args->trips * args->blocks * BRANCH_THREADS;
}

static int prepare_card(struct trial *t)
{
    const struct pattern *p = &patterns[pattern_of(t)];
    struct branch_args *args = trial_args(t, sizeof *args);
    const unsigned point = point_of(t);
    const double speed = fmin(1, t->device->facts.clock_max_hz / usual_clock_hz);

    *args = (struct branch_args){.kind = p->kind,
                                 .mask = (uint32_t)(((uint64_t)1 << point) - 1),
                                 .a = FACTOR_A,
                                 .b = FACTOR_B,
                                 .paths = p->powers ? (int)point : 1,
                                 .trips = (int)ceil(trips_of[p->kind] * speed)};
    t->kernel = &kernel_branch;
    t->timed_by = TIMED_BY_EVENTS;
    if (trial_plan(t, t->kernel, args) ||
        card_buffers(t, args, (size_t)args->blocks * BRANCH_THREADS))
        return -1;
    t->work = (struct work){NAN, useful_flops(args), 1};
    return 0;
}

/* The two answers of each distinct input: thread i's stand at 2 (i % INPUTS), FIRST, then SECOND.
 */
static const float *expected_of(struct trial *t, const struct branch_args *args)
{
    char name[40];
    bool fresh;
    float *table;

    snprintf(name, sizeof name, "expected %d", (int)args->kind);
    table = trial_buffer(t, name, MEMORY_PAGEABLE, 2 * INPUTS * sizeof *table, &fresh);
    for (size_t i = 0; table && fresh && i < INPUTS; i++) {
        table[2 * i] = branch_expected(args, input_of(i), true);
        table[2 * i + 1] = branch_expected(args, input_of(i), false);
    }
    return table;
}

static int compare_lanes(struct trial *t, const struct branch_args *args, const float *out)
{
    const float *expected = expected_of(t, args);

    if (!expected)
        return -1;
    for (size_t i = 0; i < (size_t)args->blocks * BRANCH_THREADS; i++) {
        const bool second = is_masked(args->kind) && !(args->mask >> i % LANES & 1);
        const float *right = &expected[2 * (i % INPUTS) + second];

        if (memcmp(&out[i], right, sizeof *right))
            return trial_wrong(t, "thread %zu has %a where %a is right", i, (double)out[i],
                               (double)*right);
    }
    return 0;
}

/* Every lane bit for bit: it shows which arm the lane took, and how often. */
static int check_card(struct trial *t)
{
    const struct branch_args *args = t->args;
    const size_t bytes = (size_t)args->blocks * BRANCH_THREADS * sizeof *args->out;
    float *out = xmalloc(bytes);
    int failed;

    memset(out, 0xFF, bytes);
    failed = trial_copy(t, args->out, out, bytes) || trial_execute(t, t->kernel, args) ||
             trial_copy(t, out, args->out, bytes) || compare_lanes(t, args, out);
    free(out);
    return failed ? -1 : 0;
}

/* ---- the host ---- */

static int prepare_host(struct trial *t)
{
    const bool shuffled = pattern_of(t) == SHUFFLED;
    struct branch_loop_args *args = trial_args(t, sizeof *args);
    bool fresh, rank_fresh;
    uint32_t *in = trial_buffer(t, "in", MEMORY_DEVICE, LOOP_COUNT * sizeof *in, &fresh);
    uint8_t *rank =
        trial_buffer(t, shuffled ? "shuffled" : "sorted", MEMORY_DEVICE, LOOP_COUNT, &rank_fresh);

    *args = (struct branch_loop_args){.in = in, .rank = rank, .count = LOOP_COUNT};
    args->below = point_of(t);
    args->out = trial_buffer(t, "out", MEMORY_DEVICE, LOOP_COUNT * sizeof *args->out, NULL);
    if (!in || !rank || !args->out)
        return -1;
    for (size_t i = 0; fresh && i < LOOP_COUNT; i++)
        in[i] = fill_bits(FIRST_SEED, i);
    if (rank_fresh)
        branch_loop_ranks(rank, LOOP_COUNT, shuffled);
    t->kernel = &kernel_branch_loop;
    t->timed_by = TIMED_BY_HOST;
    t->work = (struct work){9.0 * LOOP_COUNT, NAN, LOOP_COUNT};
    return 0;
}

static int check_host(struct trial *t)
{
    const struct branch_loop_args *args = t->args;

    memset(args->out, 0xFF, args->count * sizeof *args->out);
    if (trial_execute(t, t->kernel, args))
        return -1;
    for (size_t i = 0; i < args->count; i++)
        if (args->out[i] != branch_loop_expected(args->in[i], args->rank[i] < args->below))
            return trial_wrong(t, "element %zu is %u, from the wrong arm", i, args->out[i]);
    return 0;
}

/* ---- both ---- */

static int prepare(struct trial *t)
{
    const struct pattern *p = &patterns[pattern_of(t)];
    const unsigned point = point_of(t);

    if (p->host != trial_on_host(t) || !is_asked(pattern_of(t), point, t->plan))
        return trial_omit(t);
    t->role = "divergence";
    t->metric = metric_time;
    t->headline = is_headline(pattern_of(t), point);
    if (p->parameter)
        trial_parameter_number(t, p->parameter, point);
    return p->host ? prepare_host(t) : prepare_card(t);
}

static int check(struct trial *t)
{
    return trial_on_host(t) ? check_host(t) : check_card(t);
}

/* ---- figures ---- */

/* The row of a pattern at a point (NAN: the pattern has none); NULL when there is none. */
static const struct measurement *row_at(const struct conclusion *c, unsigned pattern,
                                        unsigned point)
{
    char value[16];

    snprintf(value, sizeof value, "%u", point);
    return conclusion_row(c, "divergence",
                          (const char *const[]){"pattern", pattern_names[pattern],
                                                patterns[pattern].parameter, value, NULL});
}

static struct figure *add_ratio(struct conclusion *c, const char *name, const struct measurement *a,
                                const struct measurement *b)
{
    if (!a || !b)
        return NULL;
    return conclusion_figure(c, "divergence", name,
                             estimate_ratio(estimate_of(&a->value), estimate_of(&b->value)), "");
}

/* a - b: half-widths add in quadrature. */
static struct estimate difference(struct estimate a, struct estimate b)
{
    const double value = a.value - b.value;
    const double half = hypot((a.high - a.low) / 2, (b.high - b.low) / 2);

    return (struct estimate){value, value - half, value + half};
}

/* A scheduler's warps take turns, so what a launch costs more is the sum of its warps' costs. */
static void add_overhead(struct conclusion *c, const struct measurement *one)
{
    const struct measurement *most = NULL;
    unsigned paths = 0;

    for (unsigned k = 2; k <= BRANCH_PATHS_MAX; k *= 2)
        if (row_at(c, PATHS, k)) {
            most = row_at(c, PATHS, k);
            paths = k;
        }
    if (!one || !most)
        return;
    /* Passes of all the warps of one scheduler through an arm. */
    const double passes = one->work.flops / (2.0 * branch_steps(BRANCH_LADDER_256, true) * LANES *
                                             c->facts->units * SCHEDULERS);
    const struct estimate more =
        difference(estimate_of(&most->value), estimate_scale(estimate_of(&one->value), paths));

    conclusion_figure(c, "divergence", "overhead_seconds_per_path",
                      estimate_scale(more, 1 / (paths * passes)), "s");
}

static void conclude_card(struct conclusion *c)
{
    const struct measurement *one = row_at(c, PATHS, 1);

    add_ratio(c, "ratio_at_half", row_at(c, SPLIT, HALF), row_at(c, SPLIT, 0));
    for (unsigned k = 2; k <= BRANCH_PATHS_MAX; k *= 2) {
        struct figure *f = add_ratio(c, "ratio_of_paths", row_at(c, PATHS, k), one);

        if (f)
            parameters_set_number(&f->parameters, "paths", k);
    }
    add_ratio(c, "ratio_by_warp", row_at(c, BY_WARP, 2), one);
    add_overhead(c, one);
}

static void conclude(struct conclusion *c)
{
    const struct measurement *sorted = row_at(c, SORTED, HALF);
    const struct measurement *shuffled = row_at(c, SHUFFLED, HALF);
    struct estimate more;

    conclude_card(c);
    if (!add_ratio(c, "ratio_shuffled", shuffled, sorted))
        return;
    more = difference(estimate_of(&shuffled->value), estimate_of(&sorted->value));
    conclusion_figure(c, "divergence", "seconds_per_misprediction", estimate_scale(more, 2), "s");
}

const struct experiment experiment_divergence = {
    .name = "divergence",
    .summary = "what a warp pays when its lanes take different branches",
    .axis = {{.name = "pattern", .names = pattern_names},
             {.name = "point", .first = 0, .last = LANES, .step = 1, .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
};
