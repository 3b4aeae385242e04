/* What a .cu file sees when the host's C++ compiler reads it: threads, barriers, shared memory,
 * timers and the twins of kernels/ptx.h, so that a kernel can be executed without a card.
 *
 * A thread of a block is a plain function call (a fiber once it waits at a barrier); blocks run
 * one after the other.  Twins count what the compiler's instrumentation cannot see: arithmetic.
 * To add a twin: write the plain C++ meaning; call VIRTUAL_COUNT(fp32, fp64 or fp16) with the
 * number of fused multiply-adds one lane does. */
#ifndef VIRTUAL_CARD_CUDA_ON_HOST_H
#define VIRTUAL_CARD_CUDA_ON_HOST_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <vector_functions.h>
#include <vector_types.h>

#undef __global__
#undef __device__
#undef __host__
#undef __constant__
#undef __shared__
#undef __launch_bounds__
#undef __noinline__
/* Kept whole and called anew for every thread: what it reads as constant differs between calls. */
#ifdef __clang__
#define __global__ __attribute__((noinline))
#else
#define __global__ __attribute__((noipa))
#endif
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#undef __restrict__
#define __restrict__ __restrict

#define VIRTUAL_HIDDEN __attribute__((visibility("hidden")))

/* ---- what the engine offers to kernels (asked.cpp, count.cpp) ---- */

extern "C" {
/* Constant to the compiler during one call of a kernel, hence never instrumented. */
extern VIRTUAL_HIDDEN const uint3 threadIdx, blockIdx;
extern VIRTUAL_HIDDEN const dim3 blockDim, gridDim;
/* Fused multiply-adds of all threads so far, by precision. */
extern VIRTUAL_HIDDEN uint64_t virtual_count_fp32, virtual_count_fp64, virtual_count_fp16;

/* The first FMAs of a launch: where to note the next one's operand and result (8 bytes each) and
 * how many more are wanted; shows how many chains a thread has. */
extern VIRTUAL_HIDDEN uint64_t *virtual_watch_next, virtual_watch_wanted;
VIRTUAL_HIDDEN void virtual_block_barrier(void);
VIRTUAL_HIDDEN int virtual_block_vote(int predicate); /* how many threads of the block say so */
VIRTUAL_HIDDEN void virtual_warp_barrier(unsigned mask);
/* Hands `value` to the other lanes of the warp; returns what `source` handed over. */
VIRTUAL_HIDDEN uint64_t virtual_warp_exchange(unsigned mask, uint64_t value, unsigned source);
VIRTUAL_HIDDEN unsigned virtual_warp_ballot(unsigned mask, int predicate);
/* The block's memory for one declaration; the same for all threads of a block. */
VIRTUAL_HIDDEN void *virtual_shared(const void *declaration, size_t bytes, size_t alignment);
VIRTUAL_HIDDEN void *virtual_shared_dynamic(void);
VIRTUAL_HIDDEN long long virtual_sm_ticks(void);
VIRTUAL_HIDDEN uint64_t virtual_global_timer(void);
VIRTUAL_HIDDEN uint32_t virtual_sm_id(void);
VIRTUAL_HIDDEN void virtual_sleep(unsigned nanoseconds);
VIRTUAL_HIDDEN __attribute__((noreturn)) void virtual_trap(void);
}

/* Assembly is opaque to the compiler (the loop stays) and to its instrumentation (no memory access,
 * no branch is seen). */
#ifdef __x86_64__
#define VIRTUAL_COUNT(precision, fmas)                                                             \
    __asm__ volatile("addq %1, %0" : "+m"(virtual_count_##precision) : "er"((uint64_t)(fmas)))
#define VIRTUAL_COUNT_WATCHED(precision, operand, result)                                          \
    do {                                                                                           \
        uint64_t *at;                                                                              \
        __asm__ volatile("addq $1, %0\n\tcmpq $0, %2\n\tjne 1f\n2:\n\t.subsection 1\n"             \
                         "1:\tmovq %1, %3\n\tmovq %4, (%3)\n\tmovq %5, 8(%3)\n\t"                  \
                         "addq $16, %1\n\tsubq $1, %2\n\tjmp 2b\n\t.previous"                      \
                         : "+m"(virtual_count_##precision), "+m"(virtual_watch_next),              \
                           "+m"(virtual_watch_wanted), "=&r"(at)                                   \
                         : "x"(operand), "x"(result)                                               \
                         : "cc");                                                                  \
    } while (0)
#else
#define VIRTUAL_COUNT(precision, fmas)                                                             \
    (*(volatile uint64_t *)&virtual_count_##precision += (uint64_t)(fmas))
#define VIRTUAL_COUNT_WATCHED(precision, operand, result) VIRTUAL_COUNT(precision, 1)
#endif

/* ---- the twins of kernels/ptx.h ---- */

#define SHARED(type, name, count)                                                                  \
    static const char name##_declaration = 0;                                                      \
    type(&name)[count] =                                                                           \
        *(type(*)[count])virtual_shared(&name##_declaration, sizeof(type[count]), alignof(type))
#define SHARED_DYNAMIC(type, name) type *const name = (type *)virtual_shared_dynamic()

static __forceinline__ float virtual_fma(float x, float a, float b)
{
    const float result = __builtin_fmaf(x, a, b);

    VIRTUAL_COUNT_WATCHED(fp32, x, result);
    return result;
}

static __forceinline__ double virtual_fma(double x, double a, double b)
{
    const double result = __builtin_fma(x, a, b);

    VIRTUAL_COUNT_WATCHED(fp64, x, result);
    return result;
}

static __forceinline__ void fma_kept(float &x, float a, float b)
{
    x = virtual_fma(x, a, b);
}

static __forceinline__ void fma_kept(double &x, double a, double b)
{
    x = virtual_fma(x, a, b);
}

static __forceinline__ uint64_t global_timer(void)
{
    return virtual_global_timer();
}

static __forceinline__ long long sm_ticks(void)
{
    return virtual_sm_ticks();
}

static __forceinline__ uint32_t sm_id(void)
{
    return virtual_sm_id();
}

static __forceinline__ uint32_t load_kept(const uint32_t *p)
{
    return *(const volatile uint32_t *)p;
}

static __forceinline__ uint4 load_from_l2(const uint4 *p)
{
    return *p;
}

/* ---- CUDA's own device functions ---- */

static const int warpSize = 32;

#define fmaf(x, a, b)          virtual_fma((float)(x), (float)(a), (float)(b))
#define fma(x, a, b)           virtual_fma((double)(x), (double)(a), (double)(b))
#define __fmaf_rn(x, a, b)     virtual_fma((float)(x), (float)(a), (float)(b))
#define __fma_rn(x, a, b)      virtual_fma((double)(x), (double)(a), (double)(b))
#define __syncthreads()        virtual_block_barrier()
#define __syncthreads_count(p) virtual_block_vote((p) != 0)
#define __syncthreads_or(p)    (virtual_block_vote((p) != 0) != 0)
#define __syncthreads_and(p)   (virtual_block_vote((p) == 0) == 0)
#define __threadfence()        ((void)0)
#define __threadfence_block()  ((void)0)
#define __threadfence_system() ((void)0)
#define __nanosleep(ns)        virtual_sleep(ns)
#define clock64()              virtual_sm_ticks()
#define __trap()               virtual_trap()

static __forceinline__ void __syncwarp(unsigned mask = 0xFFFFFFFFu)
{
    virtual_warp_barrier(mask);
}

template <class T> static __forceinline__ T virtual_shuffle(unsigned mask, T value, unsigned source)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffle moves up to 8 bytes");
    uint64_t bits = 0;

    memcpy(&bits, &value, sizeof value);
    bits = virtual_warp_exchange(mask, bits, source);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static __forceinline__ unsigned virtual_lane(void)
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32u;
}

template <class T> static __forceinline__ T __shfl_sync(unsigned m, T v, int from, int width = 32)
{
    const unsigned lane = virtual_lane(), w = (unsigned)width;

    return virtual_shuffle(m, v, lane / w * w + (unsigned)from % w);
}

template <class T> static __forceinline__ T __shfl_xor_sync(unsigned m, T v, int x, int width = 32)
{
    const unsigned lane = virtual_lane(), from = lane ^ (unsigned)x;

    return virtual_shuffle(m, v, from / (unsigned)width > lane / (unsigned)width ? lane : from);
}

template <class T>
static __forceinline__ T __shfl_down_sync(unsigned m, T v, unsigned by, int width = 32)
{
    const unsigned lane = virtual_lane(), w = (unsigned)width;

    return virtual_shuffle(m, v, lane % w + by < w ? lane + by : lane);
}

template <class T>
static __forceinline__ T __shfl_up_sync(unsigned m, T v, unsigned by, int width = 32)
{
    const unsigned lane = virtual_lane(), w = (unsigned)width;

    return virtual_shuffle(m, v, lane % w >= by ? lane - by : lane);
}

#define __ballot_sync(mask, p) virtual_warp_ballot(mask, (p) != 0)
#define __any_sync(mask, p)    (virtual_warp_ballot(mask, (p) != 0) != 0)
#define __all_sync(mask, p)    (virtual_warp_ballot(mask, (p) == 0) == 0)

template <class T> static __forceinline__ T virtual_load(const T *p)
{
    return *p;
}

template <class T> static __forceinline__ void virtual_store(T *p, T value)
{
    *p = value;
}

#define __ldg(p)     virtual_load(p)
#define __ldca(p)    virtual_load(p)
#define __ldcg(p)    virtual_load(p)
#define __ldcs(p)    virtual_load(p)
#define __ldcv(p)    virtual_load(p)
#define __stcg(p, v) virtual_store(p, v)
#define __stcs(p, v) virtual_store(p, v)
#define __stwt(p, v) virtual_store(p, v)

/* Blocks run one after the other and threads change only at barriers: plain is atomic. */
#define VIRTUAL_ATOMIC(name, expression)                                                           \
    template <class T, class U> static __forceinline__ T name(T *p, U given)                       \
    {                                                                                              \
        const T old = *p, value = (T)given;                                                        \
        *p = (expression);                                                                         \
        return old;                                                                                \
    }
VIRTUAL_ATOMIC(atomicAdd, (T)(old + value))
VIRTUAL_ATOMIC(atomicSub, (T)(old - value))
VIRTUAL_ATOMIC(atomicExch, value)
VIRTUAL_ATOMIC(atomicMin, old < value ? old : value)
VIRTUAL_ATOMIC(atomicMax, old > value ? old : value)
VIRTUAL_ATOMIC(atomicAnd, (T)(old &value))
VIRTUAL_ATOMIC(atomicOr, (T)(old | value))
VIRTUAL_ATOMIC(atomicXor, (T)(old ^ value))
#undef VIRTUAL_ATOMIC

template <class T> static __forceinline__ T atomicCAS(T *p, T expected, T value)
{
    const T old = *p;

    if (old == expected)
        *p = value;
    return old;
}

#define VIRTUAL_BITS(name, to, from)                                                               \
    static __forceinline__ to name(from value)                                                     \
    {                                                                                              \
        to bits;                                                                                   \
        memcpy(&bits, &value, sizeof bits);                                                        \
        return bits;                                                                               \
    }
VIRTUAL_BITS(__float_as_uint, unsigned, float)
VIRTUAL_BITS(__float_as_int, int, float)
VIRTUAL_BITS(__uint_as_float, float, unsigned)
VIRTUAL_BITS(__int_as_float, float, int)
VIRTUAL_BITS(__double_as_longlong, long long, double)
VIRTUAL_BITS(__longlong_as_double, double, long long)
#undef VIRTUAL_BITS

#define __popc(x)        __builtin_popcount(x)
#define __popcll(x)      __builtin_popcountll(x)
#define __ffs(x)         __builtin_ffs((int)(x))
#define __clz(x)         ((x) ? __builtin_clz((unsigned)(x)) : 32)
#define __fadd_rn(a, b)  ((float)(a) + (float)(b))
#define __fmul_rn(a, b)  ((float)(a) * (float)(b))
#define __umulhi(a, b)   ((unsigned)(((uint64_t)(unsigned)(a) * (unsigned)(b)) >> 32))
#define __umul64hi(a, b) ((uint64_t)(((unsigned __int128)(uint64_t)(a) * (uint64_t)(b)) >> 64))

static __forceinline__ unsigned __brev(unsigned x)
{
    unsigned reversed = 0;

    for (int bit = 0; bit < 32; bit++)
        reversed |= ((x >> bit) & 1u) << (31 - bit);
    return reversed;
}

template <class T> static __forceinline__ T min(T a, T b)
{
    return b < a ? b : a;
}

template <class T> static __forceinline__ T max(T a, T b)
{
    return a < b ? b : a;
}

#endif
