/* What an experiment's conclusion looks up and adds. */
#include "harness/measure/experiment.h"

#include <string.h>

static bool all_hold(const struct parameters *p, const char *const *conditions)
{
    for (; conditions && conditions[0]; conditions += 2)
        if (!parameters_match(p, conditions[0], conditions[1]))
            return false;
    return true;
}

const struct measurement *conclusion_row(const struct conclusion *c, const char *role,
                                         const char *const *conditions)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct measurement *m = &c->rows[i];
        if (m->role && !strcmp(m->role, role) && measurement_usable(m) &&
            all_hold(&m->parameters, conditions))
            return m;
    }
    return NULL;
}

struct figure *conclusion_figure(struct conclusion *c, const char *role, const char *name,
                                 struct estimate value, const char *unit)
{
    struct figure *f = report_add_figure(c->report);

    f->experiment = xstrdup(c->experiment);
    f->device = xstrdup(c->device);
    f->role = xstrdup(role);
    f->name = xstrdup(name);
    f->value = value;
    f->unit = xstrdup(unit);
    return f;
}
