/* How many bytes a second the device's memory delivers to streams of every kind. */
#include "harness/base/units.h"
#include "harness/measure/experiment.h"
#include "kernels/compare.h"
#include "kernels/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const operations[] = {[STREAM_READ] = "read",
                                         [STREAM_WRITE] = "write",
                                         [STREAM_COPY] = "copy",
                                         [STREAM_SCALE] = "scale",
                                         [STREAM_ADD] = "add",
                                         [STREAM_TRIAD] = "triad",
                                         NULL};
static const char *const variants[] = {
    [STREAM_GRID_STRIDE] = "grid_stride", [STREAM_ONE_SHOT] = "one_shot", [STREAM_PLAIN] = "plain",
    [STREAM_BYPASS] = "cache_bypass",     [STREAM_LIBRARY] = "library",   NULL};

enum { SEED_B = 1, SEED_C = 2, SPOT_CHECKS = 64 };
static const uint64_t poison = 0xFFFFFFFF;
static const double mib = 1048576;
static const float scalar = 0.5f; /* a power of two: the answers are exact */

static enum stream_operation operation_of(const struct trial *t)
{
    return (enum stream_operation)trial_number(t, "operation");
}

static enum stream_variant variant_of(const struct trial *t)
{
    return (enum stream_variant)trial_number(t, "variant");
}

/* The three that roofs are made of. */
static bool is_main(enum stream_operation operation)
{
    return operation == STREAM_READ || operation == STREAM_COPY || operation == STREAM_TRIAD;
}

/* Not the other device's variants; the library's copy and write, a second opinion, where there is
 * time; and on a host, whose memory is a hundred times slower than a card's, the quick plan keeps
 * to the main operations. */
static bool is_asked(const struct trial *t)
{
    const bool host = trial_on_host(t), quick = t->plan == PLAN_QUICK;

    if (variant_of(t) == STREAM_LIBRARY)
        return !quick && (operation_of(t) == STREAM_COPY || operation_of(t) == STREAM_WRITE);
    if (host != (variant_of(t) >= STREAM_PLAIN))
        return false;
    return !host || !quick || is_main(operation_of(t));
}

/* Of one array: large enough that caches hold a small part of it (METHOD 3), three of them within
 * what may be allocated; whole MiB, so that every grid fits.  0: no room. */
static size_t array_bytes(const struct trial *t)
{
    const double cache = t->device->facts.last_level_cache_bytes;
    const double least = trial_on_host(t) && t->plan == PLAN_QUICK ? 512 * mib : 1024 * mib;
    const double room = (double)trial_memory_limit(t, MEMORY_DEVICE) / 3;

    return (size_t)(fmin(fmax(8 * cache, least), room) / mib) * (size_t)mib;
}

static int fill(struct trial *t, void *out, size_t bytes, uint64_t seed, enum fill_kind kind)
{
    const struct fill_args args = {out, bytes / sizeof(float), seed, kind};

    return trial_execute(t, &kernel_fill, &args);
}

/* An input array, filled when it is new; NULL when it cannot be had. */
static float *input(struct trial *t, const char *name, uint64_t seed)
{
    const size_t bytes = array_bytes(t);
    bool fresh;
    float *in = trial_buffer(t, name, MEMORY_DEVICE, bytes, &fresh);

    return in && fresh && fill(t, in, bytes, seed, FILL_POSITIVE) ? NULL : in;
}

/* Where a read leaves its sums. */
static int prepare_sums(struct trial *t, struct stream_args *a)
{
    if (a->sum_count == 0)
        a->sum_count = STREAM_WORKERS_MAX;
    a->sums = trial_buffer(t, trial_name(t, "variant"), MEMORY_DEVICE, a->sum_count * sizeof(float),
                           NULL);
    return a->sums ? 0 : -1;
}

static int prepare_arrays(struct trial *t, struct stream_args *a)
{
    a->operation = operation_of(t);
    a->variant = variant_of(t);
    a->scalar = a->operation == STREAM_WRITE ? stream_bytewise() : scalar;
    a->count = array_bytes(t) / sizeof(float);
    if (trial_plan(t, &kernel_stream[a->operation], a))
        return -1;
    if (a->operation != STREAM_WRITE && !(a->b = input(t, "b", SEED_B)))
        return -1;
    if (stream_arrays(a->operation) == 3 && !(a->c = input(t, "c", SEED_C)))
        return -1;
    if (a->operation == STREAM_READ)
        return prepare_sums(t, a);
    a->out = trial_buffer(t, "out", MEMORY_DEVICE, array_bytes(t), NULL);
    return a->out ? 0 : -1;
}

/* On a host the quick plan has no time to measure both variants thoroughly. */
static bool is_headline(const struct trial *t)
{
    return is_main(operation_of(t)) &&
           (!trial_on_host(t) || t->plan != PLAN_QUICK || variant_of(t) == STREAM_BYPASS);
}

static int skip_without_room(struct trial *t)
{
    char left[UNITS_MAX], all[UNITS_MAX];

    return trial_skip(t, "no room for three arrays of memory: %s of %s were free",
                      units_format(left, t->device->facts.memory_free_bytes, "B"),
                      units_format(all, t->device->facts.memory_bytes, "B"));
}

static int prepare(struct trial *t)
{
    const enum stream_operation operation = operation_of(t);
    const size_t bytes = array_bytes(t);

    if (!is_asked(t))
        return trial_omit(t);
    t->kernel = &kernel_stream[operation];
    t->role = "memory_bandwidth";
    t->metric = metric_bandwidth;
    t->timed_by = trial_on_host(t) ? TIMED_BY_HOST : TIMED_BY_EVENTS;
    t->headline = is_headline(t);
    t->work.bytes = (double)stream_arrays(operation) * (double)bytes;
    t->work.flops = (double)stream_flops(operation) * (double)bytes / sizeof(float);
    trial_parameter_number(t, "bytes", (double)bytes);
    if (bytes == 0)
        return skip_without_room(t);
    return prepare_arrays(t, trial_args(t, sizeof(struct stream_args)));
}

/* What the answer of an operation must be; a read is checked by its sum, hence against b. */
static void expect(struct compare_args *c, const struct stream_args *a)
{
    const bool has_b = a->operation != STREAM_WRITE, has_c = stream_arrays(a->operation) == 3;

    c->found = a->operation == STREAM_READ ? a->b : a->out;
    c->count = a->count;
    c->offset = has_b ? 0 : a->scalar;
    c->scale_b = !has_b ? 0 : a->operation == STREAM_SCALE ? a->scalar : 1;
    c->scale_c = !has_c ? 0 : a->operation == STREAM_TRIAD ? a->scalar : 1;
    c->seed_b = SEED_B;
    c->seed_c = SEED_C;
}

/* All elements, on the device; *total also says what they should add up to. */
static int compare_all(struct trial *t, struct compare_args *c, struct compare_part *total)
{
    const size_t bytes = COMPARE_PARTS * sizeof *c->parts;
    struct compare_part *parts;
    int failed;

    c->parts = trial_buffer(t, "parts", MEMORY_DEVICE, bytes, NULL);
    if (!c->parts || trial_execute(t, &kernel_compare, c))
        return -1;
    parts = xmalloc(bytes);
    failed = trial_copy(t, parts, c->parts, bytes);
    if (!failed)
        *total = compare_total(parts);
    free(parts);
    if (!failed && total->different)
        return trial_wrong(t, "%llu of %zu elements differ from what they must be",
                           (unsigned long long)total->different, c->count);
    return failed;
}

/* A few elements, on the host and in double. */
static int compare_some(struct trial *t, const struct compare_args *c)
{
    for (size_t k = 0; k < SPOT_CHECKS; k++) {
        const size_t i = (c->count - 1) / (SPOT_CHECKS - 1) * k;
        const double must = (double)c->offset +
                            (double)c->scale_b * (double)fill_positive(SEED_B, i) +
                            (double)c->scale_c * (double)fill_positive(SEED_C, i);
        float found;

        if (trial_copy(t, &found, c->found + i, sizeof found))
            return -1;
        if (!(fabs(found - must) <= 1e-6))
            return trial_wrong(t, "element %zu is %.9g and must be %.9g", i, (double)found, must);
    }
    return 0;
}

static int compare_sum(struct trial *t, const struct stream_args *a, double must)
{
    float *sums = xmalloc(a->sum_count * sizeof *sums);
    const int failed = trial_copy(t, sums, a->sums, a->sum_count * sizeof *sums);
    double sum = 0;

    for (size_t i = 0; !failed && i < a->sum_count; i++)
        sum += (double)sums[i];
    free(sums);
    if (failed || fabs(sum - must) <= 1e-5 * must)
        return failed;
    return trial_wrong(t, "the sum is %.9g and must be %.9g", sum, must);
}

/* The answer over what cannot be one: poison; for sums, of which none may be missing, zeros. */
static int answer_anew(struct trial *t, struct stream_args *a)
{
    const bool read = a->operation == STREAM_READ;
    const size_t bytes = (read ? a->sum_count : a->count) * sizeof(float);

    if (fill(t, read ? a->sums : a->out, bytes, read ? 0 : poison, FILL_CONSTANT))
        return -1;
    return trial_execute(t, t->kernel, a);
}

static int check(struct trial *t)
{
    struct stream_args *a = t->args;
    struct compare_args expected = {0};
    struct compare_part total;

    a->keep = 1;
    if (answer_anew(t, a))
        return -1;
    a->keep = 0; /* the executions that are timed keep nothing */
    expect(&expected, a);
    if (compare_all(t, &expected, &total) || compare_some(t, &expected))
        return -1;
    return a->operation == STREAM_READ ? compare_sum(t, a, total.expected) : 0;
}

static const struct measurement *best_of(const struct conclusion *c, const char *operation)
{
    const struct measurement *best = NULL;

    for (size_t i = 0; variants[i]; i++) {
        const char *const conditions[] = {"operation", operation, "variant", variants[i], NULL};
        const struct measurement *row = conclusion_row(c, "memory_bandwidth", conditions);

        if (row && (!best || row->value.median > best->value.median))
            best = row;
    }
    return best;
}

static void conclude(struct conclusion *c)
{
    for (size_t i = 0; operations[i]; i++) {
        const struct measurement *best = best_of(c, operations[i]);
        struct figure *f;

        if (!best)
            continue;
        f = conclusion_figure(c, "memory_bandwidth", "best", estimate_of(&best->value), "B/s");
        parameters_set_word(&f->parameters, "operation", operations[i]);
        parameters_set_word(&f->parameters, "variant",
                            parameters_word(&best->parameters, "variant"));
    }
}

const struct experiment experiment_memory = {
    .name = "memory",
    .summary = "bytes a second of the device's memory, by kind of access",
    .axis = {{.name = "operation", .names = operations}, {.name = "variant", .names = variants}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
    .share = 3,
};
