/* Lanes of a warp that take different branches, with arms of fused multiply-adds.
 *
 * Every thread carries one number through `trips` trips of a loop.  FIRST is x = x a + b, SECOND is
 * x = x b + a, each rounded once.  A trip is, by kind:
 *   STRAIGHT     64 FIRST, no branch: what the others are compared with
 *   ARMS_64_64   64 FIRST where the lane's bit in mask is set, else 64 SECOND
 *   ARMS_256_64  256 FIRST where it is set, else 64 SECOND
 *   SELECT       64 FIRST and 64 SECOND by every lane, then one of the two results
 *   LADDER_64, LADDER_256
 *                one body of 64 or 256 FIRST, dealt in turn to four numbers x, x+1, x+2, x+3, which
 *                stands once in the code and is run for each of `paths` path numbers by the lanes
 *                that hold it; the result is (x0 + x1) + (x2 + x3)
 * One execution reads 4 B and writes 4 B a thread (ladders read one more) and does 2 flop for each
 * FIRST and SECOND that a lane keeps. */
#ifndef KERNELS_BRANCH_H
#define KERNELS_BRANCH_H

#include "kernels/kernel.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum branch_kind {
    BRANCH_STRAIGHT,
    BRANCH_ARMS_64_64,
    BRANCH_ARMS_256_64,
    BRANCH_SELECT,
    BRANCH_LADDER_64,
    BRANCH_LADDER_256,
    BRANCH_KINDS
};

enum { BRANCH_THREADS = 256, BRANCH_PATHS_MAX = 32 };

struct branch_args {
    enum branch_kind kind;
    const float *in;     /* a number for every thread of the grid */
    float *out;          /* likewise */
    const uint8_t *path; /* ladders: the thread's path number, below paths */
    uint32_t mask;       /* arms and SELECT: bit l sends lane l of every warp to FIRST */
    float a, b;
    int paths, trips;
    unsigned blocks; /* of BRANCH_THREADS; the plan sets it so that every SM is full */
};

/* Fused multiply-adds of one trip in the arm that a lane keeps. */
unsigned branch_steps(enum branch_kind kind, bool first);
/* The answer of a thread that began with `in` and kept that arm (ladders: first). */
float branch_expected(const struct branch_args *args, float in, bool first);

/* Card only: a CPU's lanes do not share an instruction; branch_loop is its question. */
extern const struct kernel kernel_branch;

#ifdef __cplusplus
}
#endif
#endif
