/* From seconds to a value, and finding a row or a figure by what it is about. */
#include "harness/report/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct metric metric_bandwidth = {"bandwidth", "B/s", true};
const struct metric metric_flops = {"throughput", "FLOP/s", true};
const struct metric metric_time = {"time", "s", false};
const struct metric metric_latency = {"latency", "s", false};

double metric_value(const struct metric *m, const struct work *w, double seconds)
{
    const char *unit = m->unit != NULL ? m->unit : "";

    if (!(seconds > 0)) {
        return NAN;
    }
    if (strcmp(unit, "B/s") == 0) {
        return w->bytes / seconds;
    }
    if (strcmp(unit, "FLOP/s") == 0) {
        return w->flops / seconds;
    }
    if (strcmp(unit, "1/s") == 0) {
        return w->operations / seconds;
    }
    return strcmp(unit, "s") == 0 ? seconds / w->operations : NAN;
}

void measurement_derive(struct measurement *m)
{
    const bool has_value = m->status == ROW_OK || m->status == ROW_INVALID;
    double *values = xcalloc(m->samples, sizeof *values);

    for (size_t i = 0; i < m->samples; i++) {
        values[i] = metric_value(&m->metric, &m->work, m->seconds[i]);
    }
    m->value = summary_of(values, has_value ? m->samples : 0);
    free(values);
}

bool measurement_usable(const struct measurement *m)
{
    return m->status == ROW_OK && !isnan(m->value.median);
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static bool all_hold(const struct parameters *p, const char *const *conditions)
{
    for (; conditions != NULL && conditions[0] != NULL; conditions += 2) {
        if (!parameters_match(p, conditions[0], conditions[1])) {
            return false;
        }
    }
    return true;
}

const struct measurement *report_find(const struct report *r, const char *device, const char *role,
                                      const char *const *conditions)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        if (measurement_usable(m) && same(m->device, device) && same(m->role, role) &&
            all_hold(&m->parameters, conditions)) {
            return m;
        }
    }
    return NULL;
}

const struct figure *report_figure(const struct report *r, const char *device, const char *role,
                                   const char *name, const char *const *conditions)
{
    for (size_t i = 0; i < r->figure_count; i++) {
        const struct figure *f = &r->figures[i];
        if (same(f->device, device) && same(f->role, role) && same(f->name, name) &&
            all_hold(&f->parameters, conditions)) {
            return f;
        }
    }
    return NULL;
}
