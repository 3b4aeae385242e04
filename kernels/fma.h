/* Chains of fused multiply-adds: the peak of the vector units (METHOD 5).
 *
 * Each lane of each block keeps `chains` values and gives each of them `steps` FMAs:
 *     x[j] = (lane % 32 * 16 + j) / 512, then `steps` times x[j] = x[j] * a + b
 *     out[block * lanes + lane] = x[0] + x[1] + ...
 * A chain waits for its own last FMA, so one lane offers `chains` FMAs at once. */
#ifndef KERNELS_FMA_H
#define KERNELS_FMA_H

#include "kernels/kernel.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fma_precision { FMA_FP32, FMA_FP64 };

/* The host's vector instructions, chosen while the program runs. */
enum fma_simd { FMA_BASELINE, FMA_AVX2, FMA_AVX512, FMA_SIMDS };
extern const char *const fma_simd_names[FMA_SIMDS]; /* "baseline", "avx2", "avx512" */

enum {
    FMA_TRIP = 256,     /* FMAs of a card's thread in one pass of its loop, over all its chains */
    FMA_CHAINS_MAX = 12 /* on the host: enough for two ports of latency 4, with a reserve */
};

struct fma_args {
    void *out;   /* blocks * lanes elements of the precision */
    double a, b; /* rounded to the precision; |a| < 1 keeps values finite */
    enum fma_precision precision;
    enum fma_simd simd; /* host only */
    unsigned chains;    /* 1, 2, 4, 8; on the host also 12 */
    unsigned steps;     /* cards: a multiple of FMA_TRIP / chains */
    unsigned lanes;     /* threads of a block (the plan sets it), SIMD lanes on the host */
    unsigned blocks;    /* cards: as many as are resident at once (the plan sets it) */
};

/* Flops of one execution: two for each FMA. */
double fma_flops(const struct fma_args *a);
size_t fma_element_bytes(enum fma_precision p);

/* Whether this CPU has these instructions, and the widest that it has. */
int fma_host_has(enum fma_simd simd);
enum fma_simd fma_host_widest(void);
unsigned fma_host_lanes(enum fma_simd simd, enum fma_precision p);

/* What every block's out[lane] must be, computed in double. */
double fma_reference(const struct fma_args *a, unsigned lane);
/* Largest relative difference of `out` (host memory, as a->out) from the reference; NAN if any is
 * NAN. */
double fma_worst_error(const struct fma_args *a, const void *out);

int fma_cuda(const void *args, void *const *streams);
int fma_plan(void *args);
extern const struct kernel kernel_fma;

#ifdef __cplusplus
}
#endif
#endif
