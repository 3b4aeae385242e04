/* Residency of kernels/hide.h: how it is brought about, and how recordings of it are judged. */
#include "kernels/fill.h"
#include "kernels/hide.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(hide);

enum { SMS = 5, PER_SM = 3, BLOCKS = SMS * PER_SM };

/* Blocks b, b + SMS, ... on SM b; SMs are numbered with gaps, as on cards with some switched off.
 */
static void record(struct hide_mark marks[BLOCKS])
{
    for (unsigned b = 0; b < BLOCKS; b++)
        marks[b] = (struct hide_mark){
            .start = 1000 + 10 * b, .end = 5000 + 7 * b, .sm = 2 * (b % SMS) + 1};
}

static unsigned judge(const struct hide_mark *marks)
{
    return hide_misplaced(marks, BLOCKS, SMS, PER_SM);
}

Test(hide, blocks_where_they_should_be_are_accepted)
{
    struct hide_mark marks[BLOCKS];

    record(marks);
    cr_assert_eq(judge(marks), 0);
}

Test(hide, a_block_on_the_wrong_sm_spoils_two_sms)
{
    struct hide_mark marks[BLOCKS];

    record(marks);
    marks[4].sm = marks[0].sm;
    cr_assert_eq(judge(marks), 2);
}

Test(hide, a_block_that_waited_for_another_is_no_resident)
{
    struct hide_mark marks[BLOCKS];

    record(marks);
    marks[SMS + 2].start = marks[2].end;
    marks[SMS + 2].end = marks[2].end + 4000;
    cr_assert_eq(judge(marks), 1);
}

Test(hide, an_sm_without_blocks_is_missed)
{
    struct hide_mark marks[BLOCKS];

    record(marks);
    cr_assert_eq(hide_misplaced(marks, BLOCKS, SMS + 1, PER_SM), 1);
}

Test(hide, more_sms_than_the_card_has_are_no_recording)
{
    struct hide_mark marks[BLOCKS];

    record(marks);
    for (unsigned i = 0; i < PER_SM; i++)
        marks[i * SMS].sm = 100 + i;
    cr_assert_gt(judge(marks), 0);
}

Test(hide, a_recording_never_written_is_refused)
{
    const struct hide_mark marks[BLOCKS] = {{0}};

    cr_assert_eq(judge(marks), SMS);
}

/* Shared memory of an SM, reserved per block, most per block: T4, A100, RTX 4090, H100. */
static const size_t cards[][3] = {
    {65536, 0, 65536}, {167936, 1024, 166912}, {102400, 1024, 101376}, {233472, 1024, 232448}};

Test(hide, shared_memory_lets_exactly_so_many_blocks_in)
{
    for (size_t c = 0; c < sizeof cards / sizeof *cards; c++)
        for (unsigned blocks = 1; blocks <= 16; blocks++) {
            const size_t per_sm = cards[c][0], reserved = cards[c][1];
            const size_t bytes = hide_shared_bytes(per_sm, reserved, cards[c][2], blocks);

            cr_assert_leq(bytes, cards[c][2]);
            cr_assert_leq(blocks * (bytes + reserved), per_sm);
            cr_assert_gt((blocks + 1) * (bytes + reserved), per_sm, "card %zu, %u blocks", c,
                         blocks);
        }
}

Test(hide, shared_memory_never_wraps_below_zero)
{
    cr_assert_eq(hide_shared_bytes(4096, 1024, 4096, 16), 0);
}

Test(hide, warps_make_whole_blocks)
{
    cr_assert_eq(hide_threads(1), 32);
    cr_assert_eq(hide_threads(2), 64);
    cr_assert_eq(hide_threads(4), 128);
    cr_assert_eq(hide_threads(64), 128);
}

Test(hide, the_fma_reference_is_its_chains)
{
    const struct hide_args args = {.operation = HIDE_FMA, .ilp = 2, .a = 0.5f, .b = 3, .trips = 2};
    float x = hide_fma_input(7, 0), y = hide_fma_input(7, 1);

    for (int n = 0; n < HIDE_FMA_TRIP; n++) {
        x = fmaf(x, args.a, args.b);
        y = fmaf(y, args.a, args.b);
    }
    cr_assert_eq(hide_fma_expected(&args, 7), x + y);
}

Test(hide, a_load_thread_sums_its_own_elements_in_order)
{
    struct hide_args args = {.operation = HIDE_LOAD, .ilp = 2, .access_bytes = 4, .trips = 2};
    float sum = 0;

    args.blocks = 3;
    args.threads = 32;
    for (size_t n = 0; n < 4; n++)
        sum += fill_positive(9, 5 + 96 * n);
    cr_assert_eq(hide_load_expected(&args, 9, 5), sum);
    args.access_bytes = 16;
    args.ilp = args.trips = 1;
    cr_assert_eq(hide_load_expected(&args, 9, 5),
                 (fill_positive(9, 20) + fill_positive(9, 21)) +
                     (fill_positive(9, 22) + fill_positive(9, 23)));
}
