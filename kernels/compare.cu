/* Comparing on the card: single elements, from the last to the first, in strides of all threads. */
#include "kernels/compare.h"
#include "kernels/ptx.h"

enum { COMPARE_THREADS = 256 };

extern "C" __global__ void __launch_bounds__(256) compare_elements(struct compare_args a)
{
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct compare_part part = {0, 0};

    for (size_t i = thread; i < a.count; i += COMPARE_PARTS)
        compare_element(&a, a.count - 1 - i, &part);
    a.parts[thread] = part;
}

extern "C" int compare_cuda(const void *args, void *const *streams)
{
    struct compare_args a = *(const struct compare_args *)args;
    void *parameters[] = {&a};

    return cudaLaunchKernel((const void *)compare_elements, dim3(COMPARE_PARTS / COMPARE_THREADS),
                            dim3(COMPARE_THREADS), parameters, 0, (cudaStream_t)streams[0]);
}
