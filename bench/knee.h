/* Where a curve of rates bends: shared by experiments that put ever more work under way. */
#ifndef BENCH_KNEE_H
#define BENCH_KNEE_H

#include "harness/report/model.h"

#include <math.h>
#include <stdlib.h>

enum { KNEE_POINTS_MAX = 128 };

struct knee_point {
    double x;
    struct estimate rate;
};

/* Rates by rising x (knee_sort). */
struct knee_curve {
    struct knee_point points[KNEE_POINTS_MAX];
    size_t count;
};

/* A curve saturates at this share of its best rate. */
static const double knee_share = 0.9;

static inline void knee_add(struct knee_curve *c, double x, const struct measurement *m)
{
    if (c->count < KNEE_POINTS_MAX)
        c->points[c->count++] = (struct knee_point){x, estimate_of(&m->value)};
}

static inline int knee_by_x(const void *left, const void *right)
{
    const struct knee_point *a = left, *b = right;

    return (a->x > b->x) - (a->x < b->x);
}

static inline void knee_sort(struct knee_curve *c)
{
    qsort(c->points, c->count, sizeof *c->points, knee_by_x);
}

/* The best rate; all NAN for an empty curve. */
static inline struct estimate knee_best(const struct knee_curve *c)
{
    struct estimate best = {NAN, NAN, NAN};

    for (size_t i = 0; i < c->count; i++)
        if (!(c->points[i].rate.value <= best.value))
            best = c->points[i].rate;
    return best;
}

enum knee_side { KNEE_VALUE, KNEE_LOW, KNEE_HIGH };

static inline double knee_rate(const struct knee_curve *c, size_t i, enum knee_side side)
{
    const struct estimate *e = &c->points[i].rate;

    return side == KNEE_LOW ? e->low : side == KNEE_HIGH ? e->high : e->value;
}

/* The smallest x at which a curve through one side of its intervals reaches `rate`; NAN: it does
 * not.  Between two points the curve is METHOD 8's, (best^-4 + (slope x)^-4)^(-1/4), so that
 * rate^-4 is a straight line in x^-4: exact where the rate is in proportion to x or constant, which
 * a straight line from a point before the bend to one beyond it is not. */
static inline double knee_crossing(const struct knee_curve *c, enum knee_side side, double rate)
{
    for (size_t i = 0; i < c->count; i++) {
        if (!(knee_rate(c, i, side) >= rate))
            continue;
        if (i == 0)
            return c->points[0].x;
        const double before = pow(knee_rate(c, i - 1, side) / rate, -4);
        const double here = pow(knee_rate(c, i, side) / rate, -4);
        const double x_before = pow(c->points[i - 1].x, -4);
        const double x_here = pow(c->points[i].x, -4);

        return pow(x_here + (x_before - x_here) * (1 - here) / (before - here), -0.25);
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
