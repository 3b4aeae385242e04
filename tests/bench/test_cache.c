/* cache: which windows it reads, what its check sees, and its figures. */
#include "kernels/window.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>

extern const struct experiment experiment_cache;
static const struct experiment *const e = &experiment_cache;

TestSuite(cache);

static bool short_of_a_pass;

/* All windows that there are, by the host's body. */
static void run(const struct kernel *k, const void *arguments)
{
    struct window_args args;

    if (k != &kernel_window) {
        k->host(arguments, 0, 1);
        return;
    }
    args = *(const struct window_args *)arguments;
    args.passes -= short_of_a_pass;
    for (unsigned worker = 0; worker < args.sum_count; worker++)
        k->host(&args, worker, (unsigned)args.sum_count);
}

static void plan(const struct kernel *k, void *args)
{
    if (k == &kernel_window)
        ((struct window_args *)args)->sum_count = 1; /* the card's one window */
}

static void open(struct fake_card *f, bool host)
{
    fake_card_open(f, run, host ? NULL : plan, host);
    if (!host)
        return;
    f->device.facts.l1_cache_bytes = 32 << 10;
    f->device.facts.l2_cache_bytes = 128 << 10;
    f->device.facts.last_level_cache_bytes = 4 << 20;
    f->device.facts.machine_units = 2;
}

/* How many windows the plan asks for; all are prepared, and what their check said is counted. */
static unsigned asked(struct fake_card *f, enum plan p, unsigned headlines, unsigned *right)
{
    unsigned count = 0;

    f->plan = p;
    *right = 0;
    for (double n = e->axis[0].first; n <= e->axis[0].last; n++) {
        if (fake_card_prepare(f, e, n, 0))
            continue;
        count++;
        headlines -= f->trial.headline;
        *right += e->check(&f->trial) == 0;
        cr_expect_eq(f->trial.work.bytes,
                     (double)((const struct window_args *)f->trial.args)->passes * exp2(n) *
                         (double)((const struct window_args *)f->trial.args)->sum_count);
    }
    cr_expect_eq(headlines, 0);
    return count;
}

Test(cache, quick_asks_each_level_once)
{
    struct fake_card f;
    unsigned right;

    open(&f, true);
    cr_expect_eq(asked(&f, PLAN_QUICK, 3, &right), 3);
    cr_expect_eq(right, 3);
    fake_card_close(&f);
    open(&f, false);
    cr_expect_eq(asked(&f, PLAN_QUICK, 1, &right), 1);
    cr_expect_eq(right, 1);
    fake_card_close(&f);
}

Test(cache, more_time_reads_smaller_and_larger_windows)
{
    struct fake_card f;
    unsigned right;

    open(&f, false);
    cr_expect_eq(asked(&f, PLAN_STANDARD, 1, &right), 7, "64 KiB to 4 MiB for 1 MiB of L2");
    cr_expect_eq(right, 7);
    fake_card_close(&f);
}

Test(cache, a_pass_too_few_is_seen)
{
    struct fake_card f;
    unsigned right;

    short_of_a_pass = true;
    open(&f, true);
    cr_expect_eq(asked(&f, PLAN_QUICK, 3, &right), 3);
    cr_expect_eq(right, 0);
    fake_card_close(&f);
}

/* A virtual machine may hide its caches, or show one that all cores share. */
Test(cache, unknown_levels_are_not_asked)
{
    struct fake_card f;
    unsigned right;

    open(&f, true);
    f.device.facts.l2_cache_bytes = NAN;
    cr_expect_eq(asked(&f, PLAN_QUICK, 1, &right), 1, "L1");
    f.device.facts.l1_cache_bytes = NAN;
    cr_expect_eq(asked(&f, PLAN_QUICK, 0, &right), 0);
    fake_card_close(&f);
}

Test(cache, a_figure_for_each_level)
{
    const char *const levels[][3] = {{"level", "L1", NULL}, {"level", "L2", NULL}};
    struct facts facts;
    struct report r;

    facts_init(&facts);
    facts.last_level_cache_bytes = 40 << 20;
    report_init(&r);
    for (double bytes = 8 << 20; bytes <= 32 << 20; bytes *= 2)
        parameters_set_number(&rows_add(&r, "cache_bandwidth", bytes / (16 << 20) * 1e-3,
                                        metric_bandwidth, (struct work){4e9, NAN, NAN})
                                   ->parameters,
                              "bytes", bytes);
    rows_conclude(&r, e, &facts);
    cr_expect(isnan(rows_figure(&r, "cache_bandwidth", "rate", levels[0])));
    cr_expect_float_eq(rows_figure(&r, "cache_bandwidth", "rate", levels[1]), 4e12, 1e10);
    report_free(&r);
    facts_free(&facts);
}
