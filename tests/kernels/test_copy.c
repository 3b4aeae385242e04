/* The host's copy, and how executions go round a ring of memory. */
#include "kernels/copy.h"
#include "tests/kernels/shares.h"

#include <criterion/criterion.h>
#include <string.h>

Test(copy, moves_the_bytes_and_no_more)
{
    char from[100], to[100];
    const struct copy_args args = {.to = to, .from = from, .bytes = 77};

    memset(from, 1, sizeof from);
    memset(to, 2, sizeof to);
    cr_assert_eq(execute_shares(&kernel_copy_memcpy, &args, 1), 0);
    cr_expect_arr_eq(to, from, 77);
    for (size_t i = 77; i < sizeof to; i++)
        cr_expect_eq(to[i], 2);
}

Test(copy, goes_round_the_ring)
{
    struct copy_ring ring = {.bytes = 100};
    const struct copy_args args = {.bytes = 30, .ring = &ring};
    static const size_t turns[] = {0, 30, 60, 0, 30, 60, 0};

    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        cr_expect_eq(copy_turn(&args), turns[i]);
}

Test(copy, a_ring_of_one_stays)
{
    struct copy_ring ring = {.bytes = 100};
    const struct copy_args args = {.bytes = 100, .ring = &ring}, none = {.bytes = 10};

    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(copy_turn(&args), 0);
        cr_expect_eq(copy_turn(&none), 0);
    }
}

Test(copy, moves_both_addresses_with_the_ring)
{
    char from[4] = "abc", to[4] = "---";
    struct copy_ring ring = {.bytes = 3};
    const struct copy_args args = {.to = to, .from = from, .bytes = 1, .ring = &ring};

    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(execute_shares(&kernel_copy_memcpy, &args, 1), 0);
    cr_expect_str_eq(to, "ab-");
}

Test(copy, only_memcpy_is_for_the_host)
{
    cr_expect_null(kernel_copy_async.host);
    cr_expect_null(kernel_copy_synchronous.host);
    cr_expect_null(kernel_copy_both.host);
    cr_expect_eq(kernel_copy_both.streams, 2);
    cr_expect_eq(kernel_copy_memcpy.host_threads, HOST_ONE_CORE);
}
