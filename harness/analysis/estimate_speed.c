/* Tokens a second: what bandwidth and arithmetic allow. */
#include "harness/analysis/estimate.h"
#include "harness/analysis/estimate_parts.h"

#include <math.h>

/* Shares of the bound that programs reach.  Decode: llama.cpp on an RTX 4090 writes 61 of the 75
 * tokens a second that its datasheet's bandwidth allows a 7 B model in FP16.  Training: published
 * shares of datasheet peaks are 38 to 57 % (Llama 3, PaLM).  The rest is ours. */
static const struct band decode_measured = {0.70, 1.00}, decode_promised = {0.60, 0.95};
static const struct band prefill_measured = {0.50, 0.95}, prefill_promised = {0.35, 0.80};
static const struct band training_measured = {0.40, 0.80}, training_promised = {0.30, 0.60};

struct band band_of(const struct contender *card, struct band measured, struct band promised)
{
    return card->measured ? measured : promised;
}

static struct estimate likely(double bound, struct band b)
{
    return within(bound, b.low, b.high);
}

/* With several users a mixture's experts are read for each of them, at worst. */
static double weights_read(const struct model_job *job, double users)
{
    const struct model_shape *s = &job->shape;

    return fmin(s->parameters, s->active_parameters * users) * job->precision->weight_bytes;
}

struct decode {
    const struct model_job *job;
    const struct contender *card;
    double bandwidth, flops;
};

static void add_single(struct estimates *e, const struct decode *d)
{
    const double bytes = weights_read(d->job, 1);

    estimated_add(e, ESTIMATED_SPEED, "decode, one user, at most", "tokens/s",
                  likely(d->bandwidth / bytes, band_of(d->card, decode_measured, decode_promised)),
                  "{B/s} / ({} billion active parameters x {} B): every token reads them all",
                  d->bandwidth, d->job->shape.active_parameters / 1e9,
                  d->job->precision->weight_bytes);
}

static void add_batch_limit(struct estimates *e, const struct decode *d)
{
    const double users = d->flops / d->bandwidth * d->job->precision->weight_bytes / 2;

    if (!isfinite(users))
        return;
    estimated_add(e, ESTIMATED_SPEED, "users until arithmetic limits", "", within(users, 0.7, 1.3),
                  "{FLOP/s} ({w}) / {B/s} x {} B / 2 flops: up to there a further user costs the "
                  "weights nothing",
                  d->flops, d->job->precision->compute, d->bandwidth,
                  d->job->precision->weight_bytes);
}

static void add_batch(struct estimates *e, const struct decode *d)
{
    const struct model_job *job = d->job;
    const double cache = model_cache_token(job) * job->users * job->context;
    const double bytes = weights_read(job, job->users) + (isfinite(cache) ? cache : 0);
    const double moving = bytes / d->bandwidth;
    const double working = 2 * job->shape.active_parameters * job->users / d->flops;
    const double step = isfinite(working) ? fmax(moving, working) : moving;

    if (job->users <= 1 && !isfinite(cache))
        return;
    estimated_add(e, ESTIMATED_SPEED, "decode, all users, at most", "tokens/s",
                  likely(job->users / step, band_of(d->card, decode_measured, decode_promised)),
                  "{n} users / {s}, the greater of {B} of weights and cache / {B/s} and 2 x {} "
                  "billion flops x {n} / {FLOP/s}",
                  job->users, step, bytes, d->bandwidth, job->shape.active_parameters / 1e9,
                  job->users, d->flops);
}

/* Weights that do not fit stay in host memory and pass over the link for every token. */
static void add_spilled(struct estimates *e, const struct decode *d, struct estimate needed)
{
    const struct reached *size = contender_figure(d->card, "memory size");
    const struct estimate link = link_rate_up(d->card, "pinned");
    const double weights = model_weight_bytes(d->job);
    double share, read, seconds;

    if (size == NULL || needed.value <= size->value.value)
        return;
    estimated_note(e, "On one card not all of it fits: speeds above are those of a card that had "
                      "the room.");
    if (!isfinite(link.value)) {
        estimated_note(e, "Speed with weights in host memory is left out: the link is not known.");
        return;
    }
    share = fmin(1, (needed.value - size->value.value) / weights);
    read = weights_read(d->job, 1);
    seconds = read * (1 - share) / d->bandwidth + read * share / link.value;
    estimated_add(e, ESTIMATED_SPEED, "decode, weights spilled", "tokens/s",
                  likely(1 / seconds, band_of(d->card, decode_measured, decode_promised)),
                  "{%} of the weights over the link: 1 / ({B} / {B/s} + {B} / {B/s})", share,
                  read * (1 - share), d->bandwidth, read * share, link.value);
}

static void add_prefill(struct estimates *e, const struct decode *d)
{
    const double active = d->job->shape.active_parameters;

    if (!isfinite(d->flops))
        return;
    estimated_add(
        e, ESTIMATED_SPEED, "prefill, at most", "tokens/s",
        likely(d->flops / (2 * active), band_of(d->card, prefill_measured, prefill_promised)),
        "{FLOP/s} ({w}) / (2 flops x {} billion active parameters); attention not counted",
        d->flops, d->job->precision->compute, active / 1e9);
}

void estimate_serving(struct estimates *e, const struct model_job *job,
                      const struct contender *card)
{
    const struct estimate needed = estimate_serving_memory(e, job, card);
    const struct decode d = {job, card, figure_or_note(e, card, "memory bandwidth"),
                             figure_or_note(e, card, job->precision->compute)};

    if (isfinite(d.bandwidth)) {
        add_single(e, &d);
        add_batch_limit(e, &d);
        add_batch(e, &d);
        add_spilled(e, &d, needed);
    }
    add_prefill(e, &d);
}

void estimate_training(struct estimates *e, const struct model_job *job,
                       const struct contender *card)
{
    const double flops = figure_or_note(e, card, job->precision->compute);
    const double active = job->shape.active_parameters;

    estimate_training_memory(e, job, card);
    if (!isfinite(flops))
        return;
    estimated_add(e, ESTIMATED_SPEED, "training, at most", "tokens/s",
                  likely(flops / (6 * active), band_of(card, training_measured, training_promised)),
                  "{FLOP/s} ({w}) / (6 flops x {} billion active parameters)", flops,
                  job->precision->compute, active / 1e9);
}
