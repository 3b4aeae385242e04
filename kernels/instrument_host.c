/* The kernels of kernels/instrument.h as descriptors; the host needs no such instruments. */
#include "kernels/instrument.h"

cuda_body heat_cuda, empty_cuda;

static int empty_host(const void *args, unsigned worker, unsigned workers)
{
    (void)args;
    (void)worker;
    (void)workers;
    return 0;
}

const struct kernel kernel_heat = {
    .name = "heat",
    .cuda = KERNEL_CUDA(heat_cuda),
};

const struct kernel kernel_empty = {
    .name = "empty",
    .host = empty_host,
    .cuda = KERNEL_CUDA(empty_cuda),
};
