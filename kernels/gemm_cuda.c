/* Matrix products of a card: the best of cuBLASLt's candidates and of cublasGemmEx's default.
 *
 * cuBLAS counts columns first: what is a row here is a column there, so that C = A x B is asked for
 * as C' = B' x A'. */
#include "harness/device/libraries.h"
#include "kernels/gemm.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CANDIDATES = 8,       /* asked of the heuristic */
    GEMM_EX = CANDIDATES, /* the number of cublasGemmEx among the ways */
    WAYS,
    RUNS = 3 /* timed of each way */
};
static const double long_seconds = 0.05; /* a product that takes longer is timed once */

/* cuBLAS's words for a format. */
struct dialect {
    cudaDataType_t in, out, scale;
    cublasComputeType_t compute;
    const void *one, *zero;
};

static const float one_fp32 = 1, zero_fp32 = 0;
static const double one_fp64 = 1, zero_fp64 = 0;
static const uint16_t one_fp16 = 0x3C00, zero_fp16 = 0;
static const int32_t one_int32 = 1, zero_int32 = 0;
static const struct dialect dialects[GEMM_TYPES] = {
    [GEMM_FP32] = {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, &one_fp32,
                   &zero_fp32},
    [GEMM_TF32] = {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, &one_fp32,
                   &zero_fp32},
    [GEMM_FP16] = {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one_fp32, &zero_fp32},
    [GEMM_FP16_ACC16] = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, &one_fp16,
                         &zero_fp16},
    [GEMM_BF16] = {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one_fp32, &zero_fp32},
    [GEMM_FP64] = {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, &one_fp64, &zero_fp64},
    [GEMM_INT8] = {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, &one_int32, &zero_int32},
};

/* The library's state for one card. */
struct session {
    int card;
    cublasLtHandle_t lt;
    cublasHandle_t blas;
    struct session *next;
};

/* What is kept for one format and size on one card. */
struct problem {
    const struct session *session;
    enum gemm_type type;
    size_t m, n, k;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithms[CANDIDATES];
    int count;             /* of algorithms */
    int way;               /* that won: an algorithm, or GEMM_EX */
    cublasStatus_t status; /* of making the objects */
    struct problem *next;
};

static const struct cublas *library;
static struct session *sessions; /* both lists are kept until the program ends */
static struct problem *problems;

/* Variables of the environment that would change what a precision means (METHOD 6). */
static void clear_overrides(void)
{
    unsetenv("NVIDIA_TF32_OVERRIDE");
    unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
    unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
    unsetenv("CUBLAS_EMULATION_STRATEGY");
}

/* Says in a->refusal why not, with the library's status. */
static void refuse(struct gemm_args *a, const char *what, int status)
{
    snprintf(a->refusal, sizeof a->refusal, "cuBLAS: %s (status %d)", what, status);
}

/* Of one that is not whole. */
static void close_session(struct session *s)
{
    if (s->blas)
        library->cublasDestroy_v2(s->blas);
    if (s->lt)
        library->cublasLtDestroy(s->lt);
    free(s);
}

static const struct session *session_of(struct gemm_args *a, int card)
{
    struct session *s = sessions;
    cublasStatus_t status;

    while (s && s->card != card)
        s = s->next;
    if (s)
        return s;
    clear_overrides();
    if (!(s = calloc(1, sizeof *s)))
        return NULL;
    s->card = card;
    status = library->cublasLtCreate(&s->lt);
    if (!status)
        status = library->cublasCreate_v2(&s->blas);
    if (!status)
        status = library->cublasSetMathMode(s->blas, CUBLAS_DEFAULT_MATH);
    if (status) {
        refuse(a, "no handle", (int)status);
        close_session(s);
        return NULL;
    }
    s->next = sessions;
    return sessions = s;
}

static cublasStatus_t make_objects(struct problem *p)
{
    const struct dialect *d = &dialects[p->type];
    const cublasOperation_t transposed = CUBLAS_OP_T;
    cublasStatus_t status = library->cublasLtMatmulDescCreate(&p->product, d->compute, d->scale);

    if (!status)
        status = library->cublasLtMatmulDescSetAttribute(p->product, CUBLASLT_MATMUL_DESC_TRANSA,
                                                         &transposed, sizeof transposed);
    if (!status)
        status = library->cublasLtMatrixLayoutCreate(&p->b, d->in, p->k, p->n, (int64_t)p->k);
    if (!status)
        status = library->cublasLtMatrixLayoutCreate(&p->a, d->in, p->k, p->m, (int64_t)p->k);
    if (!status)
        status = library->cublasLtMatrixLayoutCreate(&p->c, d->out, p->n, p->m, (int64_t)p->n);
    return status;
}

/* The heuristic's candidates, the first one being what it would choose itself. */
static cublasStatus_t ask_heuristic(struct problem *p, uint64_t workspace)
{
    cublasLtMatmulHeuristicResult_t results[CANDIDATES] = {0};
    cublasLtMatmulPreference_t preference = NULL;
    cublasStatus_t status = library->cublasLtMatmulPreferenceCreate(&preference);
    int found = 0;

    if (!status)
        status = library->cublasLtMatmulPreferenceSetAttribute(
            preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace);
    if (!status)
        status =
            library->cublasLtMatmulAlgoGetHeuristic(p->session->lt, p->product, p->b, p->a, p->c,
                                                    p->c, preference, CANDIDATES, results, &found);
    if (preference)
        library->cublasLtMatmulPreferenceDestroy(preference);
    p->count = 0;
    for (int i = 0; i < found; i++)
        if (results[i].state == CUBLAS_STATUS_SUCCESS)
            p->algorithms[p->count++] = results[i].algo;
    return status;
}

static struct problem *find_problem(const struct gemm_args *a, const struct session *s)
{
    for (struct problem *p = problems; p; p = p->next)
        if (p->session == s && p->type == a->type && p->m == a->m && p->n == a->n && p->k == a->k)
            return p;
    return NULL;
}

static struct problem *problem_of(const struct gemm_args *a, const struct session *s)
{
    struct problem *p = find_problem(a, s);

    if (p || !(p = calloc(1, sizeof *p)))
        return p;
    *p = (struct problem){.session = s, .type = a->type, .m = a->m, .n = a->n, .k = a->k};
    p->next = problems;
    problems = p;
    p->status = make_objects(p);
    if (!p->status)
        ask_heuristic(p, a->workspace_bytes); /* where it knows none, cublasGemmEx may */
    return p;
}

/* One execution's operands. */
struct operands {
    const char *a, *b;
    char *c;
};

static struct operands next_operands(const struct gemm_args *a)
{
    const struct gemm_format *f = &gemm_formats[a->type];
    const size_t set = (*a->executions)++ % a->sets;

    return (struct operands){(const char *)a->a + set * a->m * a->k * f->in_bytes,
                             (const char *)a->b + set * a->k * a->n * f->in_bytes,
                             (char *)a->c + set * a->m * a->n * f->out_bytes};
}

static cublasStatus_t enqueue_lt(const struct problem *p, const struct gemm_args *a, int way,
                                 cudaStream_t stream)
{
    const struct dialect *d = &dialects[a->type];
    const struct operands o = next_operands(a);

    return library->cublasLtMatmul(p->session->lt, p->product, d->one, o.b, p->b, o.a, p->a,
                                   d->zero, o.c, p->c, o.c, p->c, &p->algorithms[way], a->workspace,
                                   a->workspace_bytes, stream);
}

static cublasStatus_t enqueue_ex(const struct problem *p, const struct gemm_args *a,
                                 cudaStream_t stream)
{
    const struct dialect *d = &dialects[a->type];
    const struct operands o = next_operands(a);
    const cublasHandle_t blas = p->session->blas;
    const int m = (int)a->m, n = (int)a->n, k = (int)a->k;
    cublasStatus_t status = library->cublasSetStream_v2(blas, stream);

    if (!status) /* a new stream comes with the default workspace */
        status = library->cublasSetWorkspace_v2(blas, a->workspace, a->workspace_bytes);
    if (!status)
        status = library->cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, n, m, k, d->one, o.b, d->in,
                                       k, o.a, d->in, k, d->zero, o.c, d->out, n, d->compute,
                                       CUBLAS_GEMM_DEFAULT);
    return status;
}

static cublasStatus_t enqueue(const struct problem *p, const struct gemm_args *a, int way,
                              cudaStream_t stream)
{
    return way == GEMM_EX ? enqueue_ex(p, a, stream) : enqueue_lt(p, a, way, stream);
}

/* What the plan times with. */
struct stopwatch {
    cudaStream_t stream;
    cudaEvent_t start, end;
};

/* Seconds of one product over `runs` of them, INFINITY where the library does not have it. */
static cudaError_t time_runs(const struct stopwatch *w, const struct problem *p,
                             const struct gemm_args *a, int way, int runs, double *seconds)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    float milliseconds = 0;
    cudaError_t error = cudaEventRecord(w->start, w->stream);

    for (int i = 0; i < runs && !status && !error; i++)
        status = enqueue(p, a, way, w->stream);
    if (!error)
        error = cudaEventRecord(w->end, w->stream);
    if (!error)
        error = (cudaError_t)kernel_wait(w->stream, 0);
    if (!error)
        error = cudaEventElapsedTime(&milliseconds, w->start, w->end);
    *seconds = status ? INFINITY : milliseconds / 1e3 / runs;
    return error;
}

/* The first run loads the library's code; it counts only where a product is long. */
static cudaError_t time_way(const struct stopwatch *w, const struct problem *p,
                            const struct gemm_args *a, int way, double *seconds)
{
    cudaError_t error = time_runs(w, p, a, way, 1, seconds);

    if (!error && *seconds < long_seconds)
        error = time_runs(w, p, a, way, RUNS, seconds);
    return error;
}

static cudaError_t choose_way(const struct stopwatch *w, struct problem *p, struct gemm_args *a)
{
    double best = INFINITY, seconds;
    cudaError_t error = cudaSuccess;

    p->way = -1;
    for (int way = 0; way < WAYS && !error; way++) {
        if (way >= p->count && way != GEMM_EX)
            continue;
        error = time_way(w, p, a, way, &seconds);
        if (!error && seconds < best) {
            best = seconds;
            p->way = way;
        }
    }
    return error;
}

static cudaError_t open_stopwatch(struct stopwatch *w)
{
    cudaError_t error = cudaStreamCreateWithFlags(&w->stream, cudaStreamNonBlocking);

    if (!error)
        error = cudaEventCreate(&w->start);
    if (!error)
        error = cudaEventCreate(&w->end);
    return error;
}

static void close_stopwatch(struct stopwatch *w)
{
    if (w->end)
        cudaEventDestroy(w->end);
    if (w->start)
        cudaEventDestroy(w->start);
    if (w->stream)
        cudaStreamDestroy(w->stream);
}

static cudaError_t plan_problem(struct problem *p, struct gemm_args *a)
{
    struct stopwatch watch = {0};
    cudaError_t error = open_stopwatch(&watch);
    const char *name = "tuned";

    if (!error)
        error = choose_way(&watch, p, a);
    if ((int)error != KERNEL_HANGS) /* it would wait */
        close_stopwatch(&watch);
    if (p->way == GEMM_EX)
        name = "gemmex";
    else if (p->way == 0)
        name = "heuristic";
    else if (p->way < 0 && !error)
        snprintf(a->refusal, sizeof a->refusal, "cuBLAS has no such product for this card");
    snprintf(a->algorithm, sizeof a->algorithm, "%s", name);
    return error;
}

int gemm_plan(void *args)
{
    struct gemm_args *a = args;
    const struct session *s;
    struct problem *p;
    const char *why;
    int card;
    cudaError_t error = cudaGetDevice(&card);

    a->refusal[0] = '\0';
    library = libraries_cublas(&why);
    if (error)
        return error;
    if (!library) {
        snprintf(a->refusal, sizeof a->refusal, "%s", why);
        return cudaSuccess;
    }
    s = session_of(a, card);
    if (!s)
        return a->refusal[0] ? cudaSuccess : cudaErrorMemoryAllocation;
    a->problem = p = problem_of(a, s);
    if (!p)
        return cudaErrorMemoryAllocation;
    if (p->status) {
        refuse(a, "the product cannot be described", (int)p->status);
        return cudaSuccess;
    }
    return plan_problem(p, a);
}

int gemm_cuda(const void *args, void *const *streams)
{
    const struct gemm_args *a = args;
    const struct problem *p = a->problem;
    cublasStatus_t status = enqueue(p, a, p->way, streams[0]);

    return status ? KERNEL_LIBRARY_FAILED + (int)status : cudaSuccess;
}
