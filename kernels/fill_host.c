/* Filling host memory, a share of the array each. */
#include "kernels/fill.h"
#include "kernels/share.h"

static int fill_host(const void *args, unsigned worker, unsigned workers)
{
    const struct fill_args *a = args;
    size_t size = fill_element_bytes(a->kind);
    struct share share = share_of(a->count * size, worker, workers);

    for (size_t i = share.first / size; i < share.end / size; i++)
        fill_element(a, i);
    return 0;
}

const struct kernel kernel_fill = {
    .name = "fill",
    .host = fill_host,
    .cuda = KERNEL_CUDA(fill_cuda),
};
