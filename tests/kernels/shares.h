/* Executes a kernel's host body as a device would, one share after the other. */
#ifndef TESTS_KERNELS_SHARES_H
#define TESTS_KERNELS_SHARES_H

#include "kernels/kernel.h"

enum { SHARES_MOST = 5 };

static inline int execute_shares(const struct kernel *k, const void *args, unsigned workers)
{
    int code = 0;

    for (unsigned worker = 0; worker < workers && !code; worker++)
        code = k->host(args, worker, workers);
    return code;
}

#endif
