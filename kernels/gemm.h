/* C = A x B by the vendor's library: cuBLAS on cards, oneDNN on the host.
 *
 * A has m rows of k elements, one row after the other; B has n columns of k elements, one column
 * after the other (so that both are read along k); C has m rows of n elements.
 * flops: 2 m n k.  bytes: each element of A, B and C once. */
#ifndef KERNELS_GEMM_H
#define KERNELS_GEMM_H

#include "kernels/fill.h"

#include <stddef.h>

enum gemm_type {
    GEMM_FP32, /* strict: no TF32 */
    GEMM_TF32,
    GEMM_FP16,       /* FP32 accumulate */
    GEMM_FP16_ACC16, /* FP16 accumulate */
    GEMM_BF16,       /* FP32 accumulate */
    GEMM_FP64,
    GEMM_INT8,
    GEMM_TYPES
};

struct gemm_format {
    const char *precision, *accumulate; /* as in parameters: "fp16", "fp32" */
    size_t in_bytes, out_bytes;         /* of an element of A and B, of C */
    enum fill_kind fill;                /* of A and B; int8: FILL_BITS, four elements each */
    int capability;                     /* 10 x major + minor of the first card that has it */
    double sum_error;                   /* bounds on an entry's error, in units of its norms: */
    double element_error;               /* sum_error + element_error / sqrt(k) */
};
extern const struct gemm_format gemm_formats[GEMM_TYPES];

enum { GEMM_WORKSPACE_BYTES = 64 << 20 }; /* METHOD 6 */

struct gemm_args {
    enum gemm_type type;
    size_t m, n, k;
    /* `sets` operand sets, one after the other in each of the three; execution i uses set i % sets,
     * so that a card does not find its operands in L2. */
    const void *a, *b;
    void *c;
    unsigned sets, *executions; /* the counter is the caller's */
    void *workspace;            /* cards: device memory for the library's use */
    size_t workspace_bytes;     /* of it; GEMM_WORKSPACE_BYTES where there is room */
    /* The plan (gemm_host_plan on the host) writes these. */
    void *problem;      /* the library's objects; kept until the program ends */
    char algorithm[40]; /* what won: "tuned", "heuristic", "gemmex"; host: oneDNN's name for it */
    char refusal[300];  /* why this can't be asked here; "": it can */
};

double gemm_flops(const struct gemm_args *a);
double gemm_bytes(const struct gemm_args *a); /* of one operand set */

/* Makes oneDNN's primitive for these sizes and writes problem, algorithm and refusal. */
void gemm_host_plan(struct gemm_args *a);

int gemm_cuda(const void *args, void *const *streams);
int gemm_plan(void *args);
extern const struct kernel kernel_gemm;

#endif
