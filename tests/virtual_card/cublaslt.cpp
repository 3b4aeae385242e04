/* A stand-in for cuBLASLt: descriptions of products, a heuristic with three candidates. */
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/matmul.h"

#include <cublasLt.h>
#include <string.h>

#define API extern "C" __attribute__((visibility("default")))
#define ENTER(name)                                                                                \
    if (cublasStatus_t ordered = virtual_blas_begin(#name))                                        \
    return ordered

/* The first is what a heuristic would take; the second is the best. */
static const double shares_of_peak[] = {0.95, 1.0, 0.8};
enum { CANDIDATES = 3, VERSION = 130000, WORKSPACE_NEEDED = 1 << 20 };

/* What lies in the opaque structs of the header. */
struct description {
    cublasComputeType_t compute;
    cudaDataType_t scale;
    int32_t transpose_a, transpose_b;
};
struct layout {
    cudaDataType_t type;
    uint64_t rows, columns;
    int64_t ld;
};
struct preference {
    uint64_t workspace_bytes;
};

API cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    ENTER(cublasLtCreate);
    *handle = (cublasLtHandle_t) new int(0);
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    ENTER(cublasLtDestroy);
    delete (int *)handle;
    return CUBLAS_STATUS_SUCCESS;
}

API size_t cublasLtGetVersion(void)
{
    return VERSION;
}

API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *out, cublasComputeType_t compute,
                                            cudaDataType_t scale)
{
    ENTER(cublasLtMatmulDescCreate);
    *out = (cublasLtMatmulDesc_t) new description{compute, scale, CUBLAS_OP_N, CUBLAS_OP_N};
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{
    ENTER(cublasLtMatmulDescDestroy);
    delete (struct description *)d;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                                  cublasLtMatmulDescAttributes_t attribute,
                                                  const void *value, size_t bytes)
{
    ENTER(cublasLtMatmulDescSetAttribute);

    struct description *d = (struct description *)handle;
    int32_t *member = attribute == CUBLASLT_MATMUL_DESC_TRANSA   ? &d->transpose_a
                      : attribute == CUBLASLT_MATMUL_DESC_TRANSB ? &d->transpose_b
                                                                 : nullptr;

    if (!member)
        VIRTUAL_UNKNOWN("attribute", attribute);
    if (bytes != sizeof *member)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(member, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *out, cudaDataType type,
                                              uint64_t rows, uint64_t columns, int64_t ld)
{
    ENTER(cublasLtMatrixLayoutCreate);
    *out = (cublasLtMatrixLayout_t) new layout{type, rows, columns, ld};
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{
    ENTER(cublasLtMatrixLayoutDestroy);
    delete (struct layout *)l;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t,
                                                    cublasLtMatrixLayoutAttribute_t attribute,
                                                    const void *, size_t)
{
    ENTER(cublasLtMatrixLayoutSetAttribute);
    VIRTUAL_UNKNOWN("attribute", attribute);
}

API cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *out)
{
    ENTER(cublasLtMatmulPreferenceCreate);
    *out = (cublasLtMatmulPreference_t) new preference{0};
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{
    ENTER(cublasLtMatmulPreferenceDestroy);
    delete (struct preference *)p;
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t p, cublasLtMatmulPreferenceAttributes_t attribute, const void *value,
    size_t bytes)
{
    ENTER(cublasLtMatmulPreferenceSetAttribute);
    if (attribute != CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
        VIRTUAL_UNKNOWN("attribute", attribute);
    if (bytes != sizeof(uint64_t))
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(p, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* Whether the shapes fit together: op(A) is m x k, op(B) k x n, C and D m x n. */
static bool shapes_fit(const struct description *d, const struct layout *a, const struct layout *b,
                       const struct layout *c)
{
    const bool ta = d->transpose_a != CUBLAS_OP_N, tb = d->transpose_b != CUBLAS_OP_N;

    return (ta ? a->columns : a->rows) == c->rows && (tb ? b->rows : b->columns) == c->columns &&
           (ta ? a->rows : a->columns) == (tb ? b->columns : b->rows) &&
           a->ld >= (int64_t)a->rows && b->ld >= (int64_t)b->rows && c->ld >= (int64_t)c->rows;
}

API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a_handle,
    cublasLtMatrixLayout_t b_handle, cublasLtMatrixLayout_t c_handle, cublasLtMatrixLayout_t,
    cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
    int *found)
{
    ENTER(cublasLtMatmulAlgoGetHeuristic);

    const struct description *d = (const struct description *)description;
    const struct layout *a = (const struct layout *)a_handle, *b = (const struct layout *)b_handle;
    const struct layout *c = (const struct layout *)c_handle;
    const struct preference *p = (const struct preference *)preference;

    *found = 0;
    if (!shapes_fit(d, a, b, c))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!virtual_blas_supports(d->compute, a->type, c->type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    for (int i = 0; i < CANDIDATES && i < wanted; i++) {
        if (i > 0 && p->workspace_bytes < WORKSPACE_NEEDED)
            break;
        results[i] = {};
        results[i].algo.data[0] = (uint64_t)i;
        results[i].workspaceSize = i > 0 ? WORKSPACE_NEEDED : 0;
        results[i].state = CUBLAS_STATUS_SUCCESS;
        results[i].wavesCount = 1;
        ++*found;
    }
    return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description,
                                  const void *alpha, const void *a_data,
                                  cublasLtMatrixLayout_t a_handle, const void *b_data,
                                  cublasLtMatrixLayout_t b_handle, const void *beta, const void *,
                                  cublasLtMatrixLayout_t, void *d_data,
                                  cublasLtMatrixLayout_t d_handle,
                                  const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                                  size_t workspace_bytes, cudaStream_t stream)
{
    ENTER(cublasLtMatmul);

    const struct description *d = (const struct description *)description;
    const struct layout *a = (const struct layout *)a_handle, *b = (const struct layout *)b_handle;
    const struct layout *out = (const struct layout *)d_handle;
    const size_t candidate = algorithm ? algorithm->data[0] : 0;

    if (!shapes_fit(d, a, b, out) || candidate >= CANDIDATES)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!virtual_blas_supports(d->compute, a->type, out->type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (candidate > 0 && (!workspace || workspace_bytes < WORKSPACE_NEEDED))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (virtual_blas_scalar(alpha, d->scale) != 1 || virtual_blas_scalar(beta, d->scale) != 0)
        virtual_fail("cublasLtMatmul: only alpha = 1, beta = 0 is known");

    const bool transpose_a = d->transpose_a != CUBLAS_OP_N;
    const struct matmul p = {transpose_a,
                             d->transpose_b != CUBLAS_OP_N,
                             a->type,
                             b->type,
                             out->type,
                             d->compute,
                             out->rows,
                             out->columns,
                             transpose_a ? a->rows : a->columns,
                             (size_t)a->ld,
                             (size_t)b->ld,
                             (size_t)out->ld,
                             a_data,
                             b_data,
                             d_data,
                             shares_of_peak[candidate]};

    return virtual_blas_enqueue(&p, stream);
}
