/* The host CPU as a device of its own. */
#include "harness/device/device.h"
#include "harness/device/host_facts.h"
#include "harness/device/host_load.h"
#include "harness/device/host_workers.h"
#include "harness/device/pages.h"
#include "harness/device/place.h"
#include "harness/device/system.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct host {
    hwloc_topology_t topology;
    hwloc_cpuset_t *cores;
    unsigned core_count;
    struct workers *workers;
    double idle_since;
    struct host_load load;
};

static int host_count(char **why)
{
    (void)why;
    return 1;
}

static int host_open(struct device *d, int index)
{
    struct host *h = d->state = xcalloc(1, sizeof *h);

    (void)index;
    place_anywhere();
    d->name = system_cpu_name();
    if (hwloc_topology_init(&h->topology) || hwloc_topology_load(h->topology))
        return device_fail(d, "hwloc cannot tell what this machine consists of");
    host_restrict(h->topology);
    h->cores = host_cores(h->topology, &h->core_count);
    h->workers = workers_start(h->topology, h->cores, h->core_count);
    if (!h->workers)
        return device_fail(d, "cannot start %u threads: %s", h->core_count, strerror(errno));
    host_facts_fill(&d->facts, h->topology, h->core_count);
    return 0;
}

static void host_close(struct device *d)
{
    struct host *h = d->state;

    if (!h)
        return;
    workers_stop(h->workers);
    host_cores_free(h->cores, h->core_count);
    if (h->topology)
        hwloc_topology_destroy(h->topology);
    free(h);
    d->state = NULL;
}

static void *host_alloc(struct device *d, enum memory kind, size_t bytes)
{
    d->refused = false;
    if (kind == MEMORY_DEVICE || kind == MEMORY_PAGEABLE)
        return pages_alloc(d, bytes);
    device_fail(d, "%s memory is for transfers to a card; the host as a device has none",
                memory_names[kind]);
    return NULL;
}

static void host_free(struct device *d, enum memory kind, void *memory)
{
    (void)d;
    (void)kind;
    pages_free(memory);
}

static int host_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
    return 0;
}

static int host_connect(struct device *d, struct device *peer)
{
    return device_fail(d, "the host has no direct access to %s's memory", peer->id);
}

static double host_now(struct device *d)
{
    (void)d;
    return host_seconds();
}

static int spin_until(const void *deadline, unsigned worker, unsigned workers)
{
    (void)worker;
    (void)workers;
    while (host_seconds() < *(const double *)deadline)
        ;
    return 0;
}

/* Clocks fall within a second or so of idleness, and are up again within a tenth. */
static int host_warm(struct device *d)
{
    struct host *h = d->state;
    const double now = host_seconds(), deadline = now + 0.1;
    int code;

    if (now - h->idle_since > 1)
        workers_run(h->workers, h->core_count, spin_until, &deadline, 1, &code);
    h->idle_since = host_seconds();
    return 0;
}

static double run_unbound(host_body *body, const void *args, unsigned times, int *code)
{
    const double start = host_seconds();

    *code = 0;
    for (unsigned i = 0; i < times && !*code; i++)
        *code = body(args, 0, 1);
    return host_seconds() - start;
}

static void host_sense(struct device *d, struct telemetry *out)
{
    struct host *h = d->state;

    *out = telemetry_unknown;
    host_sense_cpu((unsigned)hwloc_bitmap_first(h->cores[0]), out);
    host_load_sense(&h->load, h->cores, h->core_count, out);
}

static int host_run(struct device *d, const struct kernel *k, const void *args, unsigned times,
                    enum timed_by how, struct run_times *out)
{
    struct host *h = d->state;
    const unsigned active = k->host_threads == HOST_ONE_CORE ? 1 : h->core_count;
    int code;

    (void)how; /* it has one clock, and every call is synchronous */
    *out = (struct run_times){.seconds = NAN, .sm_clock_hz = NAN, .telemetry = telemetry_unknown};
    for (unsigned i = 0; i < KERNEL_STREAMS_MAX; i++)
        out->stream_start[i] = out->stream_end[i] = NAN;
    if (!k->host)
        return device_fail(d, "there is no %s for the host", k->name);
    place_anywhere();
    if (k->host_threads == HOST_OWN_THREADS)
        out->seconds = run_unbound(k->host, args, times, &code);
    else
        out->seconds = workers_run(h->workers, active, k->host, args, times, &code);
    host_sense(d, &out->telemetry);
    h->idle_since = host_seconds();
    return code ? device_fail(d, "%s failed on the host with code %d", k->name, code) : 0;
}

/* What a plan asks is the CUDA runtime's to answer. */
static int host_plan(struct device *d, const struct kernel *k, void *args)
{
    (void)d;
    (void)k;
    (void)args;
    return 0;
}

const struct device_ops device_host = {
    .kind = "host",
    .count = host_count,
    .open = host_open,
    .close = host_close,
    .alloc = host_alloc,
    .free = host_free,
    .copy = host_copy,
    .connect = host_connect,
    .warm = host_warm,
    .run = host_run,
    .plan = host_plan,
    .now = host_now,
    .sense = host_sense,
};
