/* The host's body of kernels/window.h, with the widest vectors that the processor has. */
#include "kernels/window.h"

#include <stdbool.h>

/* As wide as the widest processor's; on others a vector is several registers. */
typedef uint32_t vector __attribute__((vector_size(64)));

enum { VECTORS = 4, ROUND_BYTES = VECTORS * sizeof(vector) };
_Static_assert(WINDOW_BYTES_LEAST % ROUND_BYTES == 0, "a window is whole rounds");

static inline __attribute__((always_inline)) uint32_t add_up(const uint32_t *in, size_t bytes,
                                                             size_t passes)
{
    vector v[VECTORS] = {{0}};
    uint32_t sum = 0;

    for (size_t pass = 0; pass < passes; pass++) {
        for (size_t at = 0; at < bytes; at += ROUND_BYTES)
            for (size_t k = 0; k < VECTORS; k++)
                v[k] += ((const vector *)((const char *)in + at))[k];
        /* What one pass has read the next one reads again. */
        __asm__ volatile("" : : "r"(in) : "memory");
    }
    for (size_t k = 0; k < VECTORS; k++)
        for (size_t lane = 0; lane < sizeof(vector) / sizeof(uint32_t); lane++)
            sum += v[k][lane];
    return sum;
}

typedef uint32_t add_up_wide(const uint32_t *in, size_t bytes, size_t passes);

static uint32_t add_up_baseline(const uint32_t *in, size_t bytes, size_t passes)
{
    return add_up(in, bytes, passes);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static uint32_t add_up_avx2(const uint32_t *in, size_t bytes,
                                                            size_t passes)
{
    return add_up(in, bytes, passes);
}

__attribute__((target("avx512f"))) static uint32_t add_up_avx512(const uint32_t *in, size_t bytes,
                                                                 size_t passes)
{
    return add_up(in, bytes, passes);
}
#endif

static add_up_wide *widest(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return add_up_avx512;
    if (__builtin_cpu_supports("avx2"))
        return add_up_avx2;
#endif
    return add_up_baseline;
}

static int window_host(const void *args, unsigned worker, unsigned workers)
{
    const struct window_args *a = args;
    const uint32_t *window = a->in + a->bytes / sizeof *a->in * worker;

    (void)workers;
    a->sums[worker] = widest()(window, a->bytes, a->passes);
    return 0;
}

const struct kernel kernel_window = {
    .name = "window",
    .host = window_host,
    .cuda = KERNEL_CUDA(window_cuda),
    .plan = KERNEL_CUDA(window_cuda_plan),
};
