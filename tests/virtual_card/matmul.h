/* A matrix product as the stand-ins of cuBLAS hand it to the card: D = op(A) x op(B), columns
 * first.
 */
#ifndef VIRTUAL_CARD_MATMUL_H
#define VIRTUAL_CARD_MATMUL_H

#include <cublas_api.h>
#include <driver_types.h>
#include <library_types.h>
#include <stddef.h>

struct matmul {
    bool transpose_a, transpose_b;
    cudaDataType_t type_a, type_b, type_d;
    cublasComputeType_t compute;
    size_t m, n, k, lda, ldb, ldd;
    const void *a, *b;
    void *d;
    double share_of_peak; /* how good the chosen algorithm is */
};

extern "C" {
/* Enqueues it; elements are computed when somebody reads them. */
__attribute__((visibility("default"))) cublasStatus_t virtual_blas_enqueue(const struct matmul *p,
                                                                           cudaStream_t stream);
/* Whether this card has such a product. */
__attribute__((visibility("default"))) bool
virtual_blas_supports(cublasComputeType_t compute, cudaDataType_t in, cudaDataType_t out);
/* The value of a scaling factor of the host, which must be 0 or 1. */
__attribute__((visibility("default"))) double virtual_blas_scalar(const void *value,
                                                                  cudaDataType_t type);
/* Counts the call and holds an error that a test ordered for it. */
__attribute__((visibility("default"))) cublasStatus_t virtual_blas_begin(const char *name);
}

#endif
