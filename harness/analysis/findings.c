/* Applies the rules to a report, and marks the rows that must not be used. */
#include "harness/analysis/findings.h"
#include "harness/analysis/rules.h"
#include "harness/analysis/verdicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct circumstances circumstances_unknown = {NAN, NAN, NAN, NAN, NULL, NULL, 0};

/* "ID: ..." of a rule that is known here: a mark that an earlier call left. */
static bool is_mark(const char *reason)
{
    const char *colon = reason == NULL ? NULL : strchr(reason, ':');

    for (size_t i = 0; colon != NULL && rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++) {
            const char *id = rules_all[i]->items[k].id;

            if (strlen(id) == (size_t)(colon - reason) && strncmp(id, reason, strlen(id)) == 0)
                return true;
        }
    return false;
}

static void lift_marks(struct report *r)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        struct measurement *m = &r->measurements[i];

        if (m->status == ROW_INVALID && is_mark(m->reason)) {
            m->status = ROW_OK;
            free(m->reason);
            m->reason = NULL;
        }
    }
}

/* What was said while the rules ran.  Rows are marked after all of them, so that no rule depends
 * on another's verdict. */
struct mark {
    size_t row;
    char *reason;
};
struct docket {
    struct report *report;
    struct mark *marks;
    size_t mark_count;
};

static struct finding *finding_of(struct report *r, const struct verdict *v)
{
    for (size_t i = 0; i < r->finding_count; i++)
        if (strcmp(r->findings[i].id, v->rule->id) == 0 &&
            same_word(r->findings[i].device, v->scene->device->id))
            return &r->findings[i];
    return NULL;
}

static void set_evidence(struct finding *f, const struct verdict *v)
{
    for (size_t i = 0; i < RULE_NEEDS_MAX && v->rule->needs[i] != INPUT_NONE; i++)
        parameters_set_number(&f->evidence, input_names[v->rule->needs[i]], v->values[i]);
}

static void fill(struct finding *f, const struct verdict *v)
{
    free(f->sentence);
    free(f->fix);
    f->severity = v->rule->severity;
    f->sentence = xstrdup(text_chars(&v->sentence));
    f->fix = xstrdup(v->rule->fix);
    set_evidence(f, v);
}

static void concern(struct docket *docket, struct finding *f, const struct verdict *v, size_t row)
{
    for (size_t i = 0; i < f->measurement_count; i++)
        if (f->measurements[i] == (double)row)
            return;
    f->measurements = xrealloc(f->measurements, (f->measurement_count + 1) * sizeof(double));
    f->measurements[f->measurement_count++] = (double)row;
    if (v->rule->severity != SEVERITY_INVALID)
        return;
    docket->marks = xrealloc(docket->marks, (docket->mark_count + 1) * sizeof *docket->marks);
    docket->marks[docket->mark_count++] =
        (struct mark){row, xasprintf("%s: %s", v->rule->id, text_chars(&v->sentence))};
}

static void concern_rows(struct docket *docket, struct finding *f, const struct verdict *v)
{
    const struct report *r = docket->report;

    for (size_t i = 0; i < r->measurement_count; i++)
        if (verdict_concerns(v, &r->measurements[i]))
            concern(docket, f, v, i);
}

/* Verdicts of one rule on one device are one finding; a headline row or a worse one speaks for the
 * others. */
static void record(const struct verdict *v, void *context)
{
    struct docket *docket = context;
    struct finding *f = finding_of(docket->report, v);

    if (v->sentence.length == 0)
        return;
    if (f == NULL) {
        f = report_add_finding(docket->report);
        f->id = xstrdup(v->rule->id);
        f->device = xstrdup(v->scene->device->id);
        fill(f, v);
    } else if (v->rule->severity > f->severity ||
               (v->scene->row != NULL && v->scene->row->headline && f->measurement_count > 0 &&
                !docket->report->measurements[(size_t)f->measurements[0]].headline)) {
        fill(f, v);
    }
    concern_rows(docket, f, v);
}

static void set_marks(struct docket *docket)
{
    for (size_t i = 0; i < docket->mark_count; i++) {
        struct measurement *m = &docket->report->measurements[docket->marks[i].row];

        if (m->status == ROW_OK) {
            m->status = ROW_INVALID;
            free(m->reason);
            m->reason = docket->marks[i].reason;
        } else {
            free(docket->marks[i].reason);
        }
    }
    free(docket->marks);
}

/* Worst first, otherwise in the order of the rules. */
static void sort(struct report *r)
{
    for (size_t i = 1; i < r->finding_count; i++)
        for (size_t k = i; k > 0 && r->findings[k].severity > r->findings[k - 1].severity; k--) {
            const struct finding swapped = r->findings[k];

            r->findings[k] = r->findings[k - 1];
            r->findings[k - 1] = swapped;
        }
}

void findings_derive(struct report *r, const struct circumstances *given)
{
    struct docket docket = {.report = r};

    report_clear_findings(r);
    lift_marks(r);
    verdicts_each(r, given == NULL ? &circumstances_unknown : given, record, NULL, &docket);
    set_marks(&docket);
    sort(r);
}

bool findings_worst(const struct report *r, enum severity *worst)
{
    if (r->finding_count > 0)
        *worst = r->findings[0].severity;
    return r->finding_count > 0;
}
