/* The host's own copy, and the names of all copies. */
#include "kernels/copy.h"

#include <string.h>

static int memcpy_host(const void *args, unsigned worker, unsigned workers)
{
    const struct copy_args *a = args;
    const size_t turn = worker == 0 ? copy_turn(a) : 0;

    (void)workers;
    if (worker == 0)
        memcpy((char *)a->to + turn, (const char *)a->from + turn, a->bytes);
    return 0;
}

const struct kernel kernel_copy_memcpy = {
    .name = "memcpy",
    .host = memcpy_host,
    .host_threads = HOST_ONE_CORE,
    .cuda = KERNEL_CUDA(copy_memcpy_cuda),
};

const struct kernel kernel_copy_async = {
    .name = "copy",
    .cuda = KERNEL_CUDA(copy_async_cuda),
};

const struct kernel kernel_copy_synchronous = {
    .name = "synchronous copy",
    .cuda = KERNEL_CUDA(copy_synchronous_cuda),
};

const struct kernel kernel_copy_both = {
    .name = "copies both ways",
    .cuda = KERNEL_CUDA(copy_both_cuda),
    .streams = 2,
};

const struct kernel kernel_copy_loaded = {
    .name = "copy beside copies back",
    .cuda = KERNEL_CUDA(copy_loaded_cuda),
    .streams = 2,
};
