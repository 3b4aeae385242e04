/* What a matrix product must be: single entries in double, and the error that each format allows.
 */
#ifndef KERNELS_GEMM_REFERENCE_H
#define KERNELS_GEMM_REFERENCE_H

#include "kernels/gemm.h"

/* The answer's entry and what bounds its error, in double from the operands as they were rounded:
 * filled by kernel_fill with these seeds; set `set` begins at element set * m * k (set * k * n). */
struct gemm_entry {
    double value, norms; /* norms: |row of A| * |column of B|, Euclidean */
};
struct gemm_entry gemm_reference(const struct gemm_args *a, uint64_t seed_a, uint64_t seed_b,
                                 unsigned set, size_t row, size_t column);
/* Largest error allowed of an entry (METHOD 6). */
double gemm_bound(const struct gemm_args *a, const struct gemm_entry *e);
/* An element of C's type as double. */
double gemm_decode(enum gemm_type type, const void *element);

#endif
