/* What experiments may ask of a trial: axes, buffers, arguments, reasons. */
#include "harness/measure/trial_store.h"
#include "tests/measure/fake.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const char *const kinds[] = {"pinned", "pageable", NULL};
static const struct experiment experiment = {
    .name = "e",
    .axis = {{.name = "memory", .names = kinds}, {.name = "n", .first = 1, .last = 9, .step = 1}}};

static struct device device;
static struct trial_store store;
static struct report report;
static struct trial trial;

static void open_trial(void)
{
    fake_reset();
    device = fake_open(&fake_card, "cuda0");
    report_init(&report);
    trial_store_open(&store, &device, PLAN_QUICK);
    trial = (struct trial){.experiment = &experiment,
                           .device = &device,
                           .store = &store,
                           .at = {1, 4},
                           .row = report_add_measurement(&report)};
}

static void close_trial(void)
{
    trial_store_free(&store);
    report_free(&report);
    fake_close(&device);
}

TestSuite(trial, .init = open_trial, .fini = close_trial);

Test(trial, axes_by_name)
{
    cr_expect_eq(trial_number(&trial, "n"), 4);
    cr_expect_str_eq(trial_name(&trial, "memory"), "pageable");
    cr_expect(trial_at(&trial, "memory", "pageable"));
    cr_expect_not(trial_at(&trial, "memory", "pinned"));
    cr_expect_not(trial_on_host(&trial));
}

Test(trial, a_buffer_is_shared_by_name_and_fresh_once)
{
    bool fresh;
    void *a = trial_buffer(&trial, "a", MEMORY_DEVICE, 64, &fresh);

    cr_expect(a && fresh);
    cr_expect_eq(trial_buffer(&trial, "a", MEMORY_DEVICE, 64, &fresh), a);
    cr_expect_not(fresh);
    cr_expect_neq(trial_buffer(&trial, "b", MEMORY_DEVICE, 64, NULL), a);
    cr_expect_eq(fake.live_buffers, 2);
    trial_store_free(&store);
    cr_expect_eq(fake.live_buffers, 0);
}

Test(trial, refused_memory_skips_the_row_with_the_device_s_sentence)
{
    fake.refuse = true;
    cr_expect_null(trial_buffer(&trial, "a", MEMORY_DEVICE, 64, NULL));
    cr_expect_eq(trial.row->status, ROW_SKIPPED);
    cr_expect_str_eq(trial.row->reason, "no room for 64 bytes");
}

Test(trial, first_arguments_are_the_kernel_s)
{
    struct fake_args *first = trial_args(&trial, sizeof *first);
    struct fake_args *second = trial_args(&trial, sizeof *second);

    cr_expect_eq(trial.args, first);
    cr_expect_neq(second, first);
    cr_expect_eq(first->id, 0);
}

Test(trial, the_memory_limit_is_the_smaller_of_plan_and_a_quarter_of_what_is_free)
{
    cr_expect_eq(trial_memory_limit(&trial, MEMORY_DEVICE), (size_t)2e9);
    trial_store_free(&store);
    device.facts.memory_free_bytes = 1e12;
    trial_store_open(&store, &device, PLAN_QUICK);
    cr_expect_eq(trial_memory_limit(&trial, MEMORY_DEVICE), (size_t)4 << 30);
    trial_store_free(&store);
    device.facts.memory_free_bytes = NAN;
    trial_store_open(&store, &device, PLAN_THOROUGH);
    cr_expect_eq(trial_memory_limit(&trial, MEMORY_DEVICE), (size_t)1 << 30, "unknown: a guess");
}

Test(trial, a_large_cache_raises_what_a_short_plan_may_use_of_the_host)
{
    trial_store_free(&store);
    setenv("RIDGE_ROOT", "/nowhere", 1); /* so that what this machine has free does not matter */
    device.ops = &fake_host;
    device.facts.memory_free_bytes = 1e12;
    trial_store_open(&store, &device, PLAN_QUICK);
    cr_expect_eq(trial_memory_limit(&trial, MEMORY_PINNED), (size_t)768 << 20);
    device.facts.last_level_cache_bytes = 256 << 20;
    trial_store_open(&store, &device, PLAN_QUICK);
    cr_expect_eq(trial_memory_limit(&trial, MEMORY_DEVICE), (size_t)24 * 256 << 20);
}

Test(trial, each_end_sets_status_and_reason)
{
    cr_expect_eq(trial_skip(&trial, "no %s", "such thing"), -1);
    cr_expect_eq(trial.row->status, ROW_SKIPPED);
    cr_expect_str_eq(trial.row->reason, "no such thing");
    cr_expect_eq(trial_fail(&trial, "error %d", 700), -1);
    cr_expect_eq(trial.row->status, ROW_FAILED);
    cr_expect_str_eq(trial.row->reason, "error 700");
    cr_expect_eq(trial_wrong(&trial, "element %d", 3), -1);
    cr_expect_eq(trial.row->status, ROW_WRONG);
    cr_expect_eq(trial_omit(&trial), -1);
    cr_expect(trial.omitted);
}

Test(trial, a_doubt_is_said_once)
{
    trial_doubt(&trial, "jit");
    trial_doubt(&trial, "jit");
    cr_expect_eq(trial.row->doubts.count, 1);
}

Test(trial, a_failed_execution_fails_the_row)
{
    const struct fake_args args = {1e-3, 0};

    fake.lose_at = 2;
    cr_expect_eq(trial_execute(&trial, &fake_kernel, &args), 0);
    cr_expect_eq(trial_execute(&trial, &fake_kernel, &args), -1);
    cr_expect_eq(trial.row->status, ROW_FAILED);
    cr_expect_str_eq(trial.row->reason, "the card fell off the bus");
}
