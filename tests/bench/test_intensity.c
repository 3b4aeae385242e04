/* intensity: the points of its plans, what it declares, and what its check sees. */
#include "kernels/intensity.h"
#include "tests/bench/fake_card.h"

#include <criterion/criterion.h>
#include <math.h>

extern const struct experiment experiment_intensity;
static const struct experiment *const e = &experiment_intensity;

TestSuite(intensity_bench);

static unsigned missing; /* FMAs that the device leaves out */

static void run(const struct kernel *k, const void *arguments)
{
    struct intensity_args args;

    if (k != &kernel_intensity) {
        k->host(arguments, 0, 1);
        return;
    }
    args = *(const struct intensity_args *)arguments;
    args.fmas -= missing;
    for (unsigned worker = 0; worker < args.sum_count; worker++)
        k->host(&args, worker, (unsigned)args.sum_count);
}

static unsigned asked(enum plan plan, enum row_status status)
{
    struct fake_card f;
    unsigned count = 0;

    fake_card_open(&f, run, NULL, true);
    f.plan = plan;
    for (double fmas = 1; fmas <= INTENSITY_FMAS_MOST; fmas *= 2) {
        if (fake_card_prepare(&f, e, fmas, 0))
            continue;
        count++;
        cr_expect_eq(f.trial.work.flops / f.trial.work.bytes, fmas / 2);
        cr_expect_eq(e->check(&f.trial), status == ROW_OK ? 0 : -1, "%g FMAs", fmas);
        cr_expect_eq(f.row.status, status);
    }
    fake_card_close(&f);
    return count;
}

Test(intensity_bench, slope_ridge_and_ceiling)
{
    cr_expect_eq(asked(PLAN_QUICK, ROW_OK), 3);
    cr_expect_eq(asked(PLAN_STANDARD, ROW_OK), 10);
}

Test(intensity_bench, one_fma_too_few_is_seen)
{
    missing = 1;
    cr_expect_eq(asked(PLAN_STANDARD, ROW_WRONG), 10);
}
