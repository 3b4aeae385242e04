/* Streaming through memory: read, write, copy, scale, add and triad of FP32 arrays.
 *
 * One execution handles `count` elements of every array that its operation names:
 *   read   sums[...] of b          write  out = scalar        copy   out = b
 *   scale  out = scalar * b        add    out = b + c         triad  out = b + scalar * c
 * and moves stream_arrays(operation) * 4 * count bytes.  Arrays begin on a cache line.  A scalar
 * that is a power of two gives the same answer with and without fused multiply-add. */
#ifndef KERNELS_STREAM_H
#define KERNELS_STREAM_H

#include "kernels/kernel.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum stream_operation {
    STREAM_READ,
    STREAM_WRITE,
    STREAM_COPY,
    STREAM_SCALE,
    STREAM_ADD,
    STREAM_TRIAD,
    STREAM_OPERATIONS
};

enum stream_variant {
    STREAM_GRID_STRIDE, /* card: a full house of blocks in strides, four loads in flight a thread */
    STREAM_ONE_SHOT,    /* card: a block for every 2048 vectors of 16 bytes loaded, no loop */
    STREAM_PLAIN,       /* host: ordinary loads and stores */
    STREAM_BYPASS,      /* host: prefetching loads, stores past the caches */
    STREAM_LIBRARY,     /* copy and write as the runtime or the C library does them */
    STREAM_VARIANTS
};

enum {
    STREAM_THREADS = 256,     /* a block */
    STREAM_WORKERS_MAX = 4096 /* of a host */
};

struct stream_args {
    enum stream_operation operation;
    enum stream_variant variant;
    float *out;
    const float *b, *c;
    size_t count; /* card: a multiple of 4; STREAM_ONE_SHOT: of stream_granule() */
    float scalar; /* STREAM_LIBRARY: stream_bytewise() */
    int keep;     /* read: write the sums, one for each thread of the card, worker of the host */
    float *sums;  /* read: sum_count of them */
    size_t sum_count; /* written by the plan on a card */
    unsigned blocks;  /* written by the plan: the grid */
};

/* How many arrays an operation moves, and its flops for each element. */
static inline unsigned stream_arrays(enum stream_operation operation)
{
    return operation <= STREAM_WRITE ? 1 : operation <= STREAM_SCALE ? 2 : 3;
}

static inline unsigned stream_flops(enum stream_operation operation)
{
    static const unsigned flops[STREAM_OPERATIONS] = {1, 0, 0, 1, 1, 2};

    return flops[operation];
}

/* A number, 0.747, whose four bytes are the same, so that a memset can write it. */
static inline float stream_bytewise(void)
{
    return 0x1.7e7e7ep-1f; /* 0x3F3F3F3F */
}

/* Elements of one array that a block of STREAM_ONE_SHOT handles: eight vectors of four a thread,
 * shared by the two inputs of add and triad. */
static inline size_t stream_granule(enum stream_operation operation)
{
    return (size_t)STREAM_THREADS * 4 * (stream_arrays(operation) == 3 ? 4 : 8);
}

/* The host's vector instructions, widest that this processor has: "avx512", "avx2", "baseline". */
const char *stream_host_simd(void);

cuda_body stream_cuda;
cuda_plan stream_cuda_plan;

/* One for each operation: kernel_stream[args->operation]. */
extern const struct kernel kernel_stream[STREAM_OPERATIONS];

#ifdef __cplusplus
}
#endif
#endif
