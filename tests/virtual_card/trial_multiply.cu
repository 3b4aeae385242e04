/* One product by the cuBLAS that the loader finds, as ridge finds it: with dlopen. */
#include "tests/virtual_card/trial.h"

#ifdef __CUDACC__
#include <cublas_v2.h>
#include <dlfcn.h>
#include <string>

template <class Call> static Call *look_up(void *library, Call *, const char *name)
{
    return (Call *)dlsym(library, name);
}

/* cublasGemmEx is overloaded for C++. */
using gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                            const void *, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t);

int trial_multiply(int n, const float *a, const float *b, float *d, cudaStream_t stream)
{
    const std::string file = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
    static void *const library = dlopen(file.c_str(), RTLD_NOW);
    static cublasHandle_t handle;
    const float one = 1, zero = 0;

    if (!library || (!handle && look_up(library, &cublasCreate_v2, "cublasCreate_v2")(&handle)) ||
        look_up(library, &cublasSetStream_v2, "cublasSetStream_v2")(handle, stream))
        return printf("no cuBLAS\n"), 1;
    return look_up(library, (gemm *)nullptr, "cublasGemmEx")(
        handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n, &zero,
        d, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
#endif
