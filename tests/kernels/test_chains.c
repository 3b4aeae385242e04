/* Every chain of kernels/chains.h walks its own way, and no other one is touched. */
#include "kernels/chains.h"

#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(chains);

enum { NODES_LOG2 = 12, WORKERS = 3, STEPS = 100 };

static uint32_t start_of(unsigned chain)
{
    return chase_after(0, chain * 37ull, NODES_LOG2);
}

static void walk_and_compare(const uint32_t *next, unsigned chains)
{
    uint32_t cursors[WORKERS * CHAINS_MAX];
    const struct chains_args args = {next, cursors, chains, STEPS};

    for (unsigned i = 0; i < WORKERS * CHAINS_MAX; i++)
        cursors[i] = start_of(i) * CHASE_NODE_WORDS;
    for (unsigned w = 0; w < WORKERS; w++)
        cr_assert_eq(kernel_chains.host(&args, w, WORKERS), 0);
    for (unsigned i = 0; i < WORKERS * CHAINS_MAX; i++) {
        const unsigned walked = i % CHAINS_MAX < chains ? STEPS : 0;

        cr_assert_eq(cursors[i], chase_after(start_of(i), walked, NODES_LOG2) * CHASE_NODE_WORDS,
                     "%u chains: chain %u", chains, i);
    }
}

Test(chains, each_goes_its_own_way)
{
    uint32_t *next = calloc((size_t)1 << NODES_LOG2, CHASE_NODE_BYTES);
    const struct chase_link_args link = {.next = next, .nodes_log2 = NODES_LOG2};

    kernel_chase_link.host(&link, 0, 1);
    for (unsigned chains = 1; chains <= CHAINS_MAX; chains++)
        walk_and_compare(next, chains);
    free(next);
}
