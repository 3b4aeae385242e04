/* How much is saved when copies and work overlap: an array goes to the card, is worked on for as
 * long as its copy takes, and comes back, in one piece and in several on three streams (METHOD 2).
 *
 * The figure `saved` is the part of what there is to save: 1 where the whole takes as long as its
 * longest stage, 0 where it takes as long as all of them. */
#include "harness/measure/experiment.h"
#include "kernels/fill.h"
#include "kernels/pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const memories[] = {"pinned", "pageable", NULL};
static const char *const stages[] = {"in", "work", "out", "whole", NULL};
static const unsigned stage_bits[] = {PIPELINE_IN, PIPELINE_WORK, PIPELINE_OUT, PIPELINE_WHOLE};
static const double pieces[] = {1, 2, 4, 8, 16};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* A copy takes so long, or its array is the largest; sizes are powers of two. */
static const double copy_seconds = 2e-3, most_bytes = 256 << 20, least_bytes = 64 << 10;
/* Each FMA brings an element nearer to 3 by a 1024th: one too few shows. */
static const float FACTOR = 1 - 0x1p-10f, ADDEND = 3 * 0x1p-10f;
static const double FIXED_POINT = 3, TOLERANCE = 1e-4;
enum { SEED = 7, FMAS_MOST = 1 << 20 };

/* What all trials of a device do. */
struct load {
    size_t bytes;
    unsigned fmas;
};

static bool is_pinned(const struct trial *t)
{
    return trial_at(t, "memory", "pinned");
}

/* Stages alone are asked in one piece; quick asks the least that gives the figure. */
static bool is_asked(const struct trial *t)
{
    const double n = trial_number(t, "pieces");

    if (trial_on_host(t))
        return trial_at(t, "stage", "whole") && is_pinned(t) && n == 1;
    if (t->plan == PLAN_QUICK && (!is_pinned(t) || (n != 1 && n != 8)))
        return false;
    return trial_at(t, "stage", "whole") || n == 1;
}

/* Of each of the four arrays. */
static size_t buffer_bytes(const struct trial *t)
{
    const double host = (double)trial_memory_limit(t, MEMORY_PINNED) / 4;
    const double room = fmin((double)trial_memory_limit(t, MEMORY_DEVICE) / 2, host);

    return room < least_bytes ? 0 : (size_t)exp2(floor(log2(fmin(most_bytes, room))));
}

static void *host_buffer(struct trial *t, bool source)
{
    const enum memory kind = is_pinned(t) ? MEMORY_PINNED : MEMORY_PAGEABLE;
    const size_t bytes = buffer_bytes(t);
    char name[32];
    bool fresh;

    snprintf(name, sizeof name, "%s %s", memory_names[kind], source ? "out" : "in");
    void *memory = trial_buffer(t, name, kind, bytes, &fresh);
    const struct fill_args fill = {memory, bytes / sizeof(float), SEED, FILL_POSITIVE};

    if (memory && fresh && source)
        kernel_fill.host(&fill, 0, 1);
    else if (memory && fresh)
        memset(memory, 0xFF, bytes);
    return memory;
}

static int prepare_buffers(struct trial *t, struct pipeline_args *a)
{
    a->from = host_buffer(t, true);
    a->to = a->from ? host_buffer(t, false) : NULL;
    a->in = a->to ? trial_buffer(t, "in", MEMORY_DEVICE, buffer_bytes(t), NULL) : NULL;
    a->out = a->in ? trial_buffer(t, "out", MEMORY_DEVICE, buffer_bytes(t), NULL) : NULL;
    return a->out ? 0 : -1;
}

/* Of that stage alone, in one piece; the second time, which finds all awake.  0, or -1. */
static int probe(struct trial *t, const struct pipeline_args *like, const struct load *load,
                 unsigned stage, double *seconds)
{
    struct pipeline_args a = *like;
    struct run_times times;

    a.count = load->bytes / sizeof *a.in;
    a.pieces = 1;
    a.stages = stage;
    a.fmas = load->fmas;
    for (int twice = 0; twice < 2; twice++)
        if (trial_probe(t, t->kernel, &a, t->timed_by, 1, &times))
            return -1;
    *seconds = times.seconds;
    return 0;
}

/* As many bytes as are copied in the time wished, and work that takes as long as their copy. */
static int choose_load(struct trial *t, const struct pipeline_args *a, struct load *load)
{
    double copy = 0, work = 0;

    *load = (struct load){(size_t)least_bytes / 2, PIPELINE_UNROLLED / 2};
    while (copy < copy_seconds && load->bytes < buffer_bytes(t)) {
        load->bytes *= 2;
        if (probe(t, a, load, PIPELINE_IN, &copy))
            return -1;
    }
    while (work < copy / 2 && load->fmas < FMAS_MOST) {
        load->fmas *= 2;
        if (probe(t, a, load, PIPELINE_WORK, &work))
            return -1;
    }
    load->fmas =
        PIPELINE_UNROLLED * (unsigned)fmax(1, round(load->fmas / PIPELINE_UNROLLED * copy / work));
    return 0;
}

static int load_of(struct trial *t, const struct pipeline_args *a, struct load *out)
{
    bool fresh;
    struct load *load = trial_buffer(t, "load", MEMORY_PAGEABLE, sizeof *load, &fresh);

    if (!load)
        return -1;
    if (fresh)
        load->bytes = 0; /* not chosen yet */
    *out = *load;
    if (out->bytes == 0 && choose_load(t, a, out))
        return -1;
    *load = *out;
    return 0;
}

static void describe(struct trial *t, const struct pipeline_args *a)
{
    trial_parameter_number(t, "bytes", (double)(a->count * sizeof *a->in));
    t->work = (struct work){NAN, NAN, 1};
    t->times = 1; /* the next execution must not begin beside this one's end */
}

static int prepare(struct trial *t)
{
    struct pipeline_args *a;
    struct load load;

    if (!is_asked(t))
        return trial_omit(t);
    t->role = "overlap";
    t->metric = metric_time;
    if (trial_on_host(t))
        return trial_skip(t, "the host has no link to itself");
    if (buffer_bytes(t) == 0)
        return trial_skip(t, "no room for four arrays");
    a = trial_args(t, sizeof *a);
    *a = (struct pipeline_args){.pieces = (unsigned)trial_number(t, "pieces"),
                                .stages = stage_bits[(size_t)trial_number(t, "stage")],
                                .a = FACTOR,
                                .b = ADDEND};
    t->kernel = &kernel_pipeline;
    /* The call for pageable memory waits itself: no gate may stand before it. */
    t->timed_by = is_pinned(t) ? TIMED_BY_EVENTS : TIMED_BY_HOST;
    if (trial_plan(t, t->kernel, a) || prepare_buffers(t, a) || load_of(t, a, &load))
        return -1;
    a->count = load.bytes / sizeof *a->in;
    a->fmas = load.fmas;
    describe(t, a);
    return 0;
}

/* The whole, whatever stage is asked, over poison: no element may have stayed behind. */
static int check(struct trial *t)
{
    struct pipeline_args whole = *(const struct pipeline_args *)t->args;
    const double shrunk = pow((double)whole.a, whole.fmas);

    whole.stages = PIPELINE_WHOLE;
    memset(whole.to, 0xFF, whole.count * sizeof *whole.to);
    if (trial_execute(t, t->kernel, &whole))
        return -1;
    for (size_t i = 0; i < whole.count; i++) {
        const double right = FIXED_POINT + ((double)whole.from[i] - FIXED_POINT) * shrunk;

        if (!(fabs((double)whole.to[i] - right) <= TOLERANCE * right))
            return trial_wrong(t, "element %zu came back as %.9g and must be %.9g", i,
                               (double)whole.to[i], right);
    }
    return 0;
}

/* ---- figures ---- */

static double seconds_of(const struct conclusion *c, const char *memory, const char *stage,
                         double n)
{
    char number[32];
    const char *const conditions[] = {"memory", memory, "stage", stage, "pieces", number, NULL};

    snprintf(number, sizeof number, "%g", n);
    const struct measurement *row = conclusion_row(c, "overlap", conditions);

    return row ? row->value.median : NAN;
}

/* What the longest stage takes; one copy engine does both copies. */
static double least_seconds(const struct conclusion *c, const char *memory)
{
    const double in = seconds_of(c, memory, "in", 1), out = seconds_of(c, memory, "out", 1);
    const double copies = c->facts->copy_engines < 2 ? in + out : fmax(in, out);

    return isnan(in + out) ? NAN : fmax(copies, seconds_of(c, memory, "work", 1));
}

static void conclude_one(struct conclusion *c, const char *memory, double n)
{
    const double serial = seconds_of(c, memory, "whole", 1), least = least_seconds(c, memory);
    const double piped = seconds_of(c, memory, "whole", n);
    const struct {
        const char *name;
        double value;
    } figures[] = {{"saved", (serial - piped) / (serial - least)}, {"speedup", serial / piped}};

    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        struct figure *f;

        if (!isfinite(figures[i].value))
            continue;
        f = conclusion_figure(c, "overlap", figures[i].name,
                              (struct estimate){figures[i].value, NAN, NAN}, "");
        parameters_set_word(&f->parameters, "memory", memory);
        parameters_set_number(&f->parameters, "pieces", n);
    }
}

static void conclude(struct conclusion *c)
{
    for (size_t i = 0; memories[i]; i++)
        for (size_t k = 1; k < PIECES; k++)
            conclude_one(c, memories[i], pieces[k]);
}

const struct experiment experiment_overlap = {
    .name = "overlap",
    .summary = "copies to and from the card under way while it works",
    .axis = {{.name = "memory", .names = memories},
             {.name = "stage", .names = stages},
             {.name = "pieces", .numbers = pieces, .count = PIECES}},
    .prepare = prepare,
    .check = check,
    .conclude = conclude,
};
