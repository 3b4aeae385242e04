/* The references of kernels/branch.h against the recurrence written out, and the host's branch. */
#include "kernels/branch.h"
#include "kernels/branch_loop.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(branch);

static const float A = 1 - 0x1p-20f, B = -(1 - 0x1p-19f);

static float by_hand(float x, float a, float b, int steps)
{
    while (steps--)
        x = fmaf(x, a, b);
    return x;
}

static struct branch_args args_of(enum branch_kind kind)
{
    return (struct branch_args){.kind = kind, .a = A, .b = B, .paths = 4, .trips = 3};
}

Test(branch, arms_have_the_lengths_they_say)
{
    cr_assert_eq(branch_steps(BRANCH_ARMS_256_64, true), 256);
    cr_assert_eq(branch_steps(BRANCH_ARMS_256_64, false), 64);
    cr_assert_eq(branch_steps(BRANCH_ARMS_64_64, true), 64);
    cr_assert_eq(branch_steps(BRANCH_LADDER_256, true), 256);
    cr_assert_eq(branch_steps(BRANCH_LADDER_64, true), 64);
    cr_assert_eq(branch_steps(BRANCH_STRAIGHT, true), 64);
}

Test(branch, the_reference_is_the_recurrence_of_the_arm)
{
    const struct branch_args equal = args_of(BRANCH_ARMS_64_64), select = args_of(BRANCH_SELECT),
                             unequal = args_of(BRANCH_ARMS_256_64);

    cr_assert_eq(branch_expected(&equal, 0.75f, true), by_hand(0.75f, A, B, 3 * 64));
    cr_assert_eq(branch_expected(&equal, 0.75f, false), by_hand(0.75f, B, A, 3 * 64));
    cr_assert_eq(branch_expected(&select, 0.75f, false), by_hand(0.75f, B, A, 3 * 64));
    cr_assert_eq(branch_expected(&unequal, 0.75f, true), by_hand(0.75f, A, B, 3 * 256));
    cr_assert_eq(branch_expected(&unequal, 0.75f, false), by_hand(0.75f, B, A, 3 * 64));
}

Test(branch, a_ladder_is_four_chains)
{
    const struct branch_args args = args_of(BRANCH_LADDER_256);
    float x[4];

    for (int j = 0; j < 4; j++)
        x[j] = by_hand(0.75f + (float)j, A, B, 3 * 64);
    cr_assert_eq(branch_expected(&args, 0.75f, true), (x[0] + x[1]) + (x[2] + x[3]));
}

/* With the numbers that the experiment uses, one trip too few or too many shows in either arm. */
Test(branch, the_answer_tells_how_many_trips_were_made)
{
    for (int first = 0; first < 2; first++) {
        struct branch_args args = args_of(BRANCH_ARMS_64_64);
        float before = NAN;

        for (args.trips = 500; args.trips < 516; args.trips++) {
            const float answer = branch_expected(&args, 0.75f, first);

            cr_assert(isfinite(answer));
            cr_assert_neq(answer, before, "%d trips", args.trips);
            before = answer;
        }
    }
}

/* ---- the host's branch ---- */

enum { COUNT = 32 * 40 };

static uint32_t arm_by_hand(uint32_t x, bool first)
{
    for (int n = 0; n < BRANCH_LOOP_STEPS; n++)
        x = first ? x * 1664525u + 1013904223u : x * 22695477u + 1u;
    return x;
}

Test(branch, ranks_come_in_equal_shares_in_either_order)
{
    uint8_t sorted[COUNT], shuffled[COUNT];
    unsigned count[BRANCH_LOOP_RANKS] = {0}, turns = 0;

    branch_loop_ranks(sorted, COUNT, false);
    branch_loop_ranks(shuffled, COUNT, true);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert(i == 0 || sorted[i] >= sorted[i - 1]);
        count[sorted[i]]++;
        count[shuffled[i]]++;
        turns += i && (shuffled[i] < 16) != (shuffled[i - 1] < 16);
    }
    for (size_t rank = 0; rank < BRANCH_LOOP_RANKS; rank++)
        cr_assert_eq(count[rank], 2 * COUNT / BRANCH_LOOP_RANKS);
    /* Half of the neighbours differ where nothing can be foretold: 640 +- 18. */
    cr_assert(turns > COUNT / 2 - 120 && turns < COUNT / 2 + 120, "%u turns", turns);
}

static void loop_and_compare(unsigned below, unsigned workers)
{
    static uint32_t in[COUNT], out[COUNT];
    static uint8_t rank[COUNT];
    const struct branch_loop_args args = {in, out, rank, COUNT, below};

    branch_loop_ranks(rank, COUNT, true);
    memset(out, 0xFF, sizeof out);
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i * 2654435761u;
    for (unsigned w = 0; w < workers; w++)
        cr_assert_eq(kernel_branch_loop.host(&args, w, workers), 0);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert_eq(out[i], arm_by_hand(in[i], rank[i] < below));
        cr_assert_eq(out[i], branch_loop_expected(in[i], rank[i] < below));
    }
}

Test(branch, every_element_takes_its_arm)
{
    loop_and_compare(0, 1);
    loop_and_compare(11, 3);
    loop_and_compare(32, 2);
}
