/* What was not measured, and why: rows of one reason in one line. */
#include "harness/output/page.h"

#include <stdlib.h>
#include <string.h>

static bool is_missing(const struct measurement *m)
{
    return m->status != ROW_OK && m->status != ROW_INVALID;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_case(const struct measurement *a, const struct measurement *b)
{
    return a->status == b->status && same(a->device, b->device) &&
           same(a->experiment, b->experiment) && same(a->reason, b->reason);
}

size_t page_count_case(const struct report *r, size_t first)
{
    size_t rows = 0;

    for (size_t i = 0; i < r->measurement_count; i++)
        if (is_missing(&r->measurements[i]) &&
            same_case(&r->measurements[i], &r->measurements[first])) {
            if (i < first)
                return 0;
            rows++;
        }
    return rows;
}

void page_add_missing(struct page *page, const struct report *r)
{
    struct table *t = table_new(5, 1, "lllrl");

    table_add(t, "device");
    table_add(t, "experiment");
    table_add(t, "status");
    table_add(t, "rows");
    table_add(t, "reason");
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        const size_t rows = page_count_case(r, i);

        if (rows == 0)
            continue;
        table_add(t, m->device);
        table_add(t, m->experiment);
        table_add(t, row_status_names[m->status]);
        table_addf(t, "%zu", rows);
        table_add(t, m->reason);
    }
    if (table_rows(t) > 1)
        page_add(page, BLOCK_SECTION, "Not measured");
    page_add_table(page, t);
}
