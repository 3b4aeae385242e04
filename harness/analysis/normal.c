/* Is this normal?  The main figures of each device beside their roofs and bands. */
#include "harness/analysis/bands.h"
#include "harness/analysis/inputs.h"
#include "harness/analysis/rates.h"
#include "harness/analysis/roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    const struct report *report;
    const struct device_record *device;
    const struct card *card;
    struct normal *items;
    size_t count;
};

static enum place place_of(const struct normal *n)
{
    const double measure = n->absolute ? n->value.value : n->share;

    if (n->band == NULL || isnan(measure))
        return PLACE_UNKNOWN;
    if (!n->absolute && measure < n->band->floor)
        return PLACE_BELOW_FLOOR;
    if (isnan(n->band->low))
        return PLACE_UNKNOWN;
    /* A band is known to a per cent or so, and so is a figure. */
    if (measure < n->band->low * 0.99)
        return PLACE_BELOW;
    return measure > n->band->high * 1.01 ? PLACE_ABOVE : PLACE_WITHIN;
}

static struct normal *add(struct list *list, char *name, struct estimate value, const char *unit)
{
    list->items = xrealloc(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count] = (struct normal){
        .device = list->device->id, .name = name, .value = value, .unit = unit, .roof = NAN};
    return &list->items[list->count++];
}

static void finish(struct normal *n)
{
    n->share = n->value.value / n->roof;
    n->place = place_of(n);
}

/* From the card itself to its kind. */
static const struct band *band_of(const struct list *list, const char *what)
{
    const struct facts *f = &list->device->facts;
    const char *keys[6];
    size_t count = 0;

    if (list->card != NULL)
        keys[count++] = list->card->id;
    if (f->capability != NULL)
        keys[count++] = f->capability;
    if (list->device->name != NULL && strstr(list->device->name, "GeForce") != NULL)
        keys[count++] = "GeForce";
    if (list->card != NULL && list->card->memory_type != NULL &&
        strncmp(list->card->memory_type, "GDDR", 4) == 0)
        keys[count++] = f->ecc == FLAG_YES ? "GDDR with ECC" : "GDDR";
    else if (list->card != NULL && list->card->memory_type != NULL &&
             strncmp(list->card->memory_type, "HBM", 3) == 0)
        keys[count++] = "HBM";
    keys[count++] = "any";
    keys[count] = NULL;
    return band_find(what, keys);
}

/* ---- link ---- */

const struct measurement *headline_copy(const struct report *r, const char *device,
                                        const char *role)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (measurement_usable(m) && m->headline && same_word(m->device, device) &&
            same_word(m->role, role) && parameters_match(&m->parameters, "memory", "pinned"))
            return m;
    }
    return NULL;
}

/* The link in use while it was copied; what card and slot allow where nobody saw it. */
static void set_link(const struct list *list, struct normal *n, const struct measurement *m)
{
    const struct facts *f = &list->device->facts;
    double generation = m == NULL ? NAN : m->telemetry.link_generation;
    double width = m == NULL ? NAN : m->telemetry.link_width;
    char key[16];
    const char *const keys[] = {key, NULL};

    n->roof_source = "of the link in use";
    if (isnan(generation) || isnan(width)) {
        generation = isnan(f->link_generation_max_host)
                         ? NAN
                         : fmin(f->link_generation_max, f->link_generation_max_host);
        width = f->link_width_max;
        n->roof_source = "of the link that card and slot can have";
    }
    n->roof = rate_of_lane(generation) * width;
    snprintf(key, sizeof key, "gen%.0f", generation);
    n->band = band_find("link", keys);
}

static void add_link(struct list *list, const char *role, const char *name)
{
    const struct roof *roof = report_roof(list->report, list->device->id, "link", name, "measured");
    struct normal *n;

    if (roof == NULL)
        return;
    n = add(list, xasprintf("%s, pinned", name), roof->value, roof->unit);
    set_link(list, n, headline_copy(list->report, list->device->id, role));
    finish(n);
}

/* ---- memory and arithmetic ---- */

static void add_memory(struct list *list)
{
    const struct roof *roof = report_memory_roof(list->report, list->device->id, "measured");
    const struct scene s = {
        .report = list->report, .device = list->device, .given = &circumstances_unknown};
    struct normal *n;

    if (roof == NULL)
        return;
    n = add(list, xstrdup(roof->name), roof->value, roof->unit);
    n->roof = input_get(INPUT_MEMORY_ROOF, &s);
    if (!isnan(n->roof))
        n->roof_source = n->roof == input_get(INPUT_MEMORY_ROOF_COMPUTED, &s) ? "by its clock"
                                                                              : "by the datasheet";
    n->band = band_of(list, "memory");
    finish(n);
}

static const char *band_name(const char *roof)
{
    static const char *const names[][2] = {
        {"FP16 GEMM", "half"}, {"BF16 GEMM", "half"}, {"FP8 GEMM", "fp8"}, {"FP32 GEMM", "fp32"}};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i][0], roof) == 0)
            return names[i][1];
    return NULL;
}

static void add_compute(struct list *list)
{
    for (size_t i = 0; i < list->report->roof_count; i++) {
        const struct roof *roof = &list->report->roofs[i], *promise;
        struct normal *n;

        if (!same_word(roof->device, list->device->id) || strcmp(roof->kind, "compute") != 0 ||
            strcmp(roof->source, "measured") != 0)
            continue;
        n = add(list, xstrdup(roof->name), roof->value, roof->unit);
        promise = roof_promise(list->report, roof);
        if (promise != NULL) {
            n->roof = promise->value.value;
            n->roof_source =
                strcmp(promise->source, "device") == 0 ? "by its clock" : "by the datasheet";
        }
        /* Bands are shares of datasheets. */
        if (band_name(roof->name) != NULL && list->card != NULL)
            n->band = band_of(list, band_name(roof->name));
        finish(n);
    }
}

/* A time: less is better, and the band bounds it itself. */
static void add_time(struct list *list, const char *role, const char *figure, const char *name,
                     const char *band)
{
    const struct figure *f = report_figure(list->report, list->device->id, role, figure, NULL);
    struct normal *n;

    if (f == NULL || isnan(f->value.value) || !figure_stands(list->report, f))
        return;
    n = add(list, xstrdup(name), f->value, "s");
    n->absolute = true;
    n->band = band_of(list, band);
    finish(n);
}

size_t normals_of(const struct report *r, struct normal **normals)
{
    struct list list = {.report = r};

    for (size_t i = 0; i < r->device_count; i++) {
        list.device = &r->devices[i];
        list.card = card_of_device(list.device, NULL);
        add_link(&list, "host_to_device", "host to device");
        add_link(&list, "device_to_host", "device to host");
        add_memory(&list);
        add_compute(&list);
        add_time(&list, "memory_latency", "latency", "DRAM latency", "latency");
        add_time(&list, "launch", "back_to_back", "launch, queued", "launch");
    }
    *normals = list.items;
    return list.count;
}

void normals_free(struct normal *normals, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(normals[i].name);
    free(normals);
}
