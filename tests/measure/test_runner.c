/* Whole runs on fake devices: order, statuses, peers, interruption. */
#include "tests/measure/fake_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(runner, .init = open_run, .fini = close_run);

Test(runner, rows_come_in_axis_order_with_values_and_records)
{
    cr_expect_eq(measure(&plain, NULL), 0);
    cr_assert_eq(report.measurement_count, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct measurement *m = &report.measurements[i];
        cr_expect_eq(parameters_number(&m->parameters, "x"), (double)i);
        cr_expect_eq(m->status, ROW_OK);
        cr_expect_eq(m->value.n, 20);
        cr_expect_float_eq(m->value.median, once, 1e-9);
        cr_expect_str_eq(m->experiment, "plain");
        cr_expect_str_eq(m->device, "cuda0");
        cr_expect_str_eq(m->role, "plain");
        cr_expect_str_eq(m->check, "none");
        cr_expect_str_eq(m->timed_by, "events");
    }
    cr_expect(report.complete);
    cr_expect_str_eq(report.experiments[0].summary, "plain points");
    cr_expect_str_eq(report.devices[0].id, "cuda0");
    cr_expect_eq(report.figure_count, 1);
    cr_expect_eq(fake.allocated, 1);
    cr_expect_eq(saves, 1);
    cr_expect_gt(tellings, 2);
}

Test(runner, every_point_ends_as_its_functions_say)
{
    cr_expect_eq(measure(&mishaps, NULL), 0);
    cr_assert_eq(report.measurement_count, 9);
    cr_expect_null(row_of(OMITTED_POINT));
    cr_expect_eq(row_of(SKIPPED_POINT)->status, ROW_SKIPPED);
    cr_expect_str_eq(row_of(SKIPPED_POINT)->reason, "no such thing as 3");
    cr_expect_eq(row_of(WRONG_POINT)->status, ROW_WRONG);
    cr_expect_str_eq(row_of(WRONG_POINT)->check, "wrong");
    cr_expect_eq(row_of(WRONG_POINT)->samples, 0);
    cr_expect(isnan(row_of(WRONG_POINT)->value.median));
    cr_expect_eq(row_of(HEADLINE_POINT)->value.n, 51);
    cr_expect(row_of(HEADLINE_POINT)->headline);
    cr_expect_eq(row_of(0)->value.n, 20);
    cr_expect_str_eq(row_of(0)->check, "ok");
    cr_expect_str_eq(parameters_word(&row_of(0)->parameters, "made"), "by prepare");
}

Test(runner, a_wrong_answer_is_never_timed)
{
    size_t runs = 0;

    measure(&mishaps, NULL);
    for (size_t i = 0; i < fake.logged; i++)
        runs += fake.log[i].id == WRONG_POINT;
    cr_expect_eq(runs, 1 + 3, "only the checked executions, not %zu", runs);
    cr_expect_eq(row_of(WRONG_POINT)->rechecks_wrong, 3);
    cr_expect_eq(row_of(WRONG_POINT)->rechecks_alike, FLAG_YES);
    cr_expect(isnan(row_of(0)->rechecks_wrong));
}

Test(runner, refused_memory_skips_rows_and_the_run_goes_on)
{
    fake.refuse = true;
    cr_expect_eq(measure(&plain, NULL), 0);
    cr_expect_eq(rows_with(ROW_SKIPPED), 10);
    cr_expect(report.complete);
}

/* Rows of equal size take one sample each round. */
Test(runner, samples_of_all_rows_are_interleaved)
{
    const size_t samples = 20 * 10;
    size_t first, taken = 0, seen[10] = {0};

    measure(&plain, NULL);
    first = fake.logged - 2 * samples; /* each with an untimed execution before it */
    for (size_t i = first + 1; i < fake.logged; i += 2, taken++) {
        cr_expect_eq(seen[fake.log[i].id], taken / 10);
        seen[fake.log[i].id]++;
    }
}

Test(runner, a_seed_orders_samples_and_another_orders_them_otherwise)
{
    static struct fake first;

    measure(&plain, NULL);
    first = fake;
    fake_reset();
    measure(&plain, NULL);
    cr_expect_eq(first.logged, fake.logged);
    cr_expect_arr_eq(first.log, fake.log, fake.logged * sizeof fake.log[0]);
    fake_reset();
    run.seed = 6;
    measure(&plain, NULL);
    cr_expect(memcmp(first.log, fake.log, fake.logged * sizeof fake.log[0]));
}

Test(runner, a_lost_device_fails_its_rows_and_the_others_go_on)
{
    run.device_count = 2;
    fake.lose_at = 100;
    cr_expect_eq(measure(&plain, &mishaps), 0);
    for (size_t i = 0; i < report.measurement_count; i++) {
        const struct measurement *m = &report.measurements[i];
        if (strcmp(m->device, "cuda0"))
            continue;
        cr_expect_eq(m->status, ROW_FAILED);
        cr_expect_str_eq(m->reason, "the card fell off the bus");
    }
    cr_expect_str_eq(report.devices[0].unusable, "the card fell off the bus");
    cr_expect_null(report.devices[1].unusable);
    cr_expect_eq(rows_with(ROW_OK), 10 + 7);
    cr_expect_eq(saves, 4);
}

Test(runner, a_device_that_could_not_be_opened_has_one_failed_row_an_experiment)
{
    devices[0].lost = true;
    device_fail(&devices[0], "the card is in exclusive mode");
    run.device_count = 2;
    cr_expect_eq(measure(&plain, &mishaps), 0);
    cr_expect_eq(rows_with(ROW_FAILED), 2);
    cr_expect_str_eq(report.measurements[0].reason, "the card is in exclusive mode");
    cr_expect_str_eq(report.measurements[0].role, "plain");
    cr_expect_str_eq(report.devices[0].unusable, "the card is in exclusive mode");
    cr_expect_eq(rows_with(ROW_OK), 10 + 7);
}

/* ---- interruption ---- */

Test(runner, a_stop_keeps_rows_with_enough_samples_and_says_so_of_the_others)
{
    fake.stop_at = 10 + 20 + 2 * (10 * 7); /* about seven rounds after the probes */
    cr_expect_eq(measure(&plain, &mishaps), -1);
    cr_expect_not(report.complete);
    cr_expect_eq(report.measurement_count, 10);
    for (size_t i = 0; i < 10; i++) {
        const struct measurement *m = &report.measurements[i];
        if (m->status == ROW_OK)
            cr_expect(m->value.n >= 6 && m->value.n < 20);
        else
            cr_expect_str_eq(m->reason, "interrupted");
    }
    cr_expect_gt(rows_with(ROW_OK), 0);
    cr_expect_eq(saves, 1);
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

Test(runner, points_that_were_not_prepared_are_no_rows)
{
    run.stop = stop_at_once;
    cr_expect_eq(measure(&plain, NULL), -1);
    cr_expect_eq(report.measurement_count, 0);
}

Test(runner, an_early_stop_measures_nothing)
{
    fake.stop_at = 1;
    cr_expect_eq(measure(&plain, NULL), -1);
    cr_expect_eq(rows_with(ROW_SKIPPED), 10);
    cr_expect_leq(fake.runs, 6);
}

Test(runner, a_result_that_cannot_be_saved_ends_the_run)
{
    save_result = -1;
    cr_expect_eq(measure(&plain, &mishaps), -1);
    cr_expect_eq(saves, 1);
    cr_expect_not(report.complete);
}

/* ---- peers, warm-up, kernels that are not there ---- */

Test(runner, one_device_has_no_peer)
{
    struct experiment pair = plain;

    pair.devices = 2;
    run.device_count = 2;
    cr_expect_eq(measure(&pair, NULL), 0);
    cr_assert_eq(report.measurement_count, 2);
    cr_expect_eq(rows_with(ROW_SKIPPED), 2);
    cr_expect_not_null(report.measurements[0].reason);
}

Test(runner, two_cards_measure_each_other)
{
    struct experiment pair = plain;

    pair.devices = 2;
    devices[1].ops = &fake_card;
    run.device_count = 2;
    cr_expect_eq(measure(&pair, NULL), 0);
    cr_assert_eq(report.measurement_count, 20);
    cr_expect_str_eq(report.measurements[0].peer, "host");
    cr_expect_str_eq(report.measurements[10].peer, "cuda0");
}

Test(runner, a_device_is_warmed_before_an_experiment_but_not_a_cold_one)
{
    struct experiment cold = plain;

    measure(&plain, &mishaps);
    cr_expect_eq(fake.warmed, 2);
    cold.cold = true;
    fake.warmed = 0;
    measure(&cold, NULL);
    cr_expect_eq(fake.warmed, 0);
}

static int prepare_missing(struct trial *t)
{
    static const struct kernel none = {.name = "missing"};

    t->kernel = &none;
    t->role = "plain";
    return 0;
}

Test(runner, a_kernel_that_is_not_there_skips_the_row)
{
    const struct experiment missing = {
        .name = "missing", .summary = "", .prepare = prepare_missing};

    run.device_count = 2;
    cr_expect_eq(measure(&missing, NULL), 0);
    cr_expect_eq(rows_with(ROW_SKIPPED), 2);
    cr_expect_eq(fake.runs, 0);
}

Test(runner, a_latent_axis_is_no_parameter)
{
    const struct experiment latent = {
        .name = "latent",
        .summary = "",
        .axis = {{.name = "x", .first = 0, .last = 1, .step = 1, .latent = true}},
        .prepare = prepare_plain};

    cr_expect_eq(measure(&latent, NULL), 0);
    cr_expect_eq(report.measurement_count, 2);
    cr_expect_eq(report.measurements[0].parameters.count, 0);
}

Test(runner, samples_set_aside_are_taken_again)
{
    fake.clock_hz = 1.9e9;
    fake.slow_hz = 1e9;
    fake.slow_every = 7;
    cr_expect_eq(measure(&plain, NULL), 0);
    cr_expect_gt(fake.rested, 0);
    for (size_t i = 0; i < report.measurement_count; i++)
        cr_expect_geq(report.measurements[i].value.n, 18, "%zu", report.measurements[i].value.n);
}

Test(runner, the_estimate_is_the_plan_s_time_on_every_device)
{
    run.device_count = 2;
    cr_expect_eq(runner_estimate(&run), 120);
}
