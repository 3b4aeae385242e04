/* The curves of latency_hiding, and what its rows say together.
 *
 * Figures of a card, by operation, ilp and access_bytes:
 *   saturated              the best rate on that curve
 *   knee_warps             where the curve reaches knee_share of the best rate of any curve of that
 *                          operation; left out where it does not get there
 * and of its loads:
 *   knee_bytes_in_flight   the knee of all loads together by bytes under way on an SM, where their
 *                          curves should be one
 *   implied_latency        Little's law, bytes under way over the rate, on the curve of single
 *                          4-byte loads: the median of its lowest three points below half of the
 *                          best rate of any curve
 * Figures of the host: saturated, knee_chains (likewise), and gain, the best rate over that of one
 * chain. */
#ifndef BENCH_HIDING_FIGURES_H
#define BENCH_HIDING_FIGURES_H

#include "bench/knee.h"
#include "harness/measure/experiment.h"
#include "kernels/hide.h"

#include <stdlib.h>

static const char *const operation_names[] = {[HIDE_LOAD] = "load", [HIDE_FMA] = "fma"};

struct curve {
    enum hide_operation operation;
    unsigned access_bytes, ilp;
    bool quick;
};
static const struct curve curves[] = {
    {HIDE_LOAD, 4, 1, true},  {HIDE_LOAD, 4, 2, false},  {HIDE_LOAD, 4, 4, true},
    {HIDE_LOAD, 4, 8, false}, {HIDE_LOAD, 16, 1, false}, {HIDE_LOAD, 16, 2, false},
    {HIDE_LOAD, 16, 4, true}, {HIDE_FMA, 0, 1, true},    {HIDE_FMA, 0, 2, false},
    {HIDE_FMA, 0, 4, true},   {HIDE_FMA, 0, 8, false},
};
enum { CURVES = sizeof curves / sizeof *curves };

/* The usable rows of a curve (NULL: of the host) by the parameter x.  Rows whose blocks were not
 * where they should have been are no point of any curve. */
static inline struct knee_curve hiding_points(const struct conclusion *c, const char *x,
                                              const struct curve *curve)
{
    struct knee_curve out = {.count = 0};

    for (size_t i = 0; i < c->count; i++) {
        const struct measurement *m = &c->rows[i];
        const struct parameters *p = &m->parameters;

        if (!measurement_usable(m) || strings_have(&m->doubts, "residency"))
            continue;
        if (curve && (!parameters_match(p, "operation", operation_names[curve->operation]) ||
                      parameters_number(p, "ilp") != curve->ilp ||
                      (curve->operation == HIDE_LOAD &&
                       parameters_number(p, "access_bytes") != curve->access_bytes)))
            continue;
        if (!isnan(parameters_number(p, x)))
            knee_add(&out, parameters_number(p, x), m);
    }
    knee_sort(&out);
    return out;
}

static inline double hiding_bytes(const struct curve *curve, double warps)
{
    return warps * 32 * curve->ilp * curve->access_bytes;
}

/* Adds nothing where the value is unknown. */
static inline struct figure *hiding_figure(struct conclusion *c, const char *name,
                                           struct estimate value, const char *unit,
                                           enum hide_operation operation)
{
    struct figure *f;

    if (isnan(value.value))
        return NULL;
    f = conclusion_figure(c, "latency_hiding", name, value, unit);
    parameters_set_word(&f->parameters, "operation", operation_names[operation]);
    return f;
}

static inline void hiding_curve_figure(struct conclusion *c, const char *name,
                                       struct estimate value, const char *unit,
                                       const struct curve *curve)
{
    struct figure *f = hiding_figure(c, name, value, unit, curve->operation);

    if (f)
        parameters_set_number(&f->parameters, "ilp", curve->ilp);
    if (f && curve->operation == HIDE_LOAD)
        parameters_set_number(&f->parameters, "access_bytes", curve->access_bytes);
}

static inline int hiding_by_value(const void *left, const void *right)
{
    const struct estimate *a = left, *b = right;

    return (a->value > b->value) - (a->value < b->value);
}

/* The middle one (the lower of two), with its own interval; all NAN for none. */
static inline struct estimate hiding_median(struct estimate *list, size_t count)
{
    if (!count)
        return (struct estimate){NAN, NAN, NAN};
    qsort(list, count, sizeof *list, hiding_by_value);
    return list[(count - 1) / 2];
}

static inline void hiding_implied_latency(struct conclusion *c, struct estimate best)
{
    const struct knee_curve lone = hiding_points(c, "warps_per_sm", &curves[0]);
    struct estimate lowest[3];
    size_t count = 0;

    for (size_t i = 0; i < lone.count && count < COUNT_OF(lowest); i++) {
        const struct knee_point *p = &lone.points[i];
        const double bytes = hiding_bytes(&curves[0], p->x) * c->facts->units;

        if (p->rate.value < best.value / 2)
            lowest[count++] = estimate_ratio((struct estimate){bytes, bytes, bytes}, p->rate);
    }
    hiding_figure(c, "implied_latency", hiding_median(lowest, count), "s", HIDE_LOAD);
}

/* All points of an operation's curves: by bytes under way on an SM (loads; FMAs have none). */
static inline struct knee_curve hiding_together(const struct conclusion *c,
                                                enum hide_operation operation)
{
    struct knee_curve all = {.count = 0};

    for (size_t i = 0; i < CURVES; i++) {
        const struct knee_curve one = hiding_points(c, "warps_per_sm", &curves[i]);

        for (size_t k = 0; k < one.count && curves[i].operation == operation; k++)
            if (all.count < KNEE_POINTS_MAX)
                all.points[all.count++] = (struct knee_point){
                    hiding_bytes(&curves[i], one.points[k].x), one.points[k].rate};
    }
    knee_sort(&all);
    return all;
}

static inline void hiding_conclude_card(struct conclusion *c, enum hide_operation operation)
{
    const struct knee_curve all = hiding_together(c, operation);
    const struct estimate best = knee_best(&all);

    for (size_t i = 0; i < CURVES; i++) {
        const struct knee_curve curve = hiding_points(c, "warps_per_sm", &curves[i]);

        if (curves[i].operation != operation)
            continue;
        hiding_curve_figure(c, "knee_warps", knee_of(&curve, best), "", &curves[i]);
        hiding_curve_figure(c, "saturated", knee_best(&curve),
                            operation == HIDE_LOAD ? "B/s" : "FLOP/s", &curves[i]);
    }
    if (operation != HIDE_LOAD)
        return;
    hiding_figure(c, "knee_bytes_in_flight", knee_of(&all, best), "B", HIDE_LOAD);
    hiding_implied_latency(c, best);
}

static inline void hiding_conclude_host(struct conclusion *c)
{
    const struct knee_curve chains = hiding_points(c, "chains", NULL);
    const struct estimate best = knee_best(&chains), knee = knee_of(&chains, best);

    if (!chains.count)
        return;
    conclusion_figure(c, "latency_hiding", "saturated", best, "1/s");
    conclusion_figure(c, "latency_hiding", "knee_chains", knee, "");
    if (chains.points[0].x == 1)
        conclusion_figure(c, "latency_hiding", "gain", estimate_ratio(best, chains.points[0].rate),
                          "");
}

static inline void hiding_conclude(struct conclusion *c)
{
    hiding_conclude_card(c, HIDE_LOAD);
    hiding_conclude_card(c, HIDE_FMA);
    hiding_conclude_host(c);
}

#endif
