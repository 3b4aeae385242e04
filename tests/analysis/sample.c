/* Builds small reports. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct device_record *add_device(struct report *r, const char *id, const char *kind,
                                        const char *name)
{
    struct device_record *d = report_add_device(r);

    d->id = xstrdup(id);
    d->kind = xstrdup(kind);
    d->name = xstrdup(name);
    return d;
}

struct device_record *sample_card(struct report *r)
{
    struct device_record *d = add_device(r, "cuda0", "cuda", "NVIDIA A100-SXM4-80GB");

    d->facts.units = 108;
    d->facts.memory_bytes = 79.3 * 1073741824.0;
    d->facts.capability = xstrdup("8.0");
    d->facts.clock_max_hz = 1.41e9;
    d->facts.memory_clock_hz = 1.593e9;
    d->facts.bus_bits = 5120;
    return d;
}

struct device_record *sample_host(struct report *r)
{
    struct device_record *d = add_device(r, "host", "host", "a CPU");

    d->facts.units = 2;
    return d;
}

static bool is_rate(const char *unit)
{
    return strcmp(unit, "s") != 0;
}

struct measurement *sample_row(struct report *r, const char *device, const char *role,
                               struct metric metric, double value)
{
    struct measurement *m = report_add_measurement(r);

    m->experiment = xstrdup(role);
    m->device = xstrdup(device);
    m->role = xstrdup(role);
    m->metric = metric;
    m->work = (struct work){.bytes = 12e9, .flops = 2e9, .operations = 1};
    m->samples = 7;
    m->seconds = xcalloc(m->samples, sizeof *m->seconds);
    for (size_t i = 0; i < m->samples; i++)
        m->seconds[i] =
            is_rate(metric.unit) ? (strcmp(metric.unit, "B/s") == 0 ? 12e9 : 2e9) / value : value;
    measurement_derive(m);
    return m;
}

struct figure *sample_figure(struct report *r, const char *device, const char *role,
                             const char *name, double value, const char *unit)
{
    struct figure *f = report_add_figure(r);

    f->experiment = xstrdup(role);
    f->device = xstrdup(device);
    f->role = xstrdup(role);
    f->name = xstrdup(name);
    f->value = (struct estimate){value, value * 0.99, value * 1.01};
    f->unit = xstrdup(unit);
    return f;
}
