/* Statistics of raw samples: pure functions; every number that is printed comes from here. */
#ifndef REPORT_SAMPLES_H
#define REPORT_SAMPLES_H

#include <stddef.h>

/* Order statistics of n values.  All NAN when n is 0; the interval is NAN when n < 6 (a rank
 * interval of the median with 95 % confidence does not exist then). */
struct summary {
    double median, ci_low, ci_high, min, p25, p75, max;
    size_t n;
};

/* A value with its 95 % interval; low and high NAN where unknown. */
struct estimate {
    double value, low, high;
};

/* Summary of values (in any order; not changed; a NAN is no sample).  Quartiles and an even n's
 * median are linear between order statistics, at rank 1 + (n - 1) p.  Interval: ranks l and n + 1 -
 * l where l is the largest with P(Bin(n, 1/2) <= l - 1) <= 0.025 (METHOD 1.3). */
struct summary summary_of(const double *values, size_t n);
/* That rank l, 1-based; 0 when there is none (n < 6). */
size_t summary_rank(size_t n);
/* Median absolute deviation from the median; NAN when n is 0. */
double samples_mad(const double *values, size_t n);

/* Where the widest gap splits sorted values into two groups, each a fifth of them or more, that
 * are far apart: by over 2 % of the median and 4 times each group's deviation.  The place of the
 * upper group's first value; 0 where there is one group. */
size_t samples_split(const double *sorted, size_t n);

struct estimate estimate_of(const struct summary *s);
/* a / b: relative half-widths add in quadrature (METHOD 10). */
struct estimate estimate_ratio(struct estimate a, struct estimate b);
/* a x factor, the interval with it. */
struct estimate estimate_scale(struct estimate a, double factor);

/* Least squares of y = intercept + slope * x with weights w (METHOD 2: 1/y^2).
 * Standard errors give intervals of +- 1.96.  Needs n >= 3 points of two different x, else NAN. */
struct line_fit {
    struct estimate intercept, slope;
};
struct line_fit line_fit(const double *x, const double *y, const double *w, size_t n);

#endif
