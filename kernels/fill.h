/* Fills memory with reproducible data: random numbers that checks can compute again, or a constant.
 * One execution writes count elements of the kind's size; no flops are declared.
 * Worker w of W (or a thread of the grid) writes the same share of the array that the stream
 * kernels read with it, so that the first touch places pages where they are used. */
#ifndef KERNELS_FILL_H
#define KERNELS_FILL_H

#include "kernels/kernel.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* 64 random bits of element `index`: a mix of the counter (splitmix64's finaliser, Steele, Lea and
 * Flood, 2014). */
FILL_INLINE uint64_t fill_mix(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* Element of FILL_BITS. */
FILL_INLINE uint32_t fill_bits(uint64_t seed, uint64_t index)
{
    return (uint32_t)(fill_mix(seed, index) >> 32);
}

/* Element of FILL_POSITIVE. */
FILL_INLINE float fill_positive(uint64_t seed, uint64_t index)
{
    return 0.5f + (float)(fill_bits(seed, index) >> 8) * 0x1p-24f;
}

/* Element of FILL_SIGNED_FP32 and, before rounding, of FILL_SIGNED_FP16 and _BF16. */
FILL_INLINE float fill_signed(uint64_t seed, uint64_t index)
{
    return (float)(fill_bits(seed, index) >> 8) * 0x1p-23f - 1.0f;
}

/* Element of FILL_SIGNED_FP64: all 53 bits are random. */
FILL_INLINE double fill_signed_fp64(uint64_t seed, uint64_t index)
{
    return (double)(fill_mix(seed, index) >> 11) * 0x1p-52 - 1.0;
}

FILL_INLINE uint32_t fill_float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Bits of the half-precision number nearest to x, ties to even; |x| < 65520. */
FILL_INLINE uint16_t fill_fp16_of(float x)
{
    uint32_t sign = fill_float_bits(x) >> 16 & 0x8000u;
    uint32_t magnitude = fill_float_bits(x) & 0x7fffffffu;
    float absolute = x < 0 ? -x : x;

    if (absolute < 0x1p-14f) /* subnormal: 0.5f has the unit in the last place that halves have */
        return (uint16_t)(sign | (fill_float_bits(absolute + 0.5f) - fill_float_bits(0.5f)));
    magnitude += 0xfffu + (magnitude >> 13 & 1);
    return (uint16_t)(sign | (magnitude - ((127u - 15u) << 23)) >> 13);
}

/* Bits of the bfloat16 number nearest to x, ties to even; x is finite. */
FILL_INLINE uint16_t fill_bf16_of(float x)
{
    uint32_t bits = fill_float_bits(x);

    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

/* Writes element i of out. */
FILL_INLINE void fill_element(const struct fill_args *a, size_t i)
{
    switch (a->kind) {
    case FILL_BITS:
        ((uint32_t *)a->out)[i] = fill_bits(a->seed, i);
        break;
    case FILL_POSITIVE:
        ((float *)a->out)[i] = fill_positive(a->seed, i);
        break;
    case FILL_SIGNED_FP32:
        ((float *)a->out)[i] = fill_signed(a->seed, i);
        break;
    case FILL_SIGNED_FP64:
        ((double *)a->out)[i] = fill_signed_fp64(a->seed, i);
        break;
    case FILL_SIGNED_FP16:
        ((uint16_t *)a->out)[i] = fill_fp16_of(fill_signed(a->seed, i));
        break;
    case FILL_SIGNED_BF16:
        ((uint16_t *)a->out)[i] = fill_bf16_of(fill_signed(a->seed, i));
        break;
    case FILL_CONSTANT:
        ((uint32_t *)a->out)[i] = (uint32_t)a->seed;
        break;
    }
}

/* Bytes of one element. */
FILL_INLINE size_t fill_element_bytes(enum fill_kind kind)
{
    if (kind == FILL_SIGNED_FP64)
        return 8;
    return kind == FILL_SIGNED_FP16 || kind == FILL_SIGNED_BF16 ? 2 : 4;
}

cuda_body fill_cuda;
extern const struct kernel kernel_fill;

#ifdef __cplusplus
}
#endif
#endif
