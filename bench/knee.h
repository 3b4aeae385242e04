/* Where a curve of rates bends: shared by experiments that put ever more work under way. */
#ifndef BENCH_KNEE_H
#define BENCH_KNEE_H

#include "harness/report/model.h"

#include <math.h>

enum { KNEE_POINTS_MAX = 16 };

/* Rates by rising x. */
struct knee_curve {
    double x[KNEE_POINTS_MAX];
    struct estimate rate[KNEE_POINTS_MAX];
    size_t count;
};

/* A curve saturates at this share of its best rate. */
static const double knee_share = 0.9;

static inline void knee_add(struct knee_curve *c, double x, const struct measurement *m)
{
    if (c->count < KNEE_POINTS_MAX) {
        c->x[c->count] = x;
        c->rate[c->count++] = estimate_of(&m->value);
    }
}

/* The best rate; all NAN for an empty curve. */
static inline struct estimate knee_best(const struct knee_curve *c)
{
    struct estimate best = {NAN, NAN, NAN};

    for (size_t i = 0; i < c->count; i++)
        if (!(c->rate[i].value <= best.value))
            best = c->rate[i];
    return best;
}

enum knee_side { KNEE_VALUE, KNEE_LOW, KNEE_HIGH };

static inline double knee_rate(const struct knee_curve *c, size_t i, enum knee_side side)
{
    const struct estimate *e = &c->rate[i];

    return side == KNEE_LOW ? e->low : side == KNEE_HIGH ? e->high : e->value;
}

/* The smallest x at which a curve through one side of its intervals reaches `rate`, by straight
 * lines between the points; NAN: it does not. */
static inline double knee_crossing(const struct knee_curve *c, enum knee_side side, double rate)
{
    for (size_t i = 0; i < c->count; i++) {
        const double here = knee_rate(c, i, side);

        if (!(here >= rate))
            continue;
        if (i == 0)
            return c->x[0];
        const double before = knee_rate(c, i - 1, side);
        return c->x[i - 1] + (c->x[i] - c->x[i - 1]) * (rate - before) / (here - before);
    }
    return NAN;
}

/* The smallest x that reaches knee_share of `best`; the interval runs from the highest rates
 * against the lowest goal to the lowest rates against the highest goal. */
static inline struct estimate knee_of(const struct knee_curve *c, struct estimate best)
{
    struct estimate knee = {knee_crossing(c, KNEE_VALUE, knee_share * best.value),
                            knee_crossing(c, KNEE_HIGH, knee_share * best.low),
                            knee_crossing(c, KNEE_LOW, knee_share * best.high)};

    if (isnan(knee.low) || isnan(knee.high))
        knee.low = knee.high = NAN;
    return knee;
}

#endif
