/* What is said when the machine round a card is not in order: faults of the virtual card. */
#include "harness/device/device.h"
#include "kernels/instrument.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct device card;
static const struct device_ops *cuda;

/* Before the first call of the runtime in this (forked) program. */
static void with_fault(const char *fault)
{
    if (!getenv("RIDGE_VIRTUAL_CARD"))
        cr_skip_test("not on the virtual card");
    setenv("RIDGE_VIRTUAL_FAULT", fault, 1);
    cuda = device_kinds[0];
}

static void expect_no_card_because(const char *part)
{
    char *why = NULL;

    cr_assert_eq(cuda->count(&why), 0);
    cr_assert_not_null(why);
    cr_assert_not_null(strstr(why, part), "%s lacks %s", why, part);
    free(why);
}

static void expect_not_opened_because(const char *part)
{
    cr_assert_eq(device_open(&card, cuda, 0), -1);
    cr_assert_not_null(strstr(text_chars(&card.error), part), "%s lacks %s",
                       text_chars(&card.error), part);
    device_close(&card);
}

static void open_card(void)
{
    cr_assert_eq(device_open(&card, cuda, 0), 0, "%s", text_chars(&card.error));
}

Test(fault, a_driver_that_is_too_old)
{
    with_fault("old_driver");
    expect_no_card_because("supports CUDA 11.4; this build needs ");
}

Test(fault, a_driver_without_a_card)
{
    with_fault("no_device");
    expect_no_card_because("no card is visible");
}

Test(fault, a_build_for_other_cards)
{
    with_fault("no_kernel_image");
    expect_not_opened_because("machine code for: ");
    expect_not_opened_because("the card has compute capability");
}

/* There is no gate then, but clocks are read all the same. */
Test(fault, a_host_that_lets_nothing_be_pinned)
{
    struct run_times out;

    with_fault("pinned_refused");
    open_card();
    cr_assert_null(card.ops->alloc(&card, MEMORY_PINNED, 4096));
    cr_assert(card.refused);
    cr_assert_not_null(strstr(text_chars(&card.error), "be pinned"));
    cr_assert_eq(card.ops->run(&card, &kernel_empty, NULL, 300, TIMED_BY_EVENTS, &out), 0, "%s",
                 text_chars(&card.error));
    cr_assert(out.seconds > 0);
    cr_assert_float_eq(out.sm_clock_hz / card.facts.clock_max_hz, 1, 0.01);
    device_close(&card);
}

Test(fault, no_nvml_costs_telemetry_only)
{
    struct telemetry t;
    struct run_times out;

    with_fault("nvml_missing");
    open_card();
    card.ops->sense(&card, &t);
    cr_assert(isnan(t.power_watts) && isnan(t.sm_clock_hz) && isnan(t.event_reasons));
    cr_assert(isnan(card.facts.power_limit_watts));
    cr_assert_eq(card.ops->run(&card, &kernel_empty, NULL, 1, TIMED_BY_EVENTS, &out), 0);
    device_close(&card);
}

Test(fault, no_cublas_is_unknown_and_no_fault_of_the_card)
{
    struct report report;

    report_init(&report);
    with_fault("cublas_missing");
    open_card();
    device_describe_environment(&report.environment);
    cr_assert_null(report.environment.cublas);
    cr_assert_null(report.environment.cublas_path);
    cr_assert_not_null(report.environment.cuda_runtime);
    device_close(&card);
    report_free(&report);
}
