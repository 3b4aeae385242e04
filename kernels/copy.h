/* Copies between the host and a card, and within the host.
 *
 * One execution moves `bytes` from `from` to `to`.  Where a ring is given, host addresses move on
 * by `bytes` with every execution and start anew at the end of `ring->bytes`, so that a small copy
 * does not find its data in the host's caches. */
#ifndef KERNELS_COPY_H
#define KERNELS_COPY_H

#include "kernels/kernel.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far the executions have come through the host's memory; kept beside the arguments. */
struct copy_ring {
    size_t bytes, at; /* of the host's buffer; of the next execution */
};

struct copy_args {
    void *to;
    const void *from;
    size_t bytes;
    int to_device;          /* the device's side is `to`; else it is `from` */
    struct copy_ring *ring; /* NULL: the same addresses every time */
    /* The other direction, for kernel_copy_both and kernel_copy_loaded. */
    void *back_to;
    const void *back_from;
    size_t back_bytes; /* of one copy */
    unsigned back_times;
};

/* Offset of this execution into the host's memory; moves the ring on.  0 without a ring. */
static inline size_t copy_turn(const struct copy_args *a)
{
    size_t at = 0;

    if (a->ring) {
        at = a->ring->at;
        a->ring->at = at + 2 * a->bytes <= a->ring->bytes ? at + a->bytes : 0;
    }
    return at;
}

cuda_body copy_async_cuda, copy_synchronous_cuda, copy_both_cuda, copy_loaded_cuda,
    copy_memcpy_cuda;

/* Enqueued on a stream; the host's memory should be pinned. */
extern const struct kernel kernel_copy_async;
/* The call that returns when the host's memory may be used again: for pageable memory. */
extern const struct kernel kernel_copy_synchronous;
/* Both directions on two streams; the execution ends with the later one. */
extern const struct kernel kernel_copy_both;
/* The same, but the call itself waits for the first direction alone: time it by its call, with
 * back_times x back_bytes enough to outlast the copy that is measured. */
extern const struct kernel kernel_copy_loaded;
/* Within the host on one core: memcpy, or for a card what its runtime does in place of it.  The
 * ring moves both addresses. */
extern const struct kernel kernel_copy_memcpy;

#ifdef __cplusplus
}
#endif
#endif
