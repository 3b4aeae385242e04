/* A CPU's branch that can or cannot be foretold: a loop over elements, the host's half of what
 * divergence is on a card.
 *
 * Element i takes FIRST where rank[i] < below, else SECOND: BRANCH_LOOP_STEPS times
 * x = x factor + summand modulo 2^32, with the arm's own numbers.  An arm is about as long as what
 * a wrong guess costs.  With ranks 0..31 in equal shares, `below` of 32 elements take FIRST; the
 * order of the ranks decides whether the branch can be foretold.
 * One execution: 9 B and 2 BRANCH_LOOP_STEPS integer operations an element. */
#ifndef KERNELS_BRANCH_LOOP_H
#define KERNELS_BRANCH_LOOP_H

#include "kernels/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRANCH_LOOP_RANKS = 32, BRANCH_LOOP_STEPS = 4 };

struct branch_loop_args {
    const uint32_t *in;
    uint32_t *out;
    const uint8_t *rank;
    size_t count;
    unsigned below;
};

/* What an arm makes of x, in closed form. */
uint32_t branch_loop_expected(uint32_t x, bool first);
/* Ranks in equal shares (count is a multiple of 32): ascending, or the same shuffled. */
void branch_loop_ranks(uint8_t *rank, size_t count, bool shuffled);

extern const struct kernel kernel_branch_loop;

#endif
