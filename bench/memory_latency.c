/* How long one load takes when nothing else is under way: a walk from node to node in random order
 * over memory far larger than any cache; plans with more time also walk smaller memory, where the
 * caches show (METHOD 4).
 *
 * The figure `latency` is that of the largest memory of the plan's headline. */
#include "harness/measure/experiment.h"
#include "kernels/chase.h"

#include <math.h>

/* The memory beyond the caches is so many times the last of them: it can answer one load in that
 * many. */
static const double times_cache = 8;
/* Smaller memory would still have its addresses in a card's translation buffers. */
static const double least_bytes_card = 1 << 30, least_bytes_host = 64 << 20;
/* Thorough looks for the step of the translation buffers beyond. */
static const double most_bytes = 4294967296.0;

/* Timed steps of an execution, unless a walk that need not go round would take longer than this;
 * and the longest lap that a plan walks whole. */
static const uint32_t steps_usual[PLANS] = {1 << 14, 1 << 15, 1 << 17};
static const double walk_seconds[PLANS] = {0.03, 0.06, 0.25};
static const uint32_t lap_most[PLANS] = {1 << 14, 1 << 16, 1 << 20};

enum { LOG2_LEAST = 12, LOG2_MOST = 34, NODE_LOG2 = 7 };
_Static_assert(CHASE_NODE_BYTES == 1 << NODE_LOG2 &&
                   LOG2_MOST - NODE_LOG2 <= CHASE_NODES_LOG2_MAX &&
                   LOG2_MOST - LOG2_LEAST < CHASE_NODE_WORDS,
               "every size has a word of its own in every node");

/* log2 of the bytes that lie beyond the device's caches and within what may be used. */
static unsigned headline_log2(const struct trial *t)
{
    const double cache = t->device->facts.last_level_cache_bytes;
    const double least = trial_on_host(t) ? least_bytes_host : least_bytes_card;
    const double wanted = isnan(cache) ? least : fmax(least, times_cache * cache);
    const double limit = (double)trial_memory_limit(t, MEMORY_DEVICE);

    return (unsigned)fmin(LOG2_MOST, fmin(ceil(log2(wanted)), floor(log2(limit))));
}

static unsigned largest_log2(const struct trial *t)
{
    const double limit = fmin(most_bytes, (double)trial_memory_limit(t, MEMORY_DEVICE));
    const unsigned headline = headline_log2(t);

    return t->plan == PLAN_THOROUGH ? (unsigned)fmax(headline, floor(log2(limit))) : headline;
}

static uint32_t nodes_of(unsigned size_log2)
{
    return (uint32_t)1 << (size_log2 - NODE_LOG2);
}

/* A walk either goes round whole, so that what the caches can hold they do hold, or it is over
 * memory of which they hold next to nothing. */
static bool is_asked(const struct trial *t, unsigned size_log2)
{
    const unsigned headline = headline_log2(t);

    if (t->plan == PLAN_QUICK || size_log2 >= headline)
        return size_log2 == headline ||
               (t->plan == PLAN_THOROUGH && size_log2 > headline && size_log2 <= largest_log2(t));
    return nodes_of(size_log2) <= lap_most[t->plan];
}

static uint32_t word_of(unsigned size_log2)
{
    return size_log2 - LOG2_LEAST;
}

/* The memory of all sizes is the same: each has its links in another word of the nodes. */
static int link_nodes(struct trial *t, struct chase_args *args, unsigned size_log2)
{
    const size_t bytes = (size_t)1 << largest_log2(t);
    uint32_t *nodes = trial_buffer(t, "nodes", MEMORY_DEVICE, bytes, NULL);
    struct chase_link_args link;

    if (!nodes)
        return -1;
    link = (struct chase_link_args){nodes, size_log2 - NODE_LOG2, word_of(size_log2)};
    args->next = nodes;
    return trial_execute(t, &kernel_chase_link, &link);
}

/* Whole laps (both numbers are powers of two), or as far as time allows.  0, or -1. */
static int choose_steps(struct trial *t, struct chase_args *args, uint32_t nodes)
{
    const uint32_t usual = steps_usual[t->plan];
    struct run_times probe;

    args->steps = nodes > usual ? nodes : usual;
    if (nodes <= lap_most[t->plan])
        return 0;
    args->steps = usual / 64;
    if (trial_probe(t, t->kernel, args, t->timed_by, 1, &probe))
        return -1;
    const double affordable = walk_seconds[t->plan] / (probe.seconds / args->steps);
    const uint32_t steps = (uint32_t)fmax(args->steps, fmin(affordable, usual));

    args->steps = steps / CHASE_UNROLL * CHASE_UNROLL;
    return 0;
}

/* Where the walks stand, and what they report. */
static int place_cursor(struct trial *t, struct chase_args *args, unsigned size_log2)
{
    uint32_t starts[LOG2_MOST - LOG2_LEAST + 1];
    bool fresh;
    uint32_t *cursors = trial_buffer(t, "cursors", MEMORY_DEVICE, sizeof starts, &fresh);

    args->ticks = trial_buffer(t, "ticks", MEMORY_DEVICE, sizeof *args->ticks, NULL);
    if (!cursors || !args->ticks)
        return -1;
    args->cursor = cursors + word_of(size_log2);
    for (uint32_t word = 0; word < COUNT_OF(starts); word++)
        starts[word] = word;
    return fresh ? trial_copy(t, cursors, starts, sizeof starts) : 0;
}

static int prepare(struct trial *t)
{
    const unsigned size_log2 = (unsigned)trial_number(t, "log2_bytes");
    struct chase_args *args;

    if (!is_asked(t, size_log2))
        return trial_omit(t);
    args = trial_args(t, sizeof *args);
    t->kernel = &kernel_chase;
    t->role = "memory_latency";
    t->metric = metric_latency;
    t->timed_by = trial_on_host(t) ? TIMED_BY_HOST : TIMED_BY_KERNEL;
    t->headline = size_log2 == headline_log2(t);
    trial_parameter_number(t, "bytes", ldexp(1, (int)size_log2));
    if (place_cursor(t, args, size_log2) || link_nodes(t, args, size_log2) ||
        choose_steps(t, args, nodes_of(size_log2)))
        return -1;
    t->work = (struct work){NAN, NAN, args->steps};
    return 0;
}

/* Steps of one execution, timed or not. */
static uint64_t steps_walked(const struct trial *t, const struct chase_args *args)
{
    return trial_on_host(t) ? args->steps : 2 * (uint64_t)args->steps;
}

/* The walk must stand where that many steps over the one cycle lead: none left out, none astray. */
static int check(struct trial *t)
{
    const struct chase_args *args = t->args;
    const unsigned size_log2 = (unsigned)trial_number(t, "log2_bytes");
    const uint32_t word = word_of(size_log2);
    uint32_t before = 0, after = 0;

    if (trial_copy(t, &before, args->cursor, sizeof before) || trial_execute(t, t->kernel, args) ||
        trial_copy(t, &after, args->cursor, sizeof after))
        return -1;
    const uint32_t node =
        chase_after(before / CHASE_NODE_WORDS, steps_walked(t, args), size_log2 - NODE_LOG2);
    const uint32_t right = node * CHASE_NODE_WORDS + word;

    if (before % CHASE_NODE_WORDS != word || after != right)
        return trial_wrong(t, "the walk stands at word %u where %u is right", after, right);
    return 0;
}

static void conclude(struct conclusion *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct measurement *m = &c->rows[i];
        struct figure *f;

        if (!m->headline || !measurement_usable(m))
            continue;
        f = conclusion_figure(c, "memory_latency", "latency", estimate_of(&m->value), "s");
        parameters_set_number(&f->parameters, "bytes", parameters_number(&m->parameters, "bytes"));
    }
}

const struct experiment experiment_memory_latency = {
    .name = "memory_latency",
    .summary = "how long one load from memory takes",
    .axis =
        {{.name = "log2_bytes", .first = LOG2_LEAST, .last = LOG2_MOST, .step = 1, .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .share = 0.5,
};
