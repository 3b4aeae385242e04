/* What is missing may only remove findings: every member of every faulty report is dropped once. */
#include "faults.h"
#include "harness/base/text.h"
#include "harness/report/fields.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was found with everything there. */
struct seen {
    char *id, *device;
    enum severity severity;
};
struct trial {
    struct report *report;
    const struct circumstances *given;
    struct seen *seen;
    size_t seen_count;
    unsigned dropped;
    const char *member; /* that is dropped */
};

static void remember(struct trial *t)
{
    t->seen_count = t->report->finding_count;
    t->seen = xcalloc(t->seen_count + 1, sizeof *t->seen);
    for (size_t i = 0; i < t->seen_count; i++) {
        const struct finding *f = &t->report->findings[i];

        t->seen[i] = (struct seen){xstrdup(f->id), xstrdup(f->device), f->severity};
    }
}

static void forget(struct trial *t)
{
    for (size_t i = 0; i < t->seen_count; i++) {
        free(t->seen[i].id);
        free(t->seen[i].device);
    }
    free(t->seen);
}

static const struct seen *find_seen(const struct trial *t, const struct finding *f)
{
    for (size_t i = 0; i < t->seen_count; i++)
        if (strcmp(t->seen[i].id, f->id) == 0 && strcmp(t->seen[i].device, f->device) == 0)
            return &t->seen[i];
    return NULL;
}

static void expect_subset(struct trial *t)
{
    findings_derive(t->report, t->given);
    t->dropped++;
    for (size_t i = 0; i < t->report->finding_count; i++) {
        const struct finding *f = &t->report->findings[i];
        const struct seen *was = find_seen(t, f);

        cr_expect_not_null(was, "without %s there is %s: %s", t->member, f->id, f->sentence);
        if (was != NULL)
            cr_expect_leq(f->severity, was->severity, "without %s %s is worse", t->member, f->id);
    }
}

/* Overwrites the member's bytes, judges, and puts them back. */
static void judge_with(struct trial *t, void *member, const void *unknown, size_t size)
{
    void *kept = xmalloc(size);

    memcpy(kept, member, size);
    if (memcmp(kept, unknown, size) != 0) {
        memcpy(member, unknown, size);
        expect_subset(t);
        memcpy(member, kept, size);
    }
    free(kept);
}

static void drop_parameters(struct trial *t, struct parameters *p)
{
    for (size_t i = 0; i < p->count; i++) {
        char *name = p->items[i].name, other[] = "another";

        p->items[i].name = other;
        expect_subset(t);
        p->items[i].name = name;
    }
}

/* The samples of a row are one member, and its value goes with them. */
static void drop_numbers(struct trial *t, const struct field *f, char *base)
{
    size_t *count = (size_t *)(void *)(base + f->count_offset), kept = *count;

    *count = 0;
    expect_subset(t);
    *count = kept;
}

static void drop_below(struct trial *t, const struct layout *l, char *base);

static void drop_list(struct trial *t, const struct field *f, char *base)
{
    char *items;
    const size_t count = *(size_t *)(void *)(base + f->count_offset);
    const bool readings = strcmp(f->name, "timeline") == 0;

    memcpy(&items, base + f->offset, sizeof items);
    for (size_t i = 0; i < count; i += readings && i + 1 < count ? count - 1 : 1)
        drop_below(t, f->layout, items + i * f->layout->size);
    if (readings && count > 0)
        drop_numbers(t, f, base); /* all of it */
}

static void drop_field(struct trial *t, const struct field *f, char *base)
{
    static const enum flag unknown_flag = FLAG_UNKNOWN;
    static const bool no = false;
    static const char *const none = NULL;
    const double unknown = NAN;
    void *member = base + f->offset;

    t->member = f->name;
    if (f->needed || f->derived)
        return;
    switch (f->kind) {
    case FIELD_NUMBER:
        judge_with(t, member, &unknown, sizeof unknown);
        break;
    case FIELD_FLAG:
        judge_with(t, member, &unknown_flag, sizeof unknown_flag);
        break;
    case FIELD_BOOL:
        judge_with(t, member, &no, sizeof no);
        break;
    case FIELD_TEXT:
    case FIELD_WORD:
        judge_with(t, member, &none, sizeof none);
        break;
    case FIELD_PARAMETERS:
        drop_parameters(t, member);
        break;
    case FIELD_NUMBERS:
        drop_numbers(t, f, base);
        break;
    case FIELD_STRUCT:
        drop_below(t, f->layout, member);
        break;
    case FIELD_LIST:
        drop_list(t, f, base);
        break;
    default:
        break;
    }
}

static void drop_below(struct trial *t, const struct layout *l, char *base)
{
    for (size_t i = 0; i < l->count; i++)
        drop_field(t, &l->fields[i], base);
}

/* ---- rows and figures that are missing as a whole ---- */

static void drop_rows(struct trial *t)
{
    static char nowhere[] = "nowhere";

    t->member = "a row";
    for (size_t i = 0; i < t->report->measurement_count; i++) {
        char *device = t->report->measurements[i].device;

        t->report->measurements[i].device = nowhere;
        expect_subset(t);
        t->report->measurements[i].device = device;
    }
    t->member = "a figure";
    for (size_t i = 0; i < t->report->figure_count; i++) {
        char *device = t->report->figures[i].device;

        t->report->figures[i].device = nowhere;
        expect_subset(t);
        t->report->figures[i].device = device;
    }
}

static unsigned drop_everything(const struct fault *f)
{
    struct report baseline, whole;
    const struct circumstances given = fault_circumstances(f, &baseline);
    struct trial t = {.report = &whole, .given = &given};
    json_t *json = fault_report(f, f->edits);

    fault_judge(&whole, json, &given);
    remember(&t);
    drop_below(&t, &layout_report, (char *)&whole);
    drop_rows(&t);
    forget(&t);
    json_decref(json);
    report_free(&whole);
    report_free(&baseline);
    return t.dropped;
}

Test(findings_property, what_is_missing_only_removes_findings)
{
    unsigned dropped = 0;

    for (unsigned i = 0; i < fault_count(); i++)
        dropped += drop_everything(fault_at(i));
    cr_expect_gt(dropped, 300 * fault_count()); /* it did drop something */
}
