/* Synthetic rows: see rows.h. */
#include "tests/bench/rows.h"

#include <math.h>

enum { SAMPLES = 20 };

struct measurement *rows_add(struct report *r, const char *role, double seconds,
                             struct metric metric, struct work work)
{
    struct measurement *m = report_add_measurement(r);

    m->role = xstrdup(role);
    m->device = xstrdup("cuda0");
    m->status = ROW_OK;
    m->check = xstrdup("ok");
    m->metric = metric;
    m->work = work;
    m->seconds = xcalloc(SAMPLES, sizeof *m->seconds);
    m->samples = SAMPLES;
    for (size_t i = 0; i < SAMPLES; i++)
        m->seconds[i] = seconds * (1 + 1e-3 * ((double)i / (SAMPLES - 1) - 0.5) * 2);
    measurement_derive(m);
    return m;
}

void rows_conclude(struct report *r, const struct experiment *e, const struct facts *facts)
{
    struct conclusion c = {.report = r,
                           .experiment = e->name,
                           .device = "cuda0",
                           .facts = facts,
                           .rows = r->measurements,
                           .count = r->measurement_count};

    e->conclude(&c);
}

double rows_figure(const struct report *r, const char *role, const char *name,
                   const char *const *conditions)
{
    const struct figure *f = report_figure(r, "cuda0", role, name, conditions);

    return f ? f->value.value : NAN;
}
