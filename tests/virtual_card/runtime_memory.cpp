/* The runtime: memory and copies. */
#include "tests/virtual_card/runtime.h"

#include "tests/virtual_card/faults.h"
#include "tests/virtual_card/model.h"
#include "tests/virtual_card/share.h"
#include "tests/virtual_card/tally.h"

#include <algorithm>
#include <string.h>

static double engine_ready[16][2]; /* by card and direction: when its last copy ended */

API cudaError_t cudaMalloc(void **out, size_t bytes)
{
    ENTER(cudaMalloc);
    *out = nullptr;
    if (bytes == 0)
        return cudaSuccess;

    struct allocation *a = memory_allocate(runtime_card(), bytes);

    if (!a)
        return runtime_error(cudaErrorMemoryAllocation);
    *out = a->base;
    return cudaSuccess;
}

static cudaError_t free_at(void *base, enum memory_kind kind)
{
    struct allocation *a = memory_find(base);

    if (!base)
        return cudaSuccess;
    if (!a || a->base != base || a->kind != kind)
        return runtime_error(cudaErrorInvalidValue);
    for (int card = 0; card < card_count(); card++)
        clock_reach(queue_advance_all(card));
    launch_forget(a);
    memory_free(a);
    return cudaSuccess;
}

API cudaError_t cudaFree(void *base)
{
    ENTER(cudaFree);
    return free_at(base, MEMORY_CARD);
}

/* A limit on locked memory may let small buffers pass. */
static bool is_refused(size_t bytes)
{
    return card_fault("pinned_refused") || (bytes > 64 * 1024 && card_fault("pinned_limited"));
}

API cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    ENTER(cudaHostAlloc);
    if (flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        VIRTUAL_UNKNOWN("flags", flags);

    struct allocation *a = is_refused(bytes) ? nullptr : memory_pin(bytes);

    *out = a ? a->base : nullptr;
    return a ? cudaSuccess : runtime_error(cudaErrorMemoryAllocation);
}

API cudaError_t cudaFreeHost(void *base)
{
    ENTER(cudaFreeHost);
    return free_at(base, MEMORY_PINNED_HOST);
}

API cudaError_t cudaHostRegister(void *base, size_t bytes, unsigned flags)
{
    ENTER(cudaHostRegister);
    if (flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped))
        VIRTUAL_UNKNOWN("flags", flags);
    if (is_refused(bytes))
        return runtime_error(cudaErrorMemoryAllocation);
    if (memory_find(base))
        return runtime_error(cudaErrorHostMemoryAlreadyRegistered);
    memory_register(base, bytes);
    return cudaSuccess;
}

API cudaError_t cudaHostUnregister(void *base)
{
    ENTER(cudaHostUnregister);
    return free_at(base, MEMORY_REGISTERED_HOST);
}

API cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    ENTER(cudaHostGetDevicePointer);
    if (flags || !memory_find(host))
        return runtime_error(cudaErrorInvalidValue);
    *out = host;
    return cudaSuccess;
}

API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    ENTER(cudaMemGetInfo);

    const int card = runtime_card();

    *total = (size_t)card_at(card)->memory_bytes;
    *free_bytes = *total - memory_used(card) - (size_t)card_at(card)->memory_taken_bytes;
    return cudaSuccess;
}

/* One end of a copy: where it lies. */
struct place {
    struct allocation *allocation; /* NULL: pageable memory of the host */
    bool card;
};

/* False where the bytes are not all inside an allocation of the card. */
static bool find_place(const void *address, size_t bytes, struct place *out)
{
    struct allocation *a = memory_find(address);

    *out = {a, a && a->kind == MEMORY_CARD};
    if (!a)
        return !memory_is_reserved(address);
    return (const char *)address + bytes <= a->base + a->bytes || !out->card;
}

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    struct place target, source;
    int card;
};

static bool is_pageable(const struct copy *c)
{
    return (!c->target.card && !c->target.allocation) || (!c->source.card && !c->source.allocation);
}

/* A small pageable copy returns once its bytes are staged, and the link's part follows; a large one
 * is a pipeline of both. */
static double pageable_seconds(const struct card *card, double bytes)
{
    if (bytes <= card->pageable_kink_bytes)
        return card->pageable_seconds + bytes / card->host_copy_bytes_per_second +
               bytes / card->link_bytes_per_second;
    return card->pageable_seconds + bytes / card->pageable_bytes_per_second;
}

static double copy_seconds(const struct copy *c)
{
    const struct card *card = card_at(c->card);
    const double bytes = (double)c->bytes;

    if (c->target.card && c->source.card)
        return card->launch_seconds + 2 * bytes / card->memory_bytes_per_second;
    if (!c->target.card && !c->source.card)
        return bytes / card->host_copy_bytes_per_second;
    if (is_pageable(c))
        return pageable_seconds(card, bytes);
    return card->link_seconds + bytes / card->link_bytes_per_second;
}

/* The bytes move; the same copy again, before the host looked, moves the same bytes. */
static void move(const struct copy *c)
{
    static struct copy last;
    static uint64_t from_version, to_version;
    static unsigned long batch;
    struct allocation *from = c->source.allocation, *to = c->target.allocation;

    if (from && to && batch == queue_batch() && last.to == c->to && last.from == c->from &&
        last.bytes == c->bytes && from->version == from_version && to->version == to_version)
        return;
    if (from) {
        launch_settle(from, false);
        memory_reads(from, c->from, c->bytes);
    }
    if (to) {
        launch_settle(to, true);
        memory_changes(to, c->to, c->bytes);
    }
    memmove(c->to, c->from, fault_copied(c->bytes));
    if (c->target.card)
        fault_wear(to->base, to->bytes);
    last = *c;
    batch = queue_batch();
    from_version = from ? from->version : 0;
    to_version = to ? to->version : 0;
}

static double run_copy(const struct copy *c, double start)
{
    const struct card *card = card_at(c->card);
    const double seconds = copy_seconds(c) * model_noise(card);
    const bool on_card = c->target.card && c->source.card, one = card->copy_engines < 2;
    const struct share share = {0, seconds - card->launch_seconds, 0, 0};
    double *engine = &engine_ready[c->card][c->target.card || one ? 0 : 1];

    move(c);
    tally_work(c->target.card ? "copy_in" : "copy_out", (double)c->bytes, 0);
    if (on_card)
        return share_end(card, &share, start + card->launch_seconds, start + seconds);
    if (!c->target.card && !c->source.card)
        return start + seconds;

    const double begin = std::max(start, *engine);

    *engine = begin + model_link(card, begin, seconds);
    return *engine;
}

/* Whether the caller's word for the direction is what the addresses say. */
static bool is_kind(enum cudaMemcpyKind kind, const struct copy *c)
{
    if (kind == cudaMemcpyDefault)
        return true;
    return kind == (c->target.card
                        ? c->source.card ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice
                    : c->source.card ? cudaMemcpyDeviceToHost
                                     : cudaMemcpyHostToHost);
}

/* Checks and enqueues a copy; *waits: the caller must wait for it (pageable memory). */
static cudaError_t enqueue_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                struct stream *s, bool *waits)
{
    struct copy c = {to, from, bytes, {}, {}, s->card};

    if (!find_place(to, bytes, &c.target) || !find_place(from, bytes, &c.source))
        return runtime_error(cudaErrorInvalidValue);
    if (!is_kind(kind, &c))
        return runtime_error(cudaErrorInvalidMemcpyDirection);
    *waits = is_pageable(&c);
    clock_spend(card_at(s->card)->launch_host_seconds);
    if (fault_endless(s, "endless_copy"))
        return cudaSuccess;
    queue_add(s, [c](double start, bool, double *end) {
        *end = run_copy(&c, start);
        return true;
    });
    return cudaSuccess;
}

static void wait_for(struct stream *s)
{
    queue_advance(s, nullptr, true);
    clock_reach(s->ready);
    queue_look();
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    ENTER(cudaMemcpy);

    struct stream *s = stream_of(nullptr, runtime_card());
    bool waits;
    const cudaError_t error = bytes ? enqueue_copy(to, from, bytes, kind, s, &waits) : cudaSuccess;

    if (!error)
        wait_for(s);
    return error;
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                cudaStream_t handle)
{
    ENTER(cudaMemcpyAsync);

    struct stream *s = stream_of(handle, runtime_card());
    bool waits = false;

    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);

    const cudaError_t error = bytes ? enqueue_copy(to, from, bytes, kind, s, &waits) : cudaSuccess;

    if (!error && waits)
        wait_for(s);
    return error;
}

API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t handle)
{
    ENTER(cudaMemsetAsync);

    struct stream *s = stream_of(handle, runtime_card());
    struct place place;

    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (!find_place(to, bytes, &place) || !place.allocation)
        return runtime_error(cudaErrorInvalidValue);
    clock_spend(card_at(s->card)->launch_host_seconds);
    queue_add(s, [=](double start, bool, double *end) {
        const struct card *c = card_at(s->card);

        launch_settle(place.allocation, true);
        memory_changes(place.allocation, to, bytes);
        memset(to, value, bytes);

        const struct share share = {0, (double)bytes / c->memory_bytes_per_second, 0, 0};

        *end = share_end(c, &share, start + c->launch_seconds,
                         start + c->launch_seconds + share.memory_seconds);
        return true;
    });
    return cudaSuccess;
}

API cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    const cudaError_t error = cudaMemsetAsync(to, value, bytes, nullptr);

    if (!error)
        wait_for(stream_of(nullptr, runtime_card()));
    return error;
}
