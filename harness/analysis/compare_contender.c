/* Reduces a device of a report, or a datasheet, to the figures that are compared. */
#include "harness/analysis/compare.h"
#include "harness/analysis/precision.h"
#include "harness/analysis/rates.h"
#include "harness/analysis/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct reached *add_reached(struct contender *c, enum reached_group group,
                                   enum better better, const char *unit, const char *name)
{
    c->reached = xrealloc(c->reached, (c->count + 1) * sizeof *c->reached);
    c->reached[c->count] = (struct reached){
        .name = xstrdup(name),
        .unit = unit,
        .group = group,
        .better = better,
        .value = {NAN, NAN, NAN},
    };
    return &c->reached[c->count++];
}

const struct reached *contender_figure(const struct contender *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->reached[i].name, name) == 0)
            return &c->reached[i];
    return NULL;
}

/* One row speaks for a figure: the best, or that of the most bytes. */
struct choice {
    struct contender *contender;
    const struct measurement **rows; /* of each figure */
};

static bool stands_out(const struct measurement *m, const struct measurement *before, bool by_bytes)
{
    const double now = by_bytes ? parameters_number(&m->parameters, "bytes") : m->value.median;
    const double then =
        by_bytes ? parameters_number(&before->parameters, "bytes") : before->value.median;

    return now > then;
}

static const char *unit_of(enum reached_group group)
{
    if (group == REACHED_LATENCY)
        return "s";
    return group == REACHED_GEMM || group == REACHED_FMA ? "FLOP/s" : "B/s";
}

/* A row of another unit is another question. */
static void choose(struct choice *c, const struct measurement *m, enum reached_group group,
                   const char *name)
{
    const struct reached *found = contender_figure(c->contender, name);
    const bool latency = group == REACHED_LATENCY;
    const char *unit = unit_of(group);
    size_t at;

    if (m->metric.unit == NULL || strcmp(m->metric.unit, unit) != 0)
        return;
    if (found == NULL) {
        at = c->contender->count;
        add_reached(c->contender, group, latency ? LESS_IS_BETTER : MORE_IS_BETTER, unit, name);
        c->rows = xrealloc(c->rows, (at + 1) * sizeof *c->rows);
        c->rows[at] = m;
        return;
    }
    at = (size_t)(found - c->contender->reached);
    if (stands_out(m, c->rows[at], latency || group == REACHED_LINK))
        c->rows[at] = m;
}

/* METHOD 10: the best of read, copy and triad. */
static void choose_memory(struct choice *c, const struct measurement *m)
{
    const char *operation = parameters_word(&m->parameters, "operation");
    char *name;

    if (operation == NULL)
        return;
    if (strcmp(operation, "read") == 0 || strcmp(operation, "copy") == 0 ||
        strcmp(operation, "triad") == 0)
        choose(c, m, REACHED_MEMORY, "memory bandwidth");
    name = xasprintf("memory %s", operation);
    choose(c, m, REACHED_MEMORY, name);
    free(name);
}

static void choose_link(struct choice *c, const struct measurement *m, const char *direction)
{
    const char *memory = parameters_word(&m->parameters, "memory");
    const char *leg = parameters_word(&m->parameters, "direction");
    char *name;

    if (memory == NULL || (leg != NULL && strcmp(leg, "sum") != 0))
        return;
    name = xasprintf("%s, %s", direction, memory);
    choose(c, m, REACHED_LINK, name);
    free(name);
}

static void choose_arithmetic(struct choice *c, const struct measurement *m)
{
    struct text name = TEXT_EMPTY;

    precision_name(&name, m);
    choose(c, m, strcmp(m->role, "gemm") == 0 ? REACHED_GEMM : REACHED_FMA, text_chars(&name));
    text_free(&name);
}

static void choose_by_role(struct choice *c, const struct measurement *m)
{
    static const struct {
        const char *role, *direction;
    } links[] = {{"host_to_device", "host to device"},
                 {"device_to_host", "device to host"},
                 {"bidirectional", "both directions"}};

    for (size_t i = 0; i < COUNT_OF(links); i++)
        if (strcmp(m->role, links[i].role) == 0)
            choose_link(c, m, links[i].direction);
    if (strcmp(m->role, "memory_bandwidth") == 0)
        choose_memory(c, m);
    else if (role_is_arithmetic(m->role))
        choose_arithmetic(c, m);
    else if (strcmp(m->role, "memory_latency") == 0)
        choose(c, m, REACHED_LATENCY, "memory latency");
}

static void take_row(struct reached *f, const struct measurement *m)
{
    f->value = estimate_of(&m->value);
    f->samples = xcalloc(m->samples, sizeof *f->samples);
    f->sample_count = m->samples;
    for (size_t i = 0; i < m->samples; i++)
        f->samples[i] = metric_value(&m->metric, &m->work, m->seconds[i]);
}

static void add_rows(struct contender *c, const struct report *r)
{
    struct choice choice = {.contender = c};

    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (measurement_usable(m) && m->role != NULL && m->device != NULL && m->peer == NULL &&
            strcmp(m->device, c->id) == 0)
            choose_by_role(&choice, m);
    }
    for (size_t i = 0; i < c->count; i++)
        take_row(&c->reached[i], choice.rows[i]);
    free(choice.rows);
}

/* "host_to_device" with blanks; caller frees. */
static char *spaced(const char *role)
{
    char *copy = xstrdup(role);

    for (char *c = copy; *c != '\0'; c++)
        if (*c == '_')
            *c = ' ';
    return copy;
}

/* What a copy costs before its first byte, from the fit. */
static void add_startups(struct contender *c, const struct report *r)
{
    for (size_t i = 0; i < r->figure_count; i++) {
        const struct figure *f = &r->figures[i];
        const char *memory = parameters_word(&f->parameters, "memory");
        char *direction, *name;

        if (strcmp(f->device, c->id) != 0 || f->role == NULL || memory == NULL ||
            strcmp(f->name, "startup_seconds") != 0 || !isfinite(f->value.value))
            continue;
        direction = spaced(f->role);
        name = xasprintf("%s, start-up, %s", direction, memory);
        add_reached(c, REACHED_LINK, LESS_IS_BETTER, "s", name)->value = f->value;
        free(name);
        free(direction);
    }
}

static void add_divergence(struct contender *c, const struct report *r)
{
    static const struct {
        const char *figure, *name;
    } ratios[] = {{"ratio_at_half", "divergence, half and half"},
                  {"ratio_shuffled", "divergence, shuffled"}};

    for (size_t i = 0; i < COUNT_OF(ratios); i++) {
        const struct figure *f = report_figure(r, c->id, "divergence", ratios[i].figure, NULL);

        if (f != NULL && isfinite(f->value.value))
            add_reached(c, REACHED_DIVERGENCE, NEITHER_IS_BETTER, "", ratios[i].name)->value =
                f->value;
    }
}

static struct reached *add_ridge(struct contender *c, const char *compute, struct estimate value)
{
    char *name = xasprintf("ridge point, %s", compute);
    struct reached *f = add_reached(c, REACHED_RIDGE, NEITHER_IS_BETTER, "FLOP/B", name);

    f->value = value;
    free(name);
    return f;
}

static void add_exact(struct contender *c, enum reached_group group, const char *unit,
                      const char *name, double value, bool weak)
{
    struct reached *f;

    if (!(value > 0) || !isfinite(value))
        return;
    f = add_reached(c, group, group == REACHED_SIZE ? NEITHER_IS_BETTER : MORE_IS_BETTER, unit,
                    name);
    f->value = (struct estimate){value, NAN, NAN};
    f->exact = true;
    f->weak = weak;
}

/* The clock that arithmetic ran at, over the rated maximum: the median of its rows. */
static double clock_share(const struct report *r, const struct device_record *d)
{
    double *clocks = xcalloc(r->measurement_count + 1, sizeof *clocks), share;
    size_t count = 0;

    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (measurement_usable(m) && role_is_arithmetic(m->role) && strcmp(m->device, d->id) == 0)
            clocks[count++] = m->telemetry.sm_clock_hz;
    }
    share = summary_of(clocks, count).median / d->facts.clock_max_hz;
    free(clocks);
    return share;
}

static struct setting setting_of(const struct report *r, const struct device_record *d)
{
    const struct facts *f = &d->facts;

    return (struct setting){
        .kind = xstrdup(d->kind),
        .plan = xstrdup(r->ridge.plan),
        .driver = xstrdup(r->environment.driver),
        .library = xstrdup(r->environment.cublas),
        .complete = r->complete ? FLAG_YES : FLAG_NO,
        .virtual_card = r->environment.virtual_card,
        .ecc = f->ecc,
        .mig = f->mig,
        .vgpu = f->vgpu,
        .power_limit_share = f->power_limit_watts / f->power_limit_default_watts,
        .clock_share = clock_share(r, d),
    };
}

bool contender_of_device(struct contender *c, const struct report *r, const char *device)
{
    const struct device_record *d = report_device(r, device);
    bool found;

    *c = (struct contender){.name = xstrdup(d->name != NULL ? d->name : d->id),
                            .id = xstrdup(d->id),
                            .measured = true,
                            .setting = setting_of(r, d)};
    add_rows(c, r);
    add_startups(c, r);
    add_divergence(c, r);
    for (size_t i = 0; i < r->ridge_point_count; i++)
        if (strcmp(r->ridge_points[i].device, device) == 0 &&
            strcmp(r->ridge_points[i].source, "measured") == 0)
            add_ridge(c, r->ridge_points[i].compute, r->ridge_points[i].flop_per_byte);
    found = c->count > 0;
    add_exact(c, REACHED_SIZE, "B", "memory size", d->facts.memory_bytes, false);
    return found;
}

static void add_peaks(struct contender *c, const struct card *card)
{
    static const char *const names[] = {
        "FP32 GEMM", "TF32 GEMM", "FP16 GEMM", "FP16 GEMM (FP16 accumulate)",
        "BF16 GEMM", "FP64 GEMM", "FP8 GEMM",  "INT8 GEMM",
        "FP4 GEMM",  "FP32 FMA",  "FP64 FMA"};

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const enum card_peak peak = precision_peak(card, names[i]);
        const bool gemm = strstr(names[i], "GEMM") != NULL;
        const double ridge =
            peak == CARD_PEAKS ? NAN : card->peak[peak] / card->memory_bytes_per_second;

        if (peak == CARD_PEAKS)
            continue;
        add_exact(c, gemm ? REACHED_GEMM : REACHED_FMA, "FLOP/s", names[i], card->peak[peak],
                  card->weak[peak]);
        if (ridge > 0 && isfinite(ridge)) {
            struct reached *f = add_ridge(c, names[i], (struct estimate){ridge, NAN, NAN});

            f->exact = true;
            f->weak = card->weak[peak] || card->memory_weak;
        }
    }
}

void contender_of_card(struct contender *c, const struct card *card)
{
    const double link = rate_of_lane(card->link_generation) * card->link_width;

    *c = (struct contender){
        .name = xstrdup(card->name),
        .id = xstrdup(card->id),
        .setting = {.complete = FLAG_UNKNOWN,
                    .virtual_card = FLAG_UNKNOWN,
                    .ecc = FLAG_UNKNOWN,
                    .mig = FLAG_UNKNOWN,
                    .vgpu = FLAG_UNKNOWN,
                    .power_limit_share = NAN,
                    .clock_share = NAN},
    };
    add_exact(c, REACHED_MEMORY, "B/s", "memory bandwidth", card->memory_bytes_per_second,
              card->memory_weak);
    add_exact(c, REACHED_LINK, "B/s", "host to device, pinned", link, false);
    add_exact(c, REACHED_LINK, "B/s", "device to host, pinned", link, false);
    add_peaks(c, card);
    add_exact(c, REACHED_SIZE, "B", "memory size", card->memory_bytes, false);
}

void contender_free(struct contender *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->reached[i].name);
        free(c->reached[i].samples);
    }
    free(c->reached);
    free(c->name);
    free(c->origin);
    free(c->identity);
    free(c->id);
    if (c->report != NULL)
        report_free(c->report);
    free(c->report);
    free(c->setting.kind);
    free(c->setting.plan);
    free(c->setting.driver);
    free(c->setting.library);
    *c = (struct contender){0};
}
