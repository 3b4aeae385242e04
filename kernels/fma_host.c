/* FMA chains of the host: SIMD by run-time choice, all chains in registers, all cores. */
#include "kernels/fma.h"

#include <math.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

const char *const fma_simd_names[FMA_SIMDS] = {"baseline", "avx2", "avx512"};

/* What a core does with one block. */
typedef void block_body(const struct fma_args *w, void *out);

/* Defines block_body `name`, compiled for the instruction set that the attribute `isa` names.  The
 * inner function is inlined with a constant number of chains, so that x becomes registers; the
 * order of each lane's operations is the contract's, and without -ffast-math no compiler may change
 * it. */
#define CHAINS_BODY(name, isa, scalar, vector, spread, multiply_add)                               \
    static inline __attribute__((always_inline))                                                   \
    isa void name##_chains(const struct fma_args *w, scalar *out, unsigned chains)                 \
    {                                                                                              \
        const vector a = spread((scalar)w->a), b = spread((scalar)w->b);                           \
        const unsigned lanes = sizeof(vector) / sizeof(scalar);                                    \
        vector x[FMA_CHAINS_MAX], sum = spread((scalar)0);                                         \
                                                                                                   \
        for (unsigned j = 0; j < chains; j++)                                                      \
            for (unsigned lane = 0; lane < lanes; lane++)                                          \
                x[j][lane] = (scalar)(lane % 32 * 16 + j) / 512;                                   \
        for (unsigned step = 0; step < w->steps; step++)                                           \
            for (unsigned j = 0; j < chains; j++)                                                  \
                x[j] = multiply_add(x[j], a, b);                                                   \
        for (unsigned j = 0; j < chains; j++)                                                      \
            sum += x[j];                                                                           \
        for (unsigned lane = 0; lane < lanes; lane++)                                              \
            out[lane] = sum[lane];                                                                 \
    }                                                                                              \
    static isa void name(const struct fma_args *w, void *out)                                      \
    {                                                                                              \
        switch (w->chains) {                                                                       \
        case 1:                                                                                    \
            name##_chains(w, out, 1);                                                              \
            break;                                                                                 \
        case 2:                                                                                    \
            name##_chains(w, out, 2);                                                              \
            break;                                                                                 \
        case 4:                                                                                    \
            name##_chains(w, out, 4);                                                              \
            break;                                                                                 \
        case 8:                                                                                    \
            name##_chains(w, out, 8);                                                              \
            break;                                                                                 \
        default:                                                                                   \
            name##_chains(w, out, FMA_CHAINS_MAX);                                                 \
        }                                                                                          \
    }

typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
#define SPREAD4(value)        ((float4){(value), (value), (value), (value)})
#define SPREAD2(value)        ((double2){(value), (value)})
#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
CHAINS_BODY(baseline_fp32, , float, float4, SPREAD4, MULTIPLY_ADD)
CHAINS_BODY(baseline_fp64, , double, double2, SPREAD2, MULTIPLY_ADD)

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
CHAINS_BODY(avx2_fp32, AVX2, float, __m256, _mm256_set1_ps, _mm256_fmadd_ps)
CHAINS_BODY(avx2_fp64, AVX2, double, __m256d, _mm256_set1_pd, _mm256_fmadd_pd)
CHAINS_BODY(avx512_fp32, AVX512, float, __m512, _mm512_set1_ps, _mm512_fmadd_ps)
CHAINS_BODY(avx512_fp64, AVX512, double, __m512d, _mm512_set1_pd, _mm512_fmadd_pd)
#endif

static const struct {
    block_body *fp32, *fp64;
    unsigned vector_bytes;
} variants[FMA_SIMDS] = {
    [FMA_BASELINE] = {baseline_fp32, baseline_fp64, 16},
#ifdef __x86_64__
    [FMA_AVX2] = {avx2_fp32, avx2_fp64, 32},
    [FMA_AVX512] = {avx512_fp32, avx512_fp64, 64},
#endif
};

int fma_host_has(enum fma_simd simd)
{
#ifdef __x86_64__
    if (simd == FMA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (simd == FMA_AVX512)
        return __builtin_cpu_supports("avx512f") != 0;
#endif
    return simd == FMA_BASELINE;
}

enum fma_simd fma_host_widest(void)
{
    enum fma_simd simd = FMA_SIMDS - 1;

    while (!fma_host_has(simd))
        simd--;
    return simd;
}

unsigned fma_host_lanes(enum fma_simd simd, enum fma_precision p)
{
    return variants[simd].vector_bytes / (unsigned)fma_element_bytes(p);
}

size_t fma_element_bytes(enum fma_precision p)
{
    return p == FMA_FP64 ? sizeof(double) : sizeof(float);
}

double fma_flops(const struct fma_args *a)
{
    return 2.0 * a->steps * a->chains * a->lanes * a->blocks;
}

double fma_reference(const struct fma_args *a, unsigned lane)
{
    const int narrow = a->precision == FMA_FP32;
    const double factor = narrow ? (double)(float)a->a : a->a;
    const double addend = narrow ? (double)(float)a->b : a->b;
    double sum = 0;

    for (unsigned j = 0; j < a->chains; j++) {
        double x = (lane % 32 * 16 + j) / 512.0, last = NAN;

        for (unsigned step = 0; step < a->steps && x != last; step++) {
            last = x;
            x = fma(x, factor, addend);
        }
        sum += x;
    }
    return sum;
}

double fma_worst_error(const struct fma_args *a, const void *out)
{
    const unsigned distinct = a->lanes < 32 ? a->lanes : 32;
    double expected[32], worst = 0;

    for (unsigned lane = 0; lane < distinct; lane++)
        expected[lane] = fma_reference(a, lane);
    for (size_t i = 0; i < (size_t)a->lanes * a->blocks; i++) {
        double right = expected[i % a->lanes % 32];
        double got = a->precision == FMA_FP64 ? ((const double *)out)[i] : ((const float *)out)[i];
        double error = fabs(got - right) / fabs(right);

        if (!(error <= worst)) /* also when it is NAN */
            worst = error;
        if (isnan(error))
            break;
    }
    return worst;
}

static int fma_host(const void *args, unsigned worker, unsigned workers)
{
    const struct fma_args *a = args;
    block_body *body = a->precision == FMA_FP64 ? variants[a->simd].fp64 : variants[a->simd].fp32;
    const size_t block_bytes = a->lanes * fma_element_bytes(a->precision);

    for (unsigned block = worker; block < a->blocks; block += workers)
        body(a, (char *)a->out + block * block_bytes);
    return 0;
}

const struct kernel kernel_fma = {
    .name = "fma",
    .host = fma_host,
    .cuda = KERNEL_CUDA(fma_cuda),
    .plan = KERNEL_CUDA(fma_plan),
};
