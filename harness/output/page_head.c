/* The head of a page: which run it was, what was measured, and the six figures that matter. */
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_host(const struct device_record *d)
{
    return d->kind != NULL && strcmp(d->kind, "host") == 0;
}

static void add_part(struct text *t, const char *part)
{
    if (part == NULL || *part == '\0')
        return;
    if (t->length > 0)
        text_add(t, ", ");
    text_add(t, part);
}

/* Adds ", 79.6 GiB" and the like; nothing where the value is unknown. */
static void add_fact(struct text *t, const char *before, double value, const char *unit,
                     const char *after)
{
    char number[UNITS_MAX];

    if (isnan(value))
        return;
    if (t->length > 0)
        text_add(t, ", ");
    text_addf(t, "%s%s%s", before, units_format(number, value, unit), after);
}

/* The same for what is counted. */
static void add_count(struct text *t, const char *before, double count, const char *after)
{
    if (!isnan(count))
        text_addf(t, "%s%s%.0f%s", t->length > 0 ? ", " : "", before, count, after);
}

static void add_title(struct page *page, const struct report *r)
{
    struct text t = TEXT_EMPTY;

    text_addf(&t, "ridge%s%s", r->ridge.version != NULL ? " " : "",
              r->ridge.version != NULL ? r->ridge.version : "");
    add_part(&t, r->environment.machine);
    add_part(&t, r->started);
    if (r->ridge.plan != NULL)
        text_addf(&t, ", plan %s", r->ridge.plan);
    add_fact(&t, "", r->seconds, "s", "");
    page_add(page, BLOCK_TITLE, text_chars(&t));
    text_free(&t);
}

static void add_environment(struct page *page, const struct report *r)
{
    const struct environment *e = &r->environment;
    struct text t = TEXT_EMPTY;

    add_part(&t, e->os);
    if (e->driver != NULL)
        text_addf(&t, "%sdriver %s", t.length > 0 ? ", " : "", e->driver);
    if (e->cuda_runtime != NULL)
        text_addf(&t, "%sCUDA runtime %s", t.length > 0 ? ", " : "", e->cuda_runtime);
    if (e->cublas != NULL)
        text_addf(&t, "%scuBLAS %s", t.length > 0 ? ", " : "", e->cublas);
    if (e->container == FLAG_YES)
        add_part(&t, "in a container");
    if (e->hypervisor == FLAG_YES)
        add_part(&t, "in a virtual machine");
    page_add(page, BLOCK_NOTE, text_chars(&t));
    text_free(&t);
}

static void describe_card(struct text *t, const struct device_record *d)
{
    const struct facts *f = &d->facts;

    add_count(t, "", f->units, " SMs");
    add_fact(t, "", f->memory_bytes, "B", "");
    add_fact(t, "L2 ", f->last_level_cache_bytes, "B", "");
    if (f->capability != NULL)
        text_addf(t, "%scompute capability %s", t->length > 0 ? ", " : "", f->capability);
    add_part(t, f->code);
    if (f->mig == FLAG_YES)
        add_part(t, "MIG slice");
    add_count(t, "PCIe gen ", f->link_generation_max, "");
    add_count(t, "x", f->link_width_max, "");
}

static void describe_host(struct text *t, const struct device_record *d)
{
    const struct facts *f = &d->facts;

    add_count(t, "", f->units, f->units == 1 ? " core" : " cores");
    add_part(t, f->simd);
    add_fact(t, "", f->last_level_cache_bytes, "B", " of last-level cache");
    add_fact(t, "", f->memory_bytes, "B", "");
}

/* What the catalogue's grades mean. */
static const char *sources_of(const struct card *card)
{
    static const char *const meanings[] = {"two sources agree", "one source", "derived"};
    const char grade = card->grade == NULL ? '\0' : *card->grade;

    return grade >= 'A' && grade <= 'C' ? meanings[grade - 'A'] : "grade unknown";
}

static void describe_datasheet(struct text *t, const struct device_record *d)
{
    size_t variants;
    const struct card *card = card_of_device(d, &variants);

    if (is_host(d))
        return;
    if (card == NULL)
        add_part(t, "no datasheet row fits");
    else
        text_addf(t, "%sdatasheet %s (%s%s)", t->length > 0 ? ", " : "", card->id, sources_of(card),
                  variants > 1 ? "; a second card fits, too" : "");
}

static void add_devices(struct page *page, const struct report *r)
{
    struct table *t = table_new(3, 0, "l");

    for (size_t i = 0; i < r->device_count; i++) {
        const struct device_record *d = &r->devices[i];
        struct text what = TEXT_EMPTY;

        if (is_host(d))
            describe_host(&what, d);
        else
            describe_card(&what, d);
        describe_datasheet(&what, d);
        table_add(t, d->id);
        table_add(t, d->name);
        table_add(t, text_chars(&what));
        text_free(&what);
    }
    page_add_table(page, t);
}

void page_add_head(struct page *page, const struct report *r)
{
    add_title(page, r);
    if (r->environment.virtual_card == FLAG_YES)
        page_add(page, BLOCK_BANNER,
                 "VIRTUAL CARD: the tests' stand-in answered for the CUDA runtime; no figure of a "
                 "card below was measured on hardware.");
    if (!r->complete)
        page_add(page, BLOCK_BANNER,
                 "INCOMPLETE: the run ended early; what was measured until then is shown.");
    for (size_t i = 0; i < r->device_count; i++)
        if (r->devices[i].unusable != NULL)
            page_addf(page, BLOCK_BANNER, "NOT USABLE: %s: %s.", r->devices[i].id,
                      r->devices[i].unusable);
    add_devices(page, r);
    add_environment(page, r);
}

/* The usable row that a measured roof came from; NULL where a fit gave it. */
static const struct measurement *row_of_roof(const struct report *r, const struct roof *roof)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (measurement_usable(m) && strcmp(m->device, roof->device) == 0 &&
            m->value.median == roof->value.value && strcmp(m->metric.unit, roof->unit) == 0)
            return m;
    }
    return NULL;
}

static void add_doubts(struct table *t, const struct measurement *m)
{
    struct text doubts = TEXT_EMPTY;

    for (size_t i = 0; m != NULL && i < m->doubts.count; i++)
        add_part(&doubts, m->doubts.items[i]);
    table_add(t, text_chars(&doubts));
    text_free(&doubts);
}

/* A figure that was measured, with what it is held against. */
static void add_estimate(struct table *t, const char *name, const struct estimate *e,
                         const char *unit)
{
    char number[UNITS_MAX];

    table_add(t, name);
    table_add(t, e == NULL ? "not measured" : units_format(number, e->value, unit));
    table_add(t, e == NULL ? "" : interval_format(number, e));
}

static const char *promised_by(const struct roof *promise)
{
    if (strcmp(promise->source, "datasheet") == 0)
        return "";
    return strcmp(promise->kind, "link") == 0 ? " raw" : " by its clock";
}

static void add_promise(struct table *t, const struct report *r, const struct roof *roof)
{
    const struct roof *promise = roof_promise(r, roof);
    char share[UNITS_MAX], number[UNITS_MAX];

    if (promise == NULL)
        table_add(t, "-");
    else
        table_addf(t, "%s of %s%s%s", share_format(share, roof->value.value / promise->value.value),
                   units_format(number, promise->value.value, promise->unit), promised_by(promise),
                   roof_is_weak(r, promise) ? "*" : "");
}

static void add_roof(struct table *t, const struct report *r, const char *name,
                     const struct roof *roof)
{
    add_estimate(t, name, roof == NULL ? NULL : &roof->value, roof == NULL ? "" : roof->unit);
    if (roof != NULL)
        add_promise(t, r, roof);
    else
        table_add(t, "");
    add_doubts(t, roof == NULL ? NULL : row_of_roof(r, roof));
}

/* A figure, or the row of the most bytes where none could be fitted. */
static void add_figure(struct table *t, const struct report *r, const char *device,
                       const char *role, const char *figure, const char *name)
{
    const struct figure *f = report_figure(r, device, role, figure, NULL);
    const struct measurement *m = report_largest(r, device, role, NULL);
    struct estimate value = {NAN, NAN, NAN};

    if (f != NULL)
        value = f->value;
    else if (m != NULL)
        value = estimate_of(&m->value);
    add_estimate(t, name, f == NULL && m == NULL ? NULL : &value,
                 f != NULL && f->unit != NULL ? f->unit
                 : m != NULL                  ? m->metric.unit
                                              : "");
    table_add(t, f == NULL && m == NULL ? "" : "-");
    add_doubts(t, m);
}

static const struct roof *fastest_gemm(const struct report *r, const char *device)
{
    const struct roof *fastest = NULL;

    for (size_t i = 0; i < r->roof_count; i++) {
        const struct roof *roof = &r->roofs[i];

        if (strcmp(roof->device, device) == 0 && strcmp(roof->source, "measured") == 0 &&
            strstr(roof->name, " GEMM") != NULL &&
            (fastest == NULL || roof->value.value > fastest->value.value))
            fastest = roof;
    }
    return fastest;
}

static void add_ridge(struct table *t, const struct report *r, const char *device)
{
    const struct roof *fastest = report_fastest(r, device);
    const struct ridge_point *p =
        fastest == NULL ? NULL : report_ridge_point(r, device, fastest->name, "measured");
    const struct roof *promise = fastest == NULL ? NULL : roof_promise(r, fastest);
    const struct ridge_point *promised =
        promise == NULL ? NULL : report_ridge_point(r, device, promise->name, promise->source);
    char number[UNITS_MAX];

    add_estimate(t, "ridge point of the fastest", p == NULL ? NULL : &p->flop_per_byte, "FLOP/B");
    if (promised == NULL)
        table_add(t, p == NULL ? "" : "-");
    else
        table_addf(t, "%s %s", units_format(number, promised->flop_per_byte.value, ""),
                   strcmp(promised->source, "device") == 0 ? "by its clocks" : "by datasheet");
    table_add(t, "");
}

/* Is any promise marked as resting on one source? */
static bool has_weak_promise(const struct table *t)
{
    for (size_t row = t->headers; row < table_rows(t); row++) {
        const char *share = table_cell(t, row, 3);

        if (*share != '\0' && share[strlen(share) - 1] == '*')
            return true;
    }
    return false;
}

static struct table *six_figures(const struct report *r, const struct device_record *d)
{
    struct table *t = table_new(5, 1, "lrrll");
    const struct roof *memory = report_memory_roof(r, d->id, "measured");
    const struct roof *gemm = fastest_gemm(r, d->id);
    char *memory_name = memory == NULL ? xstrdup("memory") : xasprintf("memory (%s)", memory->name);
    char *gemm_name = roof_short_name(gemm == NULL ? "GEMM" : gemm->name);

    table_add(t, d->id);
    table_add(t, "measured");
    table_add(t, "95 %");
    table_add(t, is_host(d) ? "share of peak" : "share of datasheet");
    table_add(t, "doubts");
    add_roof(t, r, memory_name, memory);
    add_roof(t, r, "FP32 FMA", report_roof(r, d->id, "compute", "FP32 FMA", "measured"));
    add_roof(t, r, gemm_name, gemm);
    if (is_host(d))
        add_figure(t, r, d->id, "host_memcpy", "rate", "memcpy by one core");
    else
        add_roof(t, r, "host to device, pinned",
                 report_roof(r, d->id, "link", "host to device", "measured"));
    add_figure(t, r, d->id, "memory_latency", "latency", "memory latency");
    add_ridge(t, r, d->id);
    free(memory_name);
    free(gemm_name);
    return t;
}

void page_add_figures(struct page *page, const struct report *r)
{
    page_add(page, BLOCK_SECTION, "The figures that matter");
    for (size_t i = 0; i < r->device_count; i++) {
        struct table *figures = six_figures(r, &r->devices[i]);
        const bool weak = has_weak_promise(figures);

        page_add_table(page, figures);
        if (weak)
            page_add(page, BLOCK_NOTE, "* rests on one source or is derived");
        if (!is_host(&r->devices[i]) && card_of_device(&r->devices[i], NULL) == NULL)
            page_addf(page, BLOCK_NOTE,
                      "No datasheet row fits %s by name, SM count and memory; the nearest name "
                      "would be no substitute.",
                      r->devices[i].id);
    }
}
