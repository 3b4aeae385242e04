/* The card's bodies of kernels/chase.h: one lane walks; indices, because pointers that come from
 * memory compile to slower generic loads (METHOD 4). */
#include "kernels/chase.h"
#include "kernels/ptx.h"

extern "C" __global__ void chase_link(uint32_t *next, unsigned nodes_log2, unsigned word)
{
    const size_t nodes = (size_t)1 << nodes_log2, step = (size_t)gridDim.x * blockDim.x;

    for (size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x; j < nodes; j += step)
        next[j * CHASE_NODE_WORDS + word] =
            chase_next((uint32_t)j, nodes_log2) * CHASE_NODE_WORDS + word;
}

extern "C" __global__ void chase(const uint32_t *__restrict__ next, uint32_t *cursor,
                                 uint32_t steps, long long *ticks)
{
    uint32_t p = *cursor;
    long long begun = 0, ended = 0;

#pragma unroll 1
    for (int pass = 0; pass < 2; pass++) {
        begun = sm_ticks();
#pragma unroll 1
        for (uint32_t i = 0; i < steps; i += CHASE_UNROLL) {
#pragma unroll
            for (int u = 0; u < CHASE_UNROLL; u++)
                p = next[p];
        }
        ended = sm_ticks();
    }
    *cursor = p;
    *ticks = ended - begun;
}

extern "C" int chase_link_cuda(const void *arguments, void *const *streams)
{
    struct chase_link_args v = *(const struct chase_link_args *)arguments;
    const size_t blocks = (((size_t)1 << v.nodes_log2) + 255) / 256, most = 1 << 14;
    void *parameters[] = {&v.next, &v.nodes_log2, &v.word};

    return cudaLaunchKernel((const void *)chase_link,
                            dim3((unsigned)(blocks < most ? blocks : most)), dim3(256), parameters,
                            0, (cudaStream_t)streams[0]);
}

extern "C" int chase_cuda(const void *arguments, void *const *streams)
{
    struct chase_args v = *(const struct chase_args *)arguments;
    void *parameters[] = {&v.next, &v.cursor, &v.steps, &v.ticks};

    return cudaLaunchKernel((const void *)chase, dim3(1), dim3(1), parameters, 0,
                            (cudaStream_t)streams[0]);
}
