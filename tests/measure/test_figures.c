/* What is found does not depend on how it was measured: repetitions, order, plan. */
#include "tests/measure/fake_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { POINTS = 10 };
static const double upwards[POINTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const double downwards[POINTS] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};

/* Of every trial; 0: as the sampler finds. */
static unsigned repetitions;

TestSuite(figures, .init = open_run, .fini = close_run);

static double truth_of(double x)
{
    return 1e-4 * (1 + x);
}

static int prepare_timed(struct trial *t)
{
    struct fake_args *a;

    if (prepare_plain(t))
        return -1;
    a = t->args;
    a->seconds = truth_of(trial_number(t, "x"));
    t->times = repetitions;
    t->headline = true;
    return 0;
}

/* Runs the points in that order, anew, after or before another experiment if one is given. */
static void measure_points(const double *order, const struct experiment *before,
                           const struct experiment *after)
{
    const struct experiment points = {.name = "points",
                                      .summary = "points in some order",
                                      .axis = {{.name = "x", .numbers = order, .count = POINTS}},
                                      .prepare = prepare_timed};

    report_free(&report);
    report_init(&report);
    fake.now = 0;
    cr_assert_eq(before ? measure(before, &points) : measure(&points, after), 0);
}

static double seconds_of(double x)
{
    for (size_t i = 0; i < report.measurement_count; i++)
        if (!strcmp(report.measurements[i].experiment, "points") &&
            parameters_number(&report.measurements[i].parameters, "x") == x)
            return report.measurements[i].value.median;
    return NAN;
}

static void expect_truth(const char *how, double tolerance)
{
    for (double x = 0; x < POINTS; x++)
        cr_expect_float_eq(seconds_of(x) / truth_of(x), 1, tolerance, "%s: x = %g is %g", how, x,
                           seconds_of(x));
}

static void make_noisy(void)
{
    fake.noise = 0.02;
    fake.outliers = 0.01;
}

Test(figures, repetitions_change_none)
{
    make_noisy();
    run.plan = PLAN_THOROUGH;
    for (repetitions = 1; repetitions <= 1000; repetitions *= 10) {
        measure_points(upwards, NULL, NULL);
        cr_expect_eq(report.measurements[0].repetitions, repetitions);
        expect_truth("repetitions", 0.01);
    }
    repetitions = 0;
}

Test(figures, plans_change_none)
{
    static const double tolerances[PLANS] = {0.015, 0.01, 0.01};

    make_noisy();
    for (int plan = 0; plan < PLANS; plan++) {
        run.plan = (enum plan)plan;
        measure_points(upwards, NULL, NULL);
        expect_truth(plan_names[plan], tolerances[plan]);
    }
}

/* A device that gets slower makes all rows slower alike, whichever comes first. */
Test(figures, the_order_of_points_changes_no_ratio_on_a_device_that_drifts)
{
    const double *const orders[] = {upwards, downwards};

    fake.drift = 0.05;
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        measure_points(orders[i], NULL, NULL);
        cr_expect_gt(seconds_of(0), 1.05 * truth_of(0), "it did drift");
        for (double x = 1; x < POINTS; x++)
            cr_expect_float_eq(seconds_of(x) / seconds_of(0), truth_of(x) / truth_of(0),
                               0.01 * truth_of(x) / truth_of(0));
    }
}

Test(figures, the_order_of_samples_and_of_experiments_changes_none)
{
    make_noisy();
    for (run.seed = 1; run.seed <= 5; run.seed++) {
        measure_points(upwards, &plain, NULL);
        expect_truth("after another", 0.012);
        measure_points(downwards, NULL, &plain);
        expect_truth("before another", 0.012);
    }
}
