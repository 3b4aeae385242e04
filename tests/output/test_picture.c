/* Pictures: made by gnuplot where it is, refused with a sentence where it is not. */
#include "fixture.h"
#include "harness/output/drawing.h"
#include "harness/output/picture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void need_gnuplot(void)
{
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const int missing = gnuplot_run(&out, "print 1\n", &why) != 0;

    text_free(&out);
    text_free(&why);
    if (missing)
        cr_skip_test("no gnuplot here");
}

static void expect_finite(const struct drawing *d)
{
    cr_expect(d->x_low > 0 && d->x_low < d->x_high && isfinite(d->x_high));
    cr_expect(d->y_low > 0 && d->y_low < d->y_high && isfinite(d->y_high));
    for (size_t i = 0; i < d->line_count; i++)
        for (int k = 0; k < 2; k++)
            cr_expect(isfinite(d->lines[i].x[k]) && isfinite(d->lines[i].y[k]));
    for (size_t i = 0; i < d->dot_count; i++) {
        cr_expect(d->dots[i].x >= d->x_low && d->dots[i].x <= d->x_high);
        cr_expect(d->dots[i].y >= d->y_low && d->dots[i].y <= d->y_high);
    }
}

/* Every measured GEMM, triad and FMA row is a dot, every measured roof a line. */
Test(picture, all_points_and_roofs_of_both)
{
    const struct report *list[2];
    struct report card, host;
    struct drawing d;
    size_t rows = 0, roofs = 0, lines = 0;

    fixture_read(&card, "virtual_card.json");
    fixture_read(&host, "virtual_host.json");
    list[0] = &card;
    list[1] = &host;
    drawing_of(&d, list, 2);
    expect_finite(&d);
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < list[k]->measurement_count; i++) {
            const struct measurement *m = &list[k]->measurements[i];

            rows += measurement_usable(m) &&
                    (strcmp(m->role, "gemm") == 0 || strcmp(m->role, "vector_peak") == 0 ||
                     parameters_match(&m->parameters, "operation", "triad"));
        }
        for (size_t i = 0; i < list[k]->roof_count; i++)
            roofs += strcmp(list[k]->roofs[i].source, "measured") == 0 &&
                     strcmp(list[k]->roofs[i].kind, "link") != 0;
    }
    for (size_t i = 0; i < d.line_count; i++)
        lines += d.lines[i].kind == LINE_MEMORY || d.lines[i].kind == LINE_COMPUTE;
    cr_expect_eq(d.dot_count, rows);
    cr_expect_eq(lines, roofs);
    cr_expect_not_null(strstr(d.title, "A:cuda0 NVIDIA A100-SXM4-80GB, B:host Fixture CPU"));
    cr_expect(d.virtual_card);
    drawing_free(&d);
    report_free(&card);
    report_free(&host);
}

Test(picture, svg_and_png)
{
    struct report r;
    struct text png = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[1];
    char *svg;

    need_gnuplot();
    fixture_read(&r, "virtual_card.json");
    svg = written_one("svg", &r);
    cr_expect_not_null(strstr(svg, "<svg"));
    cr_expect_not_null(strstr(svg, "</svg>"));
    cr_expect_not_null(strstr(svg, "TF32 GEMM"));
    cr_expect_not_null(strstr(svg, "VIRTUAL CARD"));
    free(svg);
    list[0] = &r;
    cr_assert_eq(picture_draw(&png, list, 1, PICTURE_PNG, 0, &why), 0, "%s", text_chars(&why));
    cr_expect_eq(memcmp(png.chars, "\x89PNG\r\n\x1a\n", 8), 0);
    cr_expect_gt(png.length, 10000);
    text_free(&png);
    text_free(&why);
    report_free(&r);
}

/* A device's name is shown, not obeyed. */
Test(picture, names_are_data)
{
    static const char name[] = "'; system('touch obeyed') #`touch obeyed`\n\"@x {/Bold} 100%";
    struct report r;
    char *svg, folder[] = "/tmp/ridge-picture-XXXXXX";

    need_gnuplot();
    fixture_read(&r, "virtual_host.json");
    free(r.devices[0].name);
    r.devices[0].name = xstrdup(name);
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    svg = written_one("svg", &r);
    cr_expect_neq(access("obeyed", F_OK), 0);
    cr_expect_not_null(strstr(svg, "touch obeyed"));
    cr_expect_not_null(strstr(svg, "{/Bold} 100%"));
    free(svg);
    report_free(&r);
    cr_assert_eq(chdir("/"), 0);
    rmdir(folder);
}

/* A line from corner to corner shows where the picture is blank, and only within its axes. */
Test(picture, lines_in_braille)
{
    static const char axes[] = "\f\n title\n     +\n     |  x\n 1 +-|\n     +-----\n     0\n";
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

    need_gnuplot();
    cr_assert_eq(picture_add_braille(&out, axes, "set xrange [0:1]\nset yrange [0:1]\n",
                                     "plot x with lines lt 1\n", &why),
                 0, "%s", text_chars(&why));
    cr_expect_str_eq(text_chars(&out),
                     " title\n     +   ⢀⠄\n     | ⢀x⠋\n 1 +-|⣠⠞\n     +-----\n     0\n", "%s",
                     text_chars(&out));
    text_free(&out);
    cr_assert_eq(picture_add_braille(&out, axes, "", "", &why), 0);
    cr_expect_str_eq(text_chars(&out), axes + 2);
    text_free(&out);
    cr_assert_eq(picture_add_braille(&out, "no axes ⠒\n", "", "plot x\n", &why), 0);
    cr_expect_str_eq(text_chars(&out), "no axes ⠒\n");
    text_free(&out);
    text_free(&why);
}

Test(picture, without_gnuplot_a_sentence)
{
    struct report r;
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[1];
    char *shown;

    fixture_read(&r, "virtual_host.json");
    setenv("PATH", "/nonexistent", 1);
    list[0] = &r;
    cr_expect_eq(picture_draw(&out, list, 1, PICTURE_SVG, 0, &why), -1);
    cr_expect_not_null(strstr(text_chars(&why), "gnuplot-nox"));
    cr_expect_eq(out.length, 0);
    shown = written_one("text", &r); /* the rest of the report stands */
    cr_expect_not_null(strstr(shown, "ridge point"));
    free(shown);
    text_free(&out);
    text_free(&why);
    report_free(&r);
}

Test(picture, gnuplot_says_what_is_wrong)
{
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

    need_gnuplot();
    cr_expect_eq(gnuplot_run(&out, "nonsense here\n", &why), -1);
    cr_expect_not_null(strstr(text_chars(&why), "invalid command"));
    text_free(&out);
    text_free(&why);
}

Test(picture, memory_alone)
{
    struct report r;
    struct drawing d;
    const struct report *list[1] = {&r};

    fixture_read(&r, "virtual_host.json");
    for (size_t i = 0; i < r.measurement_count; i++)
        if (strcmp(r.measurements[i].role, "memory_bandwidth") != 0)
            r.measurements[i].status = ROW_INVALID;
    analysis_derive(&r);
    drawing_of(&d, list, 1);
    cr_assert_eq(d.line_count, 1);
    expect_finite(&d);
    drawing_free(&d);
    report_free(&r);
}

Test(picture, nothing_to_draw)
{
    struct report r;
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[1] = {&r};

    report_init(&r);
    cr_expect_eq(picture_draw(&out, list, 1, PICTURE_SVG, 0, &why), -1);
    cr_expect_not_null(strstr(text_chars(&why), "No roofline"));
    text_free(&why);
    report_free(&r);
}
