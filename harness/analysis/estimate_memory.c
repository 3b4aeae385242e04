/* Memory to serve and to train a model, and how many cards that takes. */
#include "harness/analysis/estimate.h"
#include "harness/analysis/estimate_parts.h"

#include <math.h>

static const double giga = 1e9;

/* What the runtime and a framework's libraries hold on a card: LESSONS' measured span. */
static const struct estimate reserve = {0.65e9, 0.3e9, 1e9};

/* Adam in mixed precision: FP16 weights and gradients, FP32 weights and two moments. */
static const double adam_bytes = 2 + 2 + 4 + 4 + 4;

/* Activations of a layer for a token, in units of the hidden size, FP16 (Korthikanti and others,
 * 2022, "Reducing Activation Recomputation"): attention computed anew; layers computed anew; and
 * nothing computed anew, 34 + 5 x heads x context / hidden. */
static const double activations_usual = 34, activations_least = 2;

static struct estimate sum(struct estimate a, struct estimate b)
{
    return (struct estimate){a.value + b.value, a.low + b.low, a.high + b.high};
}

double model_cache_token(const struct model_job *job)
{
    const struct model_shape *s = &job->shape;

    return 2 * s->layers * s->kv_heads * s->head_size * job->precision->cache_bytes;
}

double model_weight_bytes(const struct model_job *job)
{
    return job->shape.parameters * job->precision->weight_bytes;
}

static struct estimate add_weights(struct estimates *e, const struct model_job *job)
{
    const double bytes = model_weight_bytes(job);
    const struct estimate value = within(bytes, 1, 1 + job->precision->overhead);

    estimated_add(e, ESTIMATED_MEMORY, "weights", "B", value,
                  "{} billion parameters x {} B ({w}) = {} GB", job->shape.parameters / giga,
                  job->precision->weight_bytes, job->precision->name, bytes / giga);
    return value;
}

static struct estimate add_cache(struct estimates *e, const struct model_job *job)
{
    const struct model_shape *s = &job->shape;
    const double token = model_cache_token(job), bytes = token * job->users * job->context;

    if (!isfinite(token)) {
        estimated_note(e, "The cache of keys and values is left out: it needs --layers, --kv-heads "
                          "and --head-size.");
        return (struct estimate){0, 0, 0};
    }
    estimated_add(
        e, ESTIMATED_MEMORY, "cache of keys and values", "B", within(bytes, 1, 1.05),
        "2 x {n} layers x {n} heads x {n} x {n} B = {B} a token, x {n} users x {n} tokens "
        "= {} GB",
        s->layers, s->kv_heads, s->head_size, job->precision->cache_bytes, token, job->users,
        job->context, bytes / giga);
    return within(bytes, 1, 1.05);
}

static void add_reserve(struct estimates *e)
{
    estimated_add(e, ESTIMATED_MEMORY, "runtime", "B", reserve,
                  "context and libraries, 0.3 to 1 GB a card");
}

static double cards_for(double needed, double memory, double reserved)
{
    return ceil(needed / (memory - reserved));
}

/* `needed` is what can be divided among cards; each keeps its own reserve. */
static void add_fit(struct estimates *e, const struct contender *card, struct estimate needed)
{
    const double memory = figure_or_note(e, card, "memory size");
    const struct estimate all = sum(needed, reserve);
    struct estimate cards;

    estimated_add(e, ESTIMATED_MEMORY, "in all, on one card", "B", all,
                  "the sum of the above = {} GB", all.value / giga);
    if (!(memory > reserve.high))
        return;
    cards = (struct estimate){cards_for(needed.value, memory, reserve.value),
                              cards_for(needed.low, memory, reserve.low),
                              cards_for(needed.high, memory, reserve.high)};
    estimated_add(e, ESTIMATED_MEMORY, "cards needed", "", cards, "{w}: {B} / ({B} - {B} runtime)",
                  cards.value <= 1 ? "fits" : "does not fit on one", needed.value, memory,
                  reserve.value);
}

struct estimate estimate_serving_memory(struct estimates *e, const struct model_job *job,
                                        const struct contender *card)
{
    const struct estimate weights = add_weights(e, job);
    const struct estimate needed = sum(weights, add_cache(e, job));

    add_reserve(e);
    add_fit(e, card, needed);
    return sum(needed, reserve);
}

static struct estimate add_activations(struct estimates *e, const struct model_job *job)
{
    const struct model_shape *s = &job->shape;
    const double unit = s->layers * s->hidden * job->users * job->context;
    const double full =
        activations_usual + 5 * (s->hidden / s->head_size) * job->context / s->hidden;
    const struct estimate value = {unit * activations_usual, unit * activations_least, unit * full};

    if (!isfinite(unit)) {
        estimated_note(e, "Activations are left out: they need --layers and --hidden.");
        return (struct estimate){0, 0, 0};
    }
    estimated_add(e, ESTIMATED_MEMORY, "activations", "B",
                  isfinite(value.high) ? value : within(value.value, value.low / value.value, 2),
                  "34 x {n} hidden x {n} layers x {n} x {n} tokens = {} GB; least with all "
                  "layers computed anew (2 x), most with nothing",
                  s->hidden, s->layers, job->users, job->context, value.value / giga);
    return value;
}

void estimate_training_memory(struct estimates *e, const struct model_job *job,
                              const struct contender *card)
{
    const double bytes = adam_bytes * job->shape.parameters;
    struct estimate needed = within(bytes, 1, 1.1);

    estimated_add(e, ESTIMATED_MEMORY, "weights, gradients, Adam", "B", needed,
                  "{} billion parameters x (2 + 2 + 4 + 4 + 4) B = {} GB",
                  job->shape.parameters / giga, bytes / giga);
    needed = sum(needed, add_activations(e, job));
    add_reserve(e);
    add_fit(e, card, needed);
}
