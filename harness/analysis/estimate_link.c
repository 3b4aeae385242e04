/* Time on the link, and from where on a card beats the host for all its copying. */
#include "harness/analysis/estimate.h"
#include "harness/analysis/estimate_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What links are known to give of their rate after the line code (gen3 12 to 13 of 15.8 GB/s, gen4
 * 24 to 26 of 31.5, gen5 52 to 57 of 63), what pageable copies give of pinned ones (a half to a
 * fifth), and what a copy costs to start. */
static const struct estimate link_share = {0.82, 0.76, 0.90}, pageable_share = {0.33, 0.2, 0.5};
static const struct estimate startup_usual = {10e-6, 5e-6, 20e-6};

static struct estimate scaled(double value, struct estimate share)
{
    return (struct estimate){value * share.value, value * share.low, value * share.high};
}

static const struct reached *figure_of(const struct contender *card, const char *figure,
                                       const char *memory)
{
    char *name = xasprintf("%s, %s", figure, memory);
    const struct reached *f = contender_figure(card, name);

    free(name);
    return f;
}

/* A fit's interval says how well the link was measured; a run tomorrow differs by more. */
static struct estimate at_least(struct estimate e, double share)
{
    return (struct estimate){e.value, fmin(e.value * (1 - share), isnan(e.low) ? e.value : e.low),
                             fmax(e.value * (1 + share), isnan(e.high) ? e.value : e.high)};
}

struct estimate link_rate_up(const struct contender *card, const char *memory)
{
    const struct reached *f = figure_of(card, "host to device", memory);
    struct estimate pinned;

    if (f != NULL && !f->exact)
        return at_least(f->value, 0.05);
    if (f != NULL)
        return scaled(f->value.value, link_share);
    if (strcmp(memory, "pageable") != 0)
        return (struct estimate){NAN, NAN, NAN};
    pinned = link_rate_up(card, "pinned");
    return scaled(pinned.value, pageable_share);
}

struct estimate link_startup_up(const struct contender *card, const char *memory)
{
    const struct reached *f = figure_of(card, "host to device, start-up", memory);

    return f != NULL ? at_least(f->value, 0.2) : startup_usual;
}

/* The order of low and high turns round: a low rate means a long time. */
static struct estimate copy_seconds(double bytes, double copies, struct estimate rate,
                                    struct estimate startup)
{
    return (struct estimate){copies * startup.value + bytes / rate.value,
                             copies * startup.low + bytes / rate.high,
                             copies * startup.high + bytes / rate.low};
}

static struct estimate add_copy(struct estimates *e, const struct contender *card, double bytes,
                                double copies, const char *memory)
{
    const struct estimate rate = link_rate_up(card, memory);
    const struct estimate startup = link_startup_up(card, memory);
    const struct estimate seconds = copy_seconds(bytes, copies, rate, startup);
    char *name = copies == 1 ? xasprintf("one %s copy", memory)
                             : xasprintf("%.0f %s copies", copies, memory);

    if (isfinite(rate.value))
        estimated_add(e, ESTIMATED_LINK, name, "s", seconds, "{n} x {s} + {} GB / {B/s}", copies,
                      startup.value, bytes / 1e9, rate.value);
    free(name);
    return seconds;
}

/* What the kernel takes that the data is for, by the roofline. */
static double kernel_seconds(struct estimates *e, const struct contender *card, double bytes,
                             double flop_per_byte)
{
    const double bandwidth = figure_or_note(e, card, "memory bandwidth");
    const double flops = flop_per_byte > 0 ? figure_or_note(e, card, "FP32 FMA") : INFINITY;

    return bytes * fmax(1 / bandwidth, flop_per_byte / flops);
}

static void add_share(struct estimates *e, const struct contender *card, struct estimate copy,
                      double bytes, double flop_per_byte)
{
    const double kernel = kernel_seconds(e, card, bytes, flop_per_byte);
    const struct estimate share = {copy.value / (copy.value + kernel),
                                   copy.low / (copy.low + kernel * 1.3),
                                   copy.high / (copy.high + kernel)};

    if (!isfinite(share.value))
        return;
    estimated_add(e, ESTIMATED_LINK, "share of the time on the link", "%", share,
                  "{s} / ({s} + {s}), a kernel that reads the data once and does {} flops a byte",
                  copy.value, copy.value, kernel, flop_per_byte);
}

void estimate_link(struct estimates *e, const struct contender *card, double bytes, double items,
                   double flop_per_byte)
{
    const struct estimate one = add_copy(e, card, bytes, 1, "pinned");

    if (!isfinite(one.value)) {
        estimated_note(e, "The link of {w} is not known.", card->name);
        return;
    }
    if (!card->measured)
        estimated_note(e, "Of the datasheet's link 76 to 90 % are taken to be real, a half to a "
                          "fifth of that for pageable memory, and 5 to 20 us to start a copy.");
    if (items > 1) {
        add_copy(e, card, bytes, items, "pinned");
        add_copy(e, card, bytes, items, "pageable");
    } else {
        add_copy(e, card, bytes, 1, "pageable");
    }
    add_share(e, card, one, bytes, flop_per_byte);
}

struct rivals {
    double link, startup;              /* B/s and s of a pinned copy */
    double card_bandwidth, card_flops; /* B/s, FLOP/s */
    double host_bandwidth, host_flops;
};

/* Flops for every byte copied from which the card is ahead: below it the copy costs more than the
 * host's whole work.  0: always; INFINITY: never. */
static double breakeven_intensity(const struct rivals *r)
{
    const double copying = 1 / r->link, reading = 1 / r->card_bandwidth;
    double intensity;

    if (copying + reading < 1 / r->host_bandwidth)
        return 0;
    intensity = r->host_flops * (copying + reading);
    if (intensity <= r->card_flops / r->card_bandwidth)
        return intensity;
    return r->card_flops > r->host_flops ? copying / (1 / r->host_flops - 1 / r->card_flops)
                                         : INFINITY;
}

/* Copies of two matrices up and one down, and the product, in seconds. */
static double product_on_card(const struct rivals *r, double n, double bytes, double flops)
{
    return 3 * (r->startup + n * n * bytes / r->link) + 2 * n * n * n / flops;
}

/* The least size, to a unit; INFINITY where there is none below a million. */
static double breakeven_size(const struct rivals *r, double bytes, double card, double host)
{
    double low = 1, high = 1;

    while (product_on_card(r, high, bytes, card) >= 2 * high * high * high / host) {
        if (high > 1e6)
            return INFINITY;
        low = high;
        high *= 2;
    }
    while (high - low > 0.5) {
        const double middle = (low + high) / 2;

        if (product_on_card(r, middle, bytes, card) >= 2 * middle * middle * middle / host)
            low = middle;
        else
            high = middle;
    }
    return ceil(high);
}

static void add_intensity(struct estimates *e, const struct rivals *r)
{
    const double intensity = breakeven_intensity(r);

    if (isnan(intensity))
        return;
    if (isinf(intensity)) {
        estimated_note(e, "No amount of FP32 work makes the card worth the copy: the host is "
                          "faster at it.");
        return;
    }
    estimated_add(e, ESTIMATED_BREAKEVEN, "work from which the card wins", "FLOP/B",
                  within(intensity, 0.7, 1.5),
                  intensity > 0 ? "copy at {B/s} and work at {B/s} and {FLOP/s} against {B/s} and "
                                  "{FLOP/s} on the host: flops for every byte copied"
                                : "the link ({B/s}; then {B/s} and {FLOP/s}) is faster than the "
                                  "host's memory ({B/s}; {FLOP/s}): always",
                  r->link, r->card_bandwidth, r->card_flops, r->host_bandwidth, r->host_flops);
}

static void add_size(struct estimates *e, const struct rivals *r, const struct contender *card,
                     const struct contender *host)
{
    const double on_card = figure_or_note(e, card, "FP32 GEMM");
    const double on_host = figure_or_note(e, host, "FP32 GEMM");
    const double size = breakeven_size(r, 4, on_card, on_host);

    if (!isfinite(on_card) || !isfinite(on_host))
        return;
    if (isinf(size)) {
        estimated_note(e, "No FP32 matrix product is faster on the card, copies included.");
        return;
    }
    estimated_add(e, ESTIMATED_BREAKEVEN, "N of the N x N product from which the card wins", "",
                  within(size, 0.5, 2),
                  "2 N^3 / {FLOP/s} on the host > 3 x ({s} + 4 N^2 B / {B/s}) + 2 N^3 / {FLOP/s}",
                  on_host, r->startup, r->link, on_card);
}

void estimate_breakeven(struct estimates *e, const struct contender *card,
                        const struct contender *host)
{
    const struct rivals r = {
        .link = link_rate_up(card, "pinned").value,
        .startup = link_startup_up(card, "pinned").value,
        .card_bandwidth = figure_or_note(e, card, "memory bandwidth"),
        .card_flops = figure_or_note(e, card, "FP32 FMA"),
        .host_bandwidth = figure_or_note(e, host, "memory bandwidth"),
        .host_flops = figure_or_note(e, host, "FP32 FMA"),
    };

    if (!isfinite(r.link)) {
        estimated_note(e, "The link of {w} is not known: no break-even.", card->name);
        return;
    }
    add_intensity(e, &r);
    add_size(e, &r, card, host);
    estimated_note(e, "Small products fall short of the rates of large ones, on both sides.");
}
