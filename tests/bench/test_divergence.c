/* divergence: what it asks, what its check sees, and the costs that it finds in a model's rows. */
#include "kernels/branch.h"
#include "kernels/branch_loop.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct experiment experiment_divergence;
static const struct experiment *const e = &experiment_divergence;

TestSuite(divergence);

static double pattern(const char *name)
{
    for (size_t i = 0; e->axis[0].names[i]; i++)
        if (strcmp(e->axis[0].names[i], name) == 0)
            return (double)i;
    cr_assert_fail("no pattern %s", name);
    return NAN;
}

/* ---- the check ---- */

static enum { RIGHT, WRONG_ARM, NOTHING, ONE_STEP_OFF } mishap;
enum { MISHAP_THREAD = 200 };

/* The answers by the reference, each distinct one computed once; `first` as the mask says. */
static void run_branch(const struct kernel *k, const void *arguments)
{
    static float answer[64][2];
    static int kind = -1;
    const struct branch_args *args = arguments;
    const bool ladder = args->kind >= BRANCH_LADDER_64 || args->kind == BRANCH_STRAIGHT;

    cr_assert_eq(k, &kernel_branch);
    for (int i = 0; i < 128 && kind != (int)args->kind; i++)
        answer[i / 2][i % 2] = branch_expected(args, args->in[i / 2], i % 2);
    kind = (int)args->kind;
    for (unsigned i = 0; i < args->blocks * BRANCH_THREADS && mishap != NOTHING; i++) {
        const bool first = ladder || (args->mask >> i % 32 & 1);
        const bool off = i == MISHAP_THREAD;

        cr_assert_lt(args->path[i], args->paths);
        args->out[i] = answer[i % 64][first ^ (off && mishap == WRONG_ARM)];
        if (off && mishap == ONE_STEP_OFF)
            args->out[i] = fmaf(args->out[i], args->a, args->b);
    }
}

static void plan_branch(const struct kernel *k, void *arguments)
{
    struct branch_args *args = arguments;

    (void)k;
    args->blocks = FAKE_SMS;
}

static enum row_status checked(const char *name, double point, int as)
{
    struct fake_card card;
    enum row_status status;

    mishap = as;
    fake_card_open(&card, run_branch, plan_branch, false);
    cr_assert_eq(fake_card_prepare(&card, e, pattern(name), point), 0, "%s at %g", name, point);
    if (e->check(&card.trial) == 0)
        cr_assert_eq(card.row.status, ROW_OK);
    status = card.row.status;
    fake_card_close(&card);
    return status;
}

Test(divergence, right_answers_are_accepted)
{
    cr_assert_eq(checked("no_branch", 0, RIGHT), ROW_OK);
    cr_assert_eq(checked("split", 0, RIGHT), ROW_OK);
    cr_assert_eq(checked("split", 31, RIGHT), ROW_OK);
    cr_assert_eq(checked("unequal", 1, RIGHT), ROW_OK);
    cr_assert_eq(checked("select", 16, RIGHT), ROW_OK);
    cr_assert_eq(checked("paths", 32, RIGHT), ROW_OK);
    cr_assert_eq(checked("uniform_paths", 32, RIGHT), ROW_OK);
    cr_assert_eq(checked("by_warp", 2, RIGHT), ROW_OK);
}

Test(divergence, one_lane_in_the_other_arm_is_seen)
{
    cr_assert_eq(checked("split", 16, WRONG_ARM), ROW_WRONG);
    cr_assert_eq(checked("unequal", 31, WRONG_ARM), ROW_WRONG);
    cr_assert_eq(checked("select", 16, WRONG_ARM), ROW_WRONG);
}

Test(divergence, one_step_too_many_is_seen)
{
    cr_assert_eq(checked("split", 32, ONE_STEP_OFF), ROW_WRONG);
    cr_assert_eq(checked("paths", 4, ONE_STEP_OFF), ROW_WRONG);
}

Test(divergence, answers_left_from_before_are_not_taken_for_answers)
{
    cr_assert_eq(checked("paths", 2, NOTHING), ROW_WRONG);
}

static void run_loop(const struct kernel *k, const void *arguments)
{
    const struct branch_loop_args *args = arguments;

    k->host(args, 0, 1);
    if (mishap == WRONG_ARM)
        args->out[MISHAP_THREAD] = branch_loop_expected(args->in[MISHAP_THREAD],
                                                        !(args->rank[MISHAP_THREAD] < args->below));
}

Test(divergence, the_host_is_checked_too)
{
    struct fake_card host;

    for (int as = RIGHT; as <= WRONG_ARM; as++) {
        mishap = as;
        fake_card_open(&host, run_loop, NULL, true);
        cr_assert_eq(fake_card_prepare(&host, e, pattern("shuffled"), 16), 0);
        e->check(&host.trial);
        cr_assert_eq(host.row.status, as == RIGHT ? ROW_OK : ROW_WRONG);
        fake_card_close(&host);
    }
}

/* ---- what is asked ---- */

static unsigned rows_asked(bool host, unsigned *headlines)
{
    struct fake_card device;
    unsigned rows = 0;

    fake_card_open(&device, run_branch, plan_branch, host);
    for (size_t p = 0; e->axis[0].names[p]; p++)
        for (int point = 0; point <= 32; point++)
            if (fake_card_prepare(&device, e, (double)p, point) == 0) {
                rows++;
                *headlines += device.trial.headline;
            }
    fake_card_close(&device);
    return rows;
}

Test(divergence, the_quick_plan_asks_the_step_and_few_rows)
{
    unsigned card = 0, host = 0;

    cr_assert_leq(rows_asked(false, &card), 30);
    cr_assert_eq(card, 7, "0, 1, 16, 31 and 32 lanes; 1 and 32 paths");
    cr_assert_leq(rows_asked(true, &host), 12);
    cr_assert_eq(host, 2);
}

/* ---- the figures ---- */

enum { SMS = 10, WARPS_OF_SCHEDULER = 16, TRIPS = 100, ARM = 256 };
static const double clock_hz = 1.5e9, overhead_cycles = 20;

/* METHOD 7: a warp pays each path that it holds; a warp that does not diverge pays no overhead. */
static double launch_seconds(unsigned paths)
{
    const double cycles = paths * (ARM + (paths > 1 ? overhead_cycles : 0));

    return WARPS_OF_SCHEDULER * TRIPS * cycles / clock_hz;
}

static void add(struct report *r, const char *name, const char *what, double point, double seconds)
{
    const double threads = SMS * 4 * WARPS_OF_SCHEDULER * 32;
    struct measurement *m = rows_add(r, "divergence", seconds, metric_time,
                                     (struct work){NAN, 2 * ARM * TRIPS * threads, 1});

    parameters_set_word(&m->parameters, "pattern", name);
    parameters_set_number(&m->parameters, what, point);
}

static double figure(const struct report *r, const char *name)
{
    return rows_figure(r, "divergence", name, NULL);
}

Test(divergence, the_cost_of_paths_is_found)
{
    struct facts facts;
    struct report r;

    facts_init(&facts);
    facts.units = SMS;
    report_init(&r);
    for (unsigned k = 1; k <= 32; k *= 2)
        add(&r, "paths", "paths", k, launch_seconds(k));
    add(&r, "by_warp", "paths", 2, launch_seconds(1) * 1.01);
    add(&r, "split", "lanes_in_if", 0, 1e-3);
    add(&r, "split", "lanes_in_if", 16, 2.05e-3);
    rows_conclude(&r, e, &facts);

    cr_assert_float_eq(figure(&r, "overhead_seconds_per_path"), overhead_cycles / clock_hz,
                       0.01 * overhead_cycles / clock_hz);
    cr_assert_float_eq(figure(&r, "ratio_at_half"), 2.05, 1e-6);
    cr_assert_float_eq(figure(&r, "ratio_by_warp"), 1.01, 1e-6);
    for (unsigned k = 2; k <= 32; k *= 2) {
        char paths[8];

        snprintf(paths, sizeof paths, "%u", k);
        cr_assert_float_eq(rows_figure(&r, "divergence", "ratio_of_paths",
                                       (const char *const[]){"paths", paths, NULL}),
                           k * (1 + overhead_cycles / ARM), 1e-6);
    }
    report_free(&r);
    facts_free(&facts);
}

Test(divergence, the_cost_of_a_wrong_guess_is_found)
{
    struct report r;
    struct facts facts;

    facts_init(&facts);
    report_init(&r);
    add(&r, "sorted", "lanes_in_if", 16, 2e-9);
    add(&r, "shuffled", "lanes_in_if", 16, 7e-9);
    rows_conclude(&r, e, &facts);
    cr_assert_float_eq(figure(&r, "ratio_shuffled"), 3.5, 1e-6);
    cr_assert_float_eq(figure(&r, "seconds_per_misprediction"), 1e-8, 1e-12);
    cr_assert_eq(r.figure_count, 2);
    report_free(&r);
    facts_free(&facts);
}

Test(divergence, missing_rows_give_no_figures)
{
    struct report r;
    struct facts facts;

    facts_init(&facts);
    report_init(&r);
    add(&r, "paths", "paths", 32, launch_seconds(32));
    rows_conclude(&r, e, &facts);
    cr_assert_eq(r.figure_count, 0);
    report_free(&r);
    facts_free(&facts);
}
