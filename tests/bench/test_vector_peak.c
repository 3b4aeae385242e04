/* The vector peak: what it asks, that a wrong answer is seen, and what it concludes. */
#include "kernels/fma.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>

extern const struct experiment experiment_vector_peak;

enum { THREADS = 64 };

/* The body of the next executions is the host's; a card's threads are its lanes. */
static unsigned forgotten_steps;
static bool forget_last_element;

static void run_as_lanes(const struct fma_args *a)
{
    struct fma_args short_one = *a;
    const size_t last = (size_t)a->lanes * a->blocks - 1;

    short_one.steps -= forgotten_steps;
    for (size_t i = 0; i <= last - forget_last_element; i++)
        if (a->precision == FMA_FP64)
            ((double *)a->out)[i] = fma_reference(&short_one, (unsigned)(i % a->lanes));
        else
            ((float *)a->out)[i] = (float)fma_reference(&short_one, (unsigned)(i % a->lanes));
}

static void body(const struct kernel *k, const void *args)
{
    cr_assert_eq(k, &kernel_fma);
    run_as_lanes(args);
}

static void plan(const struct kernel *k, void *args)
{
    struct fma_args *a = args;

    cr_assert_eq(k, &kernel_fma);
    a->lanes = THREADS;
    a->blocks = 4;
}

static struct fake_card card;

static void open_card(bool host)
{
    forgotten_steps = 0;
    forget_last_element = false;
    fake_card_open(&card, body, plan, host);
}

Test(vector_peak, declares_the_work_of_what_it_launches)
{
    open_card(false);
    cr_assert_eq(fake_card_prepare(&card, &experiment_vector_peak, FMA_FP32, 4), 0);
    const struct fma_args *a = card.trial.args;
    cr_expect_eq(card.trial.work.flops, 2.0 * a->steps * 4 * THREADS * 4);
    cr_expect_eq(a->steps * 4 % FMA_TRIP, 0);
    cr_expect(card.trial.headline);
    cr_expect_str_eq(card.trial.role, "vector_peak");
    cr_expect_eq(card.trial.timed_by, TIMED_BY_EVENTS);
    fake_card_close(&card);
}

Test(vector_peak, twelve_chains_are_the_hosts)
{
    open_card(false);
    cr_expect_eq(fake_card_prepare(&card, &experiment_vector_peak, FMA_FP32, FMA_CHAINS_MAX), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
    open_card(true);
    cr_expect_eq(fake_card_prepare(&card, &experiment_vector_peak, FMA_FP32, FMA_CHAINS_MAX), 0);
    cr_expect(card.trial.headline);
    cr_expect_eq(card.trial.timed_by, TIMED_BY_HOST);
    cr_expect(parameters_word(&card.row.parameters, "simd"));
    fake_card_close(&card);
}

static int checked(double precision, double chains)
{
    cr_assert_eq(fake_card_prepare(&card, &experiment_vector_peak, precision, chains), 0);
    return experiment_vector_peak.check(&card.trial);
}

Test(vector_peak, right_answers_pass)
{
    open_card(false);
    for (int chains = 1; chains <= 8; chains *= 2) {
        cr_expect_eq(checked(FMA_FP32, chains), 0);
        cr_expect_eq(checked(FMA_FP64, chains), 0);
    }
    fake_card_close(&card);
}

Test(vector_peak, a_missing_step_and_an_element_left_out_are_wrong)
{
    open_card(false);
    forgotten_steps = 1;
    cr_expect_eq(checked(FMA_FP32, 4), -1);
    cr_expect_eq(card.row.status, ROW_WRONG);
    forgotten_steps = 0;
    forget_last_element = true;
    cr_expect_eq(checked(FMA_FP64, 8), -1);
    cr_expect_eq(card.row.status, ROW_WRONG);
    fake_card_close(&card);
}

static struct measurement *add_row(struct report *r, const char *precision, double ilp,
                                   double flops_per_second)
{
    struct measurement *m = rows_add(r, "vector_peak", 5e-3, metric_flops,
                                     (struct work){NAN, 5e-3 * flops_per_second, NAN});

    parameters_set_word(&m->parameters, "precision", precision);
    parameters_set_number(&m->parameters, "ilp", ilp);
    m->telemetry = telemetry_unknown;
    m->telemetry.sm_clock_hz = 1e9;
    return m;
}

Test(vector_peak, concludes_the_best_and_its_share_of_the_clock)
{
    const char *const fp32[] = {"precision", "fp32", NULL}, *const fp64[] = {"precision", "fp64",
                                                                             NULL};
    struct facts facts;
    struct report r;

    facts_init(&facts);
    report_init(&r);
    facts.units = 100;
    facts.capability = xstrdup("9.0");
    add_row(&r, "fp32", 1, 10e12);
    add_row(&r, "fp32", 4, 24e12);
    add_row(&r, "fp64", 4, 6e12)->telemetry.sm_clock_hz = NAN;
    rows_conclude(&r, &experiment_vector_peak, &facts);
    cr_expect_float_eq(rows_figure(&r, "vector_peak", "best", fp32), 24e12, 1e10);
    /* 128 FMAs a clock on each of 100 SMs at 1 GHz are 25.6 TFLOP/s. */
    cr_expect_float_eq(rows_figure(&r, "vector_peak", "share_of_clock_peak", fp32), 24 / 25.6,
                       1e-3);
    cr_expect_float_eq(rows_figure(&r, "vector_peak", "best", fp64), 6e12, 1e10);
    cr_expect(isnan(rows_figure(&r, "vector_peak", "share_of_clock_peak", fp64)));
    report_free(&r);
    facts_free(&facts);
}

Test(vector_peak, an_unknown_card_gets_no_share)
{
    const char *const fp32[] = {"precision", "fp32", NULL};
    struct facts facts;
    struct report r;

    facts_init(&facts);
    report_init(&r);
    facts.units = 100;
    facts.capability = xstrdup("99.0");
    add_row(&r, "fp32", 4, 24e12);
    rows_conclude(&r, &experiment_vector_peak, &facts);
    cr_expect_float_eq(rows_figure(&r, "vector_peak", "best", fp32), 24e12, 1e10);
    cr_expect(isnan(rows_figure(&r, "vector_peak", "share_of_clock_peak", fp32)));
    report_free(&r);
    facts_free(&facts);
}
