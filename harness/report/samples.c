/* Statistics of raw samples: pure functions; every number that is printed comes from here. */
#include "harness/report/samples.h"

#include "harness/base/text.h"

#include <math.h>
#include <stdlib.h>

static const double tail_probability = 0.025; /* on each side of a 95 % interval */
static const double normal_95 = 1.96;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* A sorted copy without NANs, which are no samples; sets *count. */
static double *sorted_copy(const double *values, size_t n, size_t *count)
{
    double *sorted = xcalloc(n, sizeof *sorted);

    *count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            sorted[(*count)++] = values[i];
        }
    }
    qsort(sorted, *count, sizeof *sorted, by_size);
    return sorted;
}

/* Linear between the order statistics round rank 1 + (n - 1) share (type 7 of Hyndman and Fan). */
static double quantile(const double *sorted, size_t n, double share)
{
    const double at = (double)(n - 1) * share;
    const size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;

    return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* Terms are carried as logarithms: 2^-n underflows from n = 1075 on. */
size_t summary_rank(size_t n)
{
    double log_term = -(double)n * log(2), sum = 0;
    size_t rank = 0;

    for (size_t k = 0; k < n; k++) {
        sum += exp(log_term);
        if (sum > tail_probability) {
            break;
        }
        rank = k + 1;
        log_term += log((double)(n - k)) - log((double)(k + 1));
    }
    return rank;
}

struct summary summary_of(const double *values, size_t n)
{
    struct summary s = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
    double *sorted = sorted_copy(values, n, &s.n);
    const size_t rank = summary_rank(s.n);

    if (s.n > 0) {
        s.median = quantile(sorted, s.n, 0.5);
        s.min = sorted[0];
        s.p25 = quantile(sorted, s.n, 0.25);
        s.p75 = quantile(sorted, s.n, 0.75);
        s.max = sorted[s.n - 1];
    }
    if (rank > 0) {
        s.ci_low = sorted[rank - 1];
        s.ci_high = sorted[s.n - rank];
    }
    free(sorted);
    return s;
}

double samples_mad(const double *values, size_t n)
{
    const double median = summary_of(values, n).median;
    double *distances = xcalloc(n, sizeof *distances);

    for (size_t i = 0; i < n; i++) {
        distances[i] = fabs(values[i] - median);
    }
    const double mad = summary_of(distances, n).median;
    free(distances);
    return mad;
}

size_t samples_split(const double *sorted, size_t n)
{
    size_t at = 1;
    double gap, median;

    if (n < 2)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (sorted[i] - sorted[i - 1] > sorted[at] - sorted[at - 1])
            at = i;
    gap = sorted[at] - sorted[at - 1];
    median = sorted[n / 2];
    if (5 * at < n || 5 * (n - at) < n || !(gap > 0.02 * median) ||
        !(gap > 4 * samples_mad(sorted, at)) || !(gap > 4 * samples_mad(sorted + at, n - at)))
        return 0;
    return at;
}

struct estimate estimate_of(const struct summary *s)
{
    return (struct estimate){s->median, s->ci_low, s->ci_high};
}

struct estimate estimate_ratio(struct estimate a, struct estimate b)
{
    const double ratio = a.value / b.value;

    if (!isfinite(ratio)) {
        return (struct estimate){NAN, NAN, NAN};
    }
    const double below = hypot((a.value - a.low) / a.value, (b.high - b.value) / b.value);
    const double above = hypot((a.high - a.value) / a.value, (b.value - b.low) / b.value);
    return (struct estimate){ratio, ratio - fabs(ratio) * below, ratio + fabs(ratio) * above};
}

struct estimate estimate_scale(struct estimate a, double factor)
{
    const struct estimate scaled = {a.value * factor, a.low * factor, a.high * factor};

    return factor < 0 ? (struct estimate){scaled.value, scaled.high, scaled.low} : scaled;
}

static struct estimate within_normal(double value, double standard_error)
{
    return (struct estimate){value, value - normal_95 * standard_error,
                             value + normal_95 * standard_error};
}

/* Weighted means and sums of products about them, which keep their digits where x spans decades. */
struct moments {
    double weight, x, y, xx, xy;
};

static struct moments moments_of(const double *x, const double *y, const double *w, size_t n)
{
    struct moments m = {0};

    for (size_t i = 0; i < n; i++) {
        m.weight += w[i];
        m.x += w[i] * x[i];
        m.y += w[i] * y[i];
    }
    m.x /= m.weight;
    m.y /= m.weight;
    for (size_t i = 0; i < n; i++) {
        m.xx += w[i] * (x[i] - m.x) * (x[i] - m.x);
        m.xy += w[i] * (x[i] - m.x) * (y[i] - m.y);
    }
    return m;
}

static int all_equal(const double *x, size_t n)
{
    size_t same = 1;

    while (same < n && x[same] == x[0]) {
        same++;
    }
    return same >= n;
}

struct line_fit line_fit(const double *x, const double *y, const double *w, size_t n)
{
    const struct estimate unknown = {NAN, NAN, NAN};
    const struct moments m = moments_of(x, y, w, n);
    double squares = 0;

    if (n < 3 || all_equal(x, n)) {
        return (struct line_fit){unknown, unknown};
    }
    const double slope = m.xy / m.xx, intercept = m.y - slope * m.x;
    for (size_t i = 0; i < n; i++) {
        const double residual = y[i] - intercept - slope * x[i];
        squares += w[i] * residual * residual;
    }
    const double variance = squares / (double)(n - 2);
    return (struct line_fit){
        .intercept = within_normal(intercept, sqrt(variance * (1 / m.weight + m.x * m.x / m.xx))),
        .slope = within_normal(slope, sqrt(variance / m.xx)),
    };
}
