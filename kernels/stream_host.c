/* Streaming on the host, with the widest vectors that the processor has. */
#include "kernels/share.h"
#include "kernels/stream.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { STREAM_BLOCK = 1 << 14 }; /* elements summed in FP32 before they are added in FP64 */

#if defined(__x86_64__)

#define SIMD(name)        name##_avx512
#define SIMD_TARGET       __attribute__((target("avx512f")))
#define SIMD_BYTES        64
#define SIMD_BYPASS(p, v) _mm512_stream_ps(p, v)
#include "kernels/stream_simd.h"

#define SIMD(name)        name##_avx2
#define SIMD_TARGET       __attribute__((target("avx2,fma")))
#define SIMD_BYTES        32
#define SIMD_BYPASS(p, v) _mm256_stream_ps(p, v)
#include "kernels/stream_simd.h"

#define SIMD_BYPASS(p, v) _mm_stream_ps(p, v)
#define stream_fence()    _mm_sfence()

#else
#define stream_fence() (void)0
#endif
#include "kernels/stream_simd.h"

typedef size_t stream_run(const struct stream_args *a, size_t i, size_t end, double *sum);

/* What stream_host may use: widest first, the last one fits every processor. */
struct stream_simd {
    const char *name;
    stream_run *run;
};

static struct stream_simd widest_simd(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return (struct stream_simd){"avx512", run_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (struct stream_simd){"avx2", run_avx2};
#endif
    return (struct stream_simd){"baseline", run_baseline};
}

const char *stream_host_simd(void)
{
    return widest_simd().name;
}

/* The same for the elements that fill no round. */
static void run_tail(const struct stream_args *a, size_t i, size_t end, double *sum)
{
    for (; i < end; i++)
        switch (a->operation) {
        case STREAM_READ:
            *sum += a->b[i];
            break;
        case STREAM_WRITE:
            a->out[i] = a->scalar;
            break;
        case STREAM_COPY:
            a->out[i] = a->b[i];
            break;
        case STREAM_SCALE:
            a->out[i] = a->scalar * a->b[i];
            break;
        case STREAM_ADD:
            a->out[i] = a->b[i] + a->c[i];
            break;
        default:
            a->out[i] = a->b[i] + a->scalar * a->c[i];
            break;
        }
}

static double run_blocks(const struct stream_args *a, size_t i, size_t end)
{
    stream_run *run = widest_simd().run;
    double sum = 0;

    while (i < end) {
        size_t block =
            a->operation == STREAM_READ && end - i > STREAM_BLOCK ? STREAM_BLOCK : end - i;
        size_t left = run(a, i, i + block, &sum);

        run_tail(a, left, i + block, &sum);
        i += block;
    }
    return sum;
}

/* 0, or -1 for an operation that the C library has not. */
static int call_library(const struct stream_args *a, const struct share *s)
{
    char *out = (char *)a->out + s->first;
    unsigned char byte;

    memcpy(&byte, &a->scalar, sizeof byte);
    if (a->operation == STREAM_COPY)
        memcpy(out, (const char *)a->b + s->first, s->end - s->first);
    else if (a->operation == STREAM_WRITE)
        memset(out, byte, s->end - s->first);
    else
        return -1;
    return 0;
}

static int stream_host(const void *args, unsigned worker, unsigned workers)
{
    const struct stream_args *a = args;
    struct share share = share_of(a->count * sizeof(float), worker, workers);

    if (a->variant == STREAM_LIBRARY)
        return call_library(a, &share);

    volatile double sum = run_blocks(a, share.first / sizeof(float), share.end / sizeof(float));

    if (a->operation == STREAM_READ && a->keep)
        a->sums[worker] = (float)sum;
    if (a->variant == STREAM_BYPASS)
        stream_fence();
    return 0;
}

#define STREAM(word)                                                                               \
    {                                                                                              \
        .name = word, .host = stream_host, .cuda = KERNEL_CUDA(stream_cuda),                       \
        .plan = KERNEL_CUDA(stream_cuda_plan),                                                     \
    }

const struct kernel kernel_stream[STREAM_OPERATIONS] = {
    [STREAM_READ] = STREAM("read"), [STREAM_WRITE] = STREAM("write"),
    [STREAM_COPY] = STREAM("copy"), [STREAM_SCALE] = STREAM("scale"),
    [STREAM_ADD] = STREAM("add"),   [STREAM_TRIAD] = STREAM("triad"),
};
