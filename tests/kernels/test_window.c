/* kernels/window.h adds up every word of its own window as often as it is told. */
#include "kernels/window.h"
#include "tests/kernels/shares.h"

#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(window);

Test(window, each_worker_adds_up_its_own_window)
{
    const size_t words = 2 * WINDOW_BYTES_LEAST / sizeof(uint32_t);
    uint32_t *in = aligned_alloc(64, SHARES_MOST * words * sizeof *in), sums[SHARES_MOST] = {0};
    const struct window_args args = {
        .in = in, .bytes = words * sizeof *in, .passes = 3, .sums = sums, .sum_count = SHARES_MOST};

    for (size_t i = 0; i < SHARES_MOST * words; i++)
        in[i] = (uint32_t)(i * 2654435761u); /* sums wrap round */
    cr_assert_eq(execute_shares(&kernel_window, &args, SHARES_MOST), 0);
    for (size_t w = 0; w < SHARES_MOST; w++) {
        uint32_t right = 0;

        for (size_t i = w * words; i < (w + 1) * words; i++)
            right += 3 * in[i];
        cr_expect_eq(sums[w], right, "worker %zu", w);
    }
    free(in);
}
