/* Comparing an FP32 array with what it must hold, computed anew from the generator of fill.h: an
 * answer's check, independent of the kernel that gave it and indexed in another way.
 *
 * Element i of `found` must be  offset + scale_b * B(i) + scale_c * C(i)  with
 * B(i) = fill_positive(seed_b, first + i) and C(i) likewise; a scale of 0 leaves its array out.
 * Exact where the scales are powers of two and at most one rounding remains. */
#ifndef KERNELS_COMPARE_H
#define KERNELS_COMPARE_H

#include "kernels/fill.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COMPARE_PARTS = 1 << 16 };

/* What one thread of a card or worker of a host saw. */
struct compare_part {
    uint64_t different; /* elements, NaN among them */
    double expected;    /* sum of what they must be */
};

struct compare_args {
    const float *found;
    size_t count, first;
    float offset, scale_b, scale_c;
    uint64_t seed_b, seed_c;
    struct compare_part *parts; /* COMPARE_PARTS of them, all written; device memory on a card */
};

FILL_INLINE float compare_expected(const struct compare_args *a, size_t i)
{
    const float b = a->scale_b != 0 ? a->scale_b * fill_positive(a->seed_b, a->first + i) : 0;
    const float c = a->scale_c != 0 ? a->scale_c * fill_positive(a->seed_c, a->first + i) : 0;

    return a->offset + (b + c);
}

FILL_INLINE void compare_element(const struct compare_args *a, size_t i, struct compare_part *part)
{
    const float expected = compare_expected(a, i);

    part->different += !(a->found[i] == expected);
    part->expected += expected;
}

/* All parts, in host memory, as one. */
struct compare_part compare_total(const struct compare_part *parts);

cuda_body compare_cuda;

extern const struct kernel kernel_compare;

#ifdef __cplusplus
}
#endif
#endif
