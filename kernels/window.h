/* Reading one window of memory over and over: what the caches deliver (METHOD 4).
 *
 * A card has one window, which the whole grid reads from L2, `passes` times round; a host has one
 * for each worker, which lie one after the other.  Every word of every window is added up
 * `passes` times, in integers: the sums together are exact, modulo 2^32.
 *
 * One execution reads windows x bytes x passes bytes; no flops are declared. */
#ifndef KERNELS_WINDOW_H
#define KERNELS_WINDOW_H

#include "kernels/kernel.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WINDOW_BYTES_LEAST = 1024, /* of a window, which is a power of two */
    WINDOW_THREADS = 256,      /* a block */
    WINDOW_WORKERS_MAX = 4096  /* of a host */
};

struct window_args {
    const uint32_t *in; /* begins on a cache line */
    size_t bytes;       /* of one window */
    size_t passes;
    uint32_t
        *sums; /* sum_count of them, all written: one a thread of the card, worker of the host */
    size_t sum_count; /* written by the plan on a card */
    unsigned blocks;  /* written by the plan: the grid */
};

cuda_body window_cuda;
cuda_plan window_cuda_plan;

extern const struct kernel kernel_window;

#ifdef __cplusplus
}
#endif
#endif
