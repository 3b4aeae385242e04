/* What is missing may only remove findings: every member of every faulty report is dropped once. */
#include "faults.h"
#include "harness/base/text.h"
#include "harness/report/fields.h"
#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
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

/* Every member, one at a time; returns how many there were. */
static unsigned drop_each(struct report *whole, const struct circumstances *given)
{
    struct trial t = {.report = whole, .given = given};

    remember(&t);
    drop_below(&t, &layout_report, (char *)whole);
    drop_rows(&t);
    forget(&t);
    return t.dropped;
}

static unsigned drop_everything(const struct fault *f)
{
    struct report baseline, whole;
    const struct circumstances given = fault_circumstances(f, &baseline);
    json_t *json = fault_report(f, f->edits);
    unsigned dropped;

    fault_judge(&whole, json, &given);
    dropped = drop_each(&whole, &given);
    json_decref(json);
    report_free(&whole);
    report_free(&baseline);
    return dropped;
}

Test(findings_property, what_is_missing_only_removes_findings)
{
    unsigned dropped = 0, tried = 0;

    for (unsigned i = 0; i < fault_count(); i++) {
        /* a fleet is slow to judge, and its rules differ in thresholds only */
        if (fault_at(i)->nodes > 0 && strcmp(fault_at(i)->id, fault_at(i - 1)->id) == 0)
            continue;
        dropped += drop_everything(fault_at(i));
        tried++;
    }
    cr_expect_gt(dropped, 300 * tried); /* it did drop something */
}

/* ---- at random, and of what was recorded ---- */

static uint32_t random_state = 1;

/* In [0, 1): a linear congruential generator, the same sequence in every run. */
static double random_unit(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state / 4294967296.0;
}

/* Nulls a share of the plain members of an object that may be unknown. */
static void null_some(json_t *object, double share)
{
    const char *key;
    json_t *value;
    void *next;

    json_object_foreach_safe(object, next, key, value)
    {
        if (!json_is_object(value) && !json_is_array(value) && random_unit() < share)
            json_object_set_new(object, key, json_null());
    }
}

static void thin_out(json_t *root, double share)
{
    static const char *const places[] = {"work", "telemetry"};
    size_t i;
    json_t *item;

    null_some(json_object_get(root, "environment"), share);
    json_array_foreach(json_object_get(root, "devices"), i, item)
        null_some(json_object_get(item, "facts"), share);
    json_array_foreach(json_object_get(root, "measurements"), i, item)
    {
        for (size_t k = 0; k < COUNT_OF(places); k++)
            null_some(json_object_get(item, places[k]), share);
        if (random_unit() < share)
            json_object_set_new(item, "seconds", json_array());
        if (random_unit() < share)
            json_object_set_new(item, "timeline", json_null());
    }
    json_array_foreach(json_object_get(root, "figures"), i, item) if (random_unit() < share)
        json_object_set_new(item, "value", json_null());
}

static void drop_some(struct trial *t, const json_t *json, double share)
{
    json_t *thin = json_deep_copy(json);
    struct report part, *whole = t->report;

    thin_out(thin, share);
    fault_judge(&part, thin, t->given);
    t->report = &part;
    expect_subset(t);
    t->report = whole;
    report_free(&part);
    json_decref(thin);
}

Test(findings_property, many_at_once_only_remove_findings)
{
    static const double shares[] = {0.02, 0.1, 0.5};

    for (unsigned i = 0; i < fault_count(); i++) {
        const struct fault *f = fault_at(i);
        struct report baseline, whole;
        const struct circumstances given = fault_circumstances(f, &baseline);
        struct trial t = {.report = &whole, .given = &given, .member = "a random part"};
        json_t *json = fault_report(f, f->edits);

        fault_judge(&whole, json, &given);
        remember(&t);
        for (size_t k = 0; k < 2 * COUNT_OF(shares); k++)
            drop_some(&t, json, shares[k % COUNT_OF(shares)]);
        forget(&t);
        json_decref(json);
        report_free(&whole);
        report_free(&baseline);
    }
}

Test(findings_property, recorded_reports_lose_findings_only)
{
    glob_t found = {0};

    glob(SOURCE_FOLDER "/{tests/fixtures,results/measured/*}/*.json", GLOB_BRACE, NULL, &found);
    cr_assert_geq(found.gl_pathc, 3);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct report r;
        struct text why = TEXT_EMPTY;

        cr_assert_eq(report_read(&r, found.gl_pathv[i], &why), 0, "%s", text_chars(&why));
        findings_derive(&r, NULL);
        cr_expect_gt(drop_each(&r, NULL), 300, "%s", found.gl_pathv[i]);
        report_free(&r);
    }
    globfree(&found);
}

/* ---- files of another time ---- */

/* Adds a member that no version has to every object below. */
static void add_unknown(json_t *json)
{
    const char *key;
    json_t *value;
    size_t i;

    json_object_foreach(json, key, value) add_unknown(value);
    json_array_foreach(json, i, value) add_unknown(value);
    if (json_is_object(json))
        json_object_set_new(json, "of_tomorrow", json_pack("{s:[i,n]}", "x", 1));
}

/* There is one version of the schema so far; members come and go within it. */
Test(findings_property, members_of_tomorrow_change_nothing)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        const struct fault *f = fault_at(i);
        struct report baseline, whole;
        const struct circumstances given = fault_circumstances(f, &baseline);
        struct trial t = {.report = &whole, .given = &given, .member = "nothing"};
        json_t *json = fault_report(f, f->edits);

        fault_judge(&whole, json, &given);
        remember(&t);
        report_free(&whole);
        add_unknown(json_object_get(json, "devices"));
        add_unknown(json_object_get(json, "environment"));
        fault_judge(&whole, json, &given);
        expect_subset(&t);
        cr_expect_eq(whole.finding_count, t.seen_count, "%s", f->id);
        forget(&t);
        json_decref(json);
        report_free(&whole);
        report_free(&baseline);
    }
}

/* What a report of the first ridge had: no facts, no telemetry. */
Test(findings_property, a_report_of_bare_rows_is_judged)
{
    static const struct fault none = {0};
    json_t *json = fault_report(&none, none.edits), *item;
    struct report r;
    size_t i;

    json_array_foreach(json_object_get(json, "devices"), i, item)
        json_object_set_new(item, "facts", json_object());
    json_array_foreach(json_object_get(json, "measurements"), i, item)
        json_object_del(item, "telemetry");
    json_object_set_new(json, "environment", json_object());
    fault_judge(&r, json, &circumstances_unknown);
    for (i = 0; i < r.finding_count; i++)
        cr_expect_eq(r.findings[i].severity, SEVERITY_NOTE, "%s", r.findings[i].sentence);
    json_decref(json);
    report_free(&r);
}
