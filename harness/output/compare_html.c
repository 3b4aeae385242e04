/* A comparison as one HTML file, the rooflines of all contenders over each other. */
#include "harness/analysis/roofs.h"
#include "harness/output/compare_writers.h"
#include "harness/output/html.h"

#include <stdlib.h>

/* What the picture of rooflines needs of a contender without rows. */
static void fill_report(struct report *r, const struct contender *c)
{
    const char *id = c->measured ? c->id : "datasheet";
    const struct reached *memory = contender_figure(c, "memory bandwidth");
    struct device_record *d = report_add_device(r);

    d->id = xstrdup(id);
    d->kind = xstrdup("contender");
    d->name = xstrdup(c->name);
    if (c->setting.virtual_card == FLAG_YES)
        r->environment.virtual_card = FLAG_YES;
    if (memory == NULL)
        return;
    roof_add(r, id, "memory", "DRAM", "measured", memory->value, memory->unit);
    for (size_t i = 0; i < c->count; i++)
        if (c->reached[i].group == REACHED_GEMM || c->reached[i].group == REACHED_FMA)
            roof_add(r, id, "compute", c->reached[i].name, "measured", c->reached[i].value,
                     c->reached[i].unit);
    ridge_points_add(r, id);
}

/* A report a contender, so that charts call each by its letter. */
void comparison_html(struct text *out, const struct comparison *c, const struct view *view)
{
    char *title = xasprintf("ridge: comparison with %s", c->contenders[0].name);
    struct report *made = xcalloc(c->count, sizeof *made);
    const struct report **reports = xcalloc(c->count, sizeof *reports);
    struct page page;

    (void)view;
    for (size_t i = 0; i < c->count; i++) {
        report_init(&made[i]);
        reports[i] = c->contenders[i].report;
        if (reports[i] != NULL)
            continue;
        fill_report(&made[i], &c->contenders[i]);
        reports[i] = &made[i];
    }
    comparison_page(&page, c);
    page_add(&page, BLOCK_PICTURE, "roofline");
    page_write_html(out, &page, title, reports, c->count);
    page_free(&page);
    for (size_t i = 0; i < c->count; i++)
        report_free(&made[i]);
    free(made);
    free(reports);
    free(title);
}
