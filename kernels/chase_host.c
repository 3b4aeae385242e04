/* The CPU's bodies of kernels/chase.h. */
#include "kernels/chase.h"
#include "kernels/share.h"

cuda_body chase_cuda, chase_link_cuda;

uint32_t chase_after(uint32_t j, uint64_t steps, unsigned nodes_log2)
{
    uint32_t factor = CHASE_FACTOR, summand = CHASE_SUMMAND; /* 1, 2, 4, 8, ... steps at once */
    uint32_t x = chase_unmix(j, nodes_log2);
    const uint32_t mask = (uint32_t)(((uint64_t)1 << nodes_log2) - 1);

    for (; steps; steps >>= 1) {
        if (steps & 1)
            x = x * factor + summand;
        summand *= factor + 1;
        factor *= factor;
    }
    return chase_mix(x & mask, nodes_log2);
}

static int chase_link_host(const void *arguments, unsigned worker, unsigned workers)
{
    const struct chase_link_args *args = arguments;
    const size_t bytes = (size_t)CHASE_NODE_BYTES << args->nodes_log2;
    const struct share share = share_of(bytes, worker, workers);
    const size_t end = (share.end + CHASE_NODE_BYTES - 1) / CHASE_NODE_BYTES;

    for (size_t j = (share.first + CHASE_NODE_BYTES - 1) / CHASE_NODE_BYTES; j < end; j++)
        args->next[j * CHASE_NODE_WORDS + args->word] =
            chase_next((uint32_t)j, args->nodes_log2) * CHASE_NODE_WORDS + args->word;
    return 0;
}

static int chase_host(const void *arguments, unsigned worker, unsigned workers)
{
    const struct chase_args *args = arguments;
    const uint32_t *next = args->next;
    uint32_t p = *args->cursor;

    (void)worker, (void)workers;
    for (uint32_t i = 0; i < args->steps; i += CHASE_UNROLL)
        for (int u = 0; u < CHASE_UNROLL; u++)
            p = next[p];
    *args->cursor = p;
    return 0;
}

const struct kernel kernel_chase_link = {
    .name = "chase_link",
    .host = chase_link_host,
    .cuda = KERNEL_CUDA(chase_link_cuda),
};

const struct kernel kernel_chase = {
    .name = "chase",
    .host = chase_host,
    .host_threads = HOST_ONE_CORE,
    .cuda = KERNEL_CUDA(chase_cuda),
};
