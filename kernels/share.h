/* The share of an array that one host worker handles: the same for every kernel that touches it, so
 * that a page stays with the core that touched it first. */
#ifndef KERNELS_SHARE_H
#define KERNELS_SHARE_H

#include <stddef.h>

enum { SHARE_LINE_BYTES = 64 };

/* Bytes first..end of an array of `bytes`; both are multiples of a cache line, except that the last
 * worker ends with the array. */
struct share {
    size_t first, end;
};

static inline size_t share_boundary(size_t bytes, unsigned worker, unsigned workers)
{
    size_t lines = bytes / SHARE_LINE_BYTES;
    size_t longer = lines % workers < worker ? lines % workers : worker;

    if (worker == workers)
        return bytes;
    return (lines / workers * worker + longer) * SHARE_LINE_BYTES;
}

static inline struct share share_of(size_t bytes, unsigned worker, unsigned workers)
{
    return (struct share){share_boundary(bytes, worker, workers),
                          share_boundary(bytes, worker + 1, workers)};
}

#endif
