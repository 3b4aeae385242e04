/* One row's series of samples: how long, how many, which are set aside, what is doubted. */
#include "harness/measure/sampler.h"
#include "harness/measure/trial_store.h"
#include "tests/measure/fake.h"

#include <criterion/criterion.h>
#include <math.h>

static const struct experiment experiment = {.name = "e"};

static struct device device;
static struct report report;
static struct trial_store store;
static struct trial trial;
static struct fake_args args;

static void open_row(void)
{
    report_init(&report);
    args = (struct fake_args){.seconds = 1e-4};
    trial = (struct trial){.experiment = &experiment,
                           .device = &device,
                           .store = &store,
                           .plan = PLAN_STANDARD,
                           .kernel = &fake_kernel,
                           .args = &args,
                           .metric = metric_bandwidth,
                           .work = {.bytes = 1e6, .flops = NAN, .operations = NAN},
                           .row = report_add_measurement(&report)};
    trial.row->status = ROW_OK;
    trial.row->metric = trial.metric;
    trial.row->work = trial.work;
}

static void open_all(void)
{
    fake_reset();
    device = fake_open(&fake_card, "cuda0");
    open_row();
}

static void close_all(void)
{
    report_free(&report);
    fake_close(&device);
}

TestSuite(sampler, .init = open_all, .fini = close_all);

/* Calibrates, takes count samples and finishes the row. */
static void measure(unsigned count)
{
    cr_assert_eq(sampler_calibrate(&trial), 0);
    for (unsigned i = 0; i < count; i++)
        cr_assert_geq(sampler_take(&trial), 0);
    sampler_finish(&trial);
}

static bool doubted(const char *doubt)
{
    return strings_have(&trial.row->doubts, doubt);
}

Test(sampler, counts_are_the_plan_s)
{
    const unsigned expected[PLANS][2] = {{9, 20}, {20, 51}, {51, 100}};

    for (int plan = 0; plan < PLANS; plan++)
        for (int headline = 0; headline < 2; headline++) {
            trial.plan = (enum plan)plan;
            trial.headline = headline;
            cr_expect_eq(sampler_count(&trial), expected[plan][headline]);
        }
    trial.samples = 200;
    cr_expect_eq(sampler_count(&trial), 200);
}

Test(sampler, quick_halves_a_sample)
{
    cr_expect_float_eq(sampler_least_seconds(&trial), 5e-3, 1e-12);
    trial.sample_seconds = 20e-3;
    trial.plan = PLAN_QUICK;
    cr_expect_float_eq(sampler_least_seconds(&trial), 10e-3, 1e-12);
}

Test(sampler, few_probes_find_a_sample_that_is_long_enough_and_not_much_longer)
{
    for (double once = 1e-7; once < 4e-3; once *= 3) {
        args.seconds = once;
        trial.times = 0;
        trial.once_seconds = 0;
        fake.runs = 0;
        cr_expect_eq(sampler_calibrate(&trial), 0);
        cr_expect_leq(fake.runs, 5);
        cr_expect_geq(trial.times * once, 5e-3);
        cr_expect_leq(trial.times * once, 6e-3 + once);
        cr_expect_float_eq(trial.once_seconds, once, 1e-6 * once);
    }
}

Test(sampler, an_execution_longer_than_a_sample_is_not_repeated)
{
    args.seconds = 7e-3;
    cr_expect_eq(sampler_calibrate(&trial), 0);
    cr_expect_eq(trial.times, 1);
}

Test(sampler, a_long_execution_has_no_untimed_one_before_it)
{
    args.seconds = trial.once_seconds = 0.5;
    cr_expect_eq(sampler_calibrate(&trial), 0);
    cr_expect_eq(fake.runs, 1);
    cr_expect_eq(trial.times, 1);
    cr_expect_float_eq(trial.sample_wall, 0.5, 1e-9);
    cr_expect_eq(sampler_take(&trial), SAMPLE_KEPT);
    cr_expect_eq(fake.runs, 2);
}

Test(sampler, a_disturbed_probe_is_not_believed)
{
    fake.disturb_at = 1;
    cr_expect_eq(sampler_calibrate(&trial), 0);
    cr_expect(trial.times >= 50 && trial.times <= 61, "%u times", trial.times);
    cr_expect_float_eq(trial.sample_wall, 1e-4 * (trial.times + 1), 1e-9);
}

Test(sampler, an_expectation_that_is_far_off_is_mended)
{
    for (double wrong = 1e-8; wrong < 10; wrong *= 100) {
        trial.times = 0;
        trial.once_seconds = wrong;
        fake.runs = 0;
        cr_expect_eq(sampler_calibrate(&trial), 0);
        cr_expect(trial.times >= 50 && trial.times <= 61, "%u times", trial.times);
        cr_expect_leq(fake.now, 1.0, "and costs little: %g s", fake.now);
    }
}

Test(sampler, a_short_execution_is_preceded_by_an_untimed_one)
{
    double before;

    cr_expect_eq(sampler_calibrate(&trial), 0);
    fake.logged = 0;
    before = fake.now;
    cr_expect_eq(sampler_take(&trial), SAMPLE_KEPT);
    cr_assert_eq(fake.logged, 2);
    cr_expect_eq(fake.log[0].times, 1);
    cr_expect_eq(fake.log[1].times, trial.times);
    cr_expect_float_eq(fake.now - before, trial.sample_wall, 1e-9, "its cost is foretold");
}

Test(sampler, the_overhead_of_a_run_is_foretold)
{
    double before;

    fake.overhead = 3e-3;
    cr_expect_eq(sampler_calibrate(&trial), 0);
    before = fake.now;
    sampler_take(&trial);
    cr_expect_float_eq(fake.now - before, trial.sample_wall, 1e-9);
}

Test(sampler, given_repetitions_are_kept)
{
    trial.times = 3;
    measure(9);
    cr_expect_eq(trial.row->repetitions, 3);
    cr_expect(doubted("short"));
}

Test(sampler, a_device_that_measures_nothing_fails_the_row)
{
    args.seconds = 0;
    cr_expect_eq(sampler_calibrate(&trial), -1);
    cr_expect_eq(trial.row->status, ROW_FAILED);
    cr_expect_not_null(trial.row->reason);
}

Test(sampler, a_finished_row_has_value_samples_and_no_doubt)
{
    measure(20);
    cr_expect_eq(trial.row->samples, 20);
    cr_expect_eq(trial.row->value.n, 20);
    cr_expect_float_eq(trial.row->value.median, 1e10, 1e4);
    cr_expect_float_eq(trial.row->seconds[0], 1e-4, 1e-9);
    cr_expect_eq(trial.row->doubts.count, 0);
    cr_expect(isnan(trial.row->telemetry.sm_clock_hz), "unknown stays unknown");
    cr_expect_eq(trial.row->readings, 0);
}

Test(sampler, a_headline_row_keeps_its_time_line_from_zero)
{
    trial.headline = true;
    fake.clock_hz = 1.9e9;
    fake.now = 1000;
    measure(20);
    cr_assert_eq(trial.row->readings, 20);
    cr_expect_eq(trial.row->timeline[0].at_seconds, 0);
    cr_expect_float_eq(trial.row->timeline[1].at_seconds, trial.sample_wall, 1e-9);
    cr_expect_float_eq(trial.row->timeline[1].value, 1e10, 1e4);
    cr_expect_float_eq(trial.row->telemetry.sm_clock_hz, 1.9e9, 1);
}

Test(sampler, noise_and_spread_are_doubted)
{
    fake.noise = 0.1;
    measure(20);
    cr_expect(doubted("noisy"));
    cr_expect(doubted("spread"));
}

Test(sampler, too_few_samples_are_doubted)
{
    measure(5);
    cr_expect(doubted("few"));
    cr_expect(isnan(trial.row->value.ci_low));
}

Test(sampler, samples_at_a_low_clock_are_set_aside)
{
    fake.clock_hz = 1.9e9;
    fake.slow_hz = 1e9;
    fake.slow_every = 8; /* two runs a sample: every fourth */
    trial.times = 50;
    cr_assert_eq(sampler_calibrate(&trial), 0);
    fake.runs = 0;
    for (int i = 0; i < 20; i++)
        sampler_take(&trial);
    cr_expect_eq(sampler_kept(&trial), 15);
    sampler_finish(&trial);
    cr_expect_eq(trial.row->samples, 15);
    cr_expect_eq(trial.row->value.n, 15);
    cr_expect_not(doubted("throttled"));
}

Test(sampler, when_most_are_slow_all_are_kept_and_doubted)
{
    fake.clock_hz = 1e9;
    measure(20);
    cr_expect_eq(trial.row->value.n, 20);
    cr_expect(doubted("throttled"));
}

Test(sampler, a_power_cap_explains_a_low_clock)
{
    fake.clock_hz = 1e9;
    fake.reasons = 0x4;
    measure(20);
    cr_expect(doubted("power_capped"));
    cr_expect_not(doubted("throttled"));
    cr_expect_not(doubted("clock_locked"));
    cr_expect_eq(trial.row->telemetry.event_reasons, 4);
}

Test(sampler, a_thermal_slowdown_is_doubted_at_any_clock)
{
    fake.clock_hz = 1.9e9;
    fake.reasons = 0x40;
    measure(20);
    cr_expect(doubted("throttled"));
}

Test(sampler, a_low_clock_without_a_reason_is_locked)
{
    fake.clock_hz = 1.62e9;
    fake.reasons = 0;
    measure(20);
    cr_expect(doubted("clock_locked"));
    cr_expect_not(doubted("throttled"));
}

Test(sampler, a_clock_that_moves_is_doubted)
{
    trial.times = 50;
    cr_assert_eq(sampler_calibrate(&trial), 0);
    for (int i = 0; i < 21; i++) {
        fake.clock_hz = 1.95e9 - i * 5e6;
        sampler_take(&trial);
    }
    sampler_finish(&trial);
    cr_expect(doubted("clock_drift"));
}

Test(sampler, the_host_s_clock_is_not_judged)
{
    device.ops = &fake_host;
    fake.clock_hz = 1e9;
    measure(20);
    cr_expect_eq(trial.row->doubts.count, 0);
}

/* Of so many series of a plan's headline rows: the share whose interval holds the truth. */
static double coverage(enum plan plan)
{
    enum { SERIES = 2000 };
    int held = 0;

    for (int i = 0; i < SERIES; i++) {
        trial.plan = plan;
        trial.headline = true;
        trial.times = 60;
        measure(sampler_count(&trial));
        held += trial.row->value.ci_low <= 1e10 && trial.row->value.ci_high >= 1e10;
        report_free(&report);
        open_row();
    }
    return (double)held / SERIES;
}

/* By P(Bin(N, 1/2) < rank) it is 95.9 % of N = 20, 95.1 % of 51 and 96.5 % of 100; the outliers,
 * all to one side, take less than 0.1 % of it. */
Test(sampler, intervals_of_headline_rows_hold_the_median_as_often_as_promised)
{
    fake.noise = 0.02;
    fake.outliers = 0.01;
    for (int plan = 0; plan < PLANS; plan++) {
        const double held = coverage((enum plan)plan);

        cr_expect(held > 0.93 && held < 0.97, "%s: %.1f %%", plan_names[plan], 100 * held);
    }
}
