/* Makes the charts that reports have data for: devices of one kind share a chart. */
#include "harness/output/charts.h"
#include "harness/analysis/meaning.h"
#include "harness/base/units.h"
#include "harness/output/charts_build.h"
#include "harness/output/charts_script.h"
#include "harness/output/page.h"
#include "harness/output/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct chart_plan *const chart_plans[] = {
    &chart_transfer,        &chart_memory,      &chart_cache, &chart_latency, &chart_gemm,
    &chart_vector,          &chart_split,       &chart_paths, &chart_warps,   &chart_chains,
    &chart_bytes_in_flight, &chart_host_chains, NULL,
};

const char *const chart_names[] = {
    "roofline",      "transfer",  "memory",           "cache",
    "latency",       "gemm",      "vector-peak",      "divergence",
    "paths",         "hiding",    "hiding-fma",       "hiding-bytes",
    "chains",        "time",      "host-memory",      "host-cache",
    "host-latency",  "host-gemm", "host-vector-peak", "host-divergence",
    "host-transfer", NULL,
};

/* The name that a chart of the host has, "host-gemm": one of chart_names. */
static const char *host_name(const char *name)
{
    for (size_t i = 0; chart_names[i] != NULL; i++)
        if (strncmp(chart_names[i], "host-", 5) == 0 && strcmp(chart_names[i] + 5, name) == 0)
            return chart_names[i];
    return name;
}

static bool is_host(const struct device_record *d)
{
    return d->kind != NULL && strcmp(d->kind, "host") == 0;
}

static struct chart_sources sources_of(const struct report *const *reports, size_t count, bool host)
{
    struct chart_sources s = {0};
    size_t nth = 0; /* a device has the same colour in every chart */

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->device_count; k++) {
            const struct device_record *d = &reports[i]->devices[k];

            nth++;
            if (is_host(d) != host)
                continue;
            s.items = xrealloc(s.items, (s.count + 1) * sizeof *s.items);
            s.items[s.count] = (struct chart_source){reports[i], d, NULL, nth - 1, false, host};
            s.items[s.count++].prefix = count > 1 ? xasprintf("%c:%s ", (char)('A' + i % 26), d->id)
                                                  : xasprintf("%s ", d->id);
        }
    for (size_t i = 0; i < s.count; i++)
        s.items[i].shared = s.count > 1;
    if (s.count == 1)
        s.items[0].prefix[0] = '\0';
    return s;
}

static void sources_free(struct chart_sources *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i].prefix);
    free(s->items);
}

static bool is_meant(const struct chart_plan *plan, const struct chart_source *s,
                     const struct measurement *m)
{
    if (m->role == NULL || m->device == NULL || strcmp(m->device, s->device->id) != 0 ||
        !measurement_usable(m) || (plan->unit != NULL && strcmp(m->metric.unit, plan->unit) != 0))
        return false;
    for (size_t i = 0; i < CHART_ROLES_MAX && plan->roles[i] != NULL; i++)
        if (strcmp(m->role, plan->roles[i]) == 0)
            return true;
    return false;
}

/* The number of a name on an axis of names, 1, 2, ... */
static double place_of_name(struct axis *axis, const char *name)
{
    for (size_t i = 0; i < axis->names.count; i++)
        if (strcmp(axis->names.items[i], name) == 0)
            return (double)(i + 1);
    strings_add(&axis->names, name);
    return (double)axis->names.count;
}

static double place_of(const struct chart_plan *plan, struct chart *c, const struct chart_source *s,
                       const struct measurement *m)
{
    const char *word;

    if (plan->place != NULL)
        return plan->place(s, m);
    if (plan->x_scale != AXIS_NAMES)
        return parameters_number(&m->parameters, plan->along);
    word = parameters_word(&m->parameters, plan->along);
    return word == NULL ? NAN : place_of_name(&c->x, word);
}

static struct chart_point *point_at(struct series *series, double x)
{
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].x == x)
            return &series->points[i];
    return NULL;
}

static char *note_of(const struct chart_plan *plan, const char *series, double x,
                     const struct measurement *m)
{
    char *said = plan->along == NULL ? NULL : pivot_value(m, plan->along), *place, *note;
    char number[UNITS_MAX];

    if (said != NULL && plan->x_scale != AXIS_NAMES && *plan->x_unit == '\0')
        place = xasprintf("%s %s", said, plan->x_label);
    else
        place = xstrdup(said != NULL ? said : units_format(number, x, plan->x_unit));
    note = chart_note(series, place, m);
    free(said);
    free(place);
    return note;
}

static void add_row(const struct chart_plan *plan, struct chart *c, const struct chart_source *s,
                    const struct measurement *m)
{
    const double x = place_of(plan, c, s, m);
    struct text name = TEXT_EMPTY;
    struct chart_point *before;
    struct series *series;

    if (!isfinite(x) || (plan->x_scale == AXIS_LOG && x <= 0))
        return;
    plan->series(&name, m);
    series = chart_series(c, s, text_chars(&name),
                          plan->x_scale == AXIS_NAMES ? LOOK_POINTS : LOOK_LINE);
    before = plan->best ? point_at(series, x) : NULL;
    if (before == NULL) {
        series_add_row(series, x, m, note_of(plan, series->name, x, m));
    } else if ((m->value.median > before->y) == m->metric.more_is_better) {
        free(before->note);
        *before = (struct chart_point){x,
                                       m->value.median,
                                       m->value.ci_low,
                                       m->value.ci_high,
                                       note_of(plan, series->name, x, m),
                                       m->doubts.count > 0};
    }
    text_free(&name);
}

static int by_x(const void *a, const void *b)
{
    const struct chart_point *p = a, *q = b;

    return (p->x > q->x) - (p->x < q->x);
}

static size_t sort_and_count(struct chart *c)
{
    size_t points = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct series *s = &c->series[i];

        if (s->count > 1)
            qsort(s->points, s->count, sizeof *s->points, by_x);
        for (size_t k = 0; k < s->count; k++)
            points += (s->look == LOOK_LINE || s->look == LOOK_POINTS) &&
                      point_is_drawable(c, &s->points[k]);
    }
    return points;
}

static void say_for(struct text *out, const struct chart_plan *plan, const struct chart_source *s)
{
    struct text said = TEXT_EMPTY;

    if (plan->say != NULL)
        plan->say(&said, s);
    for (size_t i = 0; plan->say == NULL && i < CHART_ROLES_MAX && plan->roles[i] != NULL; i++) {
        struct text one = TEXT_EMPTY;

        meaning_of(&one, s->report, s->device->id, plan->roles[i]);
        text_addf(&said, "%s%s", said.length > 0 && one.length > 0 ? " " : "", text_chars(&one));
        text_free(&one);
    }
    if (said.length > 0)
        text_addf(out, "%s%.*s%s%s", out->length > 0 ? "\n" : "",
                  (int)(s->shared ? strlen(s->prefix) - 1 : 0), s->prefix, s->shared ? ": " : "",
                  text_chars(&said));
    text_free(&said);
}

static void drop_last(struct charts *charts)
{
    struct charts last = {xcalloc(1, sizeof *last.items), 1};

    last.items[0] = charts->items[--charts->count];
    charts_free(&last);
}

static void add_planned(struct charts *charts, const struct chart_plan *plan,
                        const struct chart_sources *sources)
{
    const bool host = sources->count > 0 && sources->items[0].host;
    struct chart *c =
        charts_add(charts, host ? host_name(plan->name) : plan->name,
                   xstrdup(host && plan->host_title != NULL ? plan->host_title : plan->title));
    struct text sentence = TEXT_EMPTY;

    c->x = (struct axis){.label = host && plan->host_x_label != NULL ? plan->host_x_label
                                                                     : plan->x_label,
                         .unit = plan->x_unit,
                         .scale = plan->x_scale,
                         .low = NAN,
                         .high = NAN,
                         .step = plan->x_step};
    c->y = (struct axis){.label = plan->y_label,
                         .unit = plan->unit,
                         .scale = plan->y_scale,
                         .low = NAN,
                         .high = NAN};
    for (size_t i = 0; i < sources->count; i++) {
        const struct chart_source *s = &sources->items[i];

        bool any = false;

        for (size_t k = 0; k < s->report->measurement_count; k++)
            if (is_meant(plan, s, &s->report->measurements[k])) {
                add_row(plan, c, s, &s->report->measurements[k]);
                any = true;
            }
        if (any)
            say_for(&sentence, plan, s);
    }
    c->sentence = text_take(&sentence);
    if (sort_and_count(c) < 2) {
        drop_last(charts);
        return;
    }
    for (size_t i = 0; plan->complete != NULL && i < sources->count; i++)
        plan->complete(c, &sources->items[i]);
}

void charts_of(struct charts *charts, const struct report *const *reports, size_t count)
{
    *charts = (struct charts){0};
    chart_add_roofline(charts, reports, count);
    for (int host = 0; host < 2; host++) {
        struct chart_sources sources = sources_of(reports, count, host);

        for (size_t i = 0; chart_plans[i] != NULL; i++)
            add_planned(charts, chart_plans[i], &sources);
        chart_add_time(charts, &sources);
        sources_free(&sources);
    }
    for (size_t i = 0; i < charts->count; i++)
        for (size_t k = 0; k < count; k++)
            charts->items[i].virtual_card |= reports[k]->environment.virtual_card == FLAG_YES;
}
