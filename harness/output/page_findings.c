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

/* "93-96 %", "310-530 ns", "1.6-2.6 us" */
static void add_band(struct table *t, const struct normal *n)
{
    const struct band *band = n->band;
    const bool micro = n->absolute && band != NULL && band->low >= 1e-6;
    const double scale = micro ? 1e6 : n->absolute ? 1e9 : 100;
    const char *unit = micro ? "us" : n->absolute ? "ns" : "%";
    const int digits = micro ? 1 : 0;

    if (band == NULL)
        table_add(t, "-");
    else if (isnan(band->low))
        table_addf(t, "≥ %.0f %s", band->floor * scale, unit);
    else if (band->low == band->high)
        table_addf(t, "%.*f %s", digits, band->low * scale, unit);
    else
        table_addf(t, "%.*f-%.*f %s", digits, band->low * scale, digits, band->high * scale, unit);
}

static void add_normal(struct table *t, const struct normal *n)
{
    char value[UNITS_MAX], share[UNITS_MAX];
    char *name = roof_short_name(n->name);

    table_add(t, name);
    table_add(t, units_format(value, n->value.value, n->unit));
    if (isnan(n->roof))
        table_add(t, "");
    else
        table_addf(t, "%s of %s", share_format(share, n->share),
                   units_format(value, n->roof, n->unit));
    add_band(t, n);
    table_add(t, place_word(n));
    free(name);
}

/* Where roofs and bands come from, each said once. */
static void add_sources(struct page *page, const struct normal *normals, size_t count)
{
    struct strings said = {0};

    for (size_t i = 0; i < count; i++) {
        const struct normal *n = &normals[i];
        struct text t = TEXT_EMPTY;

        if (n->roof_source != NULL)
            text_addf(&t, "roof %s", n->roof_source);
        if (n->band != NULL)
            text_addf(&t, "%susual by %s", t.length > 0 ? "; " : "", n->band->source);
        if (t.length > 0 && !strings_have(&said, text_chars(&t))) {
            strings_add(&said, text_chars(&t));
            page_addf(page, BLOCK_NOTE, "%s: %s", n->name, text_chars(&t));
        }
        text_free(&t);
    }
    strings_free(&said);
}

/* The figures of one device: those from `first` on that are of the same. */
static size_t add_device(struct page *page, const struct normal *normals, size_t count)
{
    static const char *const headings[] = {"figure", "measured", "of its roof", "usual", ""};
    struct table *t = table_new(COUNT_OF(headings), 1, "lrrll");
    size_t taken = 0;

    for (size_t i = 0; i < COUNT_OF(headings); i++)
        table_add(t, headings[i]);
    for (; taken < count && normals[taken].device == normals[0].device; taken++)
        add_normal(t, &normals[taken]);
    page_add(page, BLOCK_TOPIC, normals[0].device);
    page_add_table(page, t);
    return taken;
}

void page_add_normals(struct page *page, const struct report *r)
{
    struct normal *normals;
    const size_t count = normals_of(r, &normals);

    if (count > 0)
        page_add(page, BLOCK_SECTION, "Is this normal?");
    for (size_t at = 0; at < count;)
        at += add_device(page, normals + at, count - at);
    add_sources(page, normals, count);
    normals_free(normals, count);
}
