/* A card executed by the test: see fake_card.h. */
#include "tests/bench/fake_card.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static fake_body *body_now;
static fake_plan *plan_now;

static void *fake_alloc(struct device *d, enum memory kind, size_t bytes)
{
    (void)d, (void)kind;
    return aligned_alloc(64, (bytes + 63) / 64 * 64); /* a cache line, as devices do */
}

static void fake_free(struct device *d, enum memory kind, void *memory)
{
    (void)d, (void)kind;
    free(memory);
}

static int fake_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
    return 0;
}

static int fake_run(struct device *d, const struct kernel *k, const void *args, unsigned times,
                    enum timed_by how, struct run_times *out)
{
    (void)d, (void)how;
    for (unsigned i = 0; i < times; i++)
        body_now(k, args);
    out->seconds = times;
    return 0;
}

static int fake_ask(struct device *d, const struct kernel *k, void *args)
{
    (void)d;
    if (plan_now)
        plan_now(k, args);
    return 0;
}

static const struct device_ops card_ops = {.kind = "cuda",
                                           .alloc = fake_alloc,
                                           .free = fake_free,
                                           .copy = fake_copy,
                                           .run = fake_run,
                                           .plan = fake_ask},
                               host_ops = {.kind = "host",
                                           .alloc = fake_alloc,
                                           .free = fake_free,
                                           .copy = fake_copy,
                                           .run = fake_run,
                                           .plan = fake_ask};

void fake_card_open(struct fake_card *f, fake_body *body, fake_plan *plan, bool host)
{
    *f = (struct fake_card){.device.ops = host ? &host_ops : &card_ops};
    body_now = body;
    plan_now = plan;
    facts_init(&f->device.facts);
    f->device.facts.units = FAKE_SMS;
    f->device.facts.threads_per_unit = 1024;
    f->device.facts.blocks_per_unit = 16;
    f->device.facts.last_level_cache_bytes = 1 << 20;
    trial_store_open(&f->store, &f->device, PLAN_QUICK);
    f->store.device_limit = f->store.host_limit = 8 << 20;
}

static void forget_row(struct fake_card *f)
{
    free(f->row.reason);
    strings_free(&f->row.doubts);
    for (size_t i = 0; i < f->row.parameters.count; i++) {
        free(f->row.parameters.items[i].name);
        free(f->row.parameters.items[i].word);
    }
    free(f->row.parameters.items);
    f->row = (struct measurement){.status = ROW_OK};
}

int fake_card_prepare(struct fake_card *f, const struct experiment *e, double first, double second)
{
    return fake_card_prepare_at(f, e, (const double[]){first, second, 0});
}

int fake_card_prepare_at(struct fake_card *f, const struct experiment *e, const double at[3])
{
    forget_row(f);
    f->trial = (struct trial){.experiment = e,
                              .device = &f->device,
                              .plan = f->plan,
                              .at = {at[0], at[1], at[2]},
                              .store = &f->store,
                              .row = &f->row,
                              .work = {NAN, NAN, NAN}};
    return e->prepare(&f->trial);
}

void fake_card_close(struct fake_card *f)
{
    forget_row(f);
    trial_store_free(&f->store);
    text_free(&f->device.error);
    facts_free(&f->device.facts);
}
