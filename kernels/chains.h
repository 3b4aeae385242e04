/* Several walks at once on every core: how much latency a CPU hides by having more loads under way.
 *
 * Worker w walks `chains` chains over the cycle of kernels/chase.h, a step of each in turn, `steps`
 * steps each; every chain goes on where it ended.  One execution loads
 * workers x chains x steps words, each from another node. */
#ifndef KERNELS_CHAINS_H
#define KERNELS_CHAINS_H

#include "kernels/chase.h"

enum { CHAINS_MAX = 32 };

struct chains_args {
    const uint32_t *next;
    /* Where each chain stands, in words: worker w's begin at w CHAINS_MAX; read and written. */
    uint32_t *cursors;
    unsigned chains;
    uint32_t steps;
};

/* Host only: a card hides latency with warps, see kernels/hide.h. */
extern const struct kernel kernel_chains;

#endif
