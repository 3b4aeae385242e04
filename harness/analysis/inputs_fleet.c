/* Inputs that are known only of several reports: nodes of a fleet, runs of a device, cards that
 * run side by side.  One of which a part is unknown leaves the whole unknown. */
#include "harness/analysis/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_model(const struct device_record *d, const struct device_record *asked)
{
    return same_word(d->kind, "cuda") && same_word(d->name, asked->name) &&
           d->facts.units == asked->facts.units;
}

/* The figure of the worst card of the model; INFINITY: it holds none; NAN: unknown. */
static double worst_in(const struct report *r, const struct scene *s)
{
    double worst = INFINITY;

    for (size_t i = 0; i < r->device_count; i++) {
        const struct device_record *d = &r->devices[i];
        const struct figure *f;

        if (same_word(d->kind, "cuda") && (d->name == NULL || isnan(d->facts.units)))
            return NAN;
        if (!is_model(d, s->device))
            continue;
        f = figure_like(r, d->id, s->figure);
        if (f == NULL || isnan(f->value.value))
            return NAN;
        worst = fmin(worst, f->value.value);
    }
    return worst;
}

struct pass {
    const struct report *report;
    double worst;
};

static int by_machine(const void *a, const void *b)
{
    const struct pass *x = a, *y = b;

    return strcmp(x->report->environment.machine, y->report->environment.machine);
}

/* Of every report; 0 where a part is unknown. */
static size_t passes_of(struct pass *passes, const struct scene *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->given->together_count; i++) {
        const struct report *r = s->given->together[i];
        const double worst = worst_in(r, s);

        if (r->environment.machine == NULL || isnan(worst) || count == NODES_MAX)
            return 0;
        if (isfinite(worst))
            passes[count++] = (struct pass){r, worst};
    }
    qsort(passes, count, sizeof *passes, by_machine);
    return count;
}

void fleet_of(struct fleet *f, const struct scene *s)
{
    struct pass passes[NODES_MAX];
    const size_t count = passes_of(passes, s);

    f->count = 0;
    f->own = NAN;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_machine(&passes[i], &passes[i - 1]) != 0) {
            f->nodes[f->count] = passes[i].report;
            f->values[f->count++] = passes[i].worst;
        } else {
            f->values[f->count - 1] = fmax(f->values[f->count - 1], passes[i].worst);
        }
    }
    for (size_t i = 0; i < f->count; i++)
        if (same_word(f->nodes[i]->environment.machine, s->report->environment.machine))
            f->own = f->values[i];
}

double input_nodes(const struct scene *s)
{
    struct fleet f;

    fleet_of(&f, s);
    return f.count == 0 ? NAN : (double)f.count;
}

double input_node_best(const struct scene *s)
{
    struct fleet f;

    fleet_of(&f, s);
    return f.count == 0 ? NAN : f.own;
}

double input_nodes_median(const struct scene *s)
{
    struct fleet f;

    fleet_of(&f, s);
    return summary_of(f.values, f.count).median;
}

/* At least 0.5 % of the median. */
double input_nodes_mad(const struct scene *s)
{
    struct fleet f;

    fleet_of(&f, s);
    return fmax(samples_mad(f.values, f.count), 0.005 * summary_of(f.values, f.count).median);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Both are the median where there is one mode. */
static double mode(const struct scene *s, bool high)
{
    struct fleet f;
    size_t at;

    fleet_of(&f, s);
    qsort(f.values, f.count, sizeof *f.values, compare_numbers);
    at = samples_split(f.values, f.count);
    if (at == 0)
        return summary_of(f.values, f.count).median;
    return high ? summary_of(f.values + at, f.count - at).median : summary_of(f.values, at).median;
}

double input_nodes_low(const struct scene *s)
{
    return mode(s, false);
}

double input_nodes_high(const struct scene *s)
{
    return mode(s, true);
}

/* ---- the same device again ---- */

struct runs {
    double least, most, sum;
    size_t count; /* 0: not all is known of each */
};

static struct runs runs_of(const struct scene *s)
{
    struct runs runs = {INFINITY, -INFINITY, 0, 0};

    for (size_t i = 0; i < s->given->together_count; i++) {
        const struct report *r = s->given->together[i];
        const struct device_record *d = device_like(r, s->device);
        const struct figure *f = d == NULL ? NULL : figure_like(r, d->id, s->figure);

        if (f == NULL || isnan(f->value.value))
            return (struct runs){0};
        runs.least = fmin(runs.least, f->value.value);
        runs.most = fmax(runs.most, f->value.value);
        runs.sum += f->value.value;
        runs.count++;
    }
    return runs;
}

double input_runs(const struct scene *s)
{
    const struct runs runs = runs_of(s);

    return runs.count == 0 ? NAN : (double)runs.count;
}

double input_runs_spread(const struct scene *s)
{
    const struct runs runs = runs_of(s);

    return runs.count == 0 ? NAN : (runs.most - runs.least) * (double)runs.count / runs.sum;
}

/* ---- side by side ---- */

static bool same_parameters(const struct parameters *a, const struct parameters *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct parameter *p = &a->items[i];

        if (p->word != NULL ? !parameters_match(b, p->name, p->word)
                            : parameters_number(b, p->name) != p->number)
            return false;
    }
    return true;
}

static const struct measurement *row_like(const struct report *r, const char *device,
                                          const struct measurement *asked)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (same_word(m->device, device) && same_word(m->role, asked->role) && m->headline &&
            same_parameters(&asked->parameters, &m->parameters))
            return m;
    }
    return NULL;
}

/* Of three cards of the model or more, all at about this row's power. */
double input_peer_celsius(const struct scene *s)
{
    enum { PEERS_MOST = 256, PEERS_LEAST = 3 };
    double celsius[PEERS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < s->report->device_count && count < PEERS_MOST; i++) {
        const struct device_record *d = &s->report->devices[i];
        const struct measurement *m;

        if (same_word(d->kind, "cuda") && (d->name == NULL || isnan(d->facts.units)))
            return NAN;
        if (!is_model(d, s->device))
            continue;
        m = row_like(s->report, d->id, s->row);
        if (m == NULL ||
            !(fabs(m->telemetry.power_watts / s->row->telemetry.power_watts - 1) <= 0.05))
            return NAN;
        celsius[count++] = m->telemetry.temperature_celsius;
    }
    for (size_t i = 0; i < count; i++)
        if (isnan(celsius[i]))
            return NAN;
    return count < PEERS_LEAST ? NAN : summary_of(celsius, count).median;
}

/* As in the first of the reports, or in the baseline. */
double input_cublas_alike(const struct scene *s)
{
    const struct report *other =
        s->given->together_count > 0 ? s->given->together[0] : s->given->baseline;
    const char *own = s->report->environment.cublas;

    if (other == NULL || own == NULL || other->environment.cublas == NULL)
        return NAN;
    return strcmp(own, other->environment.cublas) == 0;
}
