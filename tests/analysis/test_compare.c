/* Ratios of samples, verdicts and their error rates, and comparisons of small reports. */
#include "harness/analysis/compare.h"
#include "harness/analysis/roofline.h"
#include "tests/analysis/sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = 20, PAIRS = 1000 };

/* Numbers that look random and are the same in every run (SplitMix64; a normal one by Box and
 * Muller). */
static uint64_t state;

static double uniform(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * 3.14159265358979 * uniform());
}

/* Rates round `middle`; one sample in a hundred is half as fast, as on a machine that others use.
 */
static void fill(double *samples, double middle, double noise)
{
    for (size_t i = 0; i < N; i++)
        samples[i] = middle * (1 + noise * normal()) * (uniform() < 0.01 ? 0.67 : 1);
}

struct tally {
    size_t of[UNCLEAR + 1], covered;
};

static struct tally simulate(double truth, double noise)
{
    struct tally tally = {0};
    double a[N], b[N];

    for (size_t i = 0; i < PAIRS; i++) {
        struct estimate ratio;

        fill(a, 1e12 * truth, noise);
        fill(b, 1e12, noise);
        ratio = ratio_of_samples(a, N, b, N);
        tally.of[difference_of(ratio)]++;
        tally.covered += ratio.low <= truth && truth <= ratio.high;
    }
    return tally;
}

Test(compare, no_difference_raises_few_alarms)
{
    state = 1;
    for (double noise = 0.01; noise < 0.016; noise += 0.005) {
        const struct tally t = simulate(1, noise);

        cr_expect_lt(t.of[MORE] + t.of[LESS], PAIRS * 5 / 100, "%zu alarms",
                     t.of[MORE] + t.of[LESS]);
        cr_expect_gt(t.of[SAME], PAIRS * 90 / 100, "%zu same", t.of[SAME]);
        cr_expect(t.covered > PAIRS * 93 / 100 && t.covered < PAIRS * 98 / 100, "%zu covered",
                  t.covered);
    }
}

Test(compare, three_per_cent_are_found)
{
    state = 2;
    for (double noise = 0.01; noise < 0.016; noise += 0.005) {
        cr_expect_geq(simulate(1.03, noise).of[MORE], PAIRS * 90 / 100);
        cr_expect_geq(simulate(1 / 1.03, noise).of[LESS], PAIRS * 90 / 100);
    }
}

Test(compare, noise_that_hides_a_difference_is_unclear)
{
    state = 3;
    const struct tally t = simulate(1.03, 0.15);

    cr_expect_gt(t.of[UNCLEAR], PAIRS * 80 / 100, "%zu unclear", t.of[UNCLEAR]);
    cr_expect_eq(t.of[SAME], 0);
}

Test(compare, ratio_is_the_median_of_quotients)
{
    const double a[] = {6, 2, 4}, b[] = {1, 2};
    const struct estimate r = ratio_of_samples(a, 3, b, 2);

    /* 6 2 4 3 1 2 in order: 1 2 2 3 4 6 */
    cr_expect_float_eq(r.value, 2.5, 1e-9);
    cr_expect(isnan(r.low) && isnan(r.high), "six quotients have no interval of 95 %%");
    cr_expect_eq(difference_of(r), UNCLEAR);
    cr_expect(isnan(ratio_of_samples(a, 3, b, 0).value));
    cr_expect(isnan(ratio_of_samples(a, 3, (const double[]){0, 1}, 2).value));
}

Test(compare, equal_samples_are_the_same)
{
    const double a[] = {5, 5, 5, 5, 5, 5, 5};
    const struct estimate r = ratio_of_samples(a, 7, a, 7);

    cr_expect_float_eq(r.low, 1, 1e-9);
    cr_expect_float_eq(r.high, 1, 1e-9);
    cr_expect_eq(difference_of(r), SAME);
}

Test(compare, ranks_are_those_of_mann_and_whitney)
{
    double a[10], b[1] = {1};
    const double two[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    for (size_t i = 0; i < 10; i++)
        a[i] = (double)(i + 1);
    /* n = m = 10: 50 - 1.96 sqrt(175) = 24.07; of a[i] / 1, ten times each */
    cr_expect_float_eq(ratio_of_samples(a, 10, two, 10).low, 3, 1e-9);
    cr_expect_float_eq(ratio_of_samples(a, 10, two, 10).high, 8, 1e-9);
    cr_expect(isnan(ratio_of_samples(a, 1, b, 1).low));
}

Test(compare, words_follow_what_is_better)
{
    cr_expect_str_eq(difference_word(MORE, MORE_IS_BETTER), "faster");
    cr_expect_str_eq(difference_word(MORE, LESS_IS_BETTER), "slower");
    cr_expect_str_eq(difference_word(LESS, NEITHER_IS_BETTER), "lower");
    cr_expect_str_eq(difference_word(DIFFERENCE_UNKNOWN, MORE_IS_BETTER), "-");
    cr_expect_eq(difference_of((struct estimate){NAN, NAN, NAN}), DIFFERENCE_UNKNOWN);
    cr_expect_eq(difference_of((struct estimate){1.01, 1.005, 1.03}), UNCLEAR);
    cr_expect_eq(difference_of((struct estimate){1.01, 1.001, 1.019}), SAME);
}

static void set_word(struct measurement *m, const char *name, const char *word)
{
    parameters_set_word(&m->parameters, name, word);
}

/* A report whose card reads at `bandwidth` and multiplies at `flops`. */
static void sample_report(struct report *r, double bandwidth, double flops)
{
    struct measurement *m;

    report_init(r);
    sample_card(r);
    m = sample_row(r, "cuda0", "memory_bandwidth", metric_bandwidth, bandwidth);
    set_word(m, "operation", "read");
    m = sample_row(r, "cuda0", "memory_bandwidth", metric_bandwidth, bandwidth * 1.5);
    set_word(m, "operation", "write");
    m = sample_row(r, "cuda0", "gemm", metric_flops, flops);
    set_word(m, "precision", "fp16");
    m = sample_row(r, "cuda0", "host_to_device", metric_bandwidth, 20e9);
    set_word(m, "memory", "pinned");
    parameters_set_number(&m->parameters, "bytes", 1 << 26);
    m = sample_row(r, "cuda0", "host_to_device", metric_bandwidth, 21e9);
    set_word(m, "memory", "pinned");
    parameters_set_number(&m->parameters, "bytes", 1 << 20);
    analysis_derive(r);
}

static void sample_contender(struct contender *c, double bandwidth, double flops)
{
    struct report r;

    sample_report(&r, bandwidth, flops);
    cr_assert(contender_of_device(c, &r, "cuda0"));
    c->origin = xstrdup("a file");
    report_free(&r);
}

Test(compare, a_device_is_reduced_to_its_figures)
{
    struct contender c;

    sample_contender(&c, 1e12, 200e12);
    cr_expect_float_eq(contender_figure(&c, "memory bandwidth")->value.value, 1e12, 1);
    cr_expect_float_eq(contender_figure(&c, "memory write")->value.value, 1.5e12, 1);
    cr_expect_float_eq(contender_figure(&c, "FP16 GEMM")->value.value, 200e12, 100);
    cr_expect_eq(contender_figure(&c, "FP16 GEMM")->sample_count, 7);
    /* the largest copy speaks, not the best one */
    cr_expect_float_eq(contender_figure(&c, "host to device, pinned")->value.value, 20e9, 1);
    cr_expect_float_eq(contender_figure(&c, "ridge point, FP16 GEMM")->value.value, 200, 1e-6);
    cr_expect_null(contender_figure(&c, "memory latency"));
    contender_free(&c);
}

Test(compare, a_row_of_another_unit_is_another_question)
{
    struct report r;
    struct contender c;

    report_init(&r);
    sample_card(&r);
    sample_row(&r, "cuda0", "memory_latency", metric_latency, 4e-7);
    set_word(sample_row(&r, "cuda0", "gemm", metric_bandwidth, 1e12), "precision", "fp16");
    set_word(sample_row(&r, "cuda0", "gemm", metric_flops, 1e12), "precision", "fp32");
    r.measurements[2].metric.unit = NULL;
    cr_assert(contender_of_device(&c, &r, "cuda0"));
    cr_expect_null(contender_figure(&c, "FP16 GEMM"));
    cr_expect_null(contender_figure(&c, "FP32 GEMM"));
    cr_expect_not_null(contender_figure(&c, "memory latency"));
    contender_free(&c);
    report_free(&r);
}

static const struct compared *cell_of(const struct comparison *c, const char *figure, size_t i)
{
    for (size_t k = 0; k < c->row_count; k++)
        if (strcmp(c->rows[k].example->name, figure) == 0)
            return &c->rows[k].cells[i];
    return NULL;
}

Test(compare, measured_devices_and_datasheets_meet)
{
    struct contender all[3];
    struct comparison c;
    struct text why = TEXT_EMPTY;

    sample_contender(&all[0], 1e12, 200e12);
    sample_contender(&all[1], 1.1e12, 200e12);
    contender_of_card(&all[2], card_named("a100-sxm4-80gb"));
    all[2].origin = xstrdup("card:a100-sxm4-80gb");
    cr_assert_eq(comparison_of(&c, all, 3, &why), 0);
    cr_expect_float_eq(cell_of(&c, "memory bandwidth", 1)->ratio.value, 1.1, 1e-9);
    cr_expect_eq(cell_of(&c, "memory bandwidth", 1)->difference, MORE);
    cr_expect_eq(cell_of(&c, "FP16 GEMM", 1)->difference, SAME);
    cr_expect_float_eq(cell_of(&c, "memory bandwidth", 2)->ratio.value, 2.039, 1e-9);
    cr_expect_null(cell_of(&c, "INT8 GEMM", 0), "only the datasheet has it");
    cr_expect(c.alone.count == 1 && strstr(c.alone.items[0], "INT8 GEMM") != NULL);
    cr_expect(c.warnings.count == 1 && strstr(c.warnings.items[0], "maker") != NULL);
    comparison_free(&c);
    for (size_t i = 0; i < 3; i++)
        contender_free(&all[i]);
}

Test(compare, nothing_in_common_is_said)
{
    struct contender all[2] = {{0}};
    struct comparison c;
    struct text why = TEXT_EMPTY;
    struct report r;

    report_init(&r);
    sample_host(&r)->facts.memory_bytes = 1e9;
    sample_row(&r, "host", "memory_latency", metric_latency, 1e-7);
    analysis_derive(&r);
    cr_assert(contender_of_device(&all[0], &r, "host"));
    all[0].origin = xstrdup("host.json");
    contender_of_card(&all[1], card_named("l40s"));
    all[1].origin = xstrdup("card:l40s");
    cr_expect_eq(comparison_of(&c, all, 2, &why), -1);
    cr_expect_str_eq(text_chars(&why),
                     "host.json and card:l40s have no measured or promised figure in common");
    comparison_free(&c);
    contender_free(&all[0]);
    contender_free(&all[1]);
    text_free(&why);
    report_free(&r);
}

Test(compare, slower_is_told_from_the_first)
{
    struct contender all[2];
    struct comparison c;
    struct text why = TEXT_EMPTY;

    sample_contender(&all[0], 1e12, 200e12);
    sample_contender(&all[1], 0.9e12, 220e12);
    cr_assert_eq(comparison_of(&c, all, 2, &why), 0);
    cr_expect_not(comparison_is_slower(&c, 0.11, &why));
    cr_expect(comparison_is_slower(&c, 0.05, &why));
    cr_expect(strstr(text_chars(&why), "B in memory bandwidth (0.9 times)") != NULL, "%s",
              text_chars(&why));
    cr_expect_null(strstr(text_chars(&why), "FP16"));
    comparison_free(&c);
    text_free(&why);
    contender_free(&all[0]);
    contender_free(&all[1]);
}

static bool warns(const struct comparison *c, const char *words)
{
    for (size_t i = 0; i < c->warnings.count; i++)
        if (strstr(c->warnings.items[i], words) != NULL)
            return true;
    return false;
}

Test(compare, what_is_not_alike_is_named)
{
    struct contender all[2];
    struct comparison c;
    struct text why = TEXT_EMPTY;

    sample_contender(&all[0], 1e12, 200e12);
    sample_contender(&all[1], 1e12, 200e12);
    all[0].setting.plan = xstrdup("quick");
    all[1].setting.plan = xstrdup("standard");
    all[0].setting.driver = xstrdup("580.95");
    all[1].setting.driver = xstrdup("570.10");
    all[0].setting.power_limit_share = 0.7;
    all[1].setting.power_limit_share = 1;
    all[0].setting.ecc = FLAG_YES;
    all[1].setting.ecc = FLAG_NO;
    all[0].setting.clock_share = 0.7;
    all[1].setting.clock_share = 0.95;
    all[1].setting.mig = FLAG_YES; /* of the other it is not known: no question */
    cr_assert_eq(comparison_of(&c, all, 2, &why), 0);
    cr_expect_eq(c.warnings.count, 5);
    cr_expect(warns(&c, "the plan (A quick, B standard)"));
    cr_expect(warns(&c, "driver's major version (A 580, B 570)"));
    cr_expect(warns(&c, "power limit, of the card's default (A 70 %, B 100 %)"));
    cr_expect(warns(&c, "(ECC) (A on, B off)"));
    cr_expect(warns(&c, "clock under arithmetic, of the maximum (A about 70 %, B about 95 %)"));
    comparison_free(&c);
    contender_free(&all[0]);
    contender_free(&all[1]);
}
