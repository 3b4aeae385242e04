/* An NVIDIA card as a device, by CUDA's runtime alone. */
#include "harness/device/cuda_state.h"
#include "harness/device/system.h"

#include <stdlib.h>
#include <string.h>

static int cuda_count(char **why)
{
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    struct text sentence = TEXT_EMPTY;

    if (code == cudaSuccess)
        return count;
    cudaGetLastError();
    cuda_explain(&sentence, code, NULL);
    if (why)
        *why = text_take(&sentence);
    text_free(&sentence);
    return 0;
}

int cuda_enter(struct device *d)
{
    struct cuda *c = d->state;

    if (d->lost)
        return device_fail(d, "%s was given up: %s", d->id, c->lost_because);
    if (c->near_known)
        place_near(&c->near);
    else
        place_anywhere();
    return cuda_check(d, cudaSetDevice(c->index), "choosing the card");
}

int cuda_lose(struct device *d, const char *format, ...)
{
    struct cuda *c = d->state;
    struct text why = TEXT_EMPTY;
    va_list values;

    va_start(values, format);
    text_vaddf(&why, format, values);
    va_end(values);
    d->lost = true;
    free(c->lost_because);
    c->lost_because = text_take(&why);
    return device_fail(d, "%s", c->lost_because);
}

int cuda_lose_to_hang(struct device *d, double expected)
{
    return cuda_lose(d, "nothing ended on %s within %.0f s: a kernel hangs, or the driver does",
                     d->id, kernel_patience(expected));
}

int cuda_check(struct device *d, int code, const char *what_failed)
{
    struct text why = TEXT_EMPTY;

    if (code == cudaSuccess)
        return 0;
    if (code == KERNEL_HANGS)
        return cuda_lose_to_hang(d, 0);
    cudaGetLastError();
    cuda_explain(&why, code, d);
    if (cuda_error_lasts(code))
        cuda_lose(d, "%s failed: %s", what_failed, text_chars(&why));
    else
        device_fail(d, "%s failed: %s", what_failed, text_chars(&why));
    text_free(&why);
    return -1;
}

static int make_events(struct device *d)
{
    struct cuda *c = d->state;
    cudaEvent_t *const events[] = {&c->started, &c->ended, &c->settled};
    int code = cudaSuccess;

    for (size_t i = 0; i < COUNT_OF(events) && !code; i++)
        code = cudaEventCreate(events[i]);
    for (size_t i = 0; i < KERNEL_STREAMS_MAX && !code; i++)
        if (!(code = cudaEventCreate(&c->stream_started[i])))
            code = cudaEventCreate(&c->stream_ended[i]);
    return cuda_check(d, code, "creating events");
}

/* Where launches wait for their end, nothing can be queued behind a gate; in Windows' driver model
 * (WSL) launches are gathered and sent later (METHOD 1.1). */
static bool may_gate(void)
{
    const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");

    return !system_in_wsl() && !(blocking && *blocking && strcmp(blocking, "0") != 0);
}

static void destroy_event(cudaEvent_t *event)
{
    if (*event)
        cudaEventDestroy(*event);
    *event = NULL;
}

static void release(struct cuda *c)
{
    destroy_event(&c->started);
    destroy_event(&c->ended);
    destroy_event(&c->settled);
    for (size_t i = 0; i < KERNEL_STREAMS_MAX; i++) {
        destroy_event(&c->stream_started[i]);
        destroy_event(&c->stream_ended[i]);
    }
    while (c->stream_count)
        cudaStreamDestroy(c->streams[--c->stream_count].stream);
    cuda_panel_free(c);
}

static int start(struct device *d, const struct cudaDeviceProp *properties)
{
    cuda_facts_before_context(d, properties);
    if (cuda_enter(d))
        return -1;
    /* Spinning answers soonest; it is a wish, and a context that exists already may refuse it. */
    if (cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost) != cudaSuccess)
        cudaGetLastError();
    if (cuda_check(d, cudaFree(NULL), "starting the card"))
        return -1;
    return cuda_facts_fill(d) || make_events(d) || cuda_panel_make(d) ? -1 : 0;
}

static int cuda_open(struct device *d, int index)
{
    struct cuda *c = d->state = xcalloc(1, sizeof *c);
    struct cudaDeviceProp properties;

    c->index = index;
    c->gated = may_gate();
    if (cuda_check(d, cudaGetDeviceProperties(&properties, index), "asking what the card is"))
        return -1;
    if (start(d, &properties) == 0)
        return 0;
    if (!d->lost)
        release(c);
    return -1;
}

/* What belongs to a lost card goes with the process: asking for it would fail, or never return. */
static void cuda_close(struct device *d)
{
    struct cuda *c = d->state;

    if (!c)
        return;
    if (!d->lost) {
        cuda_enter(d); /* what is given back knows its card without it */
        release(c);
    }
    place_anywhere();
    free(c->pci_folder);
    free(c->lost_because);
    free(c);
    d->state = NULL;
}

static int cuda_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    int code;

    if (cuda_enter(d))
        return -1;
    cuda_watch(d, 0);
    code = (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, NULL);
    if (!code)
        code = kernel_wait(NULL, 0);
    cuda_unwatch();
    return cuda_check(d, code, "copying");
}

static int open_way(struct device *d, const struct device *peer)
{
    const struct cuda *from = d->state, *to = peer->state;
    int possible = 0;

    if (cuda_enter(d) || cuda_check(d, cudaDeviceCanAccessPeer(&possible, from->index, to->index),
                                    "asking for access between cards"))
        return -1;
    if (!possible)
        return device_fail(d, "%s has no direct access to %s's memory", d->id, peer->id);

    const cudaError_t code = cudaDeviceEnablePeerAccess(to->index, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) {
        cudaGetLastError();
        return 0;
    }
    return cuda_check(d, code, "enabling access between cards");
}

static int cuda_connect(struct device *d, struct device *peer)
{
    if (peer->ops != d->ops)
        return device_fail(d, "%s has no direct access to %s's memory", d->id, peer->id);
    if (open_way(d, peer))
        return -1;
    return open_way(peer, d) ? device_fail(d, "%s", text_chars(&peer->error)) : 0;
}

static int cuda_plan_kernel(struct device *d, const struct kernel *k, void *args)
{
    if (cuda_enter(d))
        return -1;
    return k->plan ? cuda_check(d, k->plan(args), k->name) : 0;
}

const struct device_ops device_cuda = {
    .kind = "cuda",
    .count = cuda_count,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .copy = cuda_copy,
    .connect = cuda_connect,
    .warm = cuda_warm,
    .run = cuda_run,
    .plan = cuda_plan_kernel,
    .now = cuda_now,
    .sense = cuda_sense,
};
