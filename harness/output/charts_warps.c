/* Which rows make which chart: branches, and what hides latency. */
#include "harness/analysis/say.h"
#include "harness/base/units.h"
#include "harness/output/charts_build.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_word(const struct measurement *m, const char *parameter, const char *word)
{
    return parameters_match(&m->parameters, parameter, word);
}

static double figure_of(const struct chart_source *s, const char *role, const char *name,
                        const char *const *conditions)
{
    const struct figure *f = report_figure(s->report, s->device->id, role, name, conditions);

    return f == NULL ? NAN : f->value.value;
}

/* ---- divergence ---- */

static void name_pattern(struct text *name, const struct measurement *m)
{
    const char *pattern = parameters_word(&m->parameters, "pattern");
    char *said = spoken(pattern == NULL ? "measured" : pattern);

    text_add(name, said);
    free(said);
}

/* What a pattern without a split costs stands as a line across. */
static void complete_split(struct chart *c, const struct chart_source *s)
{
    static const char *const patterns[] = {"no_branch", "by_warp"};

    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        const char *const conditions[] = {"pattern", patterns[i], NULL};
        const struct measurement *m =
            report_find(s->report, s->device->id, "divergence", conditions);
        char *name = spoken(patterns[i]);

        if (m != NULL && isnan(parameters_number(&m->parameters, "lanes_in_if")) &&
            isnan(parameters_number(&m->parameters, "paths"))) {
            struct series *line = chart_companion(c, s, NULL, name, LOOK_PROMISE);

            series_add(line, 0, m->value.median);
            series_add(line, 32, m->value.median);
        }
        free(name);
    }
}

const struct chart_plan chart_split = {
    .name = "divergence",
    .title = "A branch that splits a warp",
    .host_title = "A branch that the host has to guess",
    .roles = {"divergence"},
    .unit = "s",
    .along = "lanes_in_if",
    .x_label = "lanes that take the first arm",
    .host_x_label = "elements of 32 that take the first arm",
    .x_unit = "",
    .x_scale = AXIS_LINEAR,
    .x_step = 8,
    .y_label = "time",
    .y_scale = AXIS_LINEAR,
    .series = name_pattern,
    .complete = complete_split,
};

/* Each path after the other: n paths take n times one path. */
static void complete_paths(struct chart *c, const struct chart_source *s)
{
    const struct series *paths = chart_find(c, s, "paths");
    const double first = paths == NULL || paths->count == 0 ? NAN : paths->points[0].x;
    const double one = isnan(first) ? NAN : paths->points[0].y / first;
    const double last = isnan(first) ? NAN : paths->points[paths->count - 1].x;
    struct series *line;

    if (isnan(one) || !(last > first))
        return;
    line = chart_companion(c, s, "paths", "one after the other", LOOK_PROMISE);
    series_add(line, first, one * first);
    series_add(line, last, one * last);
}

static void say_paths(struct text *out, const struct chart_source *s)
{
    double most = NAN, ratio = NAN;

    for (size_t i = 0; i < s->report->figure_count; i++) {
        const struct figure *f = &s->report->figures[i];
        const double paths = parameters_number(&f->parameters, "paths");

        if (f->role != NULL && strcmp(f->role, "divergence") == 0 &&
            strcmp(f->device, s->device->id) == 0 && strcmp(f->name, "ratio_of_paths") == 0 &&
            !(paths <= most)) {
            most = paths;
            ratio = f->value.value;
        }
    }
    if (!isnan(most) && !isnan(ratio))
        say(out,
            "{n} paths in one warp take {} times as long as one; run one after the other they "
            "would take {n} times as long.",
            most, ratio, most);
}

const struct chart_plan chart_paths = {
    .name = "paths",
    .title = "Several paths through one warp",
    .roles = {"divergence"},
    .unit = "s",
    .along = "paths",
    .x_label = "paths",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "time",
    .y_scale = AXIS_LOG,
    .series = name_pattern,
    .complete = complete_paths,
    .say = say_paths,
};

/* ---- latency hiding ---- */

static void name_hiding(struct text *name, const struct measurement *m)
{
    const double bytes = parameters_number(&m->parameters, "access_bytes");
    const double ilp = parameters_number(&m->parameters, "ilp");

    if (isfinite(bytes))
        text_addf(name, "%g B x ", bytes);
    if (isfinite(ilp))
        text_addf(name, "%g%s a thread", ilp,
                  isfinite(bytes) ? ""
                  : ilp == 1      ? " chain"
                                  : " chains");
    else
        text_add(name, "measured");
}

const struct chart_plan chart_warps = {
    .name = "hiding",
    .title = "Loads under way, by warps",
    .roles = {"latency_hiding"},
    .unit = "B/s",
    .along = "warps_per_sm",
    .x_label = "warps on every SM",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LINEAR,
    .series = name_hiding,
};

/* The knee of FMAs at so many chains a thread. */
static double knee_of_chains(const struct chart_source *s, const char *ilp)
{
    const char *const conditions[] = {"operation", "fma", "ilp", ilp, NULL};

    return figure_of(s, "latency_hiding", "knee_warps", conditions);
}

static void say_chains(struct text *out, const struct chart_source *s)
{
    const double one = knee_of_chains(s, "1"), four = knee_of_chains(s, "4");

    if (!isnan(one))
        say(out, "With one chain a thread it takes {n} warps on every SM to reach 90 % of the rate",
            one);
    if (!isnan(one) && !isnan(four))
        say(out, "and with four chains {n}.", four);
    else if (!isnan(one))
        text_add(out, ".");
}

const struct chart_plan chart_chains = {
    .name = "hiding-fma",
    .title = "Multiply-adds under way, by warps",
    .roles = {"latency_hiding"},
    .unit = "FLOP/s",
    .along = "warps_per_sm",
    .x_label = "warps on every SM",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LINEAR,
    .series = name_hiding,
    .say = say_chains,
};

/* Bytes that the loads of one SM have under way. */
static double bytes_in_flight(const struct chart_source *s, const struct measurement *m)
{
    const double lanes = s->device->facts.warp_lanes;

    return has_word(m, "operation", "load")
               ? parameters_number(&m->parameters, "warps_per_sm") * (lanes > 0 ? lanes : 32) *
                     parameters_number(&m->parameters, "ilp") *
                     parameters_number(&m->parameters, "access_bytes")
               : NAN;
}

/* The best rate of a source's points in the chart. */
static double best_of(const struct chart *c, const struct chart_source *s)
{
    double best = NAN;

    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->series[i].count; k++)
            if (strncmp(c->series[i].name, s->prefix, strlen(s->prefix)) == 0 &&
                !(c->series[i].points[k].y <= best))
                best = c->series[i].points[k].y;
    return best;
}

/* Little: bytes under way over the latency of a load, until memory delivers no more. */
static void complete_bytes(struct chart *c, const struct chart_source *s)
{
    const double latency = figure_of(s, "memory_latency", "latency", NULL);
    const double units = s->device->facts.units, best = best_of(c, s);
    const double bend = best * latency / units;
    double low = NAN, high = NAN;
    struct series *line;

    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->series[i].count; k++) {
            low = fmin(low, c->series[i].points[k].x);
            high = fmax(high, c->series[i].points[k].x);
        }
    if (!(bend > 0) || !(high > low))
        return;
    line =
        chart_companion(c, s, NULL, "Little's law with the latency of a lone load", LOOK_PROMISE);
    series_add(line, low, fmin(low / bend, 1) * best);
    if (bend > low && bend < high)
        series_add(line, bend, best);
    series_add(line, high, fmin(high / bend, 1) * best);
}

static void say_bytes(struct text *out, const struct chart_source *s)
{
    const char *const load[] = {"operation", "load", NULL};
    const struct roof *memory = report_memory_roof(s->report, s->device->id, "measured");
    const double latency = figure_of(s, "memory_latency", "latency", NULL);
    const double knee = figure_of(s, "latency_hiding", "knee_bytes_in_flight", load);

    if (memory != NULL && !isnan(latency) && s->device->facts.units > 0)
        say(out, "By Little's law a latency of {s} takes {B} under way on every SM to move {B/s}.",
            latency, memory->value.value * latency / s->device->facts.units, memory->value.value);
    if (!isnan(knee))
        say(out, "Measured, 90 % of the best rate takes {B} on every SM.", knee);
}

const struct chart_plan chart_bytes_in_flight = {
    .name = "hiding-bytes",
    .title = "Loads under way, by bytes: Little's law",
    .roles = {"latency_hiding"},
    .unit = "B/s",
    .x_label = "bytes under way on every SM",
    .x_unit = "B",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LOG,
    .place = bytes_in_flight,
    .series = name_hiding,
    .complete = complete_bytes,
    .say = say_bytes,
};

static void name_loads(struct text *name, const struct measurement *m)
{
    (void)m;
    text_add(name, "loads");
}

const struct chart_plan chart_host_chains = {
    .name = "chains",
    .title = "Independent chains of loads on every core",
    .roles = {"latency_hiding"},
    .unit = "1/s",
    .along = "chains",
    .x_label = "chains on every core",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "loads a second",
    .y_scale = AXIS_LINEAR,
    .series = name_loads,
};
