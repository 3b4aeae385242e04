/* A device whose time, noise and mishaps a test scripts. */
#include "tests/measure/fake.h"

#include "harness/measure/schedule.h"

#include <math.h>
#include <stdlib.h>

struct fake fake;

void fake_reset(void)
{
    fake = (struct fake){.clock_hz = NAN, .reasons = NAN, .random = 1};
}

static double wall_now(void)
{
    return fake.now;
}

static void wall_rest(double seconds)
{
    fake.now += seconds;
    fake.rested += seconds;
}

const struct wall fake_wall = {wall_now, wall_rest};

static int nothing(const void *args, unsigned worker, unsigned workers)
{
    (void)args, (void)worker, (void)workers;
    return 0;
}

static int nothing_on_card(const void *args, void *const *streams)
{
    (void)args, (void)streams;
    return 0;
}

const struct kernel fake_kernel = {.name = "fake", .host = nothing, .cuda = nothing_on_card};

static int fake_count(char **why)
{
    *why = NULL;
    return 1;
}

static int fake_open_nothing(struct device *d, int index)
{
    (void)d, (void)index;
    return 0;
}

static void fake_close_nothing(struct device *d)
{
    (void)d;
}

static void *fake_alloc(struct device *d, enum memory kind, size_t bytes)
{
    (void)kind;
    if (fake.refuse) {
        d->refused = true;
        device_fail(d, "no room for %zu bytes", bytes);
        return NULL;
    }
    fake.live_buffers++;
    fake.allocated++;
    return malloc(bytes);
}

static void fake_free(struct device *d, enum memory kind, void *memory)
{
    (void)d, (void)kind;
    fake.live_buffers--;
    free(memory);
}

static int fake_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d, (void)to, (void)from, (void)bytes;
    fake.copies++;
    return 0;
}

static int fake_connect(struct device *d, struct device *peer)
{
    (void)d, (void)peer;
    return 0;
}

static int fake_warm(struct device *d)
{
    (void)d;
    fake.warmed++;
    fake.now += 0.5;
    return 0;
}

/* Standard normal, by Box and Muller. */
static double normal(void)
{
    const double u = 1 - random_unit(&fake.random), v = random_unit(&fake.random);

    return sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
}

/* How much longer this run takes than it should. */
static double factor(void)
{
    const double noise = fake.noise > 0 ? fake.noise * normal() : 0;
    const bool outlier = fake.outliers > 0 && random_unit(&fake.random) < fake.outliers;

    return (1 + noise) * (outlier ? 1.5 : 1) * (1 + fake.drift * fake.now);
}

static int fake_run(struct device *d, const struct kernel *k, const void *args, unsigned times,
                    enum timed_by how, struct run_times *out)
{
    const struct fake_args *a = args;

    (void)k, (void)how;
    if (d->lost || ++fake.runs == fake.lose_at) {
        d->lost = true;
        return device_fail(d, "the card fell off the bus");
    }
    if (fake.logged < FAKE_LOG_MAX) {
        fake.log[fake.logged].id = a->id;
        fake.log[fake.logged++].times = times;
    }
    out->seconds = times * a->seconds * factor();
    out->seconds += fake.runs == fake.disturb_at ? 20e-3 : 0;
    out->sm_clock_hz =
        fake.slow_every && fake.runs % fake.slow_every == 0 ? fake.slow_hz : fake.clock_hz;
    out->telemetry.event_reasons = fake.reasons;
    fake.now += out->seconds + fake.overhead;
    return 0;
}

static int fake_plan(struct device *d, const struct kernel *k, void *args)
{
    (void)d, (void)k, (void)args;
    return 0;
}

static double fake_now(struct device *d)
{
    (void)d;
    return fake.now;
}

static void fake_sense(struct device *d, struct telemetry *out)
{
    (void)d;
    *out = telemetry_unknown;
}

#define FAKE_OPS(kind_name)                                                                        \
    {                                                                                              \
        .kind = (kind_name), .count = fake_count, .open = fake_open_nothing,                       \
        .close = fake_close_nothing, .alloc = fake_alloc, .free = fake_free, .copy = fake_copy,    \
        .connect = fake_connect, .warm = fake_warm, .run = fake_run, .plan = fake_plan,            \
        .now = fake_now, .sense = fake_sense                                                       \
    }

const struct device_ops fake_card = FAKE_OPS("cuda");
const struct device_ops fake_host = FAKE_OPS("host");

struct device fake_open(const struct device_ops *ops, const char *id)
{
    struct device d = {.ops = ops, .id = xstrdup(id), .name = xstrdup("a fake")};

    facts_init(&d.facts);
    d.facts.clock_max_hz = 2e9;
    d.facts.memory_free_bytes = 8e9;
    return d;
}

void fake_close(struct device *d)
{
    free(d->id);
    free(d->name);
    text_free(&d->error);
    facts_free(&d->facts);
}

bool fake_stop(void *context)
{
    (void)context;
    return fake.stop_at && fake.runs >= fake.stop_at;
}
