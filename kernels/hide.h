/* A given number of warps on every SM, each with a given number of independent operations: how
 * much work must be under way to hide latency.  Card only; kernels/chains.h asks it of a CPU.
 *
 * LOAD: `trips` trips of `ilp` loads of access_bytes (4 or 16) each, all begun before the first is
 * added; the grid reads ilp x trips arrays of one access a thread, one after the other, and each
 * thread sums its own in order (16 B: (x + y) + (z + w) first).
 * FMA: `trips` trips of HIDE_FMA_TRIP steps x = x a + b, dealt in turn to `ilp` chains that begin
 * as hide_fma_input says; the result is their sum in order.
 * Each thread writes one float.  Each block records where and when it ran.
 *
 * One execution: LOAD reads blocks x threads x trips x ilp x access_bytes; FMA does
 * 2 x blocks x threads x trips x HIDE_FMA_TRIP flop. */
#ifndef KERNELS_HIDE_H
#define KERNELS_HIDE_H

#include "kernels/kernel.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum hide_operation { HIDE_LOAD, HIDE_FMA };
enum { HIDE_FMA_TRIP = 64, HIDE_THREADS = 128, HIDE_ILP_MAX = 8 };

/* Where and when one block ran, nanoseconds of the card's timer. */
struct hide_mark {
    uint64_t start, end;
    uint64_t sm;
};

struct hide_args {
    enum hide_operation operation;
    unsigned ilp;          /* LOAD 4 B and FMA: 1, 2, 4, 8; LOAD 16 B: 1, 2, 4 */
    unsigned access_bytes; /* LOAD: 4, 16 */
    unsigned warps;        /* on every SM: 1, 2 or a multiple of 4 */
    const float *in;
    float *out;              /* a float a thread */
    struct hide_mark *marks; /* one a block */
    float a, b;
    unsigned trips;
    /* ---- written by the plan: one wave of blocks, held apart by shared memory alone ---- */
    unsigned threads, blocks_per_sm, blocks, shared_bytes;
    unsigned resident; /* blocks that the runtime says fit on an SM; should be blocks_per_sm */
};

/* Threads of a block for that many warps on an SM. */
unsigned hide_threads(unsigned warps);
/* Shared memory with which exactly `blocks` blocks fit on an SM. */
size_t hide_shared_bytes(size_t per_sm, size_t reserved_per_block, size_t most_per_block,
                         unsigned blocks);
/* How many SMs out of `sms` did not hold exactly per_sm blocks, all of which ran at some common
 * moment; 0: the residency was as asked. */
unsigned hide_misplaced(const struct hide_mark *marks, size_t blocks, unsigned sms,
                        unsigned per_sm);
/* The answer of one thread of the grid (LOAD) when `in` was filled with FILL_POSITIVE of that seed.
 */
float hide_load_expected(const struct hide_args *args, uint64_t seed, size_t thread);
/* Where chain j of a thread with that number in its warp begins. */
float hide_fma_input(unsigned lane, unsigned chain);
/* The answer of every thread with that number in its warp (FMA). */
float hide_fma_expected(const struct hide_args *args, unsigned lane);

extern const struct kernel kernel_hide;

#ifdef __cplusplus
}
#endif
#endif
