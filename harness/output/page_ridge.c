/* The table of ceilings and ridge points, measured against promised. */
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <stdlib.h>
#include <string.h>

static void add_point(struct table *t, const struct ridge_point *p)
{
    char number[UNITS_MAX];

    table_add(t, p == NULL ? "-" : units_format(number, p->flop_per_byte.value, ""));
}

static void add_measured(struct table *t, const struct report *r, const struct roof *roof)
{
    const struct ridge_point *p = report_ridge_point(r, roof->device, roof->name, "measured");
    const struct roof *promise = roof_promise(r, roof);
    char *name = roof_short_name(roof->name), number[UNITS_MAX];

    table_add(t, name);
    free(name);
    table_add(t, units_format(number, roof->value.value, roof->unit));
    table_add(t, promise == NULL ? "-"
                                 : share_format(number, roof->value.value / promise->value.value));
    add_point(t, p);
    table_add(t, p == NULL ? "-" : interval_format(number, &p->flop_per_byte));
    add_point(t, promise == NULL
                     ? NULL
                     : report_ridge_point(r, roof->device, promise->name, promise->source));
}

static bool is_matched(const struct report *r, const struct roof *promise)
{
    for (size_t i = 0; i < r->roof_count; i++)
        if (strcmp(r->roofs[i].source, "measured") == 0 &&
            strcmp(r->roofs[i].kind, "compute") == 0 &&
            strcmp(r->roofs[i].device, promise->device) == 0 &&
            roof_promise(r, &r->roofs[i]) == promise)
            return true;
    return false;
}

/* What the datasheet lists and nothing measured. */
static void add_promised(struct table *t, const struct report *r, const struct roof *roof)
{
    char *name;

    if (is_matched(r, roof))
        return;
    name = roof_short_name(roof->name);
    table_add(t, name);
    free(name);
    table_add(t, "-");
    table_add(t, "-");
    table_add(t, "-");
    table_add(t, "-");
    add_point(t, report_ridge_point(r, roof->device, roof->name, roof->source));
}

/* What is promised is the datasheet's word, else what follows from the clocks that the card tells.
 */
static bool has_datasheet(const struct report *r, const char *device)
{
    return report_memory_roof(r, device, "datasheet") != NULL;
}

static struct table *ridge_table(const struct report *r, const struct device_record *d)
{
    struct table *t = table_new(6, 2, "lrrrrr");
    const bool sheet = has_datasheet(r, d->id);
    const char *const headings[] = {"",
                                    "",
                                    sheet ? "of data-" : "of its",
                                    "ridge point",
                                    "",
                                    sheet ? "by" : "by its",
                                    d->id,
                                    "measured",
                                    sheet ? "sheet" : "clocks",
                                    "FLOP/B",
                                    "95 %",
                                    sheet ? "datasheet" : "clocks"};

    for (size_t i = 0; i < COUNT_OF(headings); i++)
        table_add(t, headings[i]);
    for (size_t i = 0; i < r->roof_count; i++)
        if (strcmp(r->roofs[i].device, d->id) == 0 && strcmp(r->roofs[i].kind, "compute") == 0 &&
            strcmp(r->roofs[i].source, "measured") == 0)
            add_measured(t, r, &r->roofs[i]);
    for (size_t i = 0; i < r->roof_count; i++)
        if (strcmp(r->roofs[i].device, d->id) == 0 && strcmp(r->roofs[i].kind, "compute") == 0 &&
            strcmp(r->roofs[i].source, "datasheet") == 0)
            add_promised(t, r, &r->roofs[i]);
    return t;
}

/* Names the memory roofs under the ridge points. */
static void add_memory_note(struct page *page, const struct report *r, const char *device)
{
    const struct roof *measured = report_memory_roof(r, device, "measured");
    const bool sheet = has_datasheet(r, device);
    const struct roof *promised = report_memory_roof(r, device, sheet ? "datasheet" : "device");
    char number[UNITS_MAX];
    struct text t = TEXT_EMPTY;

    if (measured != NULL)
        text_addf(&t, "Measured ridge points divide by %s, %s", measured->name,
                  units_format(number, measured->value.value, measured->unit));
    if (promised != NULL)
        text_addf(&t, "%s by %s of %s", t.length > 0 ? "; promised ones" : "They divide",
                  units_format(number, promised->value.value, promised->unit),
                  sheet ? "the datasheet" : "its memory clock and bus");
    if (t.length > 0)
        text_add(&t, ".");
    page_add(page, BLOCK_NOTE, text_chars(&t));
    text_free(&t);
}

void page_add_ridge_points(struct page *page, const struct report *r)
{
    for (size_t i = 0; i < r->device_count; i++) {
        page_add_table(page, ridge_table(r, &r->devices[i]));
        add_memory_note(page, r, r->devices[i].id);
    }
}
