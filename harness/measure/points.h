/* The points of an experiment: every combination of its axes' values, the last axis fastest. */
#ifndef MEASURE_POINTS_H
#define MEASURE_POINTS_H

#include "harness/measure/experiment.h"

struct points {
    size_t axes, count;
    size_t length[AXES_MAX];
    double *values[AXES_MAX]; /* numbers, or indices into the axis' names */
    bool named[AXES_MAX];
};

/* Fills out; free with points_free.  The quick plan thins axes by their quick_every. */
void points_of(struct points *out, const struct experiment *e, enum plan plan);
void points_free(struct points *p);
/* Coordinates of a point. */
void points_at(const struct points *p, size_t point, double at[AXES_MAX]);
/* How much a curve loses without the point: 0 for the ends of the number axes, 1 for their middles,
 * 2 for the quarters, and so on.  Points of high rank are left out first. */
unsigned points_rank(const struct points *p, size_t point);

#endif
