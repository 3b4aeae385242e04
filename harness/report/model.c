/* The result model: making it, freeing it, adding to it. */
#include "harness/report/model.h"

#include "harness/report/fields.h"
#include "harness/report/report_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const row_status_names[ROW_STATUSES] = {
    [ROW_OK] = "ok",         [ROW_SKIPPED] = "skipped", [ROW_INVALID] = "invalid",
    [ROW_FAILED] = "failed", [ROW_WRONG] = "wrong",
};

const struct telemetry telemetry_unknown = {
    .sm_clock_hz = NAN,
    .nvml_sm_clock_hz = NAN,
    .memory_clock_hz = NAN,
    .power_watts = NAN,
    .power_limit_watts = NAN,
    .temperature_celsius = NAN,
    .link_generation = NAN,
    .link_width = NAN,
    .event_reasons = NAN,
    .utilisation = NAN,
    .pstate = NAN,
    .margin_celsius = NAN,
    .pcie_replays = NAN,
    .host_span_seconds = NAN,
    .power_cap_seconds = NAN,
    .sw_thermal_seconds = NAN,
    .hw_thermal_seconds = NAN,
    .power_brake_seconds = NAN,
    .ecc_uncorrected = NAN,
    .others_share = NAN,
    .steal_share = NAN,
};

const char *const severity_names[SEVERITIES] = {
    [SEVERITY_NOTE] = "note",
    [SEVERITY_DEGRADED] = "degraded",
    [SEVERITY_INVALID] = "invalid",
    [SEVERITY_FAULT] = "fault",
};

void report_init(struct report *r)
{
    layout_init(&layout_report, r);
    r->schema_version = REPORT_SCHEMA_VERSION;
}

void report_free(struct report *r)
{
    strings_free(&r->words);
    layout_free(&layout_report, r);
    r->schema_version = REPORT_SCHEMA_VERSION;
}

void facts_init(struct facts *f)
{
    layout_init(&layout_facts, f);
}

void facts_free(struct facts *f)
{
    layout_free(&layout_facts, f);
}

void facts_copy(struct facts *to, const struct facts *from)
{
    *to = *from;
    for (size_t i = 0; i < layout_facts.count; i++) {
        const struct field *f = &layout_facts.fields[i];
        if (f->kind == FIELD_TEXT) {
            char **text = (void *)((char *)to + f->offset);
            *text = xstrdup(*text);
        }
    }
    to->unknown = json_deep_copy(from->unknown);
}

struct device_record *report_add_device(struct report *r)
{
    return layout_append(&layout_device, &r->devices, &r->device_count);
}

struct experiment_record *report_add_experiment(struct report *r)
{
    return layout_append(&layout_experiment, &r->experiments, &r->experiment_count);
}

struct measurement *report_add_measurement(struct report *r)
{
    return layout_append(&layout_measurement, &r->measurements, &r->measurement_count);
}

struct figure *report_add_figure(struct report *r)
{
    return layout_append(&layout_figure, &r->figures, &r->figure_count);
}

struct roof *report_add_roof(struct report *r)
{
    return layout_append(&layout_roof, &r->roofs, &r->roof_count);
}

struct ridge_point *report_add_ridge_point(struct report *r)
{
    return layout_append(&layout_ridge_point, &r->ridge_points, &r->ridge_point_count);
}

struct finding *report_add_finding(struct report *r)
{
    return layout_append(&layout_finding, &r->findings, &r->finding_count);
}

void report_clear_findings(struct report *r)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        layout_free(&layout_finding, &r->findings[i]);
    }
    free(r->findings);
    r->findings = NULL;
    r->finding_count = 0;
}

void report_clear_derived(struct report *r)
{
    for (size_t i = 0; i < r->roof_count; i++) {
        layout_free(&layout_roof, &r->roofs[i]);
    }
    for (size_t i = 0; i < r->ridge_point_count; i++) {
        layout_free(&layout_ridge_point, &r->ridge_points[i]);
    }
    free(r->roofs);
    free(r->ridge_points);
    r->roofs = NULL;
    r->ridge_points = NULL;
    r->roof_count = r->ridge_point_count = 0;
    report_clear_findings(r);
}

void report_keep_device(struct report *r, const char *id)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->device_count; i++) {
        if (strcmp(r->devices[i].id, id) == 0) {
            r->devices[kept++] = r->devices[i];
        } else {
            layout_free(&layout_device, &r->devices[i]);
        }
    }
    r->device_count = kept;
}

const struct device_record *report_device(const struct report *r, const char *id)
{
    for (size_t i = 0; i < r->device_count; i++) {
        if (r->devices[i].id != NULL && strcmp(r->devices[i].id, id) == 0) {
            return &r->devices[i];
        }
    }
    return NULL;
}

static struct parameter *find_parameter(const struct parameters *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->items[i].name, name) == 0) {
            return &p->items[i];
        }
    }
    return NULL;
}

static void set_parameter(struct parameters *p, const char *name, const char *word, double number)
{
    struct parameter *item = find_parameter(p, name);

    if (item == NULL) {
        p->items = xrealloc(p->items, (p->count + 1) * sizeof *p->items);
        item = &p->items[p->count++];
        *item = (struct parameter){.name = xstrdup(name)};
    }
    char *copy = xstrdup(word); /* before the old one goes: they may be the same */
    free(item->word);
    item->word = copy;
    item->number = number;
}

void parameters_set_number(struct parameters *p, const char *name, double number)
{
    set_parameter(p, name, NULL, number);
}

void parameters_set_word(struct parameters *p, const char *name, const char *word)
{
    set_parameter(p, name, word, NAN);
}

double parameters_number(const struct parameters *p, const char *name)
{
    const struct parameter *item = find_parameter(p, name);

    return item != NULL && item->word == NULL ? item->number : NAN;
}

const char *parameters_word(const struct parameters *p, const char *name)
{
    const struct parameter *item = find_parameter(p, name);

    return item != NULL ? item->word : NULL;
}

bool parameters_match(const struct parameters *p, const char *name, const char *value)
{
    const struct parameter *item = find_parameter(p, name);
    char *end = NULL;

    if (item == NULL) {
        return false;
    }
    if (item->word != NULL) {
        return strcmp(item->word, value) == 0;
    }
    const double number = strtod(value, &end);
    return end != value && *end == '\0' && number == item->number;
}
