/* Reads memory and gives every element a number of fused multiply-adds: the kernel that walks along
 * the roofline, from memory's slope to the ceiling of the FMA units (METHOD 10).
 *
 *     sums[...] += x after `fmas` times x = x * a + b, for every element x of `in`
 *
 * One execution reads 4 x count bytes and does 2 x fmas x count flop; the sums are not counted. */
#ifndef KERNELS_INTENSITY_H
#define KERNELS_INTENSITY_H

#include "kernels/kernel.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    INTENSITY_THREADS = 256,   /* of a block */
    INTENSITY_EACH = 16,       /* elements of a card's thread in one pass of its loop */
    INTENSITY_UNROLLED = 16,   /* FMAs an element that stand in the code; more are a loop of them */
    INTENSITY_FMAS_MOST = 512, /* and a power of two */
    INTENSITY_BLOCK = 1 << 14  /* elements that a worker of a host takes at once */
};

struct intensity_args {
    const float *in; /* begins on a cache line */
    size_t count;    /* a multiple of what a worker takes at once, see below */
    unsigned fmas;
    float a, b;
    float *sums; /* sum_count of them, all written: one a thread of the card, worker of the host */
    size_t sum_count; /* written by the plan on a card */
    unsigned blocks;  /* written by the plan: the grid */
};

/* Elements that are taken at once: by the whole grid of a card, by a worker of a host (blocks 0).
 */
static inline size_t intensity_granule(const struct intensity_args *a)
{
    return a->blocks ? (size_t)a->blocks * INTENSITY_THREADS * INTENSITY_EACH
                     : (size_t)INTENSITY_BLOCK;
}

cuda_body intensity_cuda;
cuda_plan intensity_cuda_plan;

extern const struct kernel kernel_intensity;

#ifdef __cplusplus
}
#endif
#endif
