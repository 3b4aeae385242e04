/* The runtime: streams, events and waiting. */
#include "tests/virtual_card/runtime.h"

#include <math.h>

/* A host that goes on asking is let see time pass: in steps of at least so long, and of so much of
 * what is left. */
static const double POLL_SECONDS = 5e-3, POLL_SHARE = 0.1, WAKE_SECONDS = 3e-6,
                    EVENT_TICK_SECONDS = 0.5e-6;

static cudaError_t make_stream(cudaStream_t *out, unsigned flags, int priority)
{
    if (flags & ~cudaStreamNonBlocking)
        return runtime_error(cudaErrorInvalidValue);
    *out = (cudaStream_t)stream_make(runtime_card(), priority, !flags);
    return cudaSuccess;
}

API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    ENTER(cudaStreamCreate);
    return make_stream(out, cudaStreamDefault, 0);
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    ENTER(cudaStreamCreateWithFlags);
    return make_stream(out, flags, 0);
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    ENTER(cudaStreamCreateWithPriority);
    return make_stream(out, flags, priority);
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    ENTER(cudaDeviceGetStreamPriorityRange);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

API cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
    ENTER(cudaStreamDestroy);

    struct stream *s = (uintptr_t)handle > 2 ? stream_of(handle, 0) : nullptr;

    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);
    stream_free(s);
    return cudaSuccess;
}

API cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
    ENTER(cudaStreamSynchronize);

    struct stream *s = stream_of(handle, runtime_card());

    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);
    queue_advance(s, nullptr, true);
    clock_reach(s->ready + WAKE_SECONDS);
    queue_look();
    return cudaSuccess;
}

/* Done by now?  A host that is told "not yet" finds some time gone when it asks again. */
static cudaError_t done_at(bool executed, double seconds)
{
    if (executed && seconds <= clock_now()) {
        queue_look();
        return cudaSuccess;
    }
    if (executed) {
        const double left = seconds - clock_now();

        clock_spend(fmin(left, fmax(POLL_SECONDS, POLL_SHARE * left)));
    }
    clock_spend(WAKE_SECONDS);
    return cudaErrorNotReady;
}

API cudaError_t cudaStreamQuery(cudaStream_t handle)
{
    ENTER(cudaStreamQuery);

    struct stream *s = stream_of(handle, runtime_card());

    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);

    const bool executed = queue_advance(s, nullptr, false);

    return done_at(executed, s->ready);
}

API cudaError_t cudaDeviceSynchronize(void)
{
    ENTER(cudaDeviceSynchronize);
    clock_reach(queue_advance_all(runtime_card()) + WAKE_SECONDS);
    queue_look();
    return cudaSuccess;
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags)
{
    ENTER(cudaStreamWaitEvent);
    if (flags)
        VIRTUAL_UNKNOWN("flags", flags);

    struct stream *s = stream_of(handle, runtime_card());
    struct event *e = event_of(event);

    if (!s || !e)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (!e->recorded)
        return cudaSuccess;
    queue_await(s, e);
    return cudaSuccess;
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    ENTER(cudaEventCreateWithFlags);
    if (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming))
        VIRTUAL_UNKNOWN("flags", flags);
    *out = (cudaEvent_t)event_make(!(flags & cudaEventDisableTiming));
    return cudaSuccess;
}

API cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, cudaEventDefault);
}

API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    ENTER(cudaEventDestroy);

    struct event *e = event_of(event);

    if (!e)
        return runtime_error(cudaErrorInvalidResourceHandle);
    event_free(e);
    return cudaSuccess;
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle)
{
    ENTER(cudaEventRecord);

    struct stream *s = stream_of(handle, runtime_card());
    struct event *e = event_of(event);

    if (!s || !e)
        return runtime_error(cudaErrorInvalidResourceHandle);
    queue_add(
        s,
        [](double start, bool, double *end) {
            *end = start;
            return true;
        },
        e);
    return cudaSuccess;
}

API cudaError_t cudaEventQuery(cudaEvent_t event)
{
    ENTER(cudaEventQuery);

    struct event *e = event_of(event);

    if (!e)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (!e->recorded)
        return cudaSuccess;

    const bool executed = e->executed == e->recorded || queue_advance(e->stream, e, false);

    return done_at(executed, e->seconds);
}

API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    ENTER(cudaEventSynchronize);

    struct event *e = event_of(event);

    if (!e)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (e->executed < e->recorded)
        queue_advance(e->stream, e, true);
    clock_reach(e->seconds + WAKE_SECONDS);
    queue_look();
    return cudaSuccess;
}

API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    ENTER(cudaEventElapsedTime);

    const struct event *b = event_of(begin), *e = event_of(end);

    if (!b || !e || !b->timing || !e->timing || !b->recorded || !e->recorded)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (b->executed < b->recorded || e->executed < e->recorded || e->seconds > clock_now() ||
        b->seconds > clock_now())
        return runtime_error(cudaErrorNotReady);
    *milliseconds =
        (float)((round(e->seconds / EVENT_TICK_SECONDS) - round(b->seconds / EVENT_TICK_SECONDS)) *
                EVENT_TICK_SECONDS * 1e3);
    if (card_fault("long_events"))
        *milliseconds *= 1.2f;
    return cudaSuccess;
}
