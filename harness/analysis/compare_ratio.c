/* Whether two sets of samples differ: ratios by ranks, and the verdict's rule. */
#include "harness/analysis/compare.h"

#include <math.h>
#include <stdlib.h>

static const double normal_95 = 1.96;

const double comparison_margin = 0.02;
const char comparison_rule[] =
    "A ratio is the median of all quotients of two samples, its 95 % interval by their ranks "
    "(Hodges and Lehmann; Mann and Whitney). Same: the interval lies within 2 % of one. Faster or "
    "slower (higher or lower where neither is better): the interval excludes one, and the ratio is "
    "more than 2 % from it. Unclear: neither. Where a figure has no samples its own interval "
    "counts; a datasheet has none.";

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double *sorted(const double *values, size_t count)
{
    double *copy = xcalloc(count, sizeof *copy);

    for (size_t i = 0; i < count; i++)
        copy[i] = values[i];
    qsort(copy, count, sizeof *copy, by_size);
    return copy;
}

struct pair {
    double *a, *b; /* in ascending order, positive */
    size_t count_a, count_b;
};

/* How many quotients are at most t. */
static size_t quotients_within(const struct pair *p, double t)
{
    size_t within = 0, low = 0; /* b[low] is the first that is large enough */

    for (size_t i = 0; i < p->count_a; i++) {
        while (low < p->count_b && p->a[i] > t * p->b[low])
            low++;
        within += p->count_b - low;
    }
    return within;
}

/* The quotient of that rank, 1 the smallest, to all digits that matter: halving the span between
 * the extremes is quicker than sorting all of them. */
static double quotient_of_rank(const struct pair *p, size_t rank)
{
    double low = p->a[0] / p->b[p->count_b - 1] * (1 - 1e-12);
    double high = p->a[p->count_a - 1] / p->b[0] * (1 + 1e-12);

    while (high - low > 1e-13 * high) {
        const double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        if (quotients_within(p, middle) >= rank)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static struct estimate ratio_of_pair(const struct pair *p)
{
    const double n = (double)p->count_a, m = (double)p->count_b;
    const double rank = floor(n * m / 2 - normal_95 * sqrt(n * m * (n + m + 1) / 12));
    const size_t all = p->count_a * p->count_b;
    struct estimate e = {NAN, NAN, NAN};

    e.value = (quotient_of_rank(p, (all + 1) / 2) + quotient_of_rank(p, all / 2 + 1)) / 2;
    if (rank >= 1) {
        e.low = quotient_of_rank(p, (size_t)rank);
        e.high = quotient_of_rank(p, all + 1 - (size_t)rank);
    }
    return e;
}

struct estimate ratio_of_samples(const double *a, size_t count_a, const double *b, size_t count_b)
{
    struct estimate ratio = {NAN, NAN, NAN};
    struct pair p = {sorted(a, count_a), sorted(b, count_b), count_a, count_b};

    if (count_a > 0 && count_b > 0 && p.a[0] > 0 && p.b[0] > 0 && isfinite(p.a[count_a - 1]) &&
        isfinite(p.b[count_b - 1]))
        ratio = ratio_of_pair(&p);
    free(p.a);
    free(p.b);
    return ratio;
}

enum difference difference_of(struct estimate ratio)
{
    const double most = 1 + comparison_margin, least = 1 / most;

    if (!isfinite(ratio.value))
        return DIFFERENCE_UNKNOWN;
    if (ratio.low >= least && ratio.high <= most)
        return SAME;
    if (ratio.low > 1 && ratio.value > most)
        return MORE;
    if (ratio.high < 1 && ratio.value < least)
        return LESS;
    return UNCLEAR;
}

const char *difference_word(enum difference d, enum better better)
{
    static const char *const words[][3] = {
        [DIFFERENCE_UNKNOWN] = {"-", "-", "-"},        [SAME] = {"same", "same", "same"},
        [MORE] = {"faster", "slower", "higher"},       [LESS] = {"slower", "faster", "lower"},
        [UNCLEAR] = {"unclear", "unclear", "unclear"},
    };

    return words[d][better];
}
