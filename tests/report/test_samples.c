/* Statistics of samples against the table of METHOD 1.3, known answers and simulated coverage. */
#include "harness/base/text.h"
#include "harness/report/samples.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

static void expect_near(double found, double wanted)
{
    cr_assert(fabs(found - wanted) <= 1e-9 * (1 + fabs(wanted)), "%.17g, wanted %.17g", found,
              wanted);
}

Test(samples, ranks_of_the_method)
{
    static const size_t n[] = {6, 9, 10, 11, 12, 15, 20, 21, 25, 30, 31, 40, 50, 51, 100};
    static const size_t l[] = {1, 2, 2, 2, 3, 4, 6, 6, 8, 10, 10, 14, 18, 19, 40};
    static const size_t u[] = {6, 8, 9, 10, 10, 12, 15, 16, 18, 21, 22, 27, 33, 33, 61};

    for (size_t i = 0; i < COUNT_OF(n); i++) {
        cr_assert_eq(summary_rank(n[i]), l[i], "n = %zu", n[i]);
        cr_assert_eq(n[i] + 1 - summary_rank(n[i]), u[i], "n = %zu", n[i]);
    }
}

Test(samples, no_rank_below_six)
{
    for (size_t n = 0; n < 6; n++) {
        cr_assert_eq(summary_rank(n), 0);
    }
}

/* Far beyond n = 1074, where 2^-n is no double any more: near (n - 1.96 sqrt(n)) / 2. */
Test(samples, rank_of_thousands)
{
    for (size_t n = 1000; n <= 16000; n *= 2) {
        const double near = ((double)n - 1.96 * sqrt((double)n)) / 2;
        cr_assert(fabs((double)summary_rank(n) - near) < 2, "n = %zu: %zu", n, summary_rank(n));
    }
}

Test(samples, summary_in_any_order)
{
    const double values[] = {9, 1, 8, 2, 7, 3, 6, 4, 5};
    const struct summary s = summary_of(values, COUNT_OF(values));

    cr_assert_eq(s.n, 9);
    expect_near(s.median, 5);
    expect_near(s.min, 1);
    expect_near(s.max, 9);
    expect_near(s.p25, 3);
    expect_near(s.p75, 7);
    expect_near(s.ci_low, 2);
    expect_near(s.ci_high, 8);
    cr_assert_eq(values[0], 9);
}

Test(samples, quartiles_are_linear_between_ranks)
{
    const double values[] = {1, 2, 3, 4};
    const struct summary s = summary_of(values, COUNT_OF(values));

    expect_near(s.median, 2.5);
    expect_near(s.p25, 1.75);
    expect_near(s.p75, 3.25);
    cr_assert(isnan(s.ci_low) && isnan(s.ci_high));
}

Test(samples, nothing_and_one)
{
    const double one = 7;
    const struct summary none = summary_of(NULL, 0), single = summary_of(&one, 1);

    cr_assert(isnan(none.median) && isnan(none.min) && isnan(none.p25) && isnan(none.max));
    cr_assert_eq(none.n, 0);
    expect_near(single.median, 7);
    expect_near(single.p75, 7);
    cr_assert(isnan(single.ci_low));
}

Test(samples, unknown_values_are_no_samples)
{
    const double values[] = {NAN, 3, NAN, 1, 2};
    const struct summary s = summary_of(values, COUNT_OF(values));

    cr_assert_eq(s.n, 3);
    expect_near(s.median, 2);
}

Test(samples, median_absolute_deviation)
{
    const double values[] = {1, 1, 2, 2, 4, 6, 9};

    expect_near(samples_mad(values, COUNT_OF(values)), 1);
    cr_assert(isnan(samples_mad(NULL, 0)));
}

Test(samples, ratio_adds_in_quadrature)
{
    const struct estimate a = {100, 97, 103}, b = {50, 48, 52};
    const struct estimate r = estimate_ratio(a, b);

    expect_near(r.value, 2);
    expect_near(r.low, 2 - 2 * 0.05);
    expect_near(r.high, 2 + 2 * 0.05);
}

Test(samples, ratio_of_the_unknown)
{
    const struct estimate a = {100, NAN, NAN}, b = {50, 48, 52}, zero = {0, 0, 0};
    const struct estimate unknown = {NAN, NAN, NAN};

    expect_near(estimate_ratio(a, b).value, 2);
    cr_assert(isnan(estimate_ratio(a, b).low) && isnan(estimate_ratio(a, b).high));
    cr_assert(isnan(estimate_ratio(b, zero).value));
    cr_assert(isnan(estimate_ratio(unknown, b).value));
}

Test(samples, scale_keeps_low_below_high)
{
    const struct estimate a = {10, 9, 12};

    expect_near(estimate_scale(a, 3).high, 36);
    expect_near(estimate_scale(a, -1).low, -12);
    expect_near(estimate_scale(a, -1).high, -9);
}

/* Start-up 5 us and 25 GB/s, sizes over six decades: the fit must find both. */
Test(samples, line_through_exact_points)
{
    double x[21], y[21], w[21];

    for (size_t i = 0; i < COUNT_OF(x); i++) {
        x[i] = ldexp(1024, (int)i);
        y[i] = 5e-6 + x[i] / 25e9;
        w[i] = 1 / (y[i] * y[i]);
    }
    const struct line_fit fit = line_fit(x, y, w, COUNT_OF(x));
    cr_assert(fabs(fit.intercept.value / 5e-6 - 1) < 1e-9);
    cr_assert(fabs(fit.slope.value * 25e9 - 1) < 1e-9);
    cr_assert_leq(fit.slope.low, fit.slope.value);
}

/* x 1..5, y 2.1 3.9 6.2 7.8 10.1, equal weights: by hand, Sxx = 10, Sxy = 19.9, s^2 = 0.107 / 3. */
Test(samples, line_with_standard_errors)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2.1, 3.9, 6.2, 7.8, 10.1}, w[] = {1, 1, 1, 1, 1};
    const struct line_fit fit = line_fit(x, y, w, 5);

    expect_near(fit.slope.value, 1.99);
    expect_near(fit.intercept.value, 0.05);
    expect_near(fit.slope.high - fit.slope.value, 1.96 * sqrt(0.107 / 3 / 10));
    expect_near(fit.intercept.value - fit.intercept.low, 1.96 * sqrt(0.107 / 3 * (0.2 + 0.9)));
}

Test(samples, line_needs_three_points_of_two_places)
{
    const double x[] = {0.1, 0.1, 0.1, 0.1}, y[] = {1, 2, 3, 4}, w[] = {1, 3, 1, 7};
    const double two[] = {1, 2};

    cr_assert(isnan(line_fit(x, y, w, 4).slope.value));
    cr_assert(isnan(line_fit(two, two, two, 2).slope.value));
    cr_assert(isnan(line_fit(NULL, NULL, NULL, 0).intercept.low));
}

static double next_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* How often the interval holds the true median of a skewed distribution. */
static double coverage(size_t n, size_t runs)
{
    uint64_t state = 1;
    double values[64];
    size_t held = 0;

    for (size_t run = 0; run < runs; run++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = -log(1 - next_uniform(&state));
        }
        const struct summary s = summary_of(values, n);
        held += s.ci_low <= log(2) && log(2) <= s.ci_high;
    }
    return (double)held / (double)runs;
}

/* Exact: 96.1 % for 9, 95.9 % for 20, 95.1 % for 51; four standard errors of 5000 runs are 1.2 %.
 */
Test(samples, interval_covers_as_it_says)
{
    cr_assert(fabs(coverage(9, 5000) - 0.9609) < 0.012);
    cr_assert(fabs(coverage(20, 5000) - 0.9586) < 0.012);
    cr_assert(fabs(coverage(51, 5000) - 0.9511) < 0.013);
}
