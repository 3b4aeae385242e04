/* How many bytes a second the caches deliver to a window that they hold: a card's L2 to the whole
 * grid, each level of a host's to every core; plans with more time also read smaller and larger
 * windows, so that the steps from level to level show (METHOD 4). */
#include "harness/measure/experiment.h"
#include "kernels/fill.h"
#include "kernels/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A window that a level is asked with fills so much of it; and it is that much larger than the
 * level before, so that it cannot be its answer. */
static const double fill_most = 0.5, beyond = 4;
/* Least time of an execution: starting one takes microseconds. */
static const double least_seconds_card = 0.5e-3, least_seconds_host = 2e-3;
/* Plans with more time go to so many times the last level; on a card from a part of it. */
static const double times_last = 4, part_of_last = 1.0 / 16;

enum { LOG2_LEAST = 12, LOG2_MOST = 30, PASSES_LOG2_MOST = 24, SEED = 4 };
_Static_assert(WINDOW_BYTES_LEAST <= 1 << LOG2_LEAST, "a kernel takes the smallest window");

enum { LEVELS = 3 };
static const char *const level_names[LEVELS] = {"L1", "L2", "L3"};

/* What one window may take of each level; NAN where there is none or it is unknown.  Of the last
 * level a core has its share of the machine's. */
static double capacity(const struct facts *f, bool host, unsigned level)
{
    const double share = f->last_level_cache_bytes / f->machine_units;

    if (!host)
        return level == 1 ? f->last_level_cache_bytes : NAN;
    if (level == 2)
        return share > beyond * f->l2_cache_bytes ? share : NAN;
    return level == 0 ? f->l1_cache_bytes : f->l2_cache_bytes;
}

/* log2 of the window that a level is asked with; NAN: none. */
static double window_log2(const struct facts *f, bool host, unsigned level)
{
    return floor(log2(fill_most * capacity(f, host, level)));
}

static double last_capacity(const struct trial *t)
{
    double last = NAN;

    for (unsigned level = 0; level < LEVELS; level++)
        last = fmax(last, capacity(&t->device->facts, trial_on_host(t), level));
    return last;
}

static bool is_headline(const struct trial *t, unsigned size_log2)
{
    for (unsigned level = 0; level < LEVELS; level++)
        if (window_log2(&t->device->facts, trial_on_host(t), level) == size_log2)
            return true;
    return false;
}

static unsigned windows_of(const struct trial *t)
{
    return trial_on_host(t) ? (unsigned)t->device->facts.units : 1;
}

/* All windows of the largest size that this plan asks for. */
static size_t buffer_bytes(const struct trial *t)
{
    const double times = t->plan == PLAN_QUICK ? fill_most : times_last;
    const double wanted = exp2(floor(log2(times * last_capacity(t))));
    const double room = (double)trial_memory_limit(t, MEMORY_DEVICE) / windows_of(t);

    return (size_t)fmin(wanted, exp2(floor(log2(room)))) * windows_of(t);
}

static bool is_asked(const struct trial *t, unsigned size_log2)
{
    const double bytes = exp2(size_log2), last = last_capacity(t);

    if (is_headline(t, size_log2))
        return true;
    return t->plan != PLAN_QUICK && bytes <= times_last * last &&
           (trial_on_host(t) || bytes >= part_of_last * last);
}

static int prepare_buffers(struct trial *t, struct window_args *a)
{
    const size_t bytes = buffer_bytes(t);
    bool fresh;
    uint32_t *in = trial_buffer(t, "in", MEMORY_DEVICE, bytes, &fresh);
    const struct fill_args fill = {in, bytes / sizeof *in, SEED, FILL_BITS};

    if (!in || (fresh && trial_execute(t, &kernel_fill, &fill)))
        return -1;
    a->in = in;
    a->sums = trial_buffer(t, "sums", MEMORY_DEVICE, a->sum_count * sizeof *a->sums, NULL);
    return a->sums ? 0 : -1;
}

/* As many as make an execution long enough; a power of two. */
static int choose_passes(struct trial *t, struct window_args *a)
{
    const double least = trial_on_host(t) ? least_seconds_host : least_seconds_card;
    struct run_times probe = {.seconds = 0};

    for (unsigned log2 = 0; probe.seconds < least && log2 <= PASSES_LOG2_MOST; log2++) {
        a->passes = (size_t)1 << log2;
        if (trial_probe(t, t->kernel, a, t->timed_by, 1, &probe))
            return -1;
    }
    return 0;
}

static int prepare(struct trial *t)
{
    const unsigned size_log2 = (unsigned)trial_number(t, "log2_bytes");
    struct window_args *a;

    if (!is_asked(t, size_log2))
        return trial_omit(t);
    a = trial_args(t, sizeof *a);
    *a = (struct window_args){.bytes = (size_t)1 << size_log2, .sum_count = windows_of(t)};
    t->kernel = &kernel_window;
    t->role = "cache_bandwidth";
    t->metric = metric_bandwidth;
    t->timed_by = trial_on_host(t) ? TIMED_BY_HOST : TIMED_BY_EVENTS;
    t->headline = is_headline(t, size_log2);
    trial_parameter_number(t, "bytes", (double)a->bytes);
    if (a->bytes * windows_of(t) > buffer_bytes(t))
        return trial_skip(t, "no room for windows of %zu B", a->bytes);
    if (trial_plan(t, t->kernel, a) || prepare_buffers(t, a) || choose_passes(t, a))
        return -1;
    t->work = (struct work){(double)(a->bytes * a->passes) * windows_of(t), NAN, NAN};
    return 0;
}

/* Every word was added as often as there are passes: no other sum is right. */
static int check(struct trial *t)
{
    const struct window_args *a = t->args;
    const size_t words = a->bytes / sizeof *a->in * windows_of(t);
    const size_t bytes = a->sum_count * sizeof *a->sums;
    uint32_t *sums = xcalloc(a->sum_count, sizeof *sums), found = 0, right = 0;
    int failed = trial_copy(t, a->sums, sums, bytes) || trial_execute(t, t->kernel, a) ||
                 trial_copy(t, sums, a->sums, bytes);

    for (size_t i = 0; i < a->sum_count; i++)
        found += sums[i];
    free(sums);
    for (size_t i = 0; i < words; i++)
        right += fill_bits(SEED, i);
    right *= (uint32_t)a->passes;
    if (!failed && found != right)
        return trial_wrong(t, "the sum is %u and must be %u", found, right);
    return failed ? -1 : 0;
}

static const struct measurement *row_of(const struct conclusion *c, double bytes)
{
    for (size_t i = 0; i < c->count; i++)
        if (measurement_usable(&c->rows[i]) &&
            parameters_number(&c->rows[i].parameters, "bytes") == bytes)
            return &c->rows[i];
    return NULL;
}

static void conclude(struct conclusion *c)
{
    const bool host = strcmp(c->device, "host") == 0;

    for (unsigned level = 0; level < LEVELS; level++) {
        const double bytes = exp2(window_log2(c->facts, host, level));
        const struct measurement *row = row_of(c, bytes);
        struct figure *f;

        if (!row)
            continue;
        f = conclusion_figure(c, "cache_bandwidth", "rate", estimate_of(&row->value), "B/s");
        parameters_set_word(&f->parameters, "level", level_names[level]);
        parameters_set_number(&f->parameters, "bytes", bytes);
    }
}

const struct experiment experiment_cache = {
    .name = "cache",
    .summary = "bytes a second of the caches, by how much memory is in use",
    .axis =
        {{.name = "log2_bytes", .first = LOG2_LEAST, .last = LOG2_MOST, .step = 1, .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .share = 0.5,
};
