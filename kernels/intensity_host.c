/* The host's body of kernels/intensity.h, with the widest vectors that the processor has. */
#include "kernels/intensity.h"
#include "kernels/share.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    VECTORS = 8,       /* that many elements' chains a lane: two ports of latency 4 */
    AHEAD_BYTES = 1024 /* between a load and the prefetch that goes before it */
};

/* The sum over `count` elements, a multiple of VECTORS vectors; few enough to be added in FP32. */
typedef float walk_body(const struct intensity_args *w, const float *in, size_t count);

/* Defines walk_body `name`, compiled for the instruction set that the attribute `isa` names. */
#define WALK_BODY(name, isa, vector, spread, multiply_add)                                         \
    static isa float name(const struct intensity_args *w, const float *in, size_t count)           \
    {                                                                                              \
        const size_t lanes = sizeof(vector) / sizeof(float);                                       \
        const vector a = spread(w->a), b = spread(w->b);                                           \
        vector sums = spread(0.0f);                                                                \
        float sum = 0;                                                                             \
                                                                                                   \
        for (size_t i = 0; i < count; i += VECTORS * lanes) {                                      \
            vector v[VECTORS];                                                                     \
                                                                                                   \
            for (size_t line = 0; line < sizeof v; line += SHARE_LINE_BYTES)                       \
                __builtin_prefetch((const char *)(in + i) + line + AHEAD_BYTES, 0, 0);             \
            for (size_t j = 0; j < VECTORS; j++)                                                   \
                v[j] = *(const vector *)(in + i + j * lanes);                                      \
            for (unsigned n = 0; n < w->fmas; n++)                                                 \
                for (size_t j = 0; j < VECTORS; j++)                                               \
                    v[j] = multiply_add(v[j], a, b);                                               \
            sums += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));             \
        }                                                                                          \
        for (size_t lane = 0; lane < lanes; lane++)                                                \
            sum += sums[lane];                                                                     \
        return sum;                                                                                \
    }

typedef float float4 __attribute__((vector_size(16)));
#define SPREAD4(value)        ((float4){(value), (value), (value), (value)})
#define MULTIPLY_ADD(x, a, b) ((x) * (a) + (b))
WALK_BODY(walk_baseline, , float4, SPREAD4, MULTIPLY_ADD)

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
WALK_BODY(walk_avx2, AVX2, __m256, _mm256_set1_ps, _mm256_fmadd_ps)
WALK_BODY(walk_avx512, AVX512, __m512, _mm512_set1_ps, _mm512_fmadd_ps)
#endif

static walk_body *widest(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return walk_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return walk_avx2;
#endif
    return walk_baseline;
}

static int intensity_host(const void *args, unsigned worker, unsigned workers)
{
    const struct intensity_args *a = args;
    const size_t blocks = a->count / INTENSITY_BLOCK;
    walk_body *walk = widest();
    double sum = 0;

    for (size_t i = blocks * worker / workers; i < blocks * (worker + 1) / workers; i++)
        sum += (double)walk(a, a->in + i * INTENSITY_BLOCK, INTENSITY_BLOCK);
    a->sums[worker] = (float)sum;
    return 0;
}

const struct kernel kernel_intensity = {
    .name = "intensity",
    .host = intensity_host,
    .cuda = KERNEL_CUDA(intensity_cuda),
    .plan = KERNEL_CUDA(intensity_cuda_plan),
};
