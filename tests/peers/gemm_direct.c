/* A product of two square FP32 matrices by oneDNN called directly: gemm_direct SIZE SAMPLES.
 * Prints the median rate in FLOP/s; what ridge's own GEMM row is compared with by scripts/peers. */
#include <oneapi/dnnl/dnnl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static float *matrix(size_t count)
{
    float *m =
        aligned_alloc(1 << 21, (count * sizeof *m + (1 << 21) - 1) & ~(size_t)((1 << 21) - 1));

    if (!m)
        abort();
    for (size_t i = 0; i < count; i++)
        m[i] = (float)rand() / (float)RAND_MAX * 2 - 1;
    return m;
}

int main(int argc, char **argv)
{
    const dnnl_dim_t n = argc > 1 ? atol(argv[1]) : 2048;
    const int samples = argc > 2 ? atoi(argv[2]) : 20;
    const size_t count = (size_t)n * (size_t)n;
    float *a = matrix(count), *b = matrix(count), *c = matrix(count);
    double *seconds = calloc((size_t)samples, sizeof *seconds);

    for (int i = -2; i < samples; i++) {
        const double start = now();

        if (dnnl_sgemm('N', 'N', n, n, n, 1.f, a, n, b, n, 0.f, c, n) != dnnl_success)
            return 1;
        if (i >= 0)
            seconds[i] = now() - start;
    }
    qsort(seconds, (size_t)samples, sizeof *seconds, ascending);
    printf("%.6e\n", 2.0 * (double)n * (double)n * (double)n / seconds[samples / 2]);
    free(a);
    free(b);
    free(c);
    free(seconds);
    return 0;
}
