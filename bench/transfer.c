/* What a copy between the host and a card costs, by size, direction and kind of host memory; and
 * the host's own memcpy, which explains pageable copies. */
#include "bench/transfer_figures.h"
#include "kernels/compare.h"
#include "kernels/copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct path {
    const char *role, *direction; /* direction: of a copy that has company */
    bool to_device, loaded, sum;
} paths[] = {
    {"host_to_device", NULL, .to_device = true},
    {"device_to_host", NULL, .to_device = false},
    {"bidirectional", "sum", .to_device = true, .sum = true},
    {"bidirectional", "host_to_device", .to_device = true, .loaded = true},
    {"bidirectional", "device_to_host", .to_device = false, .loaded = true},
    {"host_memcpy", NULL, .to_device = false},
};
static const char *const path_words[] = {"in",         "out",    "both", "in_loaded",
                                         "out_loaded", "within", NULL};
static const char *const memory_words[] = {"pinned", "pageable", NULL};

#define KIB(n) ((n)*1024.0)
#define MIB(n) ((n)*1048576.0)
/* The headline's size comes last, so that no plan thins it out. */
static const double headline_size = MIB(512);
static const double sizes[] = {KIB(1),   KIB(2),    KIB(4),   KIB(8),   KIB(16), KIB(32),
                               KIB(64),  KIB(128),  KIB(256), KIB(512), MIB(1),  MIB(2),
                               MIB(4),   MIB(8),    MIB(16),  MIB(32),  MIB(64), MIB(128),
                               MIB(256), MIB(1024), MIB(512)};

enum { SEED = 3, PROBES = 3 };

/* One trial's arguments; the ring moves while it is measured. */
struct transfer {
    struct copy_args copy;
    struct copy_ring ring;
};

static const struct path *path_of(const struct trial *t)
{
    return &paths[(size_t)trial_number(t, "path")];
}

static bool is_memcpy(const struct path *p)
{
    return !strcmp(p->role, "host_memcpy");
}

static enum memory memory_of(const struct trial *t)
{
    return trial_at(t, "memory", "pinned") && !is_memcpy(path_of(t)) ? MEMORY_PINNED
                                                                     : MEMORY_PAGEABLE;
}

/* ---- how large ---- */

static double host_cache_bytes(const struct trial *t)
{
    if (trial_on_host(t))
        return t->device->facts.last_level_cache_bytes;
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (double)bytes : NAN;
}

/* Four buffers may lie on the host: out and in, pinned and pageable. */
static double host_room(const struct trial *t)
{
    return (double)trial_memory_limit(t, MEMORY_PINNED) / 4;
}

static int probe_link(struct trial *t, double *rate)
{
    const size_t bytes = (size_t)MIB(4);
    struct run_times times;
    void *from = trial_buffer(t, "probe out", MEMORY_PAGEABLE, bytes, NULL);
    void *to = from ? trial_buffer(t, "probe in", MEMORY_DEVICE, bytes, NULL) : NULL;
    const struct copy_args args = {.to = to, .from = from, .bytes = bytes, .to_device = true};

    if (!to)
        return -1;
    memset(from, 1, bytes);
    for (unsigned i = 0; i < PROBES; i++) { /* an idle link is slow at first */
        if (trial_probe(t, &kernel_copy_synchronous, &args, TIMED_BY_HOST, 1, &times))
            return -1;
        *rate = fmax(*rate, (double)bytes / times.seconds);
    }
    return 0;
}

/* Of pageable copies, bytes a second, probed once for all trials of a card; NAN: unknown. */
static double link_rate(struct trial *t)
{
    bool fresh;
    double *rate = trial_buffer(t, "link rate", MEMORY_PAGEABLE, sizeof *rate, &fresh);

    if (rate && fresh) {
        *rate = NAN;
        probe_link(t, rate);
    }
    return rate ? *rate : NAN;
}

/* Of the largest copy: a power of two, as much as memory and the plan's time allow. */
static double largest_size(struct trial *t)
{
    static const double copy_seconds[PLANS] = {0.04, 0.25, 1};
    const double timely = trial_on_host(t) ? NAN : copy_seconds[t->plan] * link_rate(t);
    const double most = fmin(t->plan == PLAN_QUICK ? MIB(128) : MIB(1024), timely);
    const double room = fmin(host_room(t), (double)trial_memory_limit(t, MEMORY_DEVICE) / 2);

    return room < 1 ? 0 : exp2(floor(log2(fmin(most, room))));
}

/* Bytes that a point copies; 0: another point has this size, or there is no room for it. */
static size_t copied_bytes(struct trial *t)
{
    const double size = trial_number(t, "bytes"), largest = largest_size(t);
    const double headline = fmin(headline_size, largest);

    if (size == headline_size)
        return (size_t)headline;
    return size == headline || size > largest ? 0 : (size_t)size;
}

static bool is_headline_size(const struct trial *t)
{
    return trial_number(t, "bytes") == headline_size;
}

/* Of one buffer of the host; pageable copies go round one that the caches cannot hold, which in the
 * quick plan, short of time to fill it, is the least that misses them. */
static size_t host_buffer_bytes(struct trial *t, enum memory kind)
{
    const double largest = largest_size(t);
    const double ring = host_cache_bytes(t) * (t->plan == PLAN_QUICK ? 2 : 4);

    if (kind == MEMORY_PINNED)
        return (size_t)largest;
    return (size_t)fmin(host_room(t), fmax(largest, ring)) / 4096 * 4096;
}

/* ---- where ---- */

static struct fill_args filling(void *out, size_t bytes)
{
    return (struct fill_args){out, bytes / sizeof(float), SEED, FILL_POSITIVE};
}

/* Memory of the host, touched by this thread: data to send, or poison to receive into. */
static void *host_buffer(struct trial *t, enum memory kind, bool source)
{
    const size_t bytes = host_buffer_bytes(t, kind);
    char name[64] = "";
    bool fresh;

    strcat(strcpy(name, memory_names[kind]), source ? " out" : " in");
    void *memory = trial_buffer(t, name, kind, bytes, &fresh);
    if (memory && fresh && source) {
        const struct fill_args fill = filling(memory, bytes);
        kernel_fill.host(&fill, 0, 1);
    } else if (memory && fresh) {
        memset(memory, 0xFF, bytes);
    }
    return memory;
}

static void *device_buffer(struct trial *t, bool source)
{
    const size_t bytes = (size_t)largest_size(t);
    bool fresh;
    void *memory =
        trial_buffer(t, source ? "device out" : "device in", MEMORY_DEVICE, bytes, &fresh);
    const struct fill_args fill = filling(memory, bytes);

    return memory && fresh && source && trial_execute(t, &kernel_fill, &fill) ? NULL : memory;
}

/* Both ends of a copy.  0, or -1. */
static int ends(struct trial *t, bool to_device, void **to, const void **from)
{
    const enum memory kind = memory_of(t);

    if (is_memcpy(path_of(t))) {
        *from = host_buffer(t, kind, true);
        *to = *from ? host_buffer(t, kind, false) : NULL;
    } else {
        *from = to_device ? host_buffer(t, kind, true) : device_buffer(t, true);
        *to = !*from ? NULL : to_device ? device_buffer(t, false) : host_buffer(t, kind, false);
    }
    return *to ? 0 : -1;
}

static int prepare_copy(struct trial *t, struct transfer *x)
{
    const struct path *p = path_of(t);

    x->copy.bytes = copied_bytes(t);
    x->copy.to_device = p->to_device;
    if (ends(t, p->to_device, &x->copy.to, &x->copy.from))
        return -1;
    if (memory_of(t) == MEMORY_PAGEABLE) {
        x->ring.bytes = host_buffer_bytes(t, MEMORY_PAGEABLE);
        x->copy.ring = &x->ring;
    }
    if (!p->direction)
        return 0;
    x->copy.back_bytes = x->copy.bytes;
    x->copy.back_times = p->loaded ? 2 : 1; /* outlasts the copy that it loads */
    return ends(t, !p->to_device, &x->copy.back_to, &x->copy.back_from);
}

/* ---- prepare ---- */

/* Copies with company, and the absence of a link, are one row each, at the headline's size. */
static bool is_asked(const struct trial *t)
{
    const struct path *p = path_of(t);
    const bool pinned = trial_at(t, "memory", "pinned");

    if (is_memcpy(p))
        return pinned;
    if (trial_on_host(t))
        return pinned && is_headline_size(t) && !p->loaded;
    return !p->direction || (pinned && is_headline_size(t));
}

static void choose_kernel(struct trial *t)
{
    const struct path *p = path_of(t);
    const bool pinned = memory_of(t) == MEMORY_PINNED;

    t->kernel = is_memcpy(p) ? &kernel_copy_memcpy
                : p->loaded  ? &kernel_copy_loaded
                : p->sum     ? &kernel_copy_both
                : pinned     ? &kernel_copy_async
                             : &kernel_copy_synchronous;
    t->timed_by = p->loaded ? TIMED_BY_CALL : pinned ? TIMED_BY_EVENTS : TIMED_BY_HOST;
    t->times = p->loaded ? 1 : 0; /* each execution waits for the last one's company */
}

static void describe(struct trial *t)
{
    const struct path *p = path_of(t);

    choose_kernel(t);
    t->role = p->role;
    t->metric = metric_bandwidth;
    t->work.bytes = (double)copied_bytes(t) * (p->sum ? 2 : 1);
    t->headline = is_headline_size(t) && !p->loaded;
    if (t->headline)
        t->sample_seconds = 20e-3;
    if (t->headline && t->plan == PLAN_QUICK && (memory_of(t) == MEMORY_PAGEABLE || p->sum))
        t->samples = 9; /* a pageable copy may take a tenth of a second */
    trial_parameter_number(t, "bytes", (double)copied_bytes(t));
    if (!is_memcpy(p))
        trial_parameter_word(t, "memory", memory_names[memory_of(t)]);
    if (p->direction)
        trial_parameter_word(t, "direction", p->direction);
}

static int prepare(struct trial *t)
{
    if (!is_asked(t) || (copied_bytes(t) == 0 && !is_headline_size(t)))
        return trial_omit(t);
    describe(t);
    if (copied_bytes(t) < sizeof(float))
        return trial_skip(t, "no room for the buffers of a copy");
    if (trial_on_host(t) && !is_memcpy(path_of(t)))
        return trial_skip(t, "the host has no link to itself");
    if (path_of(t)->direction && t->device->facts.copy_engines < 2)
        return trial_skip(t, "the card has one copy engine: no copies both ways at once");
    return prepare_copy(t, trial_args(t, sizeof(struct transfer)));
}

/* ---- check ---- */

static bool lands_on_device(const struct trial *t, bool to_device)
{
    return to_device && !is_memcpy(path_of(t));
}

static int poison(struct trial *t, void *to, size_t bytes, bool to_device)
{
    const struct fill_args fill = {to, bytes / sizeof(float), 0xFFFFFFFF, FILL_CONSTANT};

    if (lands_on_device(t, to_device))
        return trial_execute(t, &kernel_fill, &fill);
    memset(to, 0xFF, bytes);
    return 0;
}

/* Compares where the data are. */
static int count_different(struct trial *t, const void *to, size_t bytes, bool to_device,
                           struct compare_part *parts)
{
    const size_t size = COMPARE_PARTS * sizeof *parts;
    struct compare_args args = {
        .found = to, .count = bytes / sizeof(float), .scale_b = 1, .seed_b = SEED, .parts = parts};

    if (!lands_on_device(t, to_device))
        return kernel_compare.host(&args, 0, 1);
    args.parts = trial_buffer(t, "parts", MEMORY_DEVICE, size, NULL);
    if (!args.parts || trial_execute(t, &kernel_compare, &args))
        return -1;
    return trial_copy(t, parts, args.parts, size);
}

static int has_arrived(struct trial *t, const void *to, size_t bytes, bool to_device)
{
    struct compare_part *parts = xcalloc(COMPARE_PARTS, sizeof *parts);
    const int failed = count_different(t, to, bytes, to_device, parts);
    const unsigned long long different = failed ? 0 : compare_total(parts).different;

    free(parts);
    if (different)
        return trial_wrong(t, "%llu of %zu numbers arrived wrong", different,
                           bytes / sizeof(float));
    return failed;
}

static int check(struct trial *t)
{
    struct transfer *x = t->args;
    const struct copy_args *c = &x->copy;
    const bool to_device = c->to_device;

    if (poison(t, c->to, c->bytes, to_device))
        return -1;
    if (c->back_to && poison(t, c->back_to, c->back_bytes, !to_device))
        return -1;
    x->ring.at = 0; /* where the data of the generator begin */
    if (trial_execute(t, t->kernel, c) || has_arrived(t, c->to, c->bytes, to_device))
        return -1;
    return c->back_to ? has_arrived(t, c->back_to, c->back_bytes, !to_device) : 0;
}

const struct experiment experiment_transfer = {
    .name = "transfer",
    .summary = "copies between host and card: start-up time, rate, both ways at once",
    .axis = {{.name = "path", .names = path_words, .latent = true},
             {.name = "memory", .names = memory_words, .latent = true},
             {.name = "bytes",
              .numbers = sizes,
              .count = COUNT_OF(sizes),
              .quick_every = 4,
              .latent = true}},
    .prepare = prepare,
    .check = check,
    .conclude = transfer_conclude,
    .share = 2,
};
