/* Products on the card's memory: charged when executed, computed element by element when read. */
#include "tests/virtual_card/matmul.h"

#include "tests/virtual_card/faults.h"
#include "tests/virtual_card/model.h"
#include "tests/virtual_card/runtime.h"
#include "tests/virtual_card/share.h"
#include "tests/virtual_card/tally.h"

#include <algorithm>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <memory>
#include <string.h>
#include <vector>

/* Products that a tensor unit adds up before it rounds; elements that are looked at for power. */
enum { TENSOR_STEP = 16, POWER_SAMPLES = 16 };

static size_t bytes_of(cudaDataType_t type)
{
    switch (type) {
    case CUDA_R_8I:
        return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
        return 4;
    case CUDA_R_64F:
        return 8;
    default:
        VIRTUAL_UNKNOWN("type", type);
    }
}

template <class T> static T load(const void *base, size_t index)
{
    T value;

    memcpy(&value, (const char *)base + index * sizeof value, sizeof value);
    return value;
}

static double element(const void *base, cudaDataType_t type, size_t index)
{
    switch (type) {
    case CUDA_R_8I:
        return load<signed char>(base, index);
    case CUDA_R_16F:
        return __half2float(load<__half>(base, index));
    case CUDA_R_16BF:
        return __bfloat162float(load<__nv_bfloat16>(base, index));
    case CUDA_R_32F:
        return load<float>(base, index);
    case CUDA_R_64F:
        return load<double>(base, index);
    default:
        VIRTUAL_UNKNOWN("type", type);
    }
}

static void store(void *base, cudaDataType_t type, size_t index, double value)
{
    char *to = (char *)base + index * bytes_of(type);
    const float fp32 = (float)value;
    const __half fp16 = __float2half_rn(fp32);
    const __nv_bfloat16 bf16 = __float2bfloat16_rn(fp32);
    const int int32 = (int)value;

    if (type == CUDA_R_32F)
        memcpy(to, &fp32, sizeof fp32);
    else if (type == CUDA_R_16F)
        memcpy(to, &fp16, sizeof fp16);
    else if (type == CUDA_R_16BF)
        memcpy(to, &bf16, sizeof bf16);
    else if (type == CUDA_R_32I)
        memcpy(to, &int32, sizeof int32);
    else
        memcpy(to, &value, sizeof value);
}

/* Ten bits of mantissa, as tensor units read an FP32. */
static double tf32(double value)
{
    float fp32 = (float)value;
    uint32_t bits;

    memcpy(&bits, &fp32, sizeof bits);
    bits = (bits + 0x1000u) & ~0x1FFFu;
    memcpy(&fp32, &bits, sizeof bits);
    return fp32;
}

struct region {
    struct matmul p;
    const struct allocation *a, *b;
    uint64_t version_a, version_b;
    size_t first, end;          /* bytes of the allocation */
    std::vector<bool> finished; /* by element */
    bool orphan;                /* its operands are gone or changed */
    bool overwritten;           /* in part */
};

static double operand(const struct region *r, bool of_a, size_t row_or_column, size_t step)
{
    const struct matmul *p = &r->p;
    const bool transposed = of_a ? p->transpose_a : !p->transpose_b;
    const size_t ld = of_a ? p->lda : p->ldb;
    const size_t index = transposed ? step + row_or_column * ld : row_or_column + step * ld;
    const double value = of_a ? element(p->a, p->type_a, index) : element(p->b, p->type_b, index);

    return p->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ? tf32(value) : value;
}

/* One element, rounded where the card would round. */
static double compute_element(const struct region *r, size_t row, size_t column)
{
    const struct matmul *p = &r->p;
    double exact = 0;
    float sum = 0, step = 0;

    for (size_t i = 0; i < p->k; i++) {
        const double x = operand(r, true, row, i), y = operand(r, false, column, i);

        exact += x * y;
        step = __builtin_fmaf((float)x, (float)y, step);
        if (i % TENSOR_STEP == TENSOR_STEP - 1 || i == p->k - 1) {
            sum += step;
            step = 0;
            if (p->compute == CUBLAS_COMPUTE_16F)
                sum = __half2float(__float2half_rn(sum));
        }
    }
    return p->compute == CUBLAS_COMPUTE_64F || p->compute == CUBLAS_COMPUTE_32I ? exact : sum;
}

static void compute_at(struct region *r, size_t index)
{
    const size_t row = index % r->p.ldd, column = index / r->p.ldd;

    if (r->finished[index] || row >= r->p.m)
        return;
    if (r->orphan)
        virtual_fail("element %zu of a product is read after its operands were changed or freed",
                     index);
    store(r->p.d, r->p.type_d, index, compute_element(r, row, column));
    r->finished[index] = true;
}

struct products : product {
    std::vector<struct region> regions;

    template <class Do> void each(size_t first, size_t end, Do action)
    {
        for (struct region &r : regions) {
            const size_t size = bytes_of(r.p.type_d);

            if (first >= r.end || end <= r.first)
                continue;

            const size_t begin = std::max(first, r.first) - r.first;
            const size_t stop = std::min(end, r.end) - r.first;

            for (size_t i = begin / size; i < (stop + size - 1) / size; i++)
                action(&r, i);
        }
    }

    void compute(size_t first, size_t end) override
    {
        each(first, end, compute_at);
    }

    void overwrite(size_t first, size_t end) override
    {
        regions.erase(std::remove_if(
                          regions.begin(), regions.end(),
                          [=](const struct region &r) { return first <= r.first && r.end <= end; }),
                      regions.end());
        each(first, end, [](struct region *r, size_t i) {
            r->finished[i] = true;
            r->overwritten = true;
        });
    }

    bool reads(const struct allocation *source) const override
    {
        return std::any_of(regions.begin(), regions.end(),
                           [=](const struct region &r) { return r.a == source || r.b == source; });
    }

    void orphan(const struct allocation *source) override
    {
        for (struct region &r : regions)
            r.orphan |= r.a == source || r.b == source;
    }
};

static bool same_problem(const struct matmul *x, const struct matmul *y)
{
    return x->a == y->a && x->b == y->b && x->d == y->d && x->m == y->m && x->n == y->n &&
           x->k == y->k && x->lda == y->lda && x->ldb == y->ldb && x->ldd == y->ldd &&
           x->type_a == y->type_a && x->type_b == y->type_b && x->type_d == y->type_d &&
           x->compute == y->compute && x->transpose_a == y->transpose_a &&
           x->transpose_b == y->transpose_b;
}

/* The allocation that holds a whole matrix of these columns. */
static struct allocation *holder(const void *base, size_t ld, size_t columns, size_t rows,
                                 cudaDataType_t type)
{
    struct allocation *a = memory_find(base);
    const size_t bytes = ((columns - 1) * ld + rows) * bytes_of(type);

    if (!a || a->kind != MEMORY_CARD || (const char *)base + bytes > a->base + a->bytes)
        virtual_fail("a matrix of %zu bytes does not lie in the card's memory", bytes);
    return a;
}

static void execute(const struct matmul *p)
{
    const struct allocation *a =
        holder(p->a, p->lda, p->transpose_a ? p->m : p->k, p->transpose_a ? p->k : p->m, p->type_a);
    const struct allocation *b =
        holder(p->b, p->ldb, p->transpose_b ? p->k : p->n, p->transpose_b ? p->n : p->k, p->type_b);
    struct allocation *d = holder(p->d, p->ldd, p->n, p->m, p->type_d);
    const size_t elements = (p->n - 1) * p->ldd + p->m;
    const size_t first = (size_t)((const char *)p->d - d->base);
    const size_t end = first + elements * bytes_of(p->type_d);

    launch_settle(a, false);
    launch_settle(b, false);
    launch_settle(d, true);
    if (!d->product)
        d->product = new products();

    struct products *all = static_cast<struct products *>(d->product);

    for (const struct region &r : all->regions)
        if (same_problem(&r.p, p) && !r.overwritten && r.version_a == a->version &&
            r.version_b == b->version)
            return;
    memory_changes(d, p->d, end - first);
    all->regions.push_back({*p, a, b, a->version, b->version, first, end,
                            std::vector<bool>(elements, false), false, false});
}

static double peak(const struct card *c, cublasComputeType_t compute, cudaDataType_t in)
{
    if (compute == CUBLAS_COMPUTE_64F)
        return 0.9 * 2 * c->fp64_lanes * c->sms * c->clock_hz;
    if (compute == CUBLAS_COMPUTE_32I)
        return 2 * c->tensor_fp16_flops;
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32)
        return c->tensor_tf32_flops;
    return in == CUDA_R_32F ? c->gemm_fp32_flops : c->tensor_fp16_flops;
}

/* METHOD 11: operands that are all alike draw less power than random ones. */
static double power_share(const struct matmul *p)
{
    const size_t elements = (p->transpose_a ? p->m : p->k) * p->lda - (p->lda - 1);

    for (size_t i = 1; i < POWER_SAMPLES; i++)
        if (element(p->a, p->type_a, i * (elements - 1) / POWER_SAMPLES) !=
            element(p->a, p->type_a, 0))
            return 1;
    return 0.75;
}

static double seconds_of(const struct card *c, const struct matmul *p, double clock_share)
{
    const double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    const double bytes =
        (m * k + k * n) * (double)bytes_of(p->type_a) + m * n * (double)bytes_of(p->type_d);

    tally_work("product", bytes, m * n * k);
    return c->launch_seconds +
           model_noise(c) * std::max(2 * m * n * k / peak(c, p->compute, p->type_a) / clock_share /
                                         p->share_of_peak,
                                     bytes / c->memory_bytes_per_second);
}

/* A product fills the card. */
static double run(const struct matmul *p, const struct card *c, double ready)
{
    const struct share share = {1, 0, 0, 0};
    const double start = share_begin(c, share.places, ready);

    execute(p);
    if (c->gemm_watts > 0)
        model_cap(c, start, power_share(p));

    const double end = start + seconds_of(c, p, model_clock(c, start) / c->clock_hz);

    model_worked(c, start, end);
    return share_end(c, &share, start, end);
}

cublasStatus_t virtual_blas_enqueue(const struct matmul *p, cudaStream_t handle)
{
    struct stream *s = stream_of(handle, runtime_card());
    const struct matmul copy = *p;

    if (!s)
        return CUBLAS_STATUS_INVALID_VALUE;
    clock_spend(2 * card_at(s->card)->launch_host_seconds);
    if (fault_endless(s, "endless_product"))
        return CUBLAS_STATUS_SUCCESS;
    queue_add(s, [copy, s](double start, bool, double *end) {
        *end = run(&copy, card_at(s->card), start);
        return true;
    });
    return CUBLAS_STATUS_SUCCESS;
}

bool virtual_blas_supports(cublasComputeType_t compute, cudaDataType_t in, cudaDataType_t out)
{
    const double capability = card_at(runtime_card())->capability_major;

    switch (compute) {
    case CUBLAS_COMPUTE_64F:
        return in == CUDA_R_64F && out == CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
        return in == CUDA_R_8I && out == CUDA_R_32I;
    case CUBLAS_COMPUTE_16F:
        return in == CUDA_R_16F && out == CUDA_R_16F;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return in == CUDA_R_32F && out == CUDA_R_32F && capability >= 8;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
        return in == out &&
               (in == CUDA_R_32F || in == CUDA_R_16F || (in == CUDA_R_16BF && capability >= 8));
    default:
        VIRTUAL_UNKNOWN("compute type", compute);
    }
}

double virtual_blas_scalar(const void *value, cudaDataType_t type)
{
    const double number = type == CUDA_R_32I ? load<int>(value, 0) : element(value, type, 0);

    if (number != 0 && number != 1)
        virtual_fail("a scaling factor of %g is not known", number);
    return number;
}

cublasStatus_t virtual_blas_begin(const char *name)
{
    std::lock_guard<std::recursive_mutex> lock(runtime_lock);

    if (runtime_refuses() || runtime_lasting())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    return (cublasStatus_t)card_call(name);
}
