/* Derives the roofline of every device, and finds its parts again. */
#include "harness/analysis/roofline.h"
#include "harness/analysis/findings.h"
#include "harness/analysis/precision.h"
#include "harness/analysis/roofs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void analysis_derive(struct report *r)
{
    report_clear_derived(r);
    findings_derive(r, NULL); /* first: rows that must not be used are no part of a roof */
    for (size_t i = 0; i < r->device_count; i++) {
        const struct device_record *d = &r->devices[i];

        roofs_add_measured(r, d);
        roofs_add_datasheet(r, d);
        roofs_add_device(r, d);
        ridge_points_add(r, d->id);
    }
}

const struct roof *report_roof(const struct report *r, const char *device, const char *kind,
                               const char *name, const char *source)
{
    for (size_t i = 0; i < r->roof_count; i++) {
        const struct roof *roof = &r->roofs[i];

        if (strcmp(roof->device, device) == 0 && strcmp(roof->kind, kind) == 0 &&
            strcmp(roof->name, name) == 0 && strcmp(roof->source, source) == 0)
            return roof;
    }
    return NULL;
}

static const struct roof *first_of_kind(const struct report *r, const char *device,
                                        const char *kind, const char *source)
{
    for (size_t i = 0; i < r->roof_count; i++) {
        const struct roof *roof = &r->roofs[i];

        if (strcmp(roof->device, device) == 0 && strcmp(roof->kind, kind) == 0 &&
            strcmp(roof->source, source) == 0)
            return roof;
    }
    return NULL;
}

const struct roof *report_memory_roof(const struct report *r, const char *device,
                                      const char *source)
{
    return first_of_kind(r, device, "memory", source);
}

/* FP32 FMA for FP32 GEMM, TF32 tensor for TF32 GEMM. */
static const struct roof *compute_promise(const struct report *r, const struct roof *measured)
{
    const struct device_record *d = report_device(r, measured->device);
    const struct card *card = d == NULL ? NULL : card_of_device(d, NULL);
    const enum card_peak peak = precision_peak(card, measured->name);
    const struct roof *roof;

    if (peak == CARD_PEAKS)
        return NULL;
    roof = report_roof(r, measured->device, "compute", card_peak_names[peak], "datasheet");
    if (roof == NULL)
        roof = report_roof(r, measured->device, "compute", card_peak_names[peak], "device");
    return roof;
}

const struct roof *roof_promise(const struct report *r, const struct roof *measured)
{
    const struct roof *roof;

    if (strcmp(measured->kind, "compute") == 0)
        return compute_promise(r, measured);
    roof = first_of_kind(r, measured->device, measured->kind, "datasheet");
    return roof != NULL ? roof : first_of_kind(r, measured->device, measured->kind, "device");
}

bool roof_is_weak(const struct report *r, const struct roof *roof)
{
    const struct device_record *d = report_device(r, roof->device);
    const struct card *card = d == NULL ? NULL : card_of_device(d, NULL);

    if (card == NULL || strcmp(roof->source, "datasheet") != 0)
        return false;
    if (strcmp(roof->kind, "memory") == 0)
        return card->memory_weak;
    for (size_t i = 0; i < CARD_PEAKS; i++)
        if (strcmp(roof->name, card_peak_names[i]) == 0)
            return card->weak[i];
    return false;
}

const struct roof *report_fastest(const struct report *r, const char *device)
{
    const struct roof *fastest = NULL;

    for (size_t i = 0; i < r->roof_count; i++) {
        const struct roof *roof = &r->roofs[i];

        if (strcmp(roof->device, device) == 0 && strcmp(roof->kind, "compute") == 0 &&
            strcmp(roof->source, "measured") == 0 &&
            (fastest == NULL || roof->value.value > fastest->value.value))
            fastest = roof;
    }
    return fastest;
}

const struct ridge_point *report_ridge_point(const struct report *r, const char *device,
                                             const char *compute, const char *source)
{
    for (size_t i = 0; i < r->ridge_point_count; i++) {
        const struct ridge_point *p = &r->ridge_points[i];

        if (strcmp(p->device, device) == 0 && strcmp(p->compute, compute) == 0 &&
            strcmp(p->source, source) == 0)
            return p;
    }
    return NULL;
}

const struct measurement *report_largest(const struct report *r, const char *device,
                                         const char *role, const char *memory)
{
    const struct measurement *largest = NULL;

    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        const double bytes = parameters_number(&m->parameters, "bytes");

        if (measurement_usable(m) && m->role != NULL && strcmp(m->role, role) == 0 &&
            strcmp(m->device, device) == 0 &&
            (memory == NULL || parameters_match(&m->parameters, "memory", memory)) &&
            (largest == NULL || bytes > parameters_number(&largest->parameters, "bytes")))
            largest = m;
    }
    return largest;
}

static bool is_triad(const struct measurement *m)
{
    return strcmp(m->role, "memory_bandwidth") == 0 &&
           parameters_match(&m->parameters, "operation", "triad");
}

static bool is_point(const struct measurement *m)
{
    return role_is_arithmetic(m->role) || is_triad(m) || strcmp(m->role, "intensity") == 0;
}

/* A point of the walk along the roofline belongs to the ceiling that it ends at. */
static char *point_label(const struct measurement *m)
{
    struct text label = TEXT_EMPTY;

    if (is_triad(m))
        text_add(&label, "triad");
    else if (strcmp(m->role, "intensity") == 0)
        text_add(&label, "FP32 FMA");
    else
        precision_name(&label, m);
    return text_take(&label);
}

/* What is kept in registers reads nothing worth counting, whatever small sum it stores. */
static double intensity(const struct measurement *m)
{
    if (strcmp(m->role, "vector_peak") == 0 || !(m->work.bytes > 0))
        return INFINITY;
    return m->work.flops / m->work.bytes;
}

size_t roofline_points(const struct report *r, const char *device, struct roofline_point **points)
{
    size_t count = 0;

    *points = xcalloc(r->measurement_count + 1, sizeof **points);
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (!measurement_usable(m) || m->role == NULL || strcmp(m->device, device) != 0 ||
            !is_point(m) || !(m->work.flops > 0) || !(m->value.median > 0) ||
            !isfinite(m->value.median))
            continue;
        (*points)[count++] = (struct roofline_point){
            .label = point_label(m),
            .flop_per_byte = intensity(m),
            .flop_per_second =
                is_triad(m) ? m->value.median * m->work.flops / m->work.bytes : m->value.median,
            .row = m,
        };
    }
    return count;
}

void roofline_points_free(struct roofline_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(points[i].label);
    free(points);
}
