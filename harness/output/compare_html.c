/* A comparison as one HTML file, the rooflines of all contenders over each other. */
#include "harness/analysis/roofs.h"
#include "harness/output/compare_writers.h"
#include "harness/output/html.h"

#include <stdlib.h>

/* What the picture of rooflines needs of a contender: a device that is called by its letter. */
static void add_device(struct report *r, const struct contender *c, size_t place)
{
    const char id[] = {contender_letter(place), '\0'};
    const struct reached *memory = contender_figure(c, "memory bandwidth");
    struct device_record *d = report_add_device(r);

    d->id = xstrdup(id);
    d->kind = xstrdup("contender");
    d->name = xasprintf("%s, %s", c->name, c->measured ? "measured" : "datasheet");
    if (memory == NULL)
        return;
    roof_add(r, id, "memory", "DRAM", "measured", memory->value, memory->unit);
    for (size_t i = 0; i < c->count; i++)
        if (c->reached[i].group == REACHED_GEMM || c->reached[i].group == REACHED_FMA)
            roof_add(r, id, "compute", c->reached[i].name, "measured", c->reached[i].value,
                     c->reached[i].unit);
    ridge_points_add(r, id);
}

void comparison_html(struct text *out, const struct comparison *c, const struct view *view)
{
    char *title = xasprintf("ridge: comparison with %s", c->contenders[0].name);
    const struct report *reports[1];
    struct report r;
    struct page page;
    size_t measured = 0;

    (void)view;
    report_init(&r);
    for (size_t i = 0; i < c->count; i++) {
        add_device(&r, &c->contenders[i], i);
        measured += c->contenders[i].measured;
        if (c->contenders[i].setting.virtual_card == FLAG_YES)
            r.environment.virtual_card = FLAG_YES;
    }
    reports[0] = &r;
    comparison_page(&page, c);
    page_add(&page, BLOCK_PICTURE, "roofline");
    if (measured > 1)
        page_add(&page, BLOCK_NOTE,
                 "The other charts of measured results, over each other: ridge report FILE... -f "
                 "html");
    page_write_html(out, &page, title, reports, 1);
    page_free(&page);
    report_free(&r);
    free(title);
}
