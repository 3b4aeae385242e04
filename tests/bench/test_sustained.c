/* The sustained product: when it is asked, that it is checked, and what its time line says. */
#include "kernels/gemm.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct experiment experiment_sustained;

/* Products are never computed: the poison stays. */
static void body(const struct kernel *k, const void *args)
{
    if (k == &kernel_fill)
        kernel_fill.host(args, 0, 1);
}

static void plan(const struct kernel *k, void *args)
{
    (void)k;
    (void)args;
}

static struct fake_card card;

/* Prepares the only point in that plan. */
static int prepare(enum plan which, size_t memory, bool host)
{
    fake_card_open(&card, body, plan, host);
    card.store.device_limit = memory;
    fake_card_prepare(&card, &experiment_sustained, 0, 0);
    cr_assert(card.trial.omitted, "the quick plan does not ask it");
    card.trial.plan = which;
    card.trial.omitted = false;
    return experiment_sustained.prepare(&card.trial);
}

enum { MIB = 1 << 20 };

Test(sustained, takes_six_seconds_or_a_minute)
{
    cr_assert_eq(prepare(PLAN_STANDARD, 200 * MIB, false), 0);
    cr_expect_eq(card.trial.samples, 60);
    cr_expect_eq(card.trial.sample_seconds, 0.1);
    cr_expect(card.trial.headline);
    fake_card_close(&card);
    cr_assert_eq(prepare(PLAN_THOROUGH, 200 * MIB, false), 0);
    cr_expect_eq(card.trial.samples, 600);
    fake_card_close(&card);
}

Test(sustained, is_no_question_to_the_host)
{
    cr_expect_eq(prepare(PLAN_STANDARD, 200 * MIB, true), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}

Test(sustained, needs_room)
{
    cr_expect_eq(prepare(PLAN_STANDARD, 65 * MIB, false), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    fake_card_close(&card);
}

Test(sustained, a_product_that_is_not_computed_is_wrong)
{
    cr_assert_eq(prepare(PLAN_STANDARD, 72 * MIB, false), 0);
    cr_expect_neq(experiment_sustained.check(&card.trial), 0);
    cr_expect_eq(card.row.status, ROW_WRONG);
    fake_card_close(&card);
}

Test(sustained, zeros_are_a_third_as_long_and_no_headline)
{
    cr_assert_eq(prepare(PLAN_STANDARD, 200 * MIB, false), 0);
    fake_card_prepare(&card, &experiment_sustained, 1, 0);
    card.trial.plan = PLAN_STANDARD;
    card.trial.omitted = false;
    cr_assert_eq(experiment_sustained.prepare(&card.trial), 0);
    cr_expect_eq(card.trial.samples, 20);
    cr_expect_not(card.trial.headline);
    const struct gemm_args *a = card.trial.args;
    cr_expect_eq(a->a, a->b);
    cr_expect_eq(((const unsigned short *)a->a)[12345], 0);
    fake_card_close(&card);
}

/* A series of 60 readings: 10 % of it at the first rate, the rest at the second. */
static void add_series(struct report *r, const char *data, double burst, double kept, double watts)
{
    const struct work work = {NAN, 1e12, NAN};
    struct measurement *m = rows_add(r, "sustained", 4e-3, metric_flops, work);

    parameters_set_word(&m->parameters, "data", data);
    m->readings = 60;
    m->timeline = calloc(m->readings, sizeof *m->timeline);
    for (size_t i = 0; i < m->readings; i++) {
        m->timeline[i].value = i < 6 ? burst : kept;
        m->timeline[i].state = telemetry_unknown;
        m->timeline[i].state.power_watts = watts;
    }
}

Test(sustained, burst_and_sustained_are_told_apart)
{
    struct report r;

    report_init(&r);
    add_series(&r, "random", 300e12, 240e12, 400);
    rows_conclude(&r, &experiment_sustained, NULL);
    cr_expect_eq(rows_figure(&r, "sustained", "burst", NULL), 300e12);
    cr_expect_eq(rows_figure(&r, "sustained", "sustained", NULL), 240e12);
    cr_expect_float_eq(rows_figure(&r, "sustained", "sustained_over_burst", NULL), 0.8, 1e-12);
    cr_expect_float_eq(rows_figure(&r, "sustained", "flops_per_watt", NULL), 0.6e12, 1);
    cr_expect(isnan(rows_figure(&r, "sustained", "zeros_over_random", NULL)));
    report_free(&r);
}

Test(sustained, zeros_stand_beside_random_data)
{
    struct report r;

    report_init(&r);
    add_series(&r, "zeros", 300e12, 270e12, 300);
    add_series(&r, "random", 300e12, 240e12, 400);
    rows_conclude(&r, &experiment_sustained, NULL);
    cr_expect_eq(rows_figure(&r, "sustained", "sustained", NULL), 240e12);
    cr_expect_float_eq(rows_figure(&r, "sustained", "zeros_over_random", NULL), 1.125, 1e-12);
    cr_expect_float_eq(rows_figure(&r, "sustained", "zeros_power_over_random", NULL), 0.75, 1e-12);
    report_free(&r);
}

Test(sustained, without_power_there_is_no_work_per_joule)
{
    struct report r;

    report_init(&r);
    add_series(&r, "random", 240e12, 240e12, NAN);
    rows_conclude(&r, &experiment_sustained, NULL);
    cr_expect_eq(rows_figure(&r, "sustained", "sustained", NULL), 240e12);
    cr_expect(isnan(rows_figure(&r, "sustained", "flops_per_watt", NULL)));
    report_free(&r);
}
