/* The page of `ridge check`. */
#include "harness/output/check_page.h"
#include "harness/output/page.h"

#include <string.h>

static size_t count_of(const struct report *r, enum severity severity)
{
    size_t count = 0;

    for (size_t i = 0; i < r->finding_count; i++)
        count += r->findings[i].severity == severity;
    return count;
}

static size_t count_failed(const struct report *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->measurement_count; i++)
        count += r->measurements[i].status == ROW_FAILED;
    return count;
}

static void add_count(struct text *t, size_t count, const char *one, const char *more)
{
    if (count > 0)
        text_addf(t, "%s%zu %s", t->length > 0 ? ", " : "", count, count == 1 ? one : more);
}

static void add_verdict(struct page *page, const struct report *r, const struct verdict_summary *v)
{
    struct text counts = TEXT_EMPTY, devices = TEXT_EMPTY;

    add_count(&counts, count_of(r, SEVERITY_FAULT), "fault", "faults");
    add_count(&counts, count_failed(r), "failed row", "failed rows");
    add_count(&counts, count_of(r, SEVERITY_INVALID), "invalid figure", "invalid figures");
    add_count(&counts, count_of(r, SEVERITY_DEGRADED), "degraded", "degraded");
    add_count(&counts, count_of(r, SEVERITY_NOTE), "note", "notes");
    for (size_t i = 0; i < r->device_count; i++)
        text_addf(&devices, "%s%s%s%s", i > 0 ? ", " : "", r->devices[i].id,
                  r->devices[i].name == NULL ? "" : " ",
                  r->devices[i].name == NULL ? "" : r->devices[i].name);
    page_addf(page, BLOCK_TITLE, "%s: %s", v->word,
              counts.length > 0 ? text_chars(&counts) : "nothing found");
    page_addf(page, BLOCK_NOTE, "%s%s%s%s%s", text_chars(&devices),
              r->environment.machine == NULL ? "" : "; ",
              r->environment.machine == NULL ? "" : r->environment.machine,
              r->started == NULL ? "" : ", ", r->started == NULL ? "" : r->started);
    text_free(&counts);
    text_free(&devices);
}

static void add_broken(struct page *page, const struct report *r)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        const size_t rows = m->status == ROW_FAILED ? page_count_case(r, i) : 0;
        const char *reason = m->reason == NULL ? "no reason given" : m->reason;

        if (rows > 1)
            page_addf(page, BLOCK_TEXT, "FAILED %s %s (%zu rows): %s", m->device, m->experiment,
                      rows, reason);
        else if (rows == 1)
            page_addf(page, BLOCK_TEXT, "FAILED %s %s: %s", m->device, m->experiment, reason);
    }
}

static void add_silent(struct page *page, const struct report *r, const struct circumstances *given)
{
    struct strings lines = {0};

    findings_silent(&lines, r, given);
    if (lines.count > 0)
        page_add(page, BLOCK_SECTION, "Rules that could not run");
    for (size_t i = 0; i < lines.count; i++)
        page_add(page, BLOCK_NOTE, lines.items[i]);
    strings_free(&lines);
}

void check_page(struct text *out, const struct report *r, const struct verdict_summary *v,
                const struct circumstances *silent, const struct view *view)
{
    struct page page = {0};

    add_verdict(&page, r, v);
    if (r->environment.virtual_card == FLAG_YES)
        page_add(&page, BLOCK_BANNER,
                 "VIRTUAL CARD: no figure of a card below was measured on hardware.");
    if (*v->missing != '\0')
        page_addf(&page, BLOCK_TEXT, "Missing: %s.", v->missing);
    if (!r->complete)
        page_add(&page, BLOCK_TEXT, "The run ended early: what was not reached was not judged.");
    page_add_findings(&page, r);
    add_broken(&page, r);
    page_add_normals(&page, r);
    page_add_missing(&page, r);
    if (silent != NULL)
        add_silent(&page, r, silent);
    page_write_text(out, &page, &r, 1, view);
    page_free(&page);
}
