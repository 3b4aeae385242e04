/* The walk along the roofline vouches for the roofs, or disowns them. */
#include "harness/analysis/meaning.h"
#include "harness/analysis/roof_proof.h"
#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { READ = 1, PEAK = 20 }; /* TB/s, TFLOP/s: the ridge is at 20 FLOP/B */

static struct report r;

static void begin(void)
{
    report_init(&r);
    sample_card(&r);
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, READ * 1e12)->parameters,
        "operation", "read");
    parameters_set_word(
        &sample_row(&r, "cuda0", "vector_peak", metric_flops, PEAK * 1e12)->parameters, "precision",
        "fp32");
}

static void end(void)
{
    report_free(&r);
}

TestSuite(roof_proof, .init = begin, .fini = end);

/* A row at that intensity with that part of what the roofs allow. */
static void walk(double flop_per_byte, double share)
{
    const double allowed = fmin(PEAK, READ * flop_per_byte) * 1e12;
    struct measurement *m = sample_row(&r, "cuda0", "intensity", metric_flops, share * allowed);

    m->work = (struct work){1e9, flop_per_byte * 1e9, NAN};
}

static bool holds(void)
{
    struct roof_proof p;

    analysis_derive(&r);
    cr_assert(roof_proof_of(&r, "cuda0", &p));
    return p.holds;
}

static void expect_said(const char *words)
{
    struct text t = TEXT_EMPTY;

    analysis_derive(&r);
    meaning_of(&t, &r, "cuda0", "intensity");
    cr_expect(strstr(text_chars(&t), words) != NULL, "'%s' is not in: %s", words, text_chars(&t));
    text_free(&t);
}

Test(roof_proof, ten_per_cent_are_tolerated)
{
    walk(0.5, 0.91);
    walk(200, 1.09);
    cr_expect(holds());
    expect_said("keeps to the roofs from 0.500 to 200 FLOP/B, never below 91 %");
}

Test(roof_proof, more_on_the_slope_disowns_them)
{
    walk(0.5, 0.89);
    walk(200, 1);
    cr_expect(!holds());
    expect_said("at 0.500 FLOP/B a kernel does 445 GFLOP/s where they allow 500 GFLOP/s");
}

Test(roof_proof, faster_than_allowed_disowns_them_too)
{
    walk(200, 1.11);
    cr_expect(!holds());
}

Test(roof_proof, intervals_may_bridge_the_gap)
{
    walk(0.5, 0.84);
    cr_expect(!holds());
    r.measurements[r.measurement_count - 1].value.ci_high = 0.92 * READ * 0.5e12;
    cr_expect(holds());
    expect_said("as the noise lets see (84 % of what they allow at the lowest)");
}

Test(roof_proof, the_knee_is_round)
{
    walk(19, 0.86);
    cr_expect(holds());
    walk(21, 0.84);
    cr_expect(!holds());
}

Test(roof_proof, without_a_roof_there_is_nothing_to_prove)
{
    struct roof_proof p;

    analysis_derive(&r);
    cr_expect(!roof_proof_of(&r, "cuda0", &p));
    walk(1, 1);
    analysis_derive(&r);
    cr_expect(!roof_proof_of(&r, "host", &p));
}
