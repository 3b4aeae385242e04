/* FMA chains of a card: unrolled 256 FMAs a pass, so that the loop costs under 2 % of the issue
 * slots. */
#include "kernels/fma.h"
#include "kernels/ptx.h"

enum { THREADS = 256 };

template <typename T, int CHAINS>
__device__ __forceinline__ void run_chains(T *out, T a, T b, unsigned trips)
{
    T x[CHAINS], sum = 0;

#pragma unroll
    for (int j = 0; j < CHAINS; j++)
        x[j] = T(threadIdx.x % 32 * 16 + j) / T(512);
#pragma unroll 1
    for (unsigned t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < FMA_TRIP; n++)
            fma_kept(x[n % CHAINS], a, b);
#pragma unroll
    for (int j = 0; j < CHAINS; j++)
        sum += x[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#define CHAINS_KERNEL(name, type, chains)                                                          \
    extern "C" __global__ void __launch_bounds__(THREADS)                                          \
        name(type *out, type a, type b, unsigned trips)                                            \
    {                                                                                              \
        run_chains<type, chains>(out, a, b, trips);                                                \
    }
CHAINS_KERNEL(fma_1x256, float, 1)
CHAINS_KERNEL(fma_2x256, float, 2)
CHAINS_KERNEL(fma_4x256, float, 4)
CHAINS_KERNEL(fma_8x256, float, 8)
CHAINS_KERNEL(fma_fp64_1x256, double, 1)
CHAINS_KERNEL(fma_fp64_2x256, double, 2)
CHAINS_KERNEL(fma_fp64_4x256, double, 4)
CHAINS_KERNEL(fma_fp64_8x256, double, 8)

/* The kernel for the precision and number of chains, or NULL. */
static const void *kernel_for(const struct fma_args *a)
{
    static const struct {
        unsigned chains;
        const void *fp32, *fp64;
    } kernels[] = {
        {1, (const void *)fma_1x256, (const void *)fma_fp64_1x256},
        {2, (const void *)fma_2x256, (const void *)fma_fp64_2x256},
        {4, (const void *)fma_4x256, (const void *)fma_fp64_4x256},
        {8, (const void *)fma_8x256, (const void *)fma_fp64_8x256},
    };

    for (const auto &k : kernels)
        if (k.chains == a->chains)
            return a->precision == FMA_FP64 ? k.fp64 : k.fp32;
    return NULL;
}

extern "C" int fma_plan(void *args)
{
    struct fma_args *a = (struct fma_args *)args;
    const void *kernel = kernel_for(a);

    a->lanes = THREADS;
    return kernel ? grid_of_full_house(kernel, THREADS, &a->blocks) : (int)cudaErrorInvalidValue;
}

extern "C" int fma_cuda(const void *args, void *const *streams)
{
    const struct fma_args *a = (const struct fma_args *)args;
    const void *kernel = kernel_for(a);
    void *out = a->out;
    float a32 = (float)a->a, b32 = (float)a->b;
    double a64 = a->a, b64 = a->b;
    unsigned trips = a->steps * a->chains / FMA_TRIP;
    void *fp32[] = {&out, &a32, &b32, &trips}, *fp64[] = {&out, &a64, &b64, &trips};

    if (!kernel || trips * FMA_TRIP != a->steps * a->chains)
        return cudaErrorInvalidValue;
    return cudaLaunchKernel(kernel, dim3(a->blocks), dim3(a->lanes),
                            a->precision == FMA_FP64 ? fp64 : fp32, 0, (cudaStream_t)streams[0]);
}
