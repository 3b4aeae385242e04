/* In, work, out: an array is copied to the card, worked on and copied back, in one piece or in
 * several that overlap on three streams (METHOD 2).  Card only.
 *
 * Every element x gets `fmas` times x = x * a + b; `to` holds the results.  Of the stages only
 * those that are asked for are done, on what lies there.  One execution moves 4 x count bytes each
 * way. */
#ifndef KERNELS_PIPELINE_H
#define KERNELS_PIPELINE_H

#include "kernels/kernel.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PIPELINE_IN = 1, PIPELINE_WORK = 2, PIPELINE_OUT = 4, PIPELINE_WHOLE = 7 };
enum { PIPELINE_STREAMS = 3, PIPELINE_THREADS = 256, PIPELINE_UNROLLED = 16 };

struct pipeline_args {
    const float *from; /* the host's memory, pinned if the stages shall overlap */
    float *to;
    float *in, *out; /* the card's */
    size_t count;    /* elements of each of the four: a multiple of 4 x pieces */
    unsigned pieces, stages;
    unsigned fmas; /* a multiple of PIPELINE_UNROLLED */
    float a, b;
    unsigned blocks; /* written by the plan: the grid of the work */
};

cuda_body pipeline_cuda;
cuda_plan pipeline_cuda_plan;

extern const struct kernel kernel_pipeline;

#ifdef __cplusplus
}
#endif
#endif
