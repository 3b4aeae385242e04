/* The plan's time: how it is shared out, and what is left out to keep it. */
#include "harness/measure/budget.h"
#include "tests/measure/fake_run.h"

#include <criterion/criterion.h>

TestSuite(plan, .init = open_run, .fini = close_run);

Test(plan, what_an_experiment_leaves_or_overdraws_is_shared_by_those_after_it)
{
    struct budget b;

    budget_begin(&b, &fake_wall, 100, 4);
    budget_enter(&b, 1);
    cr_expect_float_eq(b.until, 25, 1e-9);
    fake.now = 10;
    budget_enter(&b, 2);
    cr_expect_float_eq(b.until, 70, 1e-9);
    fake.now = 120;
    budget_enter(&b, 1);
    cr_expect_float_eq(b.until, 120, 1e-9, "nothing is left");
    cr_expect_eq(budget_left(&b), 0);
}

Test(plan, what_is_promised_cannot_be_promised_again)
{
    struct budget b;

    budget_begin(&b, &fake_wall, 10, 1);
    budget_enter(&b, 1);
    cr_expect(budget_admits(&b, 10));
    b.promised = 6;
    cr_expect(budget_admits(&b, 4));
    cr_expect_not(budget_admits(&b, 4.1));
    fake.now = 10.5;
    cr_expect_not(budget_overdrawn(&b));
    fake.now = 11.5;
    cr_expect(budget_overdrawn(&b));
}

static const struct experiment heavy = {.name = "heavy",
                                        .summary = "far more points than time",
                                        .axis = {{.name = "x", .first = 0, .last = 499, .step = 1}},
                                        .prepare = prepare_mishaps};

Test(plan, curve_points_are_left_out_to_keep_within_the_plan)
{
    run.plan = PLAN_QUICK;
    once = 20e-3; /* 500 rows of 9 would take 90 s */
    cr_expect_eq(measure(&heavy, NULL), 0);
    cr_expect_leq(fake.now, 15.0);
    cr_expect_geq(fake.now, 10.0, "and time is used: %g s", fake.now);
    cr_expect_eq(row_of(0)->status, ROW_OK);
    cr_expect_eq(row_of(499)->status, ROW_OK);
    cr_expect_eq(row_of(HEADLINE_POINT)->value.n, 20);
    cr_expect_gt(rows_with(ROW_SKIPPED), 300);
    cr_expect_str_eq(row_of(1)->reason, "left out to keep within the 15 s of the quick plan");
    cr_expect_eq(row_of(0)->value.n, 9);
}

Test(plan, headline_rows_are_measured_though_they_break_the_plan)
{
    run.plan = PLAN_QUICK;
    once = 1.0;
    cr_expect_eq(measure(&mishaps, NULL), 0);
    cr_expect_eq(row_of(HEADLINE_POINT)->value.n, 20);
    cr_expect_eq(rows_with(ROW_OK), 1);
}

Test(plan, time_that_an_experiment_leaves_goes_to_the_next)
{
    run.plan = PLAN_QUICK;
    once = 20e-3;
    cr_expect_eq(measure(&plain, &heavy), 0); /* the first needs 2 s of 7 */
    cr_expect_leq(fake.now, 15.0);
    cr_expect_geq(fake.now, 12.0, "%g s", fake.now);
}

Test(plan, a_slow_check_counts_against_the_plan)
{
    run.plan = PLAN_QUICK;
    fake.overhead = 50e-3;
    once = 1e-3;
    cr_expect_eq(measure(&heavy, NULL), 0);
    cr_expect_leq(fake.now, 15.0, "%g s", fake.now);
}

/* Work that becomes slower than its calibration: curve rows stop with the samples they have. */
static int slows_down(struct trial *t)
{
    struct fake_args *a = t->args;

    if (t->once_seconds > 0 && a->id >= 0)
        a->seconds = once;
    return 0;
}

static int prepare_slowing(struct trial *t)
{
    const int result = prepare_plain(t);
    struct fake_args *a = t->args;

    a->seconds = once / 2;
    return result;
}

Test(plan, rows_whose_estimate_was_too_low_end_early_with_what_they_have)
{
    const struct experiment slowing = {.name = "slowing",
                                       .summary = "",
                                       .axis = {{.name = "x", .first = 0, .last = 499, .step = 1}},
                                       .prepare = prepare_slowing,
                                       .check = slows_down};
    run.plan = PLAN_QUICK;
    once = 0.2;
    cr_expect_eq(measure(&slowing, NULL), 0);
    cr_expect_leq(fake.now, 16.0, "%g s", fake.now);
    cr_expect_geq(rows_with(ROW_OK), 1);
}
