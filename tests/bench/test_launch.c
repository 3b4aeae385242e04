/* Launches: what each way asks for, and that figures have the ways' names. */
#include "kernels/instrument.h"
#include "tests/bench/fake_card.h"

#include <criterion/criterion.h>
#include <stdlib.h>

extern const struct experiment experiment_launch;

static struct fake_card card;

static void body(const struct kernel *k, const void *args)
{
    (void)k;
    (void)args;
}

static void plan(const struct kernel *k, void *args)
{
    (void)k;
    (void)args;
}

static void prepare(double way)
{
    fake_card_open(&card, body, plan, false);
    cr_assert_eq(fake_card_prepare(&card, &experiment_launch, way, 0), 0);
    cr_expect_eq(card.trial.kernel, &kernel_empty);
    cr_expect_eq(card.trial.work.operations, 1);
    cr_expect(card.trial.headline);
}

Test(launch, calls_and_queues_are_timed_by_the_thousand)
{
    prepare(0);
    cr_expect_eq(card.trial.timed_by, TIMED_BY_CALL);
    cr_expect_eq(card.trial.times, 1000);
    fake_card_close(&card);
    prepare(1);
    cr_expect_eq(card.trial.timed_by, TIMED_BY_EVENTS);
    cr_expect_eq(card.trial.times, 1000);
    fake_card_close(&card);
}

Test(launch, round_trips_are_timed_one_by_one)
{
    prepare(2);
    cr_expect_eq(card.trial.timed_by, TIMED_BY_HOST);
    cr_expect_eq(card.trial.times, 1);
    cr_expect_eq(card.trial.samples, 51);
    fake_card_close(&card);
}

Test(launch, is_no_question_to_the_host)
{
    fake_card_open(&card, body, plan, true);
    cr_expect_eq(fake_card_prepare(&card, &experiment_launch, 0, 0), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}
