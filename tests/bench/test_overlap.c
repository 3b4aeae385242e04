/* overlap: its points, its figures from a model of a card, and what its check sees. */
#include "kernels/pipeline.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

extern const struct experiment experiment_overlap;
static const struct experiment *const e = &experiment_overlap;

TestSuite(overlap);

static unsigned lost_pieces;

/* What the card would do, the last pieces left out. */
static void run(const struct kernel *k, const void *arguments)
{
    const struct pipeline_args *a = arguments;

    if (k != &kernel_pipeline)
        return;
    for (size_t i = 0; i < a->count / a->pieces * (a->pieces - lost_pieces); i++) {
        if (a->stages & PIPELINE_IN)
            a->in[i] = a->from[i];
        if (a->stages & PIPELINE_WORK)
            a->out[i] = (float)(3 + ((double)a->in[i] - 3) * pow((double)a->a, a->fmas));
        if (a->stages & PIPELINE_OUT)
            a->to[i] = a->out[i];
    }
}

/* Points asked in all, each checked. */
static unsigned asked(enum plan plan, bool right)
{
    struct fake_card f;
    unsigned count = 0;

    fake_card_open(&f, run, NULL, false);
    f.plan = plan;
    f.device.facts.copy_engines = 2;
    for (size_t memory = 0; memory < 2; memory++)
        for (size_t stage = 0; stage < 4; stage++)
            for (size_t n = 0; n < e->axis[2].count; n++) {
                if (fake_card_prepare_at(
                        &f, e,
                        (const double[]){(double)memory, (double)stage, e->axis[2].numbers[n]}))
                    continue;
                count++;
                cr_expect_eq(e->check(&f.trial), right ? 0 : -1);
            }
    fake_card_close(&f);
    return count;
}

Test(overlap, points_of_the_plans)
{
    cr_expect_eq(asked(PLAN_QUICK, true), 5, "three stages, the whole in 1 and 8 pieces");
    cr_expect_eq(asked(PLAN_STANDARD, true), 16);
}

Test(overlap, a_lost_piece_is_seen)
{
    lost_pieces = 1;
    cr_expect_eq(asked(PLAN_QUICK, false), 5);
}

static void row(struct report *r, const char *stage, double pieces, double seconds)
{
    struct parameters *p =
        &rows_add(r, "overlap", seconds, metric_time, (struct work){NAN, NAN, 1})->parameters;

    parameters_set_word(p, "memory", "pinned");
    parameters_set_word(p, "stage", stage);
    parameters_set_number(p, "pieces", pieces);
}

/* Stages of 5, 6 and 5 ms in eight pieces: the longest stage and a piece of each other. */
static double saved(double copy_engines, double seconds_of_eight)
{
    const char *const eight[] = {"memory", "pinned", "pieces", "8", NULL};
    struct facts facts;
    struct report r;
    double value;

    facts_init(&facts);
    facts.copy_engines = copy_engines;
    report_init(&r);
    row(&r, "in", 1, 5e-3);
    row(&r, "work", 1, 6e-3);
    row(&r, "out", 1, 5e-3);
    row(&r, "whole", 1, 16e-3);
    row(&r, "whole", 8, seconds_of_eight);
    rows_conclude(&r, e, &facts);
    value = rows_figure(&r, "overlap", "saved", eight);
    report_free(&r);
    facts_free(&facts);
    return value;
}

Test(overlap, what_is_saved_of_what_can_be)
{
    cr_expect_float_eq(saved(2, 6e-3), 1, 1e-3);
    cr_expect_float_eq(saved(2, 16e-3), 0, 1e-3);
    cr_expect_float_eq(saved(2, 7.25e-3), 0.875, 1e-3);
    cr_expect_float_eq(saved(1, 10e-3), 1, 1e-3, "one engine does both copies");
}
