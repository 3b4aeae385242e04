/* Charts hold the rows of the report, where they belong, and are drawn in every form. */
#include "fixture.h"
#include "harness/output/charts.h"
#include "harness/output/picture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void need_gnuplot(void)
{
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const int missing = gnuplot_run(&out, "print 1\n", &why) != 0;

    text_free(&out);
    text_free(&why);
    if (missing)
        cr_skip_test("no gnuplot here");
}

static struct charts charts_of_one(const struct report *r)
{
    struct charts charts;

    charts_of(&charts, &r, 1);
    return charts;
}

static const struct chart *chart_of(const struct charts *charts, const char *name)
{
    const struct chart *c = charts_named(charts, name);

    cr_assert_not_null(c, "no chart %s", name);
    return c;
}

static const struct series *series_of(const struct chart *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->series[i].name, name) == 0)
            return &c->series[i];
    cr_assert_fail("no series %s in %s", name, c->name);
    return NULL;
}

static const struct chart_point *point_of(const struct series *s, double y)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->points[i].y == y)
            return &s->points[i];
    return NULL;
}

static void expect_sound(const struct chart *c)
{
    bool listed = false;

    for (size_t i = 0; chart_names[i] != NULL; i++)
        listed = listed || strcmp(chart_names[i], c->name) == 0;
    cr_expect(listed, "%s is no name of --figure", c->name);
    cr_expect_gt(strlen(c->title), 0);
    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &c->series[i];

        cr_expect_lt(s->owner, c->count);
        cr_expect_eq(c->series[s->owner].owner, s->owner, "%s: an owner that is owned", c->name);
        for (size_t k = 0; k < s->count; k++) {
            cr_expect(isfinite(s->points[k].x) && isfinite(s->points[k].y));
            cr_expect(k == 0 || s->look == LOOK_PROMISE || strcmp(c->name, "roofline") == 0 ||
                      s->points[k - 1].x <= s->points[k].x);
        }
    }
}

Test(charts, of_fixtures_are_sound)
{
    static const char *const files[] = {"virtual_card.json", "virtual_host.json"};

    for (size_t f = 0; f < COUNT_OF(files); f++) {
        struct report r;
        struct charts charts;

        fixture_read(&r, files[f]);
        charts = charts_of_one(&r);
        cr_expect_gt(charts.count, 4);
        cr_expect_str_eq(charts.items[0].name, "roofline");
        for (size_t i = 0; i < charts.count; i++)
            expect_sound(&charts.items[i]);
        charts_free(&charts);
        report_free(&r);
    }
}

/* Every usable row of a role is a point of one of the charts; no other row is. */
static size_t count_marks(const struct chart *c)
{
    size_t marks = 0;

    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->series[i].count; k++)
            marks += c->series[i].points[k].note != NULL;
    return marks;
}

static size_t count_usable(const struct report *r, const char *experiment)
{
    size_t usable = 0;

    for (size_t i = 0; i < r->measurement_count; i++)
        usable += measurement_usable(&r->measurements[i]) &&
                  strcmp(r->measurements[i].experiment, experiment) == 0;
    return usable;
}

Test(charts, hold_the_usable_rows)
{
    static const char *const pairs[][2] = {{"transfer", "transfer"},
                                           {"memory", "memory"},
                                           {"gemm", "gemm"},
                                           {"vector-peak", "vector_peak"}};
    struct report r;
    struct charts charts;

    fixture_read(&r, "virtual_card.json");
    charts = charts_of_one(&r);
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        cr_expect_eq(count_marks(chart_of(&charts, pairs[i][0])), count_usable(&r, pairs[i][1]),
                     "%s", pairs[i][0]);
    cr_expect_eq(count_marks(chart_of(&charts, "hiding")) +
                     count_marks(chart_of(&charts, "hiding-fma")),
                 count_usable(&r, "latency_hiding"));
    cr_expect_eq(count_marks(chart_of(&charts, "divergence")) +
                     count_marks(chart_of(&charts, "paths")),
                 count_usable(&r, "divergence"));
    charts_free(&charts);
    report_free(&r);
}

Test(charts, points_say_what_the_row_says)
{
    static const char *const conditions[] = {"memory", "pinned", "bytes", "1048576", NULL};
    struct report r;
    struct charts charts;
    const struct measurement *m;
    const struct chart_point *p;

    fixture_read(&r, "virtual_card.json");
    m = report_find(&r, "cuda0", "host_to_device", conditions);
    cr_assert_not_null(m);
    charts = charts_of_one(&r);
    p = point_of(series_of(chart_of(&charts, "transfer"), "host to device, pinned"),
                 m->value.median);
    cr_assert_not_null(p);
    cr_expect_eq(p->x, 1048576);
    cr_expect_eq(p->low, m->value.ci_low);
    cr_expect_not_null(strstr(p->note, "1 MiB: "), "%s", p->note);
    cr_expect_not_null(strstr(p->note, " GB/s ± "), "%s", p->note);
    cr_expect_not_null(strstr(p->note, ", ok"), "%s", p->note);
    charts_free(&charts);
    report_free(&r);
}

/* By definition a copy of half_rate_bytes runs at half of the fitted rate. */
Test(charts, the_fit_is_that_of_the_figures)
{
    static const char *const pinned[] = {"memory", "pinned", NULL};
    struct report r;
    struct charts charts;
    const struct series *fit;
    double rate, half, nearest = NAN;

    fixture_read(&r, "virtual_card.json");
    rate = report_figure(&r, "cuda0", "host_to_device", "rate", pinned)->value.value;
    half = report_figure(&r, "cuda0", "host_to_device", "half_rate_bytes", pinned)->value.value;
    charts = charts_of_one(&r);
    fit = series_of(chart_of(&charts, "transfer"), "host to device, pinned, fitted");
    cr_expect_neq(fit->owner, (size_t)(fit - chart_of(&charts, "transfer")->series));
    for (size_t i = 0; i < fit->count; i++) {
        cr_expect_lt(fit->points[i].y, rate);
        if (!(fabs(log(fit->points[i].x / half)) >= fabs(log(nearest / half))))
            nearest = fit->points[i].x;
    }
    for (size_t i = 0; i < fit->count; i++)
        if (fit->points[i].x == nearest)
            cr_expect_float_eq(fit->points[i].y / rate, nearest / (nearest + half), 1e-3);
    charts_free(&charts);
    report_free(&r);
}

/* Little: what all SMs have under way, over the latency. */
Test(charts, little_predicts_from_the_latency)
{
    struct report r;
    struct charts charts;
    const struct series *line;
    double latency;

    fixture_read(&r, "virtual_card.json");
    latency = report_figure(&r, "cuda0", "memory_latency", "latency", NULL)->value.value;
    charts = charts_of_one(&r);
    line = series_of(chart_of(&charts, "hiding-bytes"),
                     "Little's law with the latency of a lone load");
    cr_assert_eq(line->count, 3);
    cr_expect_float_eq(line->points[0].y / (line->points[0].x * r.devices[0].facts.units / latency),
                       1, 1e-9);
    cr_expect_eq(line->points[1].y, line->points[2].y);
    charts_free(&charts);
    report_free(&r);
}

Test(charts, rows_that_must_not_be_used_are_left_out)
{
    struct report r;
    struct charts charts;
    struct measurement *m;
    double value;

    fixture_read(&r, "virtual_card.json");
    m = &r.measurements[0];
    value = m->value.median;
    m->status = ROW_INVALID;
    strings_add(&r.measurements[1].doubts, "noisy");
    charts = charts_of_one(&r);
    for (size_t i = 0; i < charts.count; i++)
        for (size_t k = 0; k < charts.items[i].count; k++)
            cr_expect_null(point_of(&charts.items[i].series[k], value));
    for (size_t k = 0; k < chart_of(&charts, "transfer")->count; k++) {
        const struct chart_point *p =
            point_of(&chart_of(&charts, "transfer")->series[k], r.measurements[1].value.median);

        if (p != NULL && p->note != NULL)
            cr_expect(p->doubtful && strstr(p->note, "in doubt: ") != NULL, "%s", p->note);
    }
    charts_free(&charts);
    report_free(&r);
}

static void add_sustained(struct report *r, size_t readings)
{
    struct measurement *m = report_add_measurement(r);

    m->experiment = xstrdup("sustained");
    m->device = xstrdup("cuda0");
    m->role = xstrdup("sustained");
    m->metric = metric_flops;
    m->timeline = xcalloc(readings, sizeof *m->timeline);
    m->readings = readings;
    for (size_t i = 0; i < readings; i++) {
        m->timeline[i] =
            (struct reading){(double)i / 2, 1e13 - 1e11 * (double)i, telemetry_unknown};
        m->timeline[i].state.power_watts = 200;
    }
    r->devices[0].facts.power_limit_watts = 400;
}

Test(charts, sustained_work_over_time)
{
    struct report r;
    struct charts charts;
    const struct series *rate;

    fixture_read(&r, "virtual_card.json");
    add_sustained(&r, 4);
    charts = charts_of_one(&r);
    cr_expect_null(charts_named(&charts, "time"));
    charts_free(&charts);
    add_sustained(&r, 11);
    charts = charts_of_one(&r);
    rate = series_of(chart_of(&charts, "time"), "rate, of its first");
    cr_expect_eq(rate->count, 11);
    cr_expect_float_eq(rate->points[0].y, 100, 1e-9);
    cr_expect_float_eq(rate->points[10].y, 90, 1e-9);
    cr_expect_str_eq(rate->points[10].note, "rate: 9.00 TFLOP/s after 5.00 s");
    cr_expect_float_eq(series_of(chart_of(&charts, "time"), "power, of its limit")->points[3].y, 50,
                       1e-9);
    cr_expect_not_null(strstr(chart_of(&charts, "time")->sentence, "90 %"), "%s",
                       chart_of(&charts, "time")->sentence);
    charts_free(&charts);
    report_free(&r);
}

Test(charts, every_form_of_figures)
{
    struct report r;
    const struct report *list[] = {&r};
    struct charts charts;

    need_gnuplot();
    fixture_read(&r, "virtual_card.json");
    charts = charts_of_one(&r);
    for (size_t i = 0; i < 3; i++)
        for (int form = CHART_SVG; form <= CHART_TERMINAL; form++) {
            struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

            cr_expect_eq(
                figure_draw(&out, list, 1, charts.items[i].name, (enum chart_form)form, 80, &why),
                0, "%s: %s", charts.items[i].name, text_chars(&why));
            cr_expect_gt(out.length, 500);
            if (form == CHART_SVG && i > 0)
                cr_expect_not_null(strstr(text_chars(&out), "<g class=\"mark\"><title>"));
            if (form != CHART_PNG)
                cr_expect_not_null(strstr(text_chars(&out), "VIRTUAL CARD"), "%s",
                                   charts.items[i].name);
            text_free(&out);
            text_free(&why);
        }
    charts_free(&charts);
    report_free(&r);
}

Test(charts, what_is_not_there_is_said)
{
    struct report r;
    const struct report *list[] = {&r};
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

    fixture_read(&r, "virtual_card.json");
    cr_expect_eq(figure_draw(&out, list, 1, "time", CHART_SVG, 0, &why), -1);
    cr_expect_not_null(strstr(text_chars(&why), "there are roofline, transfer"), "%s",
                       text_chars(&why));
    cr_expect_eq(out.length, 0);
    text_free(&out);
    text_free(&why);
    report_free(&r);
}

/* Nothing measured, nothing drawn, and the page says so. */
Test(charts, of_an_empty_report)
{
    struct report r;
    struct charts charts;
    char *page;

    report_init(&r);
    analysis_derive(&r);
    charts = charts_of_one(&r);
    cr_expect_eq(charts.count, 0);
    page = written_one("html", &r);
    cr_expect_not_null(strstr(page, "Nothing was measured"));
    cr_expect_not_null(strstr(page, "</html>"));
    free(page);
    charts_free(&charts);
    report_free(&r);
}

/* More series than colours and marks: they come again. */
Test(charts, many_devices)
{
    struct report r;
    const struct report *list[12];
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

    need_gnuplot();
    fixture_read(&r, "virtual_card.json");
    for (size_t i = 0; i < COUNT_OF(list); i++)
        list[i] = &r;
    cr_expect_eq(figure_draw(&out, list, COUNT_OF(list), "gemm", CHART_SVG, 0, &why), 0, "%s",
                 text_chars(&why));
    cr_expect_not_null(strstr(text_chars(&out), "L:cuda0 FP32 GEMM"));
    text_free(&out);
    text_free(&why);
    report_free(&r);
}
