/* The walk of kernels/chase.h is one cycle over all nodes, in no order, and its end is known. */
#include "kernels/chase.h"

#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(chase);

enum { LEAST_LOG2 = 5, WALKED_LOG2_MOST = 18 };

static uint32_t *linked(unsigned nodes_log2, unsigned workers)
{
    uint32_t *next = calloc((size_t)1 << nodes_log2, CHASE_NODE_BYTES);
    const struct chase_link_args args = {.next = next, .nodes_log2 = nodes_log2};

    for (unsigned w = 0; w < workers; w++)
        cr_assert_eq(kernel_chase_link.host(&args, w, workers), 0);
    return next;
}

Test(chase, mixing_can_be_undone_at_every_size)
{
    for (unsigned n = LEAST_LOG2; n <= CHASE_NODES_LOG2_MAX; n++)
        for (uint32_t x = 0; x < 1000; x++) {
            const uint32_t node = x * 2654435761u & (uint32_t)((1u << n) - 1);

            cr_assert_eq(chase_unmix(chase_mix(node, n), n), node);
            cr_assert_eq(chase_mix(chase_unmix(node, n), n), node);
            cr_assert_lt(chase_mix(node, n), 1u << n);
        }
}

Test(chase, the_walk_visits_every_node_once_and_comes_back)
{
    for (unsigned n = LEAST_LOG2; n <= WALKED_LOG2_MOST; n++) {
        uint32_t *next = linked(n, 1 + n % 3), p = 0;
        size_t steps = 0;

        do {
            p = next[p];
            cr_assert_eq(p % CHASE_NODE_WORDS, 0);
            steps++;
        } while (p != 0 && steps <= (size_t)1 << n);
        cr_assert_eq(steps, (size_t)1 << n, "2^%u nodes: came back after %zu steps", n, steps);
        free(next);
    }
}

/* A cycle's length divides 2^n, since 2^n steps lead back; 2^(n-1) do not: so it is 2^n. */
Test(chase, sizes_too_large_to_walk_are_one_cycle_as_well)
{
    for (unsigned n = LEAST_LOG2; n <= CHASE_NODES_LOG2_MAX; n++) {
        const uint32_t start = 12345u & ((1u << n) - 1);

        cr_assert_eq(chase_after(start, (uint64_t)1 << n, n), start);
        cr_assert_neq(chase_after(start, (uint64_t)1 << (n - 1), n), start);
    }
}

Test(chase, the_end_of_a_walk_is_known)
{
    const unsigned n = 10;
    uint32_t j = 77;

    for (uint64_t steps = 0; steps < 3000; steps++) {
        cr_assert_eq(chase_after(77, steps, n), j, "after %lu steps", (unsigned long)steps);
        j = chase_next(j, n);
    }
}

/* Prefetchers and open pages of DRAM must not be able to tell where it goes. */
Test(chase, neighbouring_steps_are_far_apart)
{
    const unsigned n = 20;
    unsigned near = 0, repeated = 0;
    uint32_t j = 0, jump_before = 0;

    for (unsigned i = 0; i < 100000; i++) {
        const uint32_t to = chase_next(j, n), jump = to - j;

        near += jump + 1024 < 2048; /* within 128 KiB: one of 512 where the order is random */
        repeated += jump == jump_before;
        jump_before = jump;
        j = to;
    }
    cr_assert_lt(near, 100000 / 512 * 2);
    cr_assert_lt(repeated, 10);
}

Test(chase, the_host_goes_on_where_it_stood)
{
    const unsigned n = 8;
    uint32_t *next = linked(n, 1), cursor = 0;
    const struct chase_args args = {.next = next, .cursor = &cursor, .steps = 48};

    for (unsigned lap = 1; lap <= 3; lap++) {
        cr_assert_eq(kernel_chase.host(&args, 0, 1), 0);
        cr_assert_eq(cursor, chase_after(0, 48 * lap, n) * CHASE_NODE_WORDS);
    }
    free(next);
}

Test(chase, walks_share_memory_word_by_word)
{
    uint32_t *next = linked(8, 1), cursor = 3;
    const struct chase_link_args link = {next, 6, 3};
    const struct chase_args args = {.next = next, .cursor = &cursor, .steps = 16};

    kernel_chase_link.host(&link, 0, 1);
    cr_assert_eq(kernel_chase.host(&args, 0, 1), 0);
    cr_assert_eq(cursor, chase_after(0, 16, 6) * CHASE_NODE_WORDS + 3);
    cursor = 0;
    cr_assert_eq(kernel_chase.host(&args, 0, 1), 0);
    cr_assert_eq(cursor, chase_after(0, 16, 8) * CHASE_NODE_WORDS, "the larger walk is as it was");
    free(next);
}
