/* Copies over the link, by the runtime's copy engines. */
#include "kernels/copy.h"

#include <cuda_runtime_api.h>

static enum cudaMemcpyKind direction(int to_device)
{
    return to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
}

static void *destination(const struct copy_args *a, size_t turn)
{
    return (char *)a->to + (a->to_device ? 0 : turn);
}

static const void *source(const struct copy_args *a, size_t turn)
{
    return (const char *)a->from + (a->to_device ? turn : 0);
}

int copy_async_cuda(const void *args, void *const *streams)
{
    const struct copy_args *a = args;
    const size_t turn = copy_turn(a);

    return (int)cudaMemcpyAsync(destination(a, turn), source(a, turn), a->bytes,
                                direction(a->to_device), streams[0]);
}

int copy_synchronous_cuda(const void *args, void *const *streams)
{
    const struct copy_args *a = args;
    const size_t turn = copy_turn(a);

    (void)streams;
    return (int)cudaMemcpy(destination(a, turn), source(a, turn), a->bytes,
                           direction(a->to_device));
}

static int copy_back(const struct copy_args *a, void *stream)
{
    int error = 0;

    for (unsigned i = 0; i < a->back_times && !error; i++)
        error = (int)cudaMemcpyAsync(a->back_to, a->back_from, a->back_bytes,
                                     direction(!a->to_device), stream);
    return error;
}

int copy_both_cuda(const void *args, void *const *streams)
{
    const int error = copy_back(args, streams[1]);

    return error ? error : copy_async_cuda(args, streams);
}

int copy_loaded_cuda(const void *args, void *const *streams)
{
    const int error = copy_both_cuda(args, streams);

    return error ? error : kernel_wait(streams[0], 0);
}

int copy_memcpy_cuda(const void *args, void *const *streams)
{
    const struct copy_args *a = args;
    const size_t turn = copy_turn(a);

    (void)streams;
    return (int)cudaMemcpy((char *)a->to + turn, (const char *)a->from + turn, a->bytes,
                           cudaMemcpyHostToHost);
}
