/* What rates of arithmetic mean. */
#include "harness/analysis/meanings.h"
#include "harness/analysis/precision.h"
#include "harness/analysis/roof_proof.h"

#include <math.h>
#include <string.h>

/* The smallest square size from which 90 % of the best rate is reached. */
static double size_for_most(const struct subject *s, const struct measurement *best)
{
    const char *const precision = parameters_word(&best->parameters, "precision");
    const char *const accumulate = parameters_word(&best->parameters, "accumulate");
    double size = NAN;

    for (size_t i = 0; i < s->report->measurement_count; i++) {
        const struct measurement *m = &s->report->measurements[i];
        const double n = parameters_number(&m->parameters, "n");

        if (measurement_usable(m) && m->role != NULL && strcmp(m->role, "gemm") == 0 &&
            strcmp(m->device, s->device->id) == 0 &&
            (precision == NULL || parameters_match(&m->parameters, "precision", precision)) &&
            (accumulate == NULL || parameters_match(&m->parameters, "accumulate", accumulate)) &&
            m->value.median >= 0.9 * best->value.median && !(n >= size))
            size = n;
    }
    return size;
}

static void say_types(struct text *out, const struct subject *s, const struct measurement *best)
{
    const struct measurement *fp32 = subject_best(s, "gemm", "precision", "fp32");
    struct text name = TEXT_EMPTY;

    precision_name(&name, best);
    if (fp32 == NULL || fp32 == best)
        say(out, "The fastest matrix product is {w}: {FLOP/s}.", text_chars(&name),
            best->value.median);
    else
        say(out, "Type decides: {w} does {FLOP/s}, {} times what FP32 does.", text_chars(&name),
            best->value.median, best->value.median / fp32->value.median);
    text_free(&name);
}

void meaning_of_gemm(struct text *out, const struct subject *s)
{
    const struct measurement *best = subject_best(s, "gemm", NULL, NULL);
    double size;

    if (best == NULL)
        return;
    say_types(out, s, best);
    size = size_for_most(s, best);
    if (!isnan(size))
        say(out, "Size decides too: 90 % of that takes square matrices of {n} or more.", size);
}

static void say_clock_share(struct text *out, const struct subject *s)
{
    const double share =
        subject_figure(s, "vector_peak", "share_of_clock_peak", "precision", "fp32");
    const double rate = subject_figure(s, "vector_peak", "best", "precision", "fp32");

    if (isnan(rate))
        return;
    if (isnan(share))
        say(out, "Multiply-adds in FP32 reach {FLOP/s} outside of matrix units.", rate);
    else
        say(out,
            "Multiply-adds in FP32 reach {FLOP/s}, {%} of what the units can do at the clock that "
            "was measured.",
            rate, share);
    if (share > 1.02)
        say(out, "More than is possible: the work is miscounted; do not use it.");
}

static void say_doubles(struct text *out, const struct subject *s)
{
    const double single = subject_figure(s, "vector_peak", "best", "precision", "fp32");
    const double twice = subject_figure(s, "vector_peak", "best", "precision", "fp64");
    const double ratio = single / twice;

    if (isnan(ratio))
        return;
    if (ratio > 2.5)
        say(out, "FP64 is {} times slower: a double by accident costs that.", ratio);
    else
        say(out, "FP64 runs at {%} of that.", 1 / ratio);
}

void meaning_of_vector_peak(struct text *out, const struct subject *s)
{
    say_clock_share(out, s);
    say_doubles(out, s);
}

/* Below this part of what is allowed it is the noise that reconciles. */
static const double said_of_noise = 0.85;

/* The roofline's own test. */
void meaning_of_intensity(struct text *out, const struct subject *s)
{
    struct roof_proof p;

    if (!roof_proof_of(s->report, s->device->id, &p))
        return;
    if (p.holds && p.share_least < said_of_noise)
        say(out,
            "A kernel that does more and more FMAs on what it reads comes as near to the roofs, "
            "from "
            "{} to {} FLOP/B, as the noise lets see ({%} of what they allow at the lowest): "
            "nothing "
            "speaks against them.",
            p.least, p.most, p.share_least);
    else if (p.holds)
        say(out,
            "A kernel that does more and more FMAs on what it reads keeps to the roofs from {} to "
            "{} FLOP/B, never below {%} of what they allow: they describe this device.",
            p.least, p.most, p.share_least);
    else
        say(out,
            "The roofs do not describe this device, or it changed while it was measured: at {} "
            "FLOP/B "
            "a kernel does {FLOP/s} where they allow {FLOP/s}. Do not rely on them, nor on the "
            "ridge points.",
            p.flop_per_byte, p.worst->value.median, p.allowed);
}

/* Ten launches long, a kernel loses a tenth to launching. */
void meaning_of_launch(struct text *out, const struct subject *s)
{
    const double queued = subject_figure(s, "launch", "back_to_back", NULL, NULL);
    const double waited = subject_figure(s, "launch", "round_trip", NULL, NULL);

    if (!isnan(queued))
        say(out,
            "A kernel shorter than {s} spends over a tenth of its time on being launched: give "
            "each more to do, or launch graphs.",
            9 * queued);
    if (!isnan(waited) && waited > queued)
        say(out, "Waiting for each before the next costs {s} a kernel: queue them.",
            waited - queued);
}
