/* latency_hiding: what its check sees, and the knees and the latency that it finds in a model. */
#include "bench/knee.h"
#include "kernels/chains.h"
#include "kernels/fill.h"
#include "kernels/hide.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct experiment experiment_latency_hiding;
static const struct experiment *const e = &experiment_latency_hiding;

TestSuite(latency_hiding);

/* ---- the check ---- */

static enum { RIGHT, WRONG_SUM, NOTHING, SERIAL, TOO_FEW_FIT } mishap;

static void run_hide(const struct hide_args *args)
{
    float of_lane[32];

    for (unsigned lane = 0; lane < 32 && args->operation == HIDE_FMA; lane++)
        of_lane[lane] = hide_fma_expected(args, lane);
    for (unsigned b = 0; b < args->blocks; b++)
        args->marks[b] = (struct hide_mark){.start = mishap == SERIAL ? 100 * b : b,
                                            .end = mishap == SERIAL ? 100 * b + 50 : 1000,
                                            .sm = b % FAKE_SMS};
    for (size_t i = 0; i < (size_t)args->blocks * args->threads && mishap != NOTHING; i++)
        args->out[i] =
            args->operation == HIDE_LOAD ? hide_load_expected(args, 8, i) : of_lane[i % 32];
    if (mishap == WRONG_SUM)
        args->out[args->blocks * args->threads - 1] *= 1 + 0x1p-22f;
}

static void run(const struct kernel *k, const void *args)
{
    if (k == &kernel_hide)
        run_hide(args);
    else
        for (unsigned core = 0; core < FAKE_SMS; core++)
            k->host(args, core, FAKE_SMS);
    if (k == &kernel_chains && mishap != RIGHT)
        ((const struct chains_args *)args)->cursors[1] ^= CHASE_NODE_WORDS;
}

static void plan(const struct kernel *k, void *arguments)
{
    struct hide_args *args = arguments;

    (void)k;
    args->threads = hide_threads(args->warps);
    args->blocks_per_sm = args->warps * 32 / args->threads;
    args->blocks = FAKE_SMS * args->blocks_per_sm;
    args->resident = args->blocks_per_sm - (mishap == TOO_FEW_FIT);
}

static double curve(const char *name)
{
    for (size_t i = 0; e->axis[0].names[i]; i++)
        if (strcmp(e->axis[0].names[i], name) == 0)
            return (double)i;
    cr_assert_fail("no curve %s", name);
    return NAN;
}

static void prepare_and_check(struct fake_card *card, const char *name, double warps, int as)
{
    mishap = as;
    fake_card_open(card, run, plan, strcmp(name, "chains") == 0);
    if (fake_card_prepare(card, e, curve(name), warps) == 0)
        e->check(&card->trial);
    cr_assert_not(card->trial.omitted, "%s at %g", name, warps);
}

static void expect(const char *name, double warps, int as, enum row_status status, bool doubted)
{
    struct fake_card card;

    prepare_and_check(&card, name, warps, as);
    cr_assert_eq(card.row.status, status, "%s at %g", name, warps);
    cr_assert_eq(strings_have(&card.row.doubts, "residency"), doubted);
    fake_card_close(&card);
}

Test(latency_hiding, right_answers_are_accepted)
{
    expect("4 B x 1", 1, RIGHT, ROW_OK, false);
    expect("4 B x 4", 8, RIGHT, ROW_OK, false);
    expect("16 B x 4", 32, RIGHT, ROW_OK, false);
    expect("fma x 1", 1, RIGHT, ROW_OK, false);
    expect("fma x 4", 16, RIGHT, ROW_OK, false);
    expect("chains", 8, RIGHT, ROW_OK, false);
}

Test(latency_hiding, wrong_answers_are_seen)
{
    expect("4 B x 4", 8, WRONG_SUM, ROW_WRONG, false);
    expect("16 B x 4", 4, WRONG_SUM, ROW_WRONG, false);
    expect("fma x 4", 16, WRONG_SUM, ROW_WRONG, false);
    expect("fma x 1", 1, NOTHING, ROW_WRONG, false);
    expect("chains", 2, WRONG_SUM, ROW_WRONG, false);
}

Test(latency_hiding, blocks_that_took_turns_are_doubted)
{
    expect("fma x 4", 16, SERIAL, ROW_OK, true);
    expect("fma x 4", 4, SERIAL, ROW_OK, false); /* one block on each SM cannot take turns */
}

Test(latency_hiding, residency_that_the_runtime_denies_is_not_measured)
{
    expect("4 B x 4", 8, TOO_FEW_FIT, ROW_SKIPPED, false);
}

static unsigned rows_asked(bool host)
{
    struct fake_card device;
    unsigned rows = 0;

    mishap = RIGHT;
    fake_card_open(&device, run, plan, host);
    for (size_t c = 0; e->axis[0].names[c]; c++)
        for (size_t p = 0; p < e->axis[1].count; p++)
            rows += fake_card_prepare(&device, e, (double)c, e->axis[1].numbers[p]) == 0;
    fake_card_close(&device);
    return rows;
}

Test(latency_hiding, the_quick_plan_asks_few_rows)
{
    cr_assert_leq(rows_asked(false), 36);
    cr_assert_eq(rows_asked(true), 6, "1, 2, 4, ... 32 chains");
}

/* ---- knees ---- */

static const struct estimate unknown = {NAN, NAN, NAN};

/* METHOD 8, smooth: (best^-4 + (slope x)^-4)^(-1/4). */
static double smooth(double best, double slope, double x)
{
    return pow(pow(best, -4) + pow(slope * x, -4), -0.25);
}

Test(latency_hiding, a_knee_is_found_between_points)
{
    struct knee_curve c = {.count = 0};
    const double rates[] = {smooth(100, 10, 2), smooth(100, 10, 8), smooth(100, 10, 32)};
    const double knee = 10 / pow(pow(0.9, -4) - 1, 0.25);

    for (size_t i = 0; i < 3; i++) {
        c.points[i].x = (double[]){2, 8, 32}[i];
        c.points[i].rate = (struct estimate){rates[i], 0.99 * rates[i], 1.01 * rates[i]};
    }
    c.count = 3;
    const struct estimate found = knee_of(&c, (struct estimate){100, 99, 101});

    cr_assert_float_eq(found.value, knee, 1e-9 * knee);
    cr_assert_lt(found.low, found.value);
    cr_assert_gt(found.high, found.value);
    cr_assert_eq(knee_best(&c).value, rates[2]);
}

/* Sharp or smooth, wherever the points happen to lie. */
Test(latency_hiding, a_knee_lies_in_its_interval_however_the_curve_bends)
{
    for (double first = 0.5; first < 1; first *= 1.05) {
        struct knee_curve sharp = {.count = 8}, even = {.count = 8};

        for (size_t i = 0; i < 8; i++) {
            const double x = first * (double)(1u << i), rate = fmin(100, 10 * x);
            const double smoothed = smooth(100, 10, x);

            sharp.points[i] = (struct knee_point){x, {rate, rate, rate}};
            even.points[i] = (struct knee_point){x, {smoothed, smoothed, smoothed}};
        }
        const struct estimate found = knee_of(&sharp, knee_best(&sharp));
        const struct estimate likewise = knee_of(&even, (struct estimate){100, 100, 100});
        const double knee = 10 / pow(pow(0.9, -4) - 1, 0.25);

        cr_expect(found.low <= 9.0001 && found.high >= 8.9999, "[%g, %g]", found.low, found.high);
        cr_expect(likewise.low <= knee && likewise.high >= knee);
        cr_expect_float_eq(likewise.value, knee, 1e-9 * knee);
        cr_expect(found.low <= found.value && found.value <= found.high);
        cr_expect_leq(found.high / found.low, 1.5);
    }
}

Test(latency_hiding, a_knee_that_was_not_reached_is_unknown)
{
    const struct knee_curve c = {{{1, {10, 9, 11}}, {2, {20, 19, 21}}}, 2};

    cr_assert(isnan(knee_of(&c, (struct estimate){50, 50, 50}).value));
    cr_assert(isnan(knee_of(&c, unknown).value));
    cr_assert(isnan(knee_best(&(struct knee_curve){.count = 0}).value));
    cr_assert_eq(knee_of(&c, (struct estimate){10, 10, 10}).value, 1, "at most the first point");
}

enum { SMS = 100 };
static const double saturated = 800e9, latency = 400e-9;

/* METHOD 8: bandwidth by Little's law up to what memory delivers. */
static struct measurement *add_load(struct report *r, unsigned warps, unsigned ilp, unsigned bytes)
{
    const double in_flight = (double)SMS * warps * 32 * ilp * bytes;
    const double rate = fmin(saturated, in_flight / latency);
    struct measurement *m =
        rows_add(r, "latency_hiding", 1e9 / rate, metric_bandwidth, (struct work){1e9, NAN, NAN});

    parameters_set_word(&m->parameters, "operation", "load");
    parameters_set_number(&m->parameters, "warps_per_sm", warps);
    parameters_set_number(&m->parameters, "ilp", ilp);
    parameters_set_number(&m->parameters, "access_bytes", bytes);
    return m;
}

static void add_fma(struct report *r, unsigned warps, unsigned ilp)
{
    const double rate = 1e12 * fmin(16, warps * ilp);
    struct measurement *m =
        rows_add(r, "latency_hiding", 1e9 / rate, metric_flops, (struct work){NAN, 1e9, NAN});

    parameters_set_word(&m->parameters, "operation", "fma");
    parameters_set_number(&m->parameters, "warps_per_sm", warps);
    parameters_set_number(&m->parameters, "ilp", ilp);
}

static double figure(const struct report *r, const char *name, const char *operation,
                     const char *ilp, const char *bytes)
{
    return rows_figure(
        r, "latency_hiding", name,
        (const char *const[]){"operation", operation, "ilp", ilp, "access_bytes", bytes, NULL});
}

static double load_figure(const struct report *r, const char *name)
{
    return rows_figure(r, "latency_hiding", name, (const char *const[]){"operation", "load", NULL});
}

static void conclude(struct report *r)
{
    struct facts facts;

    facts_init(&facts);
    facts.units = SMS;
    rows_conclude(r, e, &facts);
    facts_free(&facts);
}

Test(latency_hiding, knees_and_latency_of_the_model_are_found)
{
    const double knee_bytes = 0.9 * saturated * latency / SMS;
    struct report r;

    report_init(&r);
    for (unsigned w = 1; w <= 12; w++) {
        add_load(&r, w, 1, 4);
        add_load(&r, w, 4, 4);
        add_load(&r, w, 4, 16);
    }
    conclude(&r);
    cr_assert_float_eq(figure(&r, "knee_warps", "load", "4", "4"), knee_bytes / 512, 0.01);
    /* From one warp, below the knee, to two, beyond it, the curve is taken to bend smoothly. */
    cr_assert_float_eq(figure(&r, "knee_warps", "load", "4", "16"), knee_bytes / 2048, 0.2);
    cr_assert_float_eq(figure(&r, "saturated", "load", "4", "4"), saturated, 1e-3 * saturated);
    cr_assert(isnan(figure(&r, "knee_warps", "load", "1", "4")), "twelve warps are too few");
    cr_assert_float_eq(load_figure(&r, "implied_latency"), latency, 1e-3 * latency);
    cr_assert_float_eq(load_figure(&r, "knee_bytes_in_flight"), knee_bytes, 0.01 * knee_bytes);
    report_free(&r);
}

Test(latency_hiding, rows_of_doubtful_residency_are_no_points)
{
    struct report r;
    struct measurement *m;

    report_init(&r);
    for (unsigned w = 1; w <= 12; w++)
        add_load(&r, w, 4, 4);
    m = add_load(&r, 48, 16, 4);
    m->parameters.items[2].number = 4; /* an impossible rate on the same curve */
    m->work.bytes *= 10;
    measurement_derive(m);
    strings_add(&m->doubts, "residency");
    conclude(&r);
    cr_assert_float_eq(figure(&r, "saturated", "load", "4", "4"), saturated, 1e-3 * saturated);
    report_free(&r);
}

Test(latency_hiding, warps_and_chains_of_fmas_are_interchangeable)
{
    struct report r;

    report_init(&r);
    for (unsigned w = 1; w <= 32; w++) {
        add_fma(&r, w, 1);
        add_fma(&r, w, 4);
    }
    conclude(&r);
    cr_assert_float_eq(rows_figure(&r, "latency_hiding", "knee_warps",
                                   (const char *const[]){"operation", "fma", "ilp", "1", NULL}),
                       14.4, 0.1);
    cr_assert_float_eq(rows_figure(&r, "latency_hiding", "knee_warps",
                                   (const char *const[]){"operation", "fma", "ilp", "4", NULL}),
                       3.6, 0.1);
    report_free(&r);
}

Test(latency_hiding, the_hosts_chains_are_concluded)
{
    static const struct metric loads = {"loads", "1/s", true};
    struct report r;

    report_init(&r);
    for (unsigned k = 1; k <= 32; k++) {
        struct measurement *m =
            rows_add(&r, "latency_hiding", 1e-3, loads, (struct work){NAN, NAN, 1e4 * fmin(k, 10)});

        parameters_set_number(&m->parameters, "chains", k);
    }
    conclude(&r);
    cr_assert_float_eq(rows_figure(&r, "latency_hiding", "gain", NULL), 10, 0.01);
    cr_assert_float_eq(rows_figure(&r, "latency_hiding", "knee_chains", NULL), 9, 0.1);
    cr_assert_float_eq(rows_figure(&r, "latency_hiding", "saturated", NULL), 1e8, 1e5);
    report_free(&r);
}
