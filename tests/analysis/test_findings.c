/* Every rule speaks for its fault, is silent just inside its threshold, and says what was seen. */
#include "faults.h"
#include "harness/analysis/rules.h"
#include "harness/base/text.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct finding *find(const struct report *r, const char *id)
{
    for (size_t i = 0; i < r->finding_count; i++)
        if (strcmp(r->findings[i].id, id) == 0)
            return &r->findings[i];
    return NULL;
}

/* Judges the healthy report with these edits. */
static void judge(struct report *r, const struct fault *f, const char *const *edits)
{
    struct report baseline;
    const struct circumstances given = fault_circumstances(f, &baseline);
    json_t *json = fault_report(f, edits);

    fault_judge(r, json, &given);
    json_decref(json);
    report_free(&baseline);
}

static bool is_expected(const struct fault *f, const struct finding *found)
{
    const char *at = f->also == NULL ? NULL : strstr(f->also, found->id);

    return found->severity == SEVERITY_NOTE || strcmp(found->id, f->id) == 0 || at != NULL;
}

Test(findings, a_healthy_report_has_none_above_note)
{
    static const struct fault none = {0};
    struct report r;

    judge(&r, &none, none.edits);
    for (size_t i = 0; i < r.finding_count; i++)
        cr_expect_eq(r.findings[i].severity, SEVERITY_NOTE, "%s", r.findings[i].id);
    report_free(&r);
}

Test(findings, each_fault_raises_its_own)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        const struct fault *f = fault_at(i);
        struct report r;

        judge(&r, f, f->edits);
        cr_expect_not_null(find(&r, f->id), "%s is silent", f->id);
        if (find(&r, f->id) != NULL)
            cr_expect_eq(find(&r, f->id)->severity, f->severity, "%s", f->id);
        for (size_t k = 0; k < r.finding_count; k++)
            cr_expect(is_expected(f, &r.findings[k]), "%s comes with %s: %s", f->id,
                      r.findings[k].id, r.findings[k].sentence);
        report_free(&r);
    }
}

Test(findings, just_inside_the_threshold_nothing_is_said)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        const struct fault *f = fault_at(i);
        const struct finding *found;
        struct report r;

        judge(&r, f, f->inside);
        found = find(&r, f->id);
        cr_expect(found == NULL || found->severity < f->severity, "%s: %s", f->id,
                  found == NULL ? "" : found->sentence);
        report_free(&r);
    }
}

/* Rules that cannot run here, and ids that are no rules, are only explained. */
static bool can_speak(const char *id)
{
    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++)
            if (strcmp(rules_all[i]->items[k].id, id) == 0)
                return rules_all[i]->items[k].judge != NULL;
    return false;
}

Test(findings, a_rule_judges_or_says_what_it_lacks)
{
    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++) {
            const struct rule *rule = &rules_all[i]->items[k];

            cr_expect_neq(rule->judge == NULL, rule->lacks == NULL, "%s", rule->id);
        }
}

Test(findings, every_rule_has_a_fault)
{
    struct strings ids = {0};

    finding_ids(&ids);
    for (size_t i = 0; i < ids.count; i++) {
        bool has = !can_speak(ids.items[i]);

        for (unsigned k = 0; k < fault_count(); k++)
            has |= strcmp(fault_at(k)->id, ids.items[i]) == 0;
        cr_expect(has, "no test makes %s speak", ids.items[i]);
    }
    strings_free(&ids);
}

/* "ID: sentence" of each fault, as people read them: a change of a sentence is seen and meant. */
Test(findings, sentences_are_the_kept_ones)
{
    struct text said = TEXT_EMPTY, kept = TEXT_EMPTY;

    for (unsigned i = 0; i < fault_count(); i++) {
        const struct finding *found;
        struct report r;

        judge(&r, fault_at(i), fault_at(i)->edits);
        found = find(&r, fault_at(i)->id);
        text_addf(&said, "%s: %s\n", fault_at(i)->id, found == NULL ? "" : found->sentence);
        report_free(&r);
    }
    if (getenv("RIDGE_KEEP_SENTENCES") != NULL)
        cr_assert_eq(text_write_file(&said, SOURCE_FOLDER "/tests/findings/sentences.txt"), 0);
    cr_assert_eq(text_read_file(&kept, SOURCE_FOLDER "/tests/findings/sentences.txt"), 0);
    cr_expect_str_eq(text_chars(&said), text_chars(&kept));
    text_free(&said);
    text_free(&kept);
}

Test(findings, sentences_hold_numbers_and_nothing_unfilled)
{
    static const char *const unwanted[] = {"nan", "inf ", "{", "}", "(null)", " - ", "-0 "};

    for (unsigned i = 0; i < fault_count(); i++) {
        struct report r;

        judge(&r, fault_at(i), fault_at(i)->edits);
        for (size_t k = 0; k < r.finding_count; k++)
            for (size_t u = 0; u < COUNT_OF(unwanted); u++)
                cr_expect_null(strstr(r.findings[k].sentence, unwanted[u]), "%s: %s",
                               r.findings[k].id, r.findings[k].sentence);
        report_free(&r);
    }
}

static unsigned numbers_in(const char *sentence)
{
    unsigned count = 0;

    for (const char *at = sentence; *at != '\0'; at++)
        count +=
            *at >= '0' && *at <= '9' &&
            (at == sentence || at[-1] == ' ' || at[-1] == 'x' || at[-1] == 'n' || at[-1] == '(');
    return count;
}

/* Flags are yes or no, and an error's number is all that there is of it. */
static bool has_quantities(const char *id)
{
    bool any = false;

    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++)
            for (size_t n = 0; n < RULE_NEEDS_MAX && strcmp(rules_all[i]->items[k].id, id) == 0;
                 n++) {
                const enum input input = rules_all[i]->items[k].needs[n];

                any |= input != INPUT_NONE && strcmp(input_units[input], "flag") != 0 &&
                       input != INPUT_XID && input != INPUT_XID_PROGRAM;
            }
    return any;
}

Test(findings, what_is_wrong_is_said_with_the_measured_and_the_expected_number)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        const struct finding *found;
        struct report r;

        judge(&r, fault_at(i), fault_at(i)->edits);
        found = find(&r, fault_at(i)->id);
        if (found != NULL && found->severity != SEVERITY_NOTE && has_quantities(found->id))
            cr_expect_geq(numbers_in(found->sentence), 2, "%s: %s", found->id, found->sentence);
        report_free(&r);
    }
}

Test(findings, what_is_wrong_has_a_fix_and_evidence)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        const struct finding *found;
        struct report r;

        judge(&r, fault_at(i), fault_at(i)->edits);
        found = find(&r, fault_at(i)->id);
        if (found != NULL && found->severity != SEVERITY_NOTE) {
            cr_expect_not_null(found->fix, "%s", found->id);
            cr_expect(found->evidence.count > 0 || found->measurement_count > 0, "%s", found->id);
        }
        report_free(&r);
    }
}

/* ---- rows that must not be used ---- */

Test(findings, an_invalid_row_keeps_its_value_and_leaves_the_roofs)
{
    const struct fault *f = fault_at(2);
    struct report r;

    cr_assert_str_eq(f->id, "ABOVE_ROOF_MEMORY");
    judge(&r, f, f->edits);
    const struct measurement *read = &r.measurements[3];
    cr_expect_eq(read->status, ROW_INVALID);
    cr_expect_eq(strncmp(read->reason, "ABOVE_ROOF_MEMORY: ", 19), 0);
    cr_expect_gt(read->value.median, 2e12);
    cr_expect_not(measurement_usable(read));
    report_free(&r);
}

Test(findings, judging_again_changes_nothing)
{
    for (unsigned i = 0; i < fault_count(); i++) {
        struct report baseline, r;
        const struct circumstances given = fault_circumstances(fault_at(i), &baseline);
        json_t *json = fault_report(fault_at(i), fault_at(i)->edits);

        fault_judge(&r, json, &given);
        const size_t count = r.finding_count;
        findings_derive(&r, &given);
        cr_expect_eq(r.finding_count, count, "%s", fault_at(i)->id);
        json_decref(json);
        report_free(&r);
        report_free(&baseline);
    }
}

Test(findings, a_reason_that_no_rule_gave_stays)
{
    static const struct fault none = {0};
    static const char *const edits[EDITS_MAX] = {"read.status=\"invalid\"",
                                                 "read.reason=\"MADE_UP: by another ridge\""};
    struct report r;

    judge(&r, &none, edits);
    cr_expect_eq(r.measurements[3].status, ROW_INVALID);
    cr_expect_str_eq(r.measurements[3].reason, "MADE_UP: by another ridge");
    report_free(&r);
}

Test(findings, stand_worst_first)
{
    static const struct fault none = {0};
    static const char *const edits[EDITS_MAX] = {"facts.remap_pending=true", "facts.processes=1",
                                                 "bf16.telemetry.event_reasons=64"};
    struct report r;

    judge(&r, &none, edits);
    for (size_t i = 1; i < r.finding_count; i++)
        cr_expect_geq(r.findings[i - 1].severity, r.findings[i].severity);
    cr_expect_str_eq(r.findings[0].id, "HW_THERMAL");
    report_free(&r);
}

/* ---- what rules say of themselves ---- */

Test(findings, every_rule_is_explained_with_its_source)
{
    struct strings ids = {0};

    finding_ids(&ids);
    cr_expect_geq(ids.count, 70);
    for (size_t i = 0; i < ids.count; i++) {
        struct text t = TEXT_EMPTY;

        cr_expect(finding_explain(&t, ids.items[i]));
        cr_expect_not_null(strstr(text_chars(&t), "when: "), "%s", ids.items[i]);
        cr_expect_not_null(strstr(text_chars(&t), "source: "), "%s", ids.items[i]);
        text_free(&t);
    }
    strings_free(&ids);
}

/* The catalogue as it was designed: whatever it names can be asked about. */
Test(findings, every_id_of_the_catalogue_is_explained)
{
    struct text ids = TEXT_EMPTY;
    size_t explained = 0;

    cr_assert_eq(text_read_file(&ids, SOURCE_FOLDER "/tests/findings/ids.txt"), 0);
    for (char *id = strtok(ids.chars, "\n"); id != NULL; id = strtok(NULL, "\n")) {
        struct text t = TEXT_EMPTY;

        cr_expect(finding_explain(&t, id), "%s", id);
        text_free(&t);
        explained++;
    }
    cr_expect_gt(explained, 120);
    text_free(&ids);
}

Test(findings, silence_names_what_was_lacking)
{
    static const struct fault none = {0};
    static const char *const edits[EDITS_MAX] = {"facts.power_limit_default_watts=null"};
    struct strings lines = {0};
    struct report r;

    judge(&r, &none, edits);
    findings_silent(&lines, &r, NULL);
    cr_expect(strings_have(&lines, "cuda0 LIMIT_LOWERED lacked power_limit_default_watts"));
    cr_expect_not(strings_have(&lines, "cuda0 LINK_UNEXPECTED lacked expected_link_generation"));
    cr_expect(strings_have(&lines, "cuda0 PEER_STAGED lacked copies between two cards"));
    strings_free(&lines);
    report_free(&r);
}
