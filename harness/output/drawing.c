/* Turns roofs and points into lines and dots: which are drawn, in which colour, within which axes.
 */
#include "harness/output/drawing.h"
#include "harness/analysis/precision.h"
#include "harness/base/units.h"
#include "harness/output/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More ceilings than this cannot be labelled: then each device shows its FP32 and fastest ones. */
enum { CEILINGS_MOST = 20 };

const char *const point_kind_names[POINT_KINDS] = {"GEMM", "FMA in registers", "triad",
                                                   "reads with FMAs"};

struct source {
    const struct report *report;
    const char *device;
    char *prefix;         /* of labels where several devices are drawn, else "" */
    size_t colour, roofs; /* of the device; drawn so far */
    bool shared;          /* several devices: a colour each, not one a precision */
};

/* Whatever a file says: gnuplot knows no infinity. */
static const double least = 1e-30, most = 1e30;

static double bounded(double value)
{
    return fmin(fmax(value, least), most);
}

static bool is_bounded(double value)
{
    return value >= least && value <= most;
}

static struct line *add_line(struct drawing *d, enum line_kind kind, size_t colour, double x0,
                             double y0, double x1, double y1)
{
    d->lines = xrealloc(d->lines, (d->line_count + 1) * sizeof *d->lines);
    d->lines[d->line_count] = (struct line){
        kind, {bounded(x0), bounded(x1)}, {bounded(y0), bounded(y1)}, colour, NULL, NULL};
    return &d->lines[d->line_count++];
}

static bool is_measured_compute(const struct roof *roof, const char *device)
{
    return strcmp(roof->device, device) == 0 && strcmp(roof->kind, "compute") == 0 &&
           strcmp(roof->source, "measured") == 0;
}

static size_t count_roofs(const struct report *r, const char *device)
{
    size_t count = 0;

    for (size_t i = 0; i < r->roof_count; i++)
        count += is_measured_compute(&r->roofs[i], device);
    return count;
}

/* Colours: of the device, or, where there is one device only, of the precision in order. */
static size_t colour_of(const struct source *s, size_t nth)
{
    return s->shared ? s->colour : nth + 1;
}

static void name_line(struct line *line, const struct source *s, const struct roof *roof)
{
    char *name = roof_short_name(roof->name);
    const struct roof *promise = roof_promise(s->report, roof);
    struct text label = TEXT_EMPTY;
    char number[UNITS_MAX];

    line->name = xasprintf("%s%s", s->prefix, name);
    text_addf(&label, "%s  %s", line->name, units_format(number, roof->value.value, roof->unit));
    if (promise != NULL)
        text_addf(&label, "  (%.0f %%)", 100 * roof->value.value / promise->value.value);
    free(name);
    line->label = text_take(&label);
}

static void add_promise(struct drawing *d, const struct source *s, const struct roof *promise,
                        size_t colour)
{
    const struct roof *memory = report_memory_roof(s->report, s->device, promise->source);

    if (memory != NULL)
        add_line(d, LINE_PROMISE, colour, promise->value.value / memory->value.value,
                 promise->value.value, d->x_high, promise->value.value);
}

static void add_ceiling(struct drawing *d, const struct source *s, const struct roof *roof,
                        const struct roof *memory, size_t colour)
{
    const struct roof *promise = roof_promise(s->report, roof);

    name_line(add_line(d, LINE_COMPUTE, colour, roof->value.value / memory->value.value,
                       roof->value.value, d->x_high, roof->value.value),
              s, roof);
    if (promise != NULL)
        add_promise(d, s, promise, colour);
}

static void add_ridge(struct drawing *d, const struct source *s, const struct roof *roof,
                      size_t colour)
{
    const struct ridge_point *p = report_ridge_point(s->report, s->device, roof->name, "measured");
    char number[UNITS_MAX];

    if (p != NULL)
        add_line(d, LINE_RIDGE, colour, p->flop_per_byte.value, d->y_low, p->flop_per_byte.value,
                 roof->value.value)
            ->label = xasprintf("%s flop/B", units_format(number, p->flop_per_byte.value, ""));
}

static bool is_marked(const struct source *s, const struct roof *roof)
{
    return roof == report_fastest(s->report, s->device) || strcmp(roof->name, "FP32 FMA") == 0;
}

static void add_memory(struct drawing *d, const struct source *s, const struct roof *memory)
{
    const struct roof *fastest = report_fastest(s->report, s->device);
    const struct roof *promise = roof_promise(s->report, memory);
    const struct roof *top = fastest == NULL ? NULL : roof_promise(s->report, fastest);
    const double high = fastest == NULL ? d->y_high : fastest->value.value;
    const size_t colour = s->shared ? s->colour : 0;
    const double rate = memory->value.value;

    name_line(add_line(d, LINE_MEMORY, colour, d->x_low, d->x_low * rate, high / rate, high), s,
              memory);
    if (promise != NULL && top != NULL)
        add_line(d, LINE_PROMISE, colour, d->x_low, d->x_low * promise->value.value,
                 top->value.value / promise->value.value, top->value.value);
}

/* From where the picture begins up to the fastest arithmetic. */
static void add_level(struct drawing *d, const struct source *s, const struct roof *roof,
                      const struct roof *fastest)
{
    const double rate = roof->value.value;
    const double low = fmax(d->x_low, d->y_low / rate);
    const double high = fmin(d->x_high, fastest->value.value / rate);

    if (high > low)
        name_line(
            add_line(d, LINE_LEVEL, s->shared ? s->colour : 0, low, low * rate, high, high * rate),
            s, roof);
}

/* Caches; and the way to the host, through which goes what is not kept on the card. */
static void add_levels(struct drawing *d, const struct source *s)
{
    const struct roof *fastest = report_fastest(s->report, s->device);

    for (size_t i = 0; fastest != NULL && i < s->report->roof_count; i++) {
        const struct roof *roof = &s->report->roofs[i];
        const bool shown =
            strcmp(roof->kind, "cache") == 0 ||
            (strcmp(roof->kind, "link") == 0 && strcmp(roof->name, "host to device") == 0);

        if (shown && strcmp(roof->device, s->device) == 0 && strcmp(roof->source, "measured") == 0)
            add_level(d, s, roof, fastest);
    }
}

static void add_lines(struct drawing *d, struct source *s, bool all)
{
    const struct roof *memory = report_memory_roof(s->report, s->device, "measured");

    if (memory == NULL)
        return;
    add_memory(d, s, memory);
    for (size_t i = 0; i < s->report->roof_count; i++) {
        const struct roof *roof = &s->report->roofs[i];

        if (!is_measured_compute(roof, s->device) || !(all || is_marked(s, roof)))
            continue;
        add_ceiling(d, s, roof, memory, colour_of(s, s->roofs));
        if (is_marked(s, roof))
            add_ridge(d, s, roof, colour_of(s, s->roofs));
        s->roofs++;
    }
    add_levels(d, s);
}

/* The colour of the ceiling that a point belongs to. */
static size_t colour_of_point(const struct source *s, const struct roofline_point *p)
{
    size_t nth = 0;

    for (size_t i = 0; i < s->report->roof_count; i++)
        if (is_measured_compute(&s->report->roofs[i], s->device)) {
            if (strcmp(s->report->roofs[i].name, p->label) == 0)
                return colour_of(s, nth);
            nth++;
        }
    return s->shared ? s->colour : 0;
}

static void add_dots(struct drawing *d, const struct source *s)
{
    struct roofline_point *points;
    const size_t count = roofline_points(s->report, s->device, &points);

    d->dots = xrealloc(d->dots, (d->dot_count + count + 1) * sizeof *d->dots);
    for (size_t i = 0; i < count; i++) {
        const char *role = points[i].row->role;
        const double x = points[i].flop_per_byte, y = points[i].flop_per_second;
        char *name;

        if (!is_bounded(y) || (isfinite(x) && !is_bounded(x)))
            continue;
        name = roof_short_name(points[i].label);
        d->dots[d->dot_count++] = (struct dot){
            .kind = strcmp(role, "gemm") == 0          ? POINT_GEMM
                    : strcmp(role, "vector_peak") == 0 ? POINT_FMA
                    : strcmp(role, "intensity") == 0   ? POINT_WALK
                                                       : POINT_TRIAD,
            /* What reads registers only stands at the right edge. */
            .x = isfinite(x) ? x : d->x_high / 1.25,
            .y = y,
            .colour = colour_of_point(s, &points[i]),
            .name = xasprintf("%s%s", s->prefix, name),
            .row = points[i].row,
        };
        free(name);
    }
    roofline_points_free(points, count);
}

/* Axes wide enough for every roof and point of a device. */
static void widen(struct drawing *d, const struct source *s)
{
    struct roofline_point *points;
    const size_t count = roofline_points(s->report, s->device, &points);
    const struct roof *memory = report_memory_roof(s->report, s->device, "measured");

    for (size_t i = 0; i < s->report->roof_count; i++) {
        const struct roof *roof = &s->report->roofs[i];

        if (is_measured_compute(roof, s->device)) {
            const struct roof *promise = roof_promise(s->report, roof);

            d->y_high = fmax(d->y_high, roof->value.value);
            d->y_high = fmax(d->y_high, promise != NULL ? promise->value.value : 0);
            if (memory != NULL)
                d->x_high = fmax(d->x_high, 8 * roof->value.value / memory->value.value);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (isfinite(points[i].flop_per_byte)) {
            d->x_low = fmin(d->x_low, points[i].flop_per_byte);
            d->x_high = fmax(d->x_high, 3 * points[i].flop_per_byte);
        }
        d->y_low = fmin(d->y_low, points[i].flop_per_second);
        d->y_high = fmax(d->y_high, points[i].flop_per_second);
    }
    if (memory != NULL && report_fastest(s->report, s->device) == NULL)
        d->y_high = fmax(d->y_high, memory->value.value * d->x_high / 8);
    if (memory != NULL)
        d->y_low = fmin(d->y_low, d->x_low * memory->value.value);
    roofline_points_free(points, count);
}

static struct source *sources_of(const struct report *const *reports, size_t count, size_t *found)
{
    struct source *sources = NULL;

    size_t nth = 0; /* a device has the same colour in every chart */

    *found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->device_count; k++) {
            const char *device = reports[i]->devices[k].id;

            nth++;
            if (report_memory_roof(reports[i], device, "measured") == NULL)
                continue;
            sources = xrealloc(sources, (*found + 1) * sizeof *sources);
            sources[*found] = (struct source){reports[i], device, NULL, nth, 0, false};
            sources[*found].prefix = count > 1 ? xasprintf("%c:%s ", (char)('A' + i % 26), device)
                                               : xasprintf("%s ", device);
            ++*found;
        }
    for (size_t i = 0; i < *found; i++)
        sources[i].shared = *found > 1;
    if (*found == 1)
        sources[0].prefix[0] = '\0';
    return sources;
}

static void add_title(struct text *title, const struct source *s)
{
    const struct device_record *device = report_device(s->report, s->device);

    text_addf(title, "%s%s%s", title->length > 0 ? ", " : "", s->prefix,
              device->name != NULL ? device->name : s->device);
}

/* Room round what is drawn; and no axis of absurd length, whatever a file says. */
static void give_room(struct drawing *d)
{
    d->x_low = fmax(d->x_low / 2.5, 1e-6);
    d->x_high = fmin(d->x_high, 1e9);
    d->y_high = fmin(d->y_high * 1.8, 1e24);
    d->y_low = fmax(fmin(d->y_low, d->y_high) / 2.5, d->y_high / 1e15);
}

void drawing_of(struct drawing *d, const struct report *const *reports, size_t count)
{
    size_t found, roofs = 0;
    struct source *sources = sources_of(reports, count, &found);
    struct text title = TEXT_EMPTY;

    *d = (struct drawing){.x_low = 0.15, .x_high = 64, .y_low = INFINITY};
    for (size_t i = 0; i < found; i++) {
        widen(d, &sources[i]);
        roofs += count_roofs(sources[i].report, sources[i].device);
    }
    give_room(d);
    for (size_t i = 0; i < found; i++) {
        add_lines(d, &sources[i], roofs <= CEILINGS_MOST);
        add_dots(d, &sources[i]);
        add_title(&title, &sources[i]);
        free(sources[i].prefix);
    }
    for (size_t i = 0; i < count; i++)
        d->virtual_card = d->virtual_card || reports[i]->environment.virtual_card == FLAG_YES;
    d->title = text_take(&title);
    free(sources);
}

void drawing_free(struct drawing *d)
{
    for (size_t i = 0; i < d->line_count; i++) {
        free(d->lines[i].label);
        free(d->lines[i].name);
    }
    for (size_t i = 0; i < d->dot_count; i++)
        free(d->dots[i].name);
    free(d->lines);
    free(d->dots);
    free(d->title);
}
