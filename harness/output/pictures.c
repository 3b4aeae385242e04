/* The writers of pictures. */
#include "harness/output/picture.h"
#include "harness/output/writers.h"

static int write_svg(struct text *out, const struct report *const *reports, size_t count,
                     const struct view *view, struct text *why)
{
    (void)view;
    return picture_draw(out, reports, count, PICTURE_SVG, 0, why);
}

static int write_png(struct text *out, const struct report *const *reports, size_t count,
                     const struct view *view, struct text *why)
{
    (void)view;
    return picture_draw(out, reports, count, PICTURE_PNG, 0, why);
}

const struct writer writer_svg = {
    .name = "svg",
    .summary = "the roofline as a picture for the web",
    .extension = ".svg",
    .write = write_svg,
};

const struct writer writer_png = {
    .name = "png",
    .summary = "the roofline as a picture",
    .extension = ".png",
    .binary = true,
    .write = write_png,
};
