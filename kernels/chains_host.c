/* The CPU's body of kernels/chains.h. */
#include "kernels/chains.h"

#include <string.h>

static int chains_host(const void *arguments, unsigned worker, unsigned workers)
{
    const struct chains_args *args = arguments;
    const uint32_t *next = args->next;
    const unsigned chains = args->chains;
    uint32_t *cursors = args->cursors + (size_t)worker * CHAINS_MAX;
    uint32_t at[CHAINS_MAX] = {0}; /* the worker's own: neighbours' cursors share no line with it */

    (void)workers;
    memcpy(at, cursors, chains * sizeof *at);
    for (uint32_t i = 0; i < args->steps; i++)
        for (unsigned c = 0; c < chains; c++)
            at[c] = next[at[c]];
    memcpy(cursors, at, chains * sizeof *at);
    return 0;
}

const struct kernel kernel_chains = {
    .name = "chains",
    .host = chains_host,
};
