/* Which rows make which chart: the link, memory and arithmetic. */
#include "harness/analysis/precision.h"
#include "harness/base/units.h"
#include "harness/output/charts_build.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_spoken(struct text *name, const char *word)
{
    char *said = spoken(word);

    text_addf(name, "%s%s", name->length > 0 ? ", " : "", said);
    free(said);
}

/* Adds the parameter's word, where the row has it. */
static void add_word(struct text *name, const struct measurement *m, const char *parameter)
{
    const char *word = parameters_word(&m->parameters, parameter);

    if (word != NULL)
        add_spoken(name, word);
}

/* ---- transfer ---- */

static void name_copy(struct text *name, const struct measurement *m)
{
    const char *direction = parameters_word(&m->parameters, "direction");

    if (direction == NULL)
        add_spoken(name, m->role);
    else if (strcmp(direction, "sum") == 0)
        text_add(name, "both at once, sum");
    else
        text_addf(name, "both at once, %s",
                  strcmp(direction, "host_to_device") == 0 ? "up" : "down");
    add_word(name, m, "memory");
}

/* METHOD 2: a copy of n bytes takes startup + n / rate. */
static void add_fit(struct chart *c, const struct chart_source *s, const char *role,
                    const char *memory)
{
    const char *const conditions[] = {memory == NULL ? NULL : "memory", memory, NULL};
    const char *device = s->device->id;
    const struct figure *startup =
        report_figure(s->report, device, role, "startup_seconds", conditions);
    const struct figure *rate = report_figure(s->report, device, role, "rate", conditions);
    char *way = spoken(role), *owner = xasprintf("%s, %s", way, memory), *fit;
    const struct series *points = chart_find(c, s, owner);

    if (startup != NULL && rate != NULL && rate->value.value > 0 && points != NULL &&
        points->count > 1) {
        const double low = points->points[0].x, high = points->points[points->count - 1].x;
        struct series *line;

        fit = xasprintf("%s, fitted", owner);
        chart_find(c, s, owner)->look = LOOK_POINTS;
        line = chart_companion(c, s, owner, fit, LOOK_CURVE);
        for (double n = low; n < high * 1.001; n *= sqrt(2))
            series_add(line, n, n / (startup->value.value + n / rate->value.value));
        free(fit);
    }
    free(way);
    free(owner);
}

static void complete_transfer(struct chart *c, const struct chart_source *s)
{
    static const char *const ways[] = {"host_to_device", "device_to_host"};
    static const char *const memories[] = {"pinned", "pageable"};

    for (size_t i = 0; i < COUNT_OF(ways); i++)
        for (size_t k = 0; k < COUNT_OF(memories); k++)
            add_fit(c, s, ways[i], memories[k]);
}

const struct chart_plan chart_transfer = {
    .name = "transfer",
    .title = "Copies between host and card",
    .host_title = "Copies within the host's memory",
    .roles = {"host_to_device", "device_to_host", "bidirectional", "host_memcpy"},
    .unit = "B/s",
    .along = "bytes",
    .x_label = "size of a copy",
    .x_unit = "B",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LOG,
    .series = name_copy,
    .complete = complete_transfer,
};

/* ---- memory ---- */

static void name_variant(struct text *name, const struct measurement *m)
{
    const double bytes = parameters_number(&m->parameters, "bytes");
    char number[UNITS_MAX];

    add_word(name, m, "variant");
    if (isfinite(bytes))
        text_addf(name, "%s%s", name->length > 0 ? ", " : "", units_format(number, bytes, "B"));
    if (name->length == 0)
        text_add(name, "measured");
}

/* A ceiling from side to side. */
static void add_across(struct chart *c, const struct chart_source *s, const char *name, double y)
{
    struct series *line = chart_companion(c, s, NULL, name, LOOK_PROMISE);

    series_add(line, 0.5, y);
    series_add(line, (double)c->x.names.count + 0.5, y);
}

static void complete_memory(struct chart *c, const struct chart_source *s)
{
    const struct roof *measured = report_memory_roof(s->report, s->device->id, "measured");
    const struct roof *promise = measured == NULL ? NULL : roof_promise(s->report, measured);

    if (promise != NULL)
        add_across(c, s,
                   strcmp(promise->source, "datasheet") == 0 ? "datasheet" : "by its memory clock",
                   promise->value.value);
}

const struct chart_plan chart_memory = {
    .name = "memory",
    .title = "What memory delivers",
    .host_title = "What the host's memory delivers",
    .roles = {"memory_bandwidth"},
    .unit = "B/s",
    .along = "operation",
    .x_label = "",
    .x_unit = "",
    .x_scale = AXIS_NAMES,
    .y_label = "rate",
    .y_scale = AXIS_LINEAR,
    .series = name_variant,
    .complete = complete_memory,
};

static void name_window(struct text *name, const struct measurement *m)
{
    (void)m;
    text_add(name, "read over and over");
}

const struct chart_plan chart_cache = {
    .name = "cache",
    .title = "What the caches deliver",
    .host_title = "What the host's caches deliver",
    .roles = {"cache_bandwidth"},
    .unit = "B/s",
    .along = "bytes",
    .x_label = "memory in use",
    .x_unit = "B",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LOG,
    .series = name_window,
};

static void name_latency(struct text *name, const struct measurement *m)
{
    (void)m;
    text_add(name, "a load that waits for the one before");
}

const struct chart_plan chart_latency = {
    .name = "latency",
    .title = "How long a load takes, by how much memory is in use",
    .host_title = "How long a load of the host takes, by how much memory is in use",
    .roles = {"memory_latency"},
    .unit = "s",
    .along = "bytes",
    .x_label = "memory in use",
    .x_unit = "B",
    .x_scale = AXIS_LOG,
    .y_label = "latency",
    .y_scale = AXIS_LOG,
    .series = name_latency,
};

/* ---- arithmetic ---- */

/* The side of the cube with as many products. */
static double side_of(const struct chart_source *s, const struct measurement *m)
{
    (void)s;
    return round(
        cbrt(parameters_number(&m->parameters, "m") * parameters_number(&m->parameters, "n") *
             parameters_number(&m->parameters, "k")));
}

const struct chart_plan chart_gemm = {
    .name = "gemm",
    .title = "Matrix products, by size and precision",
    .host_title = "The host's matrix products, by size and precision",
    .roles = {"gemm"},
    .unit = "FLOP/s",
    .x_label = "side of the matrices",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LOG,
    .best = true,
    .place = side_of,
    .series = precision_name,
};

const struct chart_plan chart_vector = {
    .name = "vector-peak",
    .title = "Multiply-adds outside of matrix units",
    .host_title = "The host's multiply-adds",
    .roles = {"vector_peak"},
    .unit = "FLOP/s",
    .along = "ilp",
    .x_label = "independent chains a thread",
    .x_unit = "",
    .x_scale = AXIS_LOG,
    .y_label = "rate",
    .y_scale = AXIS_LINEAR,
    .series = precision_name,
};
