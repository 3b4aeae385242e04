/* Memory of a card, and memory of the host in the kinds that a card's copies tell apart. */
#include "harness/device/cuda_state.h"
#include "harness/device/pages.h"

#include "harness/base/units.h"

#include <sys/resource.h>

static void *refuse_device(struct device *d, size_t bytes)
{
    size_t left = 0, all = 0;
    char asked_text[UNITS_MAX], left_text[UNITS_MAX];

    cudaGetLastError();
    cudaMemGetInfo(&left, &all);
    d->refused = true;
    device_fail(d, "%s of %s's memory asked for, %s free%s",
                units_format(asked_text, (double)bytes, "B"), d->id,
                units_format(left_text, (double)left, "B"),
                left > bytes ? ", but not in one piece (FRAGMENTED)" : "");
    return NULL;
}

/* The host's memory was there (pages_refuse), so it is pinning that has a limit. */
static void *refuse_pinned(struct device *d, size_t bytes)
{
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    char asked_text[UNITS_MAX], limit_text[UNITS_MAX] = "none";

    cudaGetLastError();
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_cur != RLIM_INFINITY)
        units_format(limit_text, (double)limit.rlim_cur, "B");
    d->refused = true;
    device_fail(d,
                "the host lets no further %s be pinned (limit of locked memory: %s; control groups "
                "and WSL have limits of their own); the card's memory is not the cause "
                "(PIN_LIMIT)",
                units_format(asked_text, (double)bytes, "B"), limit_text);
    return NULL;
}

static void *alloc_device(struct device *d, size_t bytes)
{
    void *memory = NULL;
    const cudaError_t code = cudaMalloc(&memory, bytes);

    if (code == cudaErrorMemoryAllocation)
        return refuse_device(d, bytes);
    return cuda_check(d, code, "allocating device memory") ? NULL : memory;
}

static void *alloc_pinned(struct device *d, size_t bytes, unsigned flags)
{
    void *memory = NULL;

    if (pages_refuse(d, bytes))
        return NULL;

    const cudaError_t code = cudaHostAlloc(&memory, bytes, flags);
    if (code == cudaErrorMemoryAllocation)
        return refuse_pinned(d, bytes);
    return cuda_check(d, code, "allocating pinned memory") ? NULL : memory;
}

static void *alloc_registered(struct device *d, size_t bytes)
{
    void *memory = pages_alloc(d, bytes);

    if (!memory)
        return NULL;

    const cudaError_t code = cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
    if (code == cudaSuccess)
        return memory;
    pages_free(memory);
    if (code == cudaErrorMemoryAllocation)
        return refuse_pinned(d, bytes);
    cuda_check(d, code, "registering host memory");
    return NULL;
}

void *cuda_alloc(struct device *d, enum memory kind, size_t bytes)
{
    d->refused = false;
    if (cuda_enter(d))
        return NULL;
    switch (kind) {
    case MEMORY_DEVICE:
        return alloc_device(d, bytes);
    case MEMORY_PAGEABLE:
        return pages_alloc(d, bytes);
    case MEMORY_PINNED:
        return alloc_pinned(d, bytes, cudaHostAllocDefault);
    case MEMORY_WRITE_COMBINED:
        return alloc_pinned(d, bytes, cudaHostAllocWriteCombined);
    case MEMORY_REGISTERED:
        return alloc_registered(d, bytes);
    case MEMORY_MAPPED:
        return alloc_pinned(d, bytes, cudaHostAllocMapped);
    case MEMORY_KINDS:
        break;
    }
    device_fail(d, "there is no such kind of memory");
    return NULL;
}

/* A lost device's calls would fail or hang; its memory goes with the process. */
void cuda_free(struct device *d, enum memory kind, void *memory)
{
    if (kind == MEMORY_PAGEABLE) {
        pages_free(memory);
        return;
    }
    if (!memory || d->lost)
        return;
    cuda_enter(d); /* the runtime knows where memory lies without it */
    if (kind == MEMORY_DEVICE) {
        cudaFree(memory);
    } else if (kind == MEMORY_REGISTERED) {
        if (cudaHostUnregister(memory) == cudaSuccess)
            pages_free(memory);
    } else {
        cudaFreeHost(memory);
    }
}
