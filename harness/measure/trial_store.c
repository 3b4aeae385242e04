/* Memory of trials: how much may be asked for, and giving it back. */
#include "harness/measure/trial_store.h"

#include "harness/device/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gib = 1073741824.0;
/* Filling memory takes a plan's time: about a second for 2 GiB where one core does it. */
static const double host_most[PLANS] = {1, 4, 64}, device_most[PLANS] = {4, 16, 64};

static size_t limit(double free_bytes, double most_gib)
{
    return (size_t)fmin(most_gib * gib, isnan(free_bytes) ? gib : free_bytes / 4);
}

void trial_store_open(struct trial_store *s, struct device *d, enum plan plan)
{
    const bool host = !strcmp(d->ops->kind, "host");
    const double available = system_memory_available_bytes();
    const double known = d->facts.memory_free_bytes;

    *s = (struct trial_store){.device = d};
    s->host_limit = limit(host ? fmin(available, known) : available, host_most[plan]);
    s->device_limit = host ? s->host_limit : limit(known, device_most[plan]);
}

void trial_store_free(struct trial_store *s)
{
    for (size_t i = 0; i < s->buffer_count; i++) {
        s->device->ops->free(s->device, s->buffers[i].kind, s->buffers[i].memory);
        free(s->buffers[i].name);
    }
    for (size_t i = 0; i < s->args_count; i++)
        free(s->args[i]);
    free(s->buffers);
    free(s->args);
    *s = (struct trial_store){0};
}
