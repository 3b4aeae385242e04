/* Puts the parts of a page together. */
#include "harness/output/page.h"
#include "harness/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct block *add_block(struct page *page, enum block_kind kind)
{
    page->blocks = xrealloc(page->blocks, (page->count + 1) * sizeof *page->blocks);
    page->blocks[page->count] = (struct block){.kind = kind};
    return &page->blocks[page->count++];
}

void page_add(struct page *page, enum block_kind kind, const char *text)
{
    if (*text != '\0')
        add_block(page, kind)->text = printable(text);
}

void page_addf(struct page *page, enum block_kind kind, const char *format, ...)
{
    struct text t = TEXT_EMPTY;
    va_list values;

    va_start(values, format);
    text_vaddf(&t, format, values);
    va_end(values);
    page_add(page, kind, text_chars(&t));
    text_free(&t);
}

void page_add_table(struct page *page, struct table *table)
{
    if (table_rows(table) > table->headers)
        add_block(page, BLOCK_TABLE)->table = table;
    else
        table_free(table);
}

void page_free(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->blocks[i].text);
        table_free(page->blocks[i].table);
    }
    free(page->blocks);
    *page = (struct page){0};
}

static void add_sentence(struct page *page, const struct report *r, const char *device,
                         const char *compute)
{
    const struct ridge_point *p = report_ridge_point(r, device, compute, "measured");
    struct text sentence = TEXT_EMPTY;

    if (p != NULL)
        ridge_point_sentence(&sentence, r, p);
    page_add(page, BLOCK_TEXT, text_chars(&sentence));
    text_free(&sentence);
}

/* For plain code, and for the fastest that the device has. */
static void add_sentences(struct page *page, const struct report *r)
{
    for (size_t i = 0; i < r->device_count; i++) {
        const char *device = r->devices[i].id;
        const struct roof *fastest = report_fastest(r, device);

        add_sentence(page, r, device, "FP32 FMA");
        if (fastest != NULL && strcmp(fastest->name, "FP32 FMA") != 0)
            add_sentence(page, r, device, fastest->name);
    }
}

void page_of(struct page *page, const struct report *const *reports, size_t count,
             const struct view *view)
{
    *page = (struct page){0};
    for (size_t i = 0; i < count; i++) {
        page_add_head(page, reports[i]);
        page_add_figures(page, reports[i]);
        page_add_findings(page, reports[i]);
        page_add_experiments(page, reports[i], view);
        page_add_missing(page, reports[i]);
    }
    page_add(page, BLOCK_SECTION, "Roofline");
    page_add(page, BLOCK_PICTURE, "roofline");
    for (size_t i = 0; i < count; i++) {
        page_add_ridge_points(page, reports[i]);
        add_sentences(page, reports[i]);
    }
}

const char *interval_format(char *out, const struct estimate *e)
{
    const double half = (e->high - e->low) / 2 / fabs(e->value) * 100;

    if (!isfinite(half))
        snprintf(out, UNITS_MAX, "-");
    else if (half > 0 && half < 0.005)
        snprintf(out, UNITS_MAX, "± < 0.01 %%");
    else
        snprintf(out, UNITS_MAX, "± %.*f %%", half < 0.0995 ? 2 : half < 9.95 ? 1 : 0, half);
    return out;
}

const char *share_format(char *out, double share)
{
    if (!isfinite(share))
        snprintf(out, UNITS_MAX, "-");
    else
        snprintf(out, UNITS_MAX, share < 0.0995 ? "%.1f %%" : "%.0f %%", share * 100);
    return out;
}

char *roof_short_name(const char *name)
{
    static const char long_word[] = "accumulate)";
    const char *found = strstr(name, long_word);

    return found == NULL
               ? xstrdup(name)
               : xasprintf("%.*sacc.)%s", (int)(found - name), name, found + sizeof long_word - 1);
}

char *spoken(const char *name)
{
    char *copy = xstrdup(name);

    for (char *c = copy; *c != '\0'; c++)
        if (*c == '_')
            *c = ' ';
    return copy;
}
