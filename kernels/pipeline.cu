/* The card's body of kernels/pipeline.h: piece i on stream i modulo 3. */
#include "kernels/pipeline.h"
#include "kernels/ptx.h"

extern "C" __global__ void __launch_bounds__(256)
    pipeline_work(const float4 *__restrict__ in, float4 *__restrict__ out, size_t n,
                  unsigned rounds, float a, float b)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float4 v = in[i];

#pragma unroll 1
        for (unsigned round = 0; round < rounds; round++)
#pragma unroll
            for (int k = 0; k < PIPELINE_UNROLLED; k++) {
                fma_kept(v.x, a, b);
                fma_kept(v.y, a, b);
                fma_kept(v.z, a, b);
                fma_kept(v.w, a, b);
            }
        out[i] = v;
    }
}

extern "C" int pipeline_cuda_plan(void *args)
{
    struct pipeline_args *a = (struct pipeline_args *)args;

    return grid_of_full_house((const void *)pipeline_work, PIPELINE_THREADS, &a->blocks);
}

/* Elements first..first + count, on one stream. */
static int enqueue_piece(const struct pipeline_args *a, size_t first, size_t count,
                         cudaStream_t stream)
{
    const float *in = a->in + first;
    float *out = a->out + first;
    size_t n = count / 4;
    unsigned rounds = a->fmas / PIPELINE_UNROLLED;
    float factor = a->a, addend = a->b;
    void *parameters[] = {&in, &out, &n, &rounds, &factor, &addend};
    int error = cudaSuccess;

    if (a->stages & PIPELINE_IN)
        error = cudaMemcpyAsync(a->in + first, a->from + first, count * sizeof *a->in,
                                cudaMemcpyHostToDevice, stream);
    if (!error && (a->stages & PIPELINE_WORK))
        error = cudaLaunchKernel((const void *)pipeline_work, dim3(a->blocks),
                                 dim3(PIPELINE_THREADS), parameters, 0, stream);
    if (!error && (a->stages & PIPELINE_OUT))
        error = cudaMemcpyAsync(a->to + first, a->out + first, count * sizeof *a->out,
                                cudaMemcpyDeviceToHost, stream);
    return error;
}

extern "C" int pipeline_cuda(const void *args, void *const *streams)
{
    const struct pipeline_args *a = (const struct pipeline_args *)args;
    const size_t count = a->pieces ? a->count / a->pieces : 0;
    int error = cudaSuccess;

    if (count == 0 || count % 4 || count * a->pieces != a->count || a->blocks == 0)
        return cudaErrorInvalidValue;
    for (unsigned piece = 0; piece < a->pieces && !error; piece++)
        error =
            enqueue_piece(a, piece * count, count, (cudaStream_t)streams[piece % PIPELINE_STREAMS]);
    return error;
}
