/* Filling device memory: one thread an element, in strides of the grid. */
#include "kernels/fill.h"
#include "kernels/ptx.h"

extern "C" __global__ void __launch_bounds__(256) fill_elements(struct fill_args a)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += step)
        fill_element(&a, i);
}

extern "C" int fill_cuda(const void *args, void *const *streams)
{
    struct fill_args a = *(const struct fill_args *)args;
    const size_t blocks = (a.count + 255) / 256, most = 1 << 14;
    void *parameters[] = {&a};

    if (blocks == 0)
        return cudaSuccess;
    return cudaLaunchKernel((const void *)fill_elements,
                            dim3((unsigned)(blocks < most ? blocks : most)), dim3(256), parameters,
                            0, (cudaStream_t)streams[0]);
}
