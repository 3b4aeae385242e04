/* A walk whose every step needs the answer of the step before: memory latency and nothing else.
 *
 * Nodes of CHASE_NODE_BYTES hold in one of their words which word of the memory comes next, so that
 * a step is p = next[p].  2^n nodes form one cycle: node j is followed by
 * mix(step(unmix(j))), where step(x) = (x A + C) mod 2^n passes through all numbers (A = 1 mod 4,
 * C odd: Hull and Dobell, 1962) and mix shuffles the bits of its order into no order at all.  So
 * any size is built in one pass, and where a walk stands after any number of steps is known at
 * once.
 *
 * A walk goes on where the last one ended: a short walk that began anew each time would find in a
 * cache the few nodes that it passed before. */
#ifndef KERNELS_CHASE_H
#define KERNELS_CHASE_H

#include "kernels/kernel.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CHASE_NODE_BYTES = 128,
    CHASE_NODE_WORDS = CHASE_NODE_BYTES / 4,
    CHASE_UNROLL = 16,        /* steps are a multiple of it */
    CHASE_NODES_LOG2_MAX = 27 /* words are counted in 32 bits */
};

/* kernel_chase_link: links the first 2^nodes_log2 nodes of `next`.  Walks of several sizes can
 * share the memory: each has its links in another word of the nodes, and stays in those words. */
struct chase_link_args {
    uint32_t *next;
    unsigned nodes_log2, word; /* word: below CHASE_NODE_WORDS */
};

/* kernel_chase.  One execution of a card walks `steps` steps untimed, then `steps` timed ones
 * (METHOD 4: the first lap warms; caches do not outlive a launch); of a host, `steps` steps.
 * Reads one word a step. */
struct chase_args {
    long long *ticks; /* must come first: struct ticks_args; cards only */
    const uint32_t *next;
    uint32_t *cursor; /* where the walk stands, in words; read and written */
    uint32_t steps;
};

#ifdef __CUDACC__
#define CHASE_INLINE static __host__ __device__ __forceinline__
#else
#define CHASE_INLINE static inline
#endif

#define CHASE_FACTOR  1664525u
#define CHASE_SUMMAND 1013904223u

/* Two rounds of shift, fold and multiply, each of which can be undone (half is at least half of
 * the bits: folding twice is folding never; the factors are odd and come with their inverses). */
CHASE_INLINE uint32_t chase_fold(uint32_t x, unsigned nodes_log2)
{
    return x ^ x >> (nodes_log2 + 1) / 2;
}

CHASE_INLINE uint32_t chase_mix(uint32_t x, unsigned nodes_log2)
{
    const uint32_t mask = (uint32_t)(((uint64_t)1 << nodes_log2) - 1);

    x = chase_fold(x, nodes_log2) * 0x7FEB352Du & mask;
    x = chase_fold(x, nodes_log2) * 0x846CA68Bu & mask;
    return chase_fold(x, nodes_log2);
}

CHASE_INLINE uint32_t chase_unmix(uint32_t x, unsigned nodes_log2)
{
    const uint32_t mask = (uint32_t)(((uint64_t)1 << nodes_log2) - 1);

    x = chase_fold(x, nodes_log2) * 0x43021123u & mask;
    x = chase_fold(x, nodes_log2) * 0x1D69E2A5u & mask;
    return chase_fold(x, nodes_log2);
}

/* The node after node j. */
CHASE_INLINE uint32_t chase_next(uint32_t j, unsigned nodes_log2)
{
    const uint32_t mask = (uint32_t)(((uint64_t)1 << nodes_log2) - 1);

    return chase_mix((chase_unmix(j, nodes_log2) * CHASE_FACTOR + CHASE_SUMMAND) & mask,
                     nodes_log2);
}

/* The node `steps` steps after node j. */
uint32_t chase_after(uint32_t j, uint64_t steps, unsigned nodes_log2);

extern const struct kernel kernel_chase, kernel_chase_link;

#ifdef __cplusplus
}
#endif
#endif
