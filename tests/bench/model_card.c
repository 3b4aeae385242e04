/* A device of which a test says how long everything takes: see model_card.h. */
#include "tests/bench/model_card.h"
#include "kernels/copy.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct model *model;
static double clock_seconds;
static unsigned runs;

static void *model_alloc(struct device *d, enum memory kind, size_t bytes)
{
    d->refused = kind == MEMORY_PINNED && model->refuse_pinned;
    if (!d->refused)
        return aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    device_fail(d, "no pinned memory is left");
    return NULL;
}

static void model_free(struct device *d, enum memory kind, void *memory)
{
    (void)d, (void)kind;
    free(memory);
}

static int model_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
    return 0;
}

static int model_warm(struct device *d)
{
    (void)d;
    return 0;
}

/* What only the copy engines of a card do. */
static void copy_over_link(const struct copy_args *a)
{
    const size_t turn = copy_turn(a);

    memcpy((char *)a->to + (a->to_device ? 0 : turn),
           (const char *)a->from + (a->to_device ? turn : 0), a->bytes);
    if (a->back_times)
        memcpy(a->back_to, a->back_from, a->back_bytes);
}

static int model_execute(struct device *d, const struct kernel *k, const void *args, unsigned times,
                         enum timed_by how, struct run_times *out)
{
    (void)d;
    if (!model->idle || !model->idle(k, args)) {
        if (k->host)
            k->host(args, 0, 1);
        else
            copy_over_link(args);
    }
    /* 0.1 % of noise, so that no interval is empty */
    out->seconds = times * model->seconds(k, args, how) * (1 + 1e-3 * (runs++ % 3 - 1.0));
    clock_seconds += out->seconds;
    return 0;
}

static int model_plan(struct device *d, const struct kernel *k, void *args)
{
    (void)d, (void)k, (void)args;
    return 0;
}

static double model_now(struct device *d)
{
    (void)d;
    return clock_seconds;
}

static double wall_now(void)
{
    return clock_seconds;
}

static void wall_rest(double seconds)
{
    clock_seconds += seconds;
}

/* A system that has as much memory to give as the model's device. */
static void open_root(char root[64])
{
    char path[128];
    FILE *f;

    strcpy(root, "/tmp/ridge-model-XXXXXX");
    cr_assert(mkdtemp(root));
    snprintf(path, sizeof path, "%s/proc", root);
    cr_assert_eq(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    cr_assert(f = fopen(path, "w"));
    fprintf(f, "MemAvailable: %.0f kB\n", model->memory_bytes / 1024);
    fclose(f);
    setenv("RIDGE_ROOT", root, 1);
}

static void close_root(const char *root)
{
    char path[128];

    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    unlink(path);
    snprintf(path, sizeof path, "%s/proc", root);
    rmdir(path);
    rmdir(root);
    unsetenv("RIDGE_ROOT");
}

static void run_on(struct device *d, const struct experiment *e, struct report *out)
{
    const struct experiment *const list[] = {e, NULL};
    const struct wall wall = {wall_now, wall_rest};
    struct runner runner = {.plan = model->plan,
                            .devices = &d,
                            .device_count = 1,
                            .experiments = list,
                            .seed = 1,
                            .wall = &wall};

    cr_assert_eq(runner_run(&runner, out), 0);
}

void model_run(const struct model *m, const struct experiment *e, struct report *out)
{
    const struct device_ops ops = {.kind = m->kind,
                                   .alloc = model_alloc,
                                   .free = model_free,
                                   .copy = model_copy,
                                   .warm = model_warm,
                                   .run = model_execute,
                                   .plan = model_plan,
                                   .now = model_now};
    struct device d = {.ops = &ops, .id = xstrdup(m->kind), .name = xstrdup("model")};
    char root[64];

    model = m;
    clock_seconds = 0;
    runs = 0;
    facts_init(&d.facts);
    d.facts.memory_free_bytes = m->memory_bytes;
    d.facts.copy_engines = m->copy_engines;
    d.facts.last_level_cache_bytes = 1 << 18;
    report_init(out);
    open_root(root);
    run_on(&d, e, out);
    close_root(root);
    facts_free(&d.facts);
    text_free(&d.error);
    free(d.id);
    free(d.name);
}

size_t model_rows(const struct report *r, enum row_status status)
{
    size_t n = 0;

    for (size_t i = 0; i < r->measurement_count; i++)
        n += r->measurements[i].status == status;
    return n;
}
