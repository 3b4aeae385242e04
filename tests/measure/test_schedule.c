/* The order of samples. */
#include "harness/measure/schedule.h"

#include "harness/base/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(schedule, every_row_once_a_round_in_an_order_that_changes)
{
    const unsigned wanted[] = {20, 20, 20, 20, 20, 20};
    size_t seen[6] = {0}, same_as_before = 0;
    struct turn *turns;
    uint64_t state = 7;

    cr_assert_eq(schedule_rounds(&turns, wanted, 6, &state), 120);
    for (size_t i = 0; i < 120; i++) {
        cr_expect_eq(seen[turns[i].who], i / 6, "turn %zu is out of its round", i);
        seen[turns[i].who]++;
        same_as_before += i >= 6 && turns[i].who == turns[i - 6].who;
    }
    cr_expect_lt(same_as_before, 60);
    free(turns);
}

Test(schedule, rows_with_fewer_samples_are_spread)
{
    const unsigned wanted[] = {50, 0, 10};
    size_t turn = 0, third = 0;
    struct turn *turns;
    uint64_t state = 7;

    cr_assert_eq(schedule_rounds(&turns, wanted, 3, &state), 60);
    for (; turn < 60; turn++) {
        cr_expect_neq(turns[turn].who, 1);
        third += turns[turn].who == 2;
        if (turn == 29)
            cr_expect(third >= 4 && third <= 6, "%zu of 10 in the first half", third);
    }
    cr_expect_eq(third, 10);
    free(turns);
}

Test(schedule, a_seed_gives_the_same_order_again_and_another_does_not)
{
    const unsigned wanted[] = {9, 9, 20};
    struct turn *first, *again, *other;
    uint64_t state = 42;
    const size_t n = schedule_rounds(&first, wanted, 3, &state);

    state = 42;
    schedule_rounds(&again, wanted, 3, &state);
    state = 43;
    schedule_rounds(&other, wanted, 3, &state);
    cr_expect_arr_eq(first, again, n * sizeof *first);
    cr_expect(memcmp(first, other, n * sizeof *first));
    free(first);
    free(again);
    free(other);
}

Test(schedule, in_turn_one_row_ends_before_the_next_begins)
{
    const unsigned wanted[] = {3, 0, 2};
    struct turn *turns;
    size_t order[5];

    cr_assert_eq(schedule_in_turn(&turns, wanted, 3), 5);
    for (size_t i = 0; i < 5; i++)
        order[i] = turns[i].who;
    cr_expect_arr_eq(order, ((size_t[]){0, 0, 0, 2, 2}), sizeof order);
    free(turns);
}
