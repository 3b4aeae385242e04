/* Roofs as they were measured: the best row decides, and gives its interval. */
#include "harness/analysis/roofs.h"
#include "harness/analysis/findings.h"
#include "harness/analysis/precision.h"
#include "harness/analysis/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct estimate estimate_exact(double value)
{
    return (struct estimate){value, NAN, NAN};
}

void roof_add(struct report *r, const char *device, const char *kind, const char *name,
              const char *source, struct estimate value, const char *unit)
{
    struct roof *roof;

    if (!(value.value > 0) || !isfinite(value.value))
        return;
    roof = report_add_roof(r);
    *roof = (struct roof){xstrdup(device), xstrdup(kind), xstrdup(name),
                          xstrdup(source), value,         xstrdup(unit)};
}

/* Raises the measured roof to that height; a lower row changes nothing. */
static void raise_roof(struct report *r, const struct roof *found, const struct measurement *m,
                       const char *kind, const char *name)
{
    if (!isfinite(m->value.median))
        return;
    if (found == NULL) {
        roof_add(r, m->device, kind, name, "measured", estimate_of(&m->value), m->metric.unit);
    } else if (m->value.median > found->value.value) {
        struct roof *roof = &r->roofs[found - r->roofs];

        roof->value = estimate_of(&m->value);
        free(roof->name);
        roof->name = xstrdup(name);
    }
}

static void raise_compute(struct report *r, const struct measurement *m)
{
    struct text name = TEXT_EMPTY;

    precision_name(&name, m);
    raise_roof(r, report_roof(r, m->device, "compute", text_chars(&name), "measured"), m, "compute",
               text_chars(&name));
    text_free(&name);
}

/* METHOD 10: the best of read, copy and triad. */
static void raise_memory(struct report *r, const struct measurement *m)
{
    static const char *const counted[] = {"read", "copy", "triad"};
    const char *operation = parameters_word(&m->parameters, "operation");

    for (size_t i = 0; operation != NULL && i < COUNT_OF(counted); i++)
        if (strcmp(operation, counted[i]) == 0) {
            char *name = xasprintf("DRAM %s", operation);

            raise_roof(r, report_memory_roof(r, m->device, "measured"), m, "memory", name);
            free(name);
        }
}

/* The fitted rate, else that of the largest copy. */
static struct estimate link_rate(const struct report *r, const char *device, const char *role)
{
    static const char *const pinned[] = {"memory", "pinned", NULL};
    const struct figure *rate = report_figure(r, device, role, "rate", pinned);
    const struct measurement *largest = report_largest(r, device, role, "pinned");

    if (rate != NULL && figure_stands(r, rate))
        return rate->value;
    return largest == NULL ? estimate_exact(NAN) : estimate_of(&largest->value);
}

static void add_links(struct report *r, const char *device)
{
    static const struct {
        const char *role, *name;
    } links[] = {{"host_to_device", "host to device"}, {"device_to_host", "device to host"}};

    for (size_t i = 0; i < COUNT_OF(links); i++)
        roof_add(r, device, "link", links[i].name, "measured", link_rate(r, device, links[i].role),
                 "B/s");
}

/* What each level of cache delivers to what it holds. */
static void add_caches(struct report *r, const char *device)
{
    for (size_t i = 0; i < r->figure_count; i++) {
        const struct figure *f = &r->figures[i];
        const char *level = parameters_word(&f->parameters, "level");
        char *name;

        if (strcmp(f->device, device) != 0 || f->role == NULL || level == NULL ||
            strcmp(f->role, "cache_bandwidth") != 0 || !figure_stands(r, f))
            continue;
        name = xasprintf("%s read", level);
        roof_add(r, device, "cache", name, "measured", f->value, "B/s");
        free(name);
    }
}

void roofs_add_measured(struct report *r, const struct device_record *d)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (!measurement_usable(m) || m->role == NULL || strcmp(m->device, d->id) != 0)
            continue;
        if (role_is_arithmetic(m->role))
            raise_compute(r, m);
        else if (strcmp(m->role, "memory_bandwidth") == 0)
            raise_memory(r, m);
    }
    add_links(r, d->id);
    add_caches(r, d->id);
}
