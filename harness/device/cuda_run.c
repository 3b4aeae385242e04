/* Executes a kernel on a card and times it in the four ways of METHOD 1.1. */
#include "harness/device/cuda_state.h"
#include "harness/device/host_workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BATCH_OPERATIONS =
        250,            /* a kernel's execution may be two launches; 512 are safe (METHOD 1.1) */
    CALLS_QUEUED = 400, /* less than 500 (METHOD 9) */
};
static const double gate_seconds = 2;

/* One call of run. */
struct job {
    struct device *d;
    struct cuda *c;
    const struct kernel *k;
    const void *args;
    void *streams[KERNEL_STREAMS_MAX];
    unsigned stream_count, times;
    double expected;  /* seconds of all executions, as far as known */
    double host_span; /* of those timed by events, from the gate's opening on */
    struct run_times *out;
};

cudaStream_t cuda_stream_of(struct device *d, unsigned place, int priority)
{
    struct cuda *c = d->state;
    cudaStream_t stream = NULL;

    for (unsigned i = 0; i < c->stream_count; i++)
        if (c->streams[i].place == place && c->streams[i].priority == priority)
            return c->streams[i].stream;
    if (c->stream_count == CUDA_STREAMS_KEPT) {
        device_fail(d, "kernels ask for more than %d different streams", CUDA_STREAMS_KEPT);
        return NULL;
    }
    if (cuda_check(d, cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority),
                   "creating a stream"))
        return NULL;
    c->streams[c->stream_count++] = (struct cuda_stream){place, priority, stream};
    return stream;
}

int cuda_wait(struct device *d, cudaEvent_t event, double expected, struct telemetry *sensed)
{
    const double last = host_seconds() + kernel_patience(expected);
    const struct timespec moment = {.tv_nsec = 20000};
    cudaError_t code;

    while ((code = cudaEventQuery(event)) == cudaErrorNotReady) {
        if (sensed)
            cuda_sense_if_due(d, sensed);
        if (host_seconds() > last)
            return cuda_lose_to_hang(d, expected);
        nanosleep(&moment, NULL);
    }
    return cuda_check(d, code, "waiting for the card");
}

static int wait_for(struct job *j, cudaEvent_t event)
{
    return cuda_wait(j->d, event, j->expected, &j->out->telemetry);
}

static unsigned sm_count(const struct device *d)
{
    return d->facts.units > 0 ? (unsigned)d->facts.units : 1;
}

/* ---- device events round the work, behind a gate ---- */

static int fork_streams(struct job *j)
{
    int code = cudaSuccess;

    for (unsigned i = 1; i < j->stream_count && !code; i++)
        code = cudaStreamWaitEvent(j->streams[i], j->c->started, 0);
    for (unsigned i = 0; i < j->stream_count && j->stream_count > 1 && !code; i++)
        code = cudaEventRecord(j->c->stream_started[i], j->streams[i]);
    return code;
}

static int join_streams(struct job *j)
{
    int code = cudaSuccess;

    for (unsigned i = 0; i < j->stream_count && j->stream_count > 1 && !code; i++)
        code = cudaEventRecord(j->c->stream_ended[i], j->streams[i]);
    for (unsigned i = 1; i < j->stream_count && !code; i++)
        code = cudaStreamWaitEvent(j->streams[0], j->c->stream_ended[i], 0);
    return code;
}

static int execute(struct job *j, unsigned times)
{
    int code = cudaSuccess;

    for (unsigned i = 0; i < times && !code; i++)
        code = j->k->cuda(j->args, j->streams);
    return code;
}

/* Queues a batch; the clocks are read before the first and after the last of them. */
static int enqueue(struct job *j, unsigned times, bool first, bool last)
{
    struct cuda *c = j->c;
    void *stream = j->streams[0];
    int code = cudaSuccess;

    if (c->gated)
        code = instrument_gate(cuda_panel(c), (uint64_t)(1e9 * gate_seconds), stream);
    if (!code && first)
        code = instrument_clock_before(cuda_panel(c), sm_count(j->d), stream);
    if (!code)
        code = cudaEventRecord(c->started, stream);
    if (!code)
        code = fork_streams(j);
    if (!code)
        code = execute(j, times);
    if (!code)
        code = join_streams(j);
    if (!code)
        code = cudaEventRecord(c->ended, stream);
    if (!code && last)
        code = instrument_clock_after(cuda_panel(c), sm_count(j->d), 0, stream);
    return code ? code : (int)cudaEventRecord(c->settled, stream);
}

/* Waits for all that is enqueued, without a pause, since it may be timed.  A cudaError_t, or
 * KERNEL_HANGS. */
static int wait_for_streams(struct job *j)
{
    int code = cudaSuccess;

    for (unsigned i = 0; i < j->stream_count && !code; i++)
        code = kernel_wait(j->streams[i], j->expected);
    return code ? code : kernel_wait(NULL, j->expected); /* pageable copies use the default one */
}

static int elapsed(struct job *j, cudaEvent_t from, cudaEvent_t to, double *seconds)
{
    float milliseconds;

    if (cuda_check(j->d, cudaEventElapsedTime(&milliseconds, from, to), "reading events"))
        return -1;
    *seconds = 1e-3 * (double)milliseconds;
    return *seconds < 0 ? device_fail(j->d, "the card's events run backwards") : 0;
}

/* Batches are laid end to end: this one began `before` seconds after the start. */
static int read_events(struct job *j, bool first)
{
    struct run_times *out = j->out;
    const double before = first ? 0 : out->seconds;
    double seconds, at;

    if (elapsed(j, j->c->started, j->c->ended, &seconds))
        return -1;
    out->seconds = before + seconds;
    for (unsigned i = 0; i < j->stream_count && j->stream_count > 1; i++) {
        if (first && elapsed(j, j->c->started, j->c->stream_started[i], &out->stream_start[i]))
            return -1;
        if (elapsed(j, j->c->started, j->c->stream_ended[i], &at))
            return -1;
        out->stream_end[i] = before + at;
    }
    return 0;
}

/* Returns 0, -1, or 1 when the gate gave up, as it does when a kernel has to be loaded behind it.
 */
static int run_batch(struct job *j, unsigned times, bool first, bool last)
{
    struct instrument_panel *panel = j->c->panel;
    double begun = cuda_now(j->d);
    int code;

    cuda_watch(j->d, j->expected);
    panel->expired = 0;
    __atomic_store_n(&panel->open, 0, __ATOMIC_RELEASE);
    code = enqueue(j, times, first, last);
    if (j->c->gated)
        begun = cuda_now(j->d);
    __atomic_store_n(&panel->open, 1, __ATOMIC_RELEASE);
    if (code) {
        /* The gate must have gone by before the panel is used again. */
        if (wait_for_streams(j) == KERNEL_HANGS)
            return cuda_lose_to_hang(j->d, j->expected);
        return cuda_check(j->d, code, j->k->name);
    }
    if (wait_for(j, j->c->settled)) {
        if (!j->d->lost && wait_for_streams(j) == KERNEL_HANGS)
            cuda_lose_to_hang(j->d, j->expected);
        return -1;
    }
    if (__atomic_load_n(&panel->expired, __ATOMIC_ACQUIRE))
        return 1;
    j->host_span += cuda_now(j->d) - begun;
    return read_events(j, first);
}

static int run_by_events(struct job *j)
{
    const unsigned most = BATCH_OPERATIONS / j->stream_count;
    unsigned done = 0;

    if (cuda_panel_clear(j->d))
        return -1;
    while (done < j->times) {
        const unsigned times = j->times - done < most ? j->times - done : most;
        const bool first = done == 0, last = done + times == j->times;
        int failed = run_batch(j, times, first, last);

        if (failed > 0)
            failed = run_batch(j, times, first, last);
        if (failed > 0)
            return device_fail(j->d, "queueing %s took longer than %.0f s, twice", j->k->name,
                               gate_seconds);
        if (failed)
            return -1;
        done += times;
    }
    if (cuda_panel_read(j->d))
        return -1;
    j->out->sm_clock_hz = cuda_panel_clock_hz(j->c);
    return 0;
}

/* ---- the host's clock ---- */

/* 0 or -1. */
static int drain(struct job *j, int enqueued)
{
    const int ended = wait_for_streams(j);

    if (ended == KERNEL_HANGS)
        return cuda_lose_to_hang(j->d, j->expected);
    return cuda_check(j->d, enqueued ? enqueued : ended, j->k->name);
}

static int run_by_host(struct job *j)
{
    const double begun = cuda_now(j->d);
    const int failed = drain(j, execute(j, j->times));

    j->out->seconds = cuda_now(j->d) - begun;
    cuda_sense_if_due(j->d, &j->out->telemetry);
    return failed;
}

static int run_by_call(struct job *j)
{
    j->out->seconds = 0;
    for (unsigned done = 0; done < j->times; done += CALLS_QUEUED) {
        const unsigned left = j->times - done;

        cuda_watch(j->d, j->expected);
        const double begun = cuda_now(j->d);
        const int code = execute(j, left < CALLS_QUEUED ? left : CALLS_QUEUED);
        j->out->seconds += cuda_now(j->d) - begun;
        if (drain(j, code))
            return -1;
    }
    cuda_sense_if_due(j->d, &j->out->telemetry);
    return 0;
}

/* ---- the kernel's own ticks ---- */

static int execute_for_ticks(struct job *j)
{
    const struct ticks_args *args = j->args;
    long long ticks = 0;

    cuda_watch(j->d, j->expected);
    if (cuda_check(j->d, execute(j, 1), j->k->name) ||
        cuda_check(j->d, cudaEventRecord(j->c->ended, j->streams[0]), j->k->name) ||
        wait_for(j, j->c->ended) ||
        cuda_check(j->d, cudaMemcpy(&ticks, args->ticks, sizeof ticks, cudaMemcpyDefault),
                   "reading the kernel's ticks"))
        return -1;
    if (ticks <= 0)
        return device_fail(j->d, "%s reports %lld ticks", j->k->name, ticks);
    j->out->ticks += (uint64_t)ticks;
    return 0;
}

/* Ticks become seconds by the clock, so the clock is read over a window that is long enough. */
static int run_by_kernel(struct job *j)
{
    struct cuda *c = j->c;
    const unsigned sms = sm_count(j->d);
    const uint64_t window = cuda_panel_window_ns(c);

    if (cuda_panel_clear(j->d) ||
        cuda_check(j->d, instrument_clock_before(cuda_panel(c), sms, j->streams[0]),
                   "reading clocks"))
        return -1;
    for (unsigned i = 0; i < j->times; i++)
        if (execute_for_ticks(j))
            return -1;
    if (cuda_check(j->d, instrument_clock_after(cuda_panel(c), sms, window, j->streams[0]),
                   "reading clocks") ||
        cuda_check(j->d, cudaEventRecord(c->settled, j->streams[0]), "reading clocks") ||
        wait_for(j, c->settled) || cuda_panel_read(j->d))
        return -1;
    j->out->sm_clock_hz = cuda_panel_clock_hz(c);
    j->out->seconds = (double)j->out->ticks / j->out->sm_clock_hz;
    return 0;
}

static int begin(struct job *j)
{
    struct run_times *out = j->out;

    *out = (struct run_times){.seconds = NAN, .sm_clock_hz = NAN, .telemetry = telemetry_unknown};
    for (unsigned i = 0; i < KERNEL_STREAMS_MAX; i++)
        out->stream_start[i] = out->stream_end[i] = NAN;
    if (cuda_enter(j->d))
        return -1;
    if (!j->k->cuda)
        return device_fail(j->d, "there is no %s for cards", j->k->name);
    for (unsigned i = 0; i < j->stream_count; i++)
        if (!(j->streams[i] = cuda_stream_of(j->d, i, j->k->priority[i])))
            return -1;
    if (j->c->last_kernel == j->k)
        j->expected = j->times * j->c->last_seconds;
    return 0;
}

static void finish(struct job *j)
{
    j->c->idle_since = host_seconds();
    j->c->last_kernel = j->k;
    j->c->last_seconds = isnan(j->out->seconds) ? 0 : j->out->seconds / j->times;
    if (j->host_span > 0)
        j->out->telemetry.host_span_seconds = j->host_span;
    if (!isnan(j->out->sm_clock_hz))
        j->out->telemetry.sm_clock_hz = j->out->sm_clock_hz;
}

int cuda_run(struct device *d, const struct kernel *k, const void *args, unsigned times,
             enum timed_by how, struct run_times *out)
{
    static int (*const ways[TIMED_WAYS])(struct job *) = {
        [TIMED_BY_EVENTS] = run_by_events,
        [TIMED_BY_HOST] = run_by_host,
        [TIMED_BY_CALL] = run_by_call,
        [TIMED_BY_KERNEL] = run_by_kernel,
    };
    struct job j = {.d = d, .c = d->state, .k = k, .args = args, .times = times, .out = out};
    int failed;

    j.stream_count = k->streams ? k->streams : 1;
    if (begin(&j))
        return -1;
    cuda_watch(d, j.expected);
    failed = ways[how](&j);
    cuda_unwatch();
    if (failed)
        return -1;
    finish(&j);
    return 0;
}
