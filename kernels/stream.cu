/* Streaming kernels of a card.  All loads of a round stand before the first use of any of them:
 * bytes in flight, not occupancy, saturate the memory (METHOD 3). */
#include "kernels/ptx.h"
#include "kernels/stream.h"

#include <string.h>

#define STREAM_KERNEL extern "C" __global__ void __launch_bounds__(256)
/* Left to itself the compiler saves registers for eight blocks an SM and moves loads behind uses.
 */
#define STREAM_KERNEL_ONCE extern "C" __global__ void __launch_bounds__(256, 4)

template <enum stream_operation OP> __device__ __forceinline__ float one(float b, float c, float s)
{
    if (OP == STREAM_COPY)
        return b;
    if (OP == STREAM_SCALE)
        return s * b;
    return OP == STREAM_ADD ? b + c : b + s * c;
}

template <enum stream_operation OP>
__device__ __forceinline__ float4 four(float4 b, float4 c, float s)
{
    return make_float4(one<OP>(b.x, c.x, s), one<OP>(b.y, c.y, s), one<OP>(b.z, c.z, s),
                       one<OP>(b.w, c.w, s));
}

__device__ __forceinline__ float sum4(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

__device__ __forceinline__ size_t grid_thread(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ size_t grid_threads(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

/* First vector of a thread whose block handles `each` vectors a thread, in rounds of the block. */
__device__ __forceinline__ size_t block_thread(unsigned each)
{
    return (size_t)blockIdx.x * blockDim.x * each + threadIdx.x;
}

/* ---- grid stride ---- */

STREAM_KERNEL stream_read(const float4 *__restrict__ in, size_t n, float never, int keep,
                          float *sums)
{
    const size_t step = grid_threads();
    size_t i = grid_thread();
    float sum = 0.f;

    for (; i + 3 * step < n; i += 4 * step) {
        const float4 p = in[i], q = in[i + step];
        const float4 r = in[i + 2 * step], s = in[i + 3 * step];
        sum += (sum4(p) + sum4(q)) + (sum4(r) + sum4(s));
    }
    for (; i < n; i += step)
        sum += sum4(in[i]);
    if (keep || sum == never)
        sums[grid_thread()] = sum;
}

STREAM_KERNEL stream_write(float4 *__restrict__ out, size_t n, float scalar)
{
    const float4 v = make_float4(scalar, scalar, scalar, scalar);
    const size_t step = grid_threads();
    size_t i = grid_thread();

    for (; i + 3 * step < n; i += 4 * step) {
        out[i] = v;
        out[i + step] = v;
        out[i + 2 * step] = v;
        out[i + 3 * step] = v;
    }
    for (; i < n; i += step)
        out[i] = v;
}

template <enum stream_operation OP>
__device__ __forceinline__ void stride_of_one(float4 *__restrict__ out,
                                              const float4 *__restrict__ b, size_t n, float scalar)
{
    const size_t step = grid_threads();
    size_t i = grid_thread();

    for (; i + 3 * step < n; i += 4 * step) {
        const float4 p = b[i], q = b[i + step];
        const float4 r = b[i + 2 * step], s = b[i + 3 * step];
        out[i] = four<OP>(p, p, scalar);
        out[i + step] = four<OP>(q, q, scalar);
        out[i + 2 * step] = four<OP>(r, r, scalar);
        out[i + 3 * step] = four<OP>(s, s, scalar);
    }
    for (; i < n; i += step)
        out[i] = four<OP>(b[i], b[i], scalar);
}

template <enum stream_operation OP>
__device__ __forceinline__ void stride_of_two(float4 *__restrict__ out,
                                              const float4 *__restrict__ b,
                                              const float4 *__restrict__ c, size_t n, float scalar)
{
    const size_t step = grid_threads();
    size_t i = grid_thread();

    for (; i + step < n; i += 2 * step) {
        const float4 p = b[i], q = b[i + step];
        const float4 r = c[i], s = c[i + step];
        out[i] = four<OP>(p, r, scalar);
        out[i + step] = four<OP>(q, s, scalar);
    }
    for (; i < n; i += step)
        out[i] = four<OP>(b[i], c[i], scalar);
}

STREAM_KERNEL stream_copy(float4 *__restrict__ out, const float4 *__restrict__ b, size_t n)
{
    stride_of_one<STREAM_COPY>(out, b, n, 0.f);
}

STREAM_KERNEL stream_scale(float4 *__restrict__ out, const float4 *__restrict__ b, size_t n,
                           float scalar)
{
    stride_of_one<STREAM_SCALE>(out, b, n, scalar);
}

STREAM_KERNEL stream_add(float4 *__restrict__ out, const float4 *__restrict__ b,
                         const float4 *__restrict__ c, size_t n)
{
    stride_of_two<STREAM_ADD>(out, b, c, n, 0.f);
}

STREAM_KERNEL stream_triad(float4 *__restrict__ out, const float4 *__restrict__ b,
                           const float4 *__restrict__ c, size_t n, float scalar)
{
    stride_of_two<STREAM_TRIAD>(out, b, c, n, scalar);
}

/* ---- one shot: eight loads a thread, no loop ---- */

/* Eight vectors of a thread, one block apart. */
struct eight {
    float4 v[8];
};

__device__ __forceinline__ struct eight load_eight(const float4 *__restrict__ in, size_t i)
{
    struct eight e;

#pragma unroll
    for (int k = 0; k < 8; k++)
        e.v[k] = in[i + k * STREAM_THREADS];
    return e;
}

STREAM_KERNEL_ONCE stream_read_once(const float4 *__restrict__ in, float never, int keep,
                                    float *sums)
{
    const struct eight e = load_eight(in, block_thread(8));
    float sum = ((sum4(e.v[0]) + sum4(e.v[1])) + (sum4(e.v[2]) + sum4(e.v[3]))) +
                ((sum4(e.v[4]) + sum4(e.v[5])) + (sum4(e.v[6]) + sum4(e.v[7])));

    if (keep || sum == never)
        sums[grid_thread()] = sum;
}

STREAM_KERNEL_ONCE stream_write_once(float4 *__restrict__ out, float scalar)
{
    const size_t i = block_thread(8);

#pragma unroll
    for (int k = 0; k < 8; k++)
        out[i + k * STREAM_THREADS] = make_float4(scalar, scalar, scalar, scalar);
}

template <enum stream_operation OP>
__device__ __forceinline__ void once_of_one(float4 *__restrict__ out, const float4 *__restrict__ b,
                                            float scalar)
{
    const size_t i = block_thread(8);
    const struct eight e = load_eight(b, i);

#pragma unroll
    for (int k = 0; k < 8; k++)
        out[i + k * STREAM_THREADS] = four<OP>(e.v[k], e.v[k], scalar);
}

template <enum stream_operation OP>
__device__ __forceinline__ void once_of_two(float4 *__restrict__ out, const float4 *__restrict__ b,
                                            const float4 *__restrict__ c, float scalar)
{
    const size_t i = block_thread(4);
    float4 p[4], q[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
        p[k] = b[i + k * STREAM_THREADS];
        q[k] = c[i + k * STREAM_THREADS];
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[i + k * STREAM_THREADS] = four<OP>(p[k], q[k], scalar);
}

STREAM_KERNEL_ONCE stream_copy_once(float4 *__restrict__ out, const float4 *__restrict__ b)
{
    once_of_one<STREAM_COPY>(out, b, 0.f);
}

STREAM_KERNEL_ONCE stream_scale_once(float4 *__restrict__ out, const float4 *__restrict__ b,
                                     float scalar)
{
    once_of_one<STREAM_SCALE>(out, b, scalar);
}

STREAM_KERNEL_ONCE stream_add_once(float4 *__restrict__ out, const float4 *__restrict__ b,
                                   const float4 *__restrict__ c)
{
    once_of_two<STREAM_ADD>(out, b, c, 0.f);
}

STREAM_KERNEL_ONCE stream_triad_once(float4 *__restrict__ out, const float4 *__restrict__ b,
                                     const float4 *__restrict__ c, float scalar)
{
    once_of_two<STREAM_TRIAD>(out, b, c, scalar);
}

/* ---- launching ---- */

static const void *const entries[2][STREAM_OPERATIONS] = {
    {(const void *)stream_read, (const void *)stream_write, (const void *)stream_copy,
     (const void *)stream_scale, (const void *)stream_add, (const void *)stream_triad},
    {(const void *)stream_read_once, (const void *)stream_write_once,
     (const void *)stream_copy_once, (const void *)stream_scale_once, (const void *)stream_add_once,
     (const void *)stream_triad_once},
};

extern "C" int stream_cuda_plan(void *args)
{
    struct stream_args *a = (struct stream_args *)args;
    int error = cudaSuccess;

    if (a->variant == STREAM_LIBRARY)
        return cudaSuccess;
    if (a->variant == STREAM_ONE_SHOT)
        a->blocks = (unsigned)(a->count / stream_granule(a->operation));
    else
        error = grid_of_full_house(entries[0][a->operation], STREAM_THREADS, &a->blocks);
    a->sum_count = (size_t)a->blocks * STREAM_THREADS;
    return error;
}

/* The parameters of an entry, in the order of its declaration; `n` is left out without a loop. */
static int launch(const struct stream_args *a, size_t n, int once, cudaStream_t stream)
{
    struct stream_args v = *a;
    float never = -1.f; /* no sum of positive numbers */
    void *read[] = {&v.b, &n, &never, &v.keep, &v.sums},
         *read_once[] = {&v.b, &never, &v.keep, &v.sums};
    void *write[] = {&v.out, &n, &v.scalar}, *write_once[] = {&v.out, &v.scalar};
    void *unary[] = {&v.out, &v.b, &n, &v.scalar}, *unary_once[] = {&v.out, &v.b, &v.scalar};
    void *binary[] = {&v.out, &v.b, &v.c, &n, &v.scalar};
    void *binary_once[] = {&v.out, &v.b, &v.c, &v.scalar};
    void **parameters[2][STREAM_OPERATIONS] = {
        {read, write, unary, unary, binary, binary},
        {read_once, write_once, unary_once, unary_once, binary_once, binary_once}};

    return cudaLaunchKernel(entries[once][a->operation], dim3(a->blocks), dim3(STREAM_THREADS),
                            parameters[once][a->operation], 0, stream);
}

static int call_runtime(const struct stream_args *a, cudaStream_t stream)
{
    const size_t bytes = a->count * sizeof(float);
    unsigned char byte;

    if (a->operation == STREAM_COPY)
        return cudaMemcpyAsync(a->out, a->b, bytes, cudaMemcpyDeviceToDevice, stream);
    memcpy(&byte, &a->scalar, sizeof byte);
    return a->operation == STREAM_WRITE ? cudaMemsetAsync(a->out, byte, bytes, stream)
                                        : cudaErrorInvalidValue;
}

extern "C" int stream_cuda(const void *args, void *const *streams)
{
    const struct stream_args *a = (const struct stream_args *)args;
    const int once = a->variant == STREAM_ONE_SHOT;

    if (a->variant == STREAM_LIBRARY)
        return call_runtime(a, (cudaStream_t)streams[0]);
    if (a->count % (once ? stream_granule(a->operation) : 4) || a->blocks == 0)
        return cudaErrorInvalidValue;
    return launch(a, a->count / 4, once, (cudaStream_t)streams[0]);
}
