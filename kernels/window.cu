/* The card's body of kernels/window.h: the grid walks over `passes` windows as if they lay one
 * after the other, so that its blocks are spread over the window at any moment. */
#include "kernels/ptx.h"
#include "kernels/window.h"

static __device__ __forceinline__ uint32_t sum_of(uint4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

extern "C" __global__ void __launch_bounds__(256)
    window_read(const uint4 *window, size_t mask, size_t reads, uint32_t *sums)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    size_t i = first;

    for (; i + 3 * step < reads; i += 4 * step) {
        const uint4 p = load_from_l2(window + (i & mask));
        const uint4 q = load_from_l2(window + ((i + step) & mask));
        const uint4 r = load_from_l2(window + ((i + 2 * step) & mask));
        const uint4 s = load_from_l2(window + ((i + 3 * step) & mask));

        sum += (sum_of(p) + sum_of(q)) + (sum_of(r) + sum_of(s));
    }
    for (; i < reads; i += step)
        sum += sum_of(load_from_l2(window + (i & mask)));
    sums[first] = sum;
}

extern "C" int window_cuda_plan(void *args)
{
    struct window_args *a = (struct window_args *)args;
    const int error = grid_of_full_house((const void *)window_read, WINDOW_THREADS, &a->blocks);

    a->sum_count = (size_t)a->blocks * WINDOW_THREADS;
    return error;
}

extern "C" int window_cuda(const void *args, void *const *streams)
{
    struct window_args a = *(const struct window_args *)args;
    size_t vectors = a.bytes / sizeof(uint4), mask = vectors - 1, reads = vectors * a.passes;
    void *parameters[] = {&a.in, &mask, &reads, &a.sums};

    if (vectors == 0 || (vectors & mask) || a.blocks == 0)
        return cudaErrorInvalidValue;
    return cudaLaunchKernel((const void *)window_read, dim3(a.blocks), dim3(WINDOW_THREADS),
                            parameters, 0, (cudaStream_t)streams[0]);
}
