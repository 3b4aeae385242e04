/* What was found, and whether the main figures are normal. */
#include "harness/analysis/bands.h"
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_upper(struct text *out, const char *word)
{
    for (; *word != '\0'; word++)
        text_addf(out, "%c", toupper((unsigned char)*word));
}

/* "DEGRADED cuda0 LINK_SLOW (4 rows): sentence" */
static void add_finding(struct page *page, const struct finding *f)
{
    struct text t = TEXT_EMPTY;

    add_upper(&t, severity_names[f->severity]);
    text_addf(&t, " %s%s%s", f->device == NULL ? "" : f->device, f->device == NULL ? "" : " ",
              f->id);
    if (f->measurement_count > 1)
        text_addf(&t, " (%zu rows)", f->measurement_count);
    text_addf(&t, ": %s", f->sentence);
    if (f->fix != NULL)
        text_addf(&t, " Fix: %s", f->fix);
    page_add(page, f->severity == SEVERITY_NOTE ? BLOCK_NOTE : BLOCK_TEXT, text_chars(&t));
    text_free(&t);
}

void page_add_findings(struct page *page, const struct report *r)
{
    if (r->finding_count > 0)
        page_add(page, BLOCK_SECTION, "Findings");
    for (size_t i = 0; i < r->finding_count; i++)
        add_finding(page, &r->findings[i]);
}

static const char *place_word(const struct normal *n)
{
    static const char *const words[] = {
        [PLACE_UNKNOWN] = "",     [PLACE_BELOW_FLOOR] = "too low", [PLACE_BELOW] = "below",
        [PLACE_WITHIN] = "usual", [PLACE_ABOVE] = "above",
    };

    if (n->absolute && n->place == PLACE_BELOW)
        return "quicker";
    return n->absolute && n->place == PLACE_ABOVE ? "slower" : words[n->place];
}

static void add_band(struct table *t, const struct normal *n)
{
    char low[UNITS_MAX], high[UNITS_MAX];
    const struct band *band = n->band;

    if (band == NULL) {
        table_add(t, "-");
    } else if (n->absolute) {
        table_addf(t, "%s to %s", units_format(low, band->low, n->unit),
                   units_format(high, band->high, n->unit));
    } else if (isnan(band->low)) {
        table_addf(t, "%s or more", share_format(low, band->floor));
    } else if (band->low == band->high) {
        table_addf(t, "%s", share_format(low, band->low));
    } else {
        table_addf(t, "%s to %s", share_format(low, band->low), share_format(high, band->high));
    }
}

static void add_normal(struct table *t, const struct normal *n)
{
    char number[UNITS_MAX];

    table_add(t, n->device);
    table_add(t, n->name);
    table_add(t, units_format(number, n->value.value, n->unit));
    table_add(t, share_format(number, n->share));
    if (isnan(n->roof))
        table_add(t, "");
    else
        table_addf(t, "of %s %s", units_format(number, n->roof, n->unit), n->roof_source);
    add_band(t, n);
    table_add(t, place_word(n));
}

/* Each source once, in the order of the table. */
static void add_sources(struct page *page, const struct normal *normals, size_t count)
{
    struct strings said = {0};

    for (size_t i = 0; i < count; i++) {
        const struct band *band = normals[i].band;

        if (band == NULL || strings_have(&said, band->source))
            continue;
        strings_add(&said, band->source);
        page_addf(page, BLOCK_NOTE, "%s usual by %s", normals[i].name, band->source);
    }
    strings_free(&said);
}

void page_add_normals(struct page *page, const struct report *r)
{
    static const char *const headings[] = {"device", "figure", "measured", "share",
                                           "roof",   "usual",  ""};
    struct table *t = table_new(COUNT_OF(headings), 1, "ll.rlll");
    struct normal *normals;
    const size_t count = normals_of(r, &normals);

    for (size_t i = 0; i < COUNT_OF(headings); i++)
        table_add(t, headings[i]);
    for (size_t i = 0; i < count; i++)
        add_normal(t, &normals[i]);
    if (count > 0)
        page_add(page, BLOCK_SECTION, "Is this normal?");
    page_add_table(page, t);
    add_sources(page, normals, count);
    normals_free(normals, count);
}
