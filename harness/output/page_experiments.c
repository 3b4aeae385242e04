/* One section an experiment: its rows as tables, and what they mean. */
#include "harness/analysis/meaning.h"
#include "harness/output/page.h"
#include "harness/output/pivot.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 9 };

/* The rows with values of one experiment on one device. */
struct part {
    const struct report *report;
    const char *experiment, *device;
    const struct measurement **rows; /* taken out (NULL) once they stand in a table */
    size_t count;
};

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static struct part part_of(const struct report *r, const char *experiment, const char *device)
{
    struct part part = {r, experiment, device, NULL, 0};

    part.rows = xcalloc(r->measurement_count + 1, sizeof(struct measurement *));
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (same(m->experiment, experiment) && same(m->device, device) &&
            (m->status == ROW_OK || m->status == ROW_INVALID))
            part.rows[part.count++] = m;
    }
    return part;
}

/* Rows that one table can hold. */
static bool same_shape(const struct measurement *a, const struct measurement *b)
{
    if (a->parameters.count != b->parameters.count || strcmp(a->metric.unit, b->metric.unit) != 0 ||
        !same(a->metric.name, b->metric.name))
        return false;
    for (size_t i = 0; i < a->parameters.count; i++)
        if (!same(a->parameters.items[i].name, b->parameters.items[i].name))
            return false;
    return true;
}

/* Takes the first row that is left and all of its shape. */
static size_t take_shape(struct part *part, const struct measurement **taken)
{
    const struct measurement *first = NULL;
    size_t count = 0;

    for (size_t i = 0; i < part->count; i++) {
        if (part->rows[i] == NULL || (first != NULL && !same_shape(first, part->rows[i])))
            continue;
        first = part->rows[i];
        taken[count++] = part->rows[i];
        part->rows[i] = NULL;
    }
    return count;
}

static void add_caption(struct page *page, const struct pivot *p)
{
    struct text constants = TEXT_EMPTY;
    char *down = spoken(p->down);
    const char *metric = p->rows[0]->metric.name;

    pivot_constants(&constants, p);
    page_addf(page, BLOCK_CAPTION, "%s by %s%s%s", metric == NULL ? "value" : metric, down,
              constants.length > 0 ? "; " : "", text_chars(&constants));
    text_free(&constants);
    free(down);
}

/* "~ in doubt: noisy (3), short (1)" */
static void add_doubts(struct page *page, const struct pivot *p)
{
    struct strings seen = {0};
    struct text note = TEXT_EMPTY;

    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->rows[i]->doubts.count; k++) {
            const char *doubt = p->rows[i]->doubts.items[k];
            size_t rows = 0;

            if (strings_have(&seen, doubt))
                continue;
            strings_add(&seen, doubt);
            for (size_t j = i; j < p->count; j++)
                rows += (size_t)(strings_have(&p->rows[j]->doubts, doubt) != 0);
            text_addf(&note, "%s%s (%zu)", note.length > 0 ? ", " : "~ in doubt: ", doubt, rows);
        }
    page_add(page, BLOCK_NOTE, text_chars(&note));
    text_free(&note);
    strings_free(&seen);
}

static void add_invalid(struct page *page, const struct pivot *p)
{
    const char *said = NULL;

    for (size_t i = 0; i < p->count; i++)
        if (p->rows[i]->status == ROW_INVALID && !same(said, p->rows[i]->reason)) {
            said = p->rows[i]->reason;
            page_addf(page, BLOCK_NOTE, "! not to be used: %s",
                      said == NULL ? "no reason given" : said);
        }
}

static void add_table(struct page *page, struct pivot *p, const struct view *view)
{
    size_t left_out;
    struct table *t;

    pivot_plan(p);
    t = pivot_table(p, view->all_rows ? 0 : LINES_SHOWN, &left_out);
    add_caption(page, p);
    page_add_table(page, t);
    if (p->columns.count > 1)
        add_doubts(page, p);
    add_invalid(page, p);
    if (left_out > 0)
        page_addf(page, BLOCK_NOTE, "%zu more with ridge report --all-rows", left_out);
}

/* What every role of the part means, each said once. */
static void add_meanings(struct page *page, const struct part *part)
{
    struct strings said = {0};

    for (size_t i = 0; i < part->report->measurement_count; i++) {
        const struct measurement *m = &part->report->measurements[i];
        struct text meaning = TEXT_EMPTY;

        if (m->role == NULL || !same(m->experiment, part->experiment) ||
            !same(m->device, part->device) || strings_have(&said, m->role))
            continue;
        strings_add(&said, m->role);
        meaning_of(&meaning, part->report, part->device, m->role);
        page_add(page, BLOCK_TEXT, text_chars(&meaning));
        text_free(&meaning);
    }
    strings_free(&said);
}

static void add_part(struct page *page, struct part *part, const struct view *view)
{
    const struct measurement **taken = xcalloc(part->count + 1, sizeof(struct measurement *));

    for (size_t count = take_shape(part, taken); count > 0; count = take_shape(part, taken)) {
        struct pivot p = {.rows = taken, .count = count};

        add_table(page, &p, view);
        pivot_free(&p);
    }
    free(taken);
    add_meanings(page, part);
}

static void add_experiment(struct page *page, const struct report *r,
                           const struct experiment_record *e, const struct view *view)
{
    bool headed = false;

    for (size_t i = 0; i < r->device_count; i++) {
        struct part part = part_of(r, e->name, r->devices[i].id);

        if (part.count > 0 && !headed)
            page_addf(page, BLOCK_SECTION, "%s%s%s", e->name, e->summary != NULL ? ": " : "",
                      e->summary != NULL ? e->summary : "");
        headed = headed || part.count > 0;
        if (part.count > 0 && r->device_count > 1)
            page_add(page, BLOCK_TOPIC, r->devices[i].id);
        if (part.count > 0)
            add_part(page, &part, view);
        free(part.rows);
    }
}

void page_add_experiments(struct page *page, const struct report *r, const struct view *view)
{
    for (size_t i = 0; i < r->experiment_count; i++)
        add_experiment(page, r, &r->experiments[i], view);
}
