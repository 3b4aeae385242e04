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

/* Where the curve reaches `rate` between two points.  By METHOD 8, (best^-4 + (slope x)^-4)^(-1/4),
 * rate^-4 is a straight line in x^-4.  How sharp the bend is no point says, only that the curve
 * flattens: it lies below the ray from the origin through the first point, which is the earliest
 * that it may be there (KNEE_HIGH), and above the straight line, the latest (KNEE_LOW). */
static inline double knee_between(const struct knee_curve *c, size_t i, enum knee_side side,
                                  double rate)
{
    const double x0 = c->points[i - 1].x, x1 = c->points[i].x;
    const double r0 = knee_rate(c, i - 1, side) / rate, r1 = knee_rate(c, i, side) / rate;

    if (side == KNEE_HIGH)
        return fmin(x0 / r0, x1);
    if (side == KNEE_LOW)
        return x0 + (x1 - x0) * (1 - r0) / (r1 - r0);
    const double y0 = pow(r0, -4), y1 = pow(r1, -4);
    return pow(pow(x1, -4) + (pow(x0, -4) - pow(x1, -4)) * (1 - y1) / (y0 - y1), -0.25);
}

/* The smallest x at which a curve through one side of its intervals reaches `rate`; NAN: it does
 * not. */
static inline double knee_crossing(const struct knee_curve *c, enum knee_side side, double rate)
{
    for (size_t i = 0; i < c->count; i++)
        if (knee_rate(c, i, side) >= rate)
            return i == 0 ? c->points[0].x : knee_between(c, i, side, rate);
    return NAN;
}

/* The smallest x that reaches knee_share of `best`; the interval runs from the highest rates
 * against the lowest goal to the lowest rates against the highest goal, each with the bend that
 * makes it widest: few points make a wide one. */
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
