/* The card's body of kernels/intensity.h: four loads in flight, as in stream.cu, then the FMAs of
 * sixteen independent elements. */
#include "kernels/intensity.h"
#include "kernels/ptx.h"

static __device__ __forceinline__ float sum_of(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

static __device__ __forceinline__ void fma_each(float4 &v, float a, float b)
{
    fma_kept(v.x, a, b);
    fma_kept(v.y, a, b);
    fma_kept(v.z, a, b);
    fma_kept(v.w, a, b);
}

template <int FMAS> static __device__ __forceinline__ void fma_all(float4 (&v)[4], float a, float b)
{
#pragma unroll
    for (int n = 0; n < FMAS; n++)
#pragma unroll
        for (int u = 0; u < 4; u++)
            fma_each(v[u], a, b);
}

/* rounds: times FMAS; 0: once, without a loop. */
template <int FMAS, bool LOOP>
static __device__ __forceinline__ void walk(const float4 *__restrict__ in, unsigned passes, float a,
                                            float b, unsigned rounds, float *sums)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *p = in + first;
    float sum = 0.f;

#pragma unroll 1
    for (unsigned pass = 0; pass < passes; pass++, p += 4 * step) {
        float4 v[4] = {p[0], p[step], p[2 * step], p[3 * step]};

        if (LOOP) {
#pragma unroll 1
            for (unsigned round = 0; round < rounds; round++)
                fma_all<FMAS>(v, a, b);
        } else {
            fma_all<FMAS>(v, a, b);
        }
        sum += (sum_of(v[0]) + sum_of(v[1])) + (sum_of(v[2]) + sum_of(v[3]));
    }
    sums[first] = sum;
}

/* Left to itself the compiler saves registers for eight blocks an SM and moves loads behind uses.
 */
#define WALK(name, fmas, loop)                                                                     \
    extern "C" __global__ void __launch_bounds__(256, 4)                                           \
        name(const float4 *__restrict__ in, unsigned passes, float a, float b, unsigned rounds,    \
             float *sums)                                                                          \
    {                                                                                              \
        walk<fmas, loop>(in, passes, a, b, rounds, sums);                                          \
    }
WALK(intensity_1, 1, false)
WALK(intensity_2, 2, false)
WALK(intensity_4, 4, false)
WALK(intensity_8, 8, false)
WALK(intensity_16, 16, false)
WALK(intensity_loop, 16, true)

/* The kernel for so many FMAs an element, or NULL. */
static const void *kernel_for(unsigned fmas)
{
    switch (fmas) {
    case 1:
        return (const void *)intensity_1;
    case 2:
        return (const void *)intensity_2;
    case 4:
        return (const void *)intensity_4;
    case 8:
        return (const void *)intensity_8;
    case INTENSITY_UNROLLED:
        return (const void *)intensity_16;
    default:
        return fmas % INTENSITY_UNROLLED == 0 ? (const void *)intensity_loop : NULL;
    }
}

extern "C" int intensity_cuda_plan(void *args)
{
    struct intensity_args *a = (struct intensity_args *)args;
    const void *kernel = kernel_for(a->fmas);
    const int error = kernel ? grid_of_full_house(kernel, INTENSITY_THREADS, &a->blocks)
                             : (int)cudaErrorInvalidValue;

    a->sum_count = (size_t)a->blocks * INTENSITY_THREADS;
    return error;
}

extern "C" int intensity_cuda(const void *args, void *const *streams)
{
    struct intensity_args a = *(const struct intensity_args *)args;
    const size_t pass = intensity_granule(&a);
    const void *kernel = kernel_for(a.fmas);
    unsigned passes = (unsigned)(a.count / pass);
    unsigned rounds = a.fmas / INTENSITY_UNROLLED;
    void *parameters[] = {&a.in, &passes, &a.a, &a.b, &rounds, &a.sums};

    if (!kernel || a.blocks == 0 || passes == 0 || passes * pass != a.count)
        return cudaErrorInvalidValue;
    return cudaLaunchKernel(kernel, dim3(a.blocks), dim3(INTENSITY_THREADS), parameters, 0,
                            (cudaStream_t)streams[0]);
}
