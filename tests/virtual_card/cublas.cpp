/* A stand-in for cuBLAS: cublasGemmEx and what it needs. */
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/matmul.h"

#include <cublas_v2.h>

#define API extern "C" __attribute__((visibility("default")))
#define ENTER(name)                                                                                \
    if (cublasStatus_t ordered = virtual_blas_begin(#name))                                        \
    return ordered

static const double share_of_peak = 0.95; /* the heuristic's choice */
enum { VERSION = 130000 };

struct session {
    cudaStream_t stream;
};

API cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    ENTER(cublasCreate_v2);
    *handle = (cublasHandle_t) new session{nullptr};
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    ENTER(cublasDestroy_v2);
    delete (struct session *)handle;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version)
{
    ENTER(cublasGetVersion_v2);
    *version = VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    ENTER(cublasSetStream_v2);
    ((struct session *)handle)->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t mode)
{
    ENTER(cublasSetMathMode);
    if (mode != CUBLAS_DEFAULT_MATH)
        VIRTUAL_UNKNOWN("mode", mode);
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t)
{
    ENTER(cublasSetWorkspace_v2);
    return CUBLAS_STATUS_SUCCESS;
}

static cudaDataType_t scale_of(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
        return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
        return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
        return CUDA_R_32I;
    default:
        return CUDA_R_32F;
    }
}

API cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                                const void *a, cudaDataType type_a, int lda, const void *b,
                                cudaDataType type_b, int ldb, const void *beta, void *c,
                                cudaDataType type_c, int ldc, cublasComputeType_t compute,
                                cublasGemmAlgo_t algorithm)
{
    ENTER(cublasGemmEx);
    if (algorithm != CUBLAS_GEMM_DEFAULT)
        VIRTUAL_UNKNOWN("algorithm", algorithm);
    if (!virtual_blas_supports(compute, type_a, type_c) || type_a != type_b)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (virtual_blas_scalar(alpha, scale_of(compute)) != 1 ||
        virtual_blas_scalar(beta, scale_of(compute)) != 0)
        virtual_fail("cublasGemmEx: only alpha = 1, beta = 0 is known");

    const struct matmul p = {op_a != CUBLAS_OP_N,
                             op_b != CUBLAS_OP_N,
                             type_a,
                             type_b,
                             type_c,
                             compute,
                             (size_t)m,
                             (size_t)n,
                             (size_t)k,
                             (size_t)lda,
                             (size_t)ldb,
                             (size_t)ldc,
                             a,
                             b,
                             c,
                             share_of_peak};

    return virtual_blas_enqueue(&p, ((struct session *)handle)->stream);
}
