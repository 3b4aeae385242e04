/* Fills memory with reproducible data: random numbers that checks can compute again, or a constant.
 * One execution writes count elements of the kind's size; no flops are declared.
 * Worker w of W (or a thread of the grid) writes the same share of the array that the stream
 * kernels read with it, so that the first touch places pages where they are used. */
#ifndef KERNELS_FILL_H
#define KERNELS_FILL_H

#include "kernels/kernel.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fill_kind {
    FILL_BITS,        /* uint32_t, all 32 bits random */
    FILL_POSITIVE,    /* float in [0.5, 1.5) (METHOD 3) */
    FILL_SIGNED_FP32, /* float in [-1, 1) (METHOD 6) */
    FILL_SIGNED_FP64,
    FILL_SIGNED_FP16,
    FILL_SIGNED_BF16,
    FILL_CONSTANT /* uint32_t: the low half of seed; 0xFFFFFFFF poisons (NaN) */
};

struct fill_args {
    void *out;
    size_t count; /* elements */
    uint64_t seed;
    enum fill_kind kind;
};

#ifdef __CUDACC__
#define FILL_INLINE static __host__ __device__ __forceinline__
#else
#define FILL_INLINE static inline
#endif

/* 32 random bits of element `index`: a mix of the counter (splitmix64's finaliser, Steele, Lea and
 * Flood, 2014). */
FILL_INLINE uint32_t fill_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

/* Element of FILL_POSITIVE and, before rounding to the narrower type, of FILL_SIGNED_*. */
FILL_INLINE float fill_positive(uint64_t seed, uint64_t index)
{
    return 0.5f + (float)(fill_bits(seed, index) >> 8) * 0x1p-24f;
}

FILL_INLINE float fill_signed(uint64_t seed, uint64_t index)
{
    return (float)(fill_bits(seed, index) >> 8) * 0x1p-23f - 1.0f;
}

extern const struct kernel kernel_fill;

#ifdef __cplusplus
}
#endif
#endif
