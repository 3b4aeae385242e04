/* The writers of pictures. */
#include "harness/output/charts.h"
#include "harness/output/writers.h"

static int write_svg(struct text *out, const struct report *const *reports, size_t count,
                     const struct view *view, struct text *why)
{
    return figure_draw(out, reports, count, view->figure, CHART_SVG, 0, why);
}

static int write_png(struct text *out, const struct report *const *reports, size_t count,
                     const struct view *view, struct text *why)
{
    return figure_draw(out, reports, count, view->figure, CHART_PNG, 0, why);
}

const struct writer writer_svg = {
    .name = "svg",
    .summary = "a figure as a picture for the web",
    .extension = ".svg",
    .figures = true,
    .write = write_svg,
};

const struct writer writer_png = {
    .name = "png",
    .summary = "a figure as a picture",
    .extension = ".png",
    .binary = true,
    .figures = true,
    .write = write_png,
};
