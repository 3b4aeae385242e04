/* Memory of trials: how much may be asked for, and giving it back. */
#include "harness/measure/trial_store.h"

#include "harness/device/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gib = 1073741824.0;
/* GiB.  Memory that is measured is also filled and compared, which takes its part of a plan. */
static const double host_most[PLANS] = {0.75, 1.5, 16}, card_most[PLANS] = {4, 16, 64};
/* Three arrays of eight times the last cache (METHOD 3) must be possible all the same. */
static const double caches = 3 * 8;

static size_t limit(double free_bytes, double most)
{
    return (size_t)fmin(most, isnan(free_bytes) ? gib : free_bytes / 4);
}

void trial_store_open(struct trial_store *s, struct device *d, enum plan plan)
{
    const bool host = !strcmp(d->ops->kind, "host");
    const double available = system_memory_available_bytes();
    const double known = d->facts.memory_free_bytes;
    const double least = caches * d->facts.last_level_cache_bytes;
    const double most = fmax(gib * (host ? host_most : card_most)[plan], least);

    *s = (struct trial_store){.device = d};
    s->device_limit = limit(host ? fmin(available, known) : known, most);
    s->host_limit = host ? s->device_limit : limit(available, gib * card_most[plan]);
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
