/* Inline PTX and vendor-only intrinsics as small named functions, each with a plain C++ twin for
 * the host compiler, so that every kernel can also be executed without a card.
 *
 * At the end what the launchers beside the kernels share.
 *
 * "kept" means: the compiler can neither remove, merge nor predicate away the instruction. */
#ifndef KERNELS_PTX_H
#define KERNELS_PTX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

/* Declares a block's static shared array: SHARED(float, tile, 256); */
#define SHARED(type, name, count) __shared__ type name[count]
/* Declares the block's dynamic shared memory, whose size the launch gives. */
#define SHARED_DYNAMIC(type, name) extern __shared__ type name[]

/* x = x * a + b */
__device__ __forceinline__ void fma_kept(float &x, float a, float b)
{
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
}

__device__ __forceinline__ void fma_kept(double &x, double a, double b)
{
    asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
}

/* Nanoseconds of the card's global timer; ticks may be coarse (METHOD 1.1). */
__device__ __forceinline__ uint64_t global_timer(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Cycles of this SM's clock. */
__device__ __forceinline__ long long sm_ticks(void)
{
    return clock64();
}

/* Number of the SM that runs this thread. */
__device__ __forceinline__ uint32_t sm_id(void)
{
    uint32_t id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

/* A load that is always made, from L2 or below. */
__device__ __forceinline__ uint32_t load_kept(const uint32_t *p)
{
    return *(const volatile uint32_t *)p;
}

/* A load that is always made, from L2 or below (L1 is passed by). */
__device__ __forceinline__ uint4 load_from_l2(const uint4 *p)
{
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(p));
    return v;
}

#else /* the host compiler: the virtual card of the tests supplies threads, barriers and timers */

#include "tests/virtual_card/cuda_on_host.h"

#endif

/* ---- of launchers, on either compiler ---- */

/* Blocks with which an entry (a __global__ function) fills every SM of the current card, in
 * *blocks. Returns a cudaError_t, and then 0 blocks.  Inline: a launcher that is compiled for tests
 * links with nothing else of the project. */
static inline int grid_of_full_house(const void *entry, int threads, unsigned *blocks)
{
    int card, units = 0, resident = 0;
    cudaError_t error = cudaGetDevice(&card);

    if (!error)
        error = cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, card);
    if (!error)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, entry, threads, 0);
    *blocks = error ? 0 : (unsigned)(units * resident);
    return (int)error;
}

#endif
