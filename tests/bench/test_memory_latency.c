/* memory_latency: the memory it walks, what its check sees, and its figure. */
#include "kernels/chase.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>

extern const struct experiment experiment_memory_latency;
static const struct experiment *const e = &experiment_memory_latency;

TestSuite(memory_latency);

static bool astray, two_passes;

static void run(const struct kernel *k, const void *arguments)
{
    const struct chase_args *args = arguments;

    k->host(arguments, 0, 1);
    if (k != &kernel_chase)
        return;
    if (two_passes)
        k->host(arguments, 0, 1);
    if (astray)
        *args->cursor = args->next[*args->cursor];
}

/* Executes and checks the only point of the quick plan. */
static enum row_status checked(bool host, double *bytes)
{
    struct fake_card device;
    enum row_status status = ROW_FAILED;
    unsigned asked = 0;

    two_passes = !host;
    fake_card_open(&device, run, NULL, host);
    for (double n = e->axis[0].first; n <= e->axis[0].last; n++)
        if (fake_card_prepare(&device, e, n, 0) == 0) {
            asked++;
            *bytes = parameters_number(&device.row.parameters, "bytes");
            cr_assert(device.trial.headline);
            run(device.trial.kernel, device.trial.args);
            e->check(&device.trial);
            status = device.row.status;
        }
    cr_assert_eq(asked, 1);
    fake_card_close(&device);
    return status;
}

Test(memory_latency, a_walk_that_ends_where_it_should_is_accepted)
{
    double bytes;

    cr_assert_eq(checked(true, &bytes), ROW_OK);
    cr_assert_eq(bytes, 8 << 20, "as much as the plan may use");
    cr_assert_eq(checked(false, &bytes), ROW_OK);
}

Test(memory_latency, a_walk_one_step_too_long_is_seen)
{
    double bytes;

    astray = true;
    cr_assert_eq(checked(true, &bytes), ROW_WRONG);
    cr_assert_eq(checked(false, &bytes), ROW_WRONG);
}

Test(memory_latency, more_time_walks_smaller_memory_too)
{
    struct fake_card host;
    unsigned asked = 0;

    fake_card_open(&host, run, NULL, true);
    for (double n = e->axis[0].first; n <= e->axis[0].last; n++) {
        fake_card_prepare(&host, e, n, 0);
        host.trial.plan = PLAN_STANDARD;
        host.trial.omitted = false;
        if (e->prepare(&host.trial) == 0) {
            const struct chase_args *args = host.trial.args;

            asked++;
            cr_assert(host.trial.headline || args->steps % (1u << ((unsigned)n - 7)) == 0,
                      "whole laps");
            cr_assert_eq(e->check(&host.trial), 0, "2^%g B", n);
        }
    }
    cr_assert_eq(asked, 12, "4 KiB to 8 MiB");
    fake_card_close(&host);
}

Test(memory_latency, the_figure_is_the_headlines)
{
    struct facts facts;
    struct report r;
    struct measurement *m;

    facts_init(&facts);
    report_init(&r);
    m = rows_add(&r, "memory_latency", 1e-3, metric_latency, (struct work){NAN, NAN, 1e5});
    m = rows_add(&r, "memory_latency", 4e-2, metric_latency, (struct work){NAN, NAN, 1e5});
    m->headline = true;
    parameters_set_number(&m->parameters, "bytes", 1 << 30);
    rows_conclude(&r, e, &facts);
    cr_assert_eq(r.figure_count, 1);
    cr_assert_float_eq(rows_figure(&r, "memory_latency", "latency", NULL), 4e-7, 1e-12);
    cr_assert_eq(parameters_number(&r.figures[0].parameters, "bytes"), 1 << 30);
    report_free(&r);
    facts_free(&facts);
}
