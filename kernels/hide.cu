/* The card's body of kernels/hide.h.  Residency is held down by dynamic shared memory that no
 * thread uses: launch bounds or register limits would change the code. */
#include "kernels/hide.h"
#include "kernels/ptx.h"

static __device__ __forceinline__ float value_of(float v)
{
    return v;
}

static __device__ __forceinline__ float value_of(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

static __device__ __forceinline__ void begin_mark(struct hide_mark *marks)
{
    if (threadIdx.x == 0) {
        marks[blockIdx.x].sm = sm_id();
        marks[blockIdx.x].start = global_timer();
    }
}

static __device__ __forceinline__ void end_mark(struct hide_mark *marks)
{
    __syncthreads();
    if (threadIdx.x == 0)
        marks[blockIdx.x].end = global_timer();
}

template <typename V, int ILP>
static __device__ __forceinline__ void hide_load(const V *__restrict__ in, float *out,
                                                 unsigned trips, struct hide_mark *marks)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const V *p = in + first;
    float sum = 0.f;

    begin_mark(marks);
#pragma unroll 1
    for (unsigned t = 0; t < trips; t++, p += ILP * step) {
        V v[ILP];
#pragma unroll
        for (int u = 0; u < ILP; u++)
            v[u] = p[u * step];
#pragma unroll
        for (int u = 0; u < ILP; u++)
            sum += value_of(v[u]);
    }
    out[first] = sum;
    end_mark(marks);
}

template <int ILP>
static __device__ __forceinline__ void hide_fma(float *out, float a, float b, unsigned trips,
                                                struct hide_mark *marks)
{
    float x[ILP], sum = 0.f;

    begin_mark(marks);
#pragma unroll
    for (int j = 0; j < ILP; j++)
        x[j] = (float)(threadIdx.x % 32 * HIDE_ILP_MAX + j);
#pragma unroll 1
    for (unsigned t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < HIDE_FMA_TRIP; n++)
            fma_kept(x[n % ILP], a, b);
#pragma unroll
    for (int j = 0; j < ILP; j++)
        sum += x[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    end_mark(marks);
}

#define LOAD_KERNEL(name, type, ilp)                                                               \
    extern "C" __global__ void name(const type *__restrict__ in, float *out, unsigned trips,       \
                                    struct hide_mark *marks)                                       \
    {                                                                                              \
        hide_load<type, ilp>(in, out, trips, marks);                                               \
    }
LOAD_KERNEL(hide_load_4_1, float, 1)
LOAD_KERNEL(hide_load_4_2, float, 2)
LOAD_KERNEL(hide_load_4_4, float, 4)
LOAD_KERNEL(hide_load_4_8, float, 8)
LOAD_KERNEL(hide_load_16_1, float4, 1)
LOAD_KERNEL(hide_load_16_2, float4, 2)
LOAD_KERNEL(hide_load_16_4, float4, 4)

#define FMA_KERNEL(name, ilp)                                                                      \
    extern "C" __global__ void name(float *out, float a, float b, unsigned trips,                  \
                                    struct hide_mark *marks)                                       \
    {                                                                                              \
        hide_fma<ilp>(out, a, b, trips, marks);                                                    \
    }
FMA_KERNEL(hide_fma_1, 1)
FMA_KERNEL(hide_fma_2, 2)
FMA_KERNEL(hide_fma_4, 4)
FMA_KERNEL(hide_fma_8, 8)

/* The kernel for these arguments, or NULL. */
static const void *kernel_for(const struct hide_args *args)
{
    static const struct {
        enum hide_operation operation;
        unsigned access_bytes, ilp;
        const void *entry;
    } kernels[] = {
        {HIDE_LOAD, 4, 1, (const void *)hide_load_4_1},
        {HIDE_LOAD, 4, 2, (const void *)hide_load_4_2},
        {HIDE_LOAD, 4, 4, (const void *)hide_load_4_4},
        {HIDE_LOAD, 4, 8, (const void *)hide_load_4_8},
        {HIDE_LOAD, 16, 1, (const void *)hide_load_16_1},
        {HIDE_LOAD, 16, 2, (const void *)hide_load_16_2},
        {HIDE_LOAD, 16, 4, (const void *)hide_load_16_4},
        {HIDE_FMA, 0, 1, (const void *)hide_fma_1},
        {HIDE_FMA, 0, 2, (const void *)hide_fma_2},
        {HIDE_FMA, 0, 4, (const void *)hide_fma_4},
        {HIDE_FMA, 0, 8, (const void *)hide_fma_8},
    };

    for (const auto &k : kernels)
        if (k.operation == args->operation && k.ilp == args->ilp &&
            (k.operation == HIDE_FMA || k.access_bytes == args->access_bytes))
            return k.entry;
    return NULL;
}

extern "C" int hide_cuda(const void *arguments, void *const *streams)
{
    struct hide_args v = *(const struct hide_args *)arguments;
    void *load[] = {&v.in, &v.out, &v.trips, &v.marks};
    void *fma_chains[] = {&v.out, &v.a, &v.b, &v.trips, &v.marks};

    return cudaLaunchKernel(kernel_for(&v), dim3(v.blocks), dim3(v.threads),
                            v.operation == HIDE_LOAD ? load : fma_chains, v.shared_bytes,
                            (cudaStream_t)streams[0]);
}

/* The card's limits that decide how many blocks an SM holds. */
struct limits {
    int sms, shared_per_sm, shared_reserved, shared_per_block;
};

static cudaError_t read_limits(struct limits *out)
{
    int device = 0;
    const struct {
        int *value;
        enum cudaDeviceAttr attribute;
    } wanted[] = {
        {&out->sms, cudaDevAttrMultiProcessorCount},
        {&out->shared_per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
        {&out->shared_reserved, cudaDevAttrReservedSharedMemoryPerBlock},
        {&out->shared_per_block, cudaDevAttrMaxSharedMemoryPerBlockOptin},
    };
    cudaError_t error = cudaGetDevice(&device);

    for (const auto &w : wanted)
        if (!error)
            error = cudaDeviceGetAttribute(w.value, w.attribute, device);
    return error;
}

extern "C" int hide_plan(void *arguments)
{
    struct hide_args *args = (struct hide_args *)arguments;
    const void *kernel = kernel_for(args);
    struct limits card = {};
    int resident = 0;
    cudaError_t error = kernel ? read_limits(&card) : cudaErrorInvalidValue;

    if (error)
        return error;
    args->threads = hide_threads(args->warps);
    args->blocks_per_sm = args->warps * 32 / args->threads;
    args->blocks = args->blocks_per_sm * (unsigned)card.sms;
    args->shared_bytes =
        (unsigned)hide_shared_bytes((size_t)card.shared_per_sm, (size_t)card.shared_reserved,
                                    (size_t)card.shared_per_block, args->blocks_per_sm);
    /* The opt-in is the same for all rows of a kernel: a smaller one would refuse earlier rows. */
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 card.shared_per_block);
    if (!error)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared);
    if (!error)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, (int)args->threads,
                                                              args->shared_bytes);
    args->resident = (unsigned)resident;
    return error;
}
