/* Axes of charts for gnuplot: how far they reach, and where they are labelled. */
#include "harness/base/units.h"
#include "harness/output/charts_script.h"
#include "harness/output/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Labels of an axis: words take more room than counts. */
enum { TICS_MOST = 6, COUNTS_MOST = 7, LABELS_MOST = 20 };

/* gnuplot knows no infinity, whatever a file says. */
static bool is_bounded(double value, enum axis_scale scale)
{
    return fabs(value) <= 1e30 && (scale != AXIS_LOG || value >= 1e-30);
}

bool point_is_drawable(const struct chart *c, const struct chart_point *p)
{
    return is_bounded(p->x, c->x.scale) && is_bounded(p->y, c->y.scale);
}

/* What the points span, with their intervals. */
static void span_of(const struct chart *c, bool y, double *low, double *high)
{
    *low = *high = NAN;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->series[i].count; k++) {
            const struct chart_point *p = &c->series[i].points[k];
            const bool interval =
                y && is_bounded(p->low, c->y.scale) && is_bounded(p->high, c->y.scale);

            if (!point_is_drawable(c, p))
                continue;
            *low = fmin(*low, interval ? fmin(p->low, p->y) : y ? p->y : p->x);
            *high = fmax(*high, interval ? fmax(p->high, p->y) : y ? p->y : p->x);
        }
}

struct range axis_range(const struct chart *c, bool y)
{
    const struct axis *axis = y ? &c->y : &c->x;
    struct range r;
    double room;

    if (axis->scale == AXIS_NAMES)
        return (struct range){0.5, (double)axis->names.count + 0.5};
    if (!isnan(axis->low) && !isnan(axis->high))
        return (struct range){axis->low, axis->high};
    span_of(c, y, &r.low, &r.high);
    if (isnan(r.low)) /* nothing can be drawn */
        return (struct range){1, 10};
    if (axis->scale == AXIS_LOG) {
        room = fmax(pow(r.high / r.low, 0.05), 1.1);
        return (struct range){r.low / room, r.high * room};
    }
    room = r.high > fmin(r.low, 0) ? 0.03 * (r.high - fmin(r.low, 0)) : 1;
    if (y)
        return (struct range){fmin(r.low, 0), r.high + 3 * room};
    return (struct range){r.low - room, r.high + room};
}

static void add_tic(struct text *s, double at, const char *label, bool *first)
{
    text_add(s, *first ? "" : ", ");
    gnuplot_quote(s, label);
    text_addf(s, " %.9g", at);
    *first = false;
}

static void add_tic_value(struct text *s, double at, const char *unit, bool *first)
{
    char scaled[UNITS_MAX], *label;
    double scale;

    units_scale(scaled, at, unit, &scale);
    label = xasprintf("%.6g%s%s", at / scale, *scaled == '\0' ? "" : " ", scaled);
    add_tic(s, at, label, first);
    free(label);
}

/* The largest of 1, 2, 2.5 and 5 times a power of ten that `most` fits into a few times. */
static double linear_step(double most)
{
    static const double steps[] = {1, 2, 2.5, 5, 10};
    const double least = most / (TICS_MOST - 1), power = pow(10, floor(log10(least)));

    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (steps[i] * power >= least * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

/* A logarithmic axis that is too short for round powers. */
static void add_between(struct text *s, const struct range *r, const char *unit)
{
    const double step = linear_step(r->high - r->low), start = ceil(r->low / step) * step;
    bool first = true;

    for (int i = 0; i < LABELS_MOST && start + i * step <= r->high; i++)
        add_tic_value(s, start + i * step, unit, &first);
}

/* Powers of two for sizes and counts. */
static void add_binary(struct text *s, const struct range *r, const char *unit)
{
    const int low = (int)ceil(log2(r->low)), high = (int)floor(log2(r->high));
    int step = 1;
    bool first = true;

    while ((high - low) / step >= (*unit == '\0' ? COUNTS_MOST : TICS_MOST))
        step *= 2;
    for (int i = low; i <= high; i++)
        if (i % step == 0)
            add_tic_value(s, ldexp(1, i), unit, &first);
    if (first)
        add_between(s, r, unit);
}

/* Powers of ten; the fewer decades there are, the more between them. */
static void add_decimal(struct text *s, const struct range *r, const char *unit)
{
    static const double between[] = {1, 2, 5, 3, 4, 6, 7, 8, 9};
    const double ratio = r->high / r->low;
    const size_t some = ratio >= 100 ? 1 : ratio >= 5 ? 3 : COUNT_OF(between);
    const int low = (int)floor(log10(r->low)), high = (int)floor(log10(r->high));
    int step = 1;
    bool first = true;

    if (ratio < 1.7) {
        add_between(s, r, unit);
        return;
    }
    while ((high - low) / step >= TICS_MOST)
        step++;
    for (int i = low; i <= high; i += step)
        for (size_t k = 0; k < some; k++) {
            const double at = between[k] * pow(10, i);

            if (at >= r->low && at <= r->high)
                add_tic_value(s, at, unit, &first);
        }
}

static void add_linear(struct text *s, const struct range *r, double scale, double wanted)
{
    const double span = (r->high - r->low) / scale;
    const double step = wanted > 0 && span / wanted < LABELS_MOST ? wanted : linear_step(span);
    const double start = ceil(r->low / scale / step) * step;
    bool first = true;

    for (int i = 0; i < LABELS_MOST && start + i * step <= r->high / scale; i++) {
        const double at = start + i * step;
        char *label = xasprintf("%.4g", fabs(at) < step / 1e6 ? 0.0 : at);

        add_tic(s, at * scale, label, &first);
        free(label);
    }
}

static void add_names(struct text *s, const struct strings *names)
{
    bool first = true;

    for (size_t i = 0; i < names->count; i++)
        add_tic(s, (double)(i + 1), names->items[i], &first);
}

void script_add_axis(struct text *s, const struct chart *c, bool y)
{
    const struct axis *axis = y ? &c->y : &c->x;
    const struct range r = axis_range(c, y);
    const char letter = y ? 'y' : 'x';
    char unit[UNITS_MAX] = "";
    double scale = 1;
    char *label;

    if (axis->scale == AXIS_LINEAR)
        units_scale(unit, fmax(fabs(r.low), fabs(r.high)), axis->unit, &scale);
    text_addf(s, "set %crange [%.9g:%.9g]\n%sset logscale %c\nset %ctics (", letter, r.low, r.high,
              axis->scale == AXIS_LOG ? "" : "un", letter, letter);
    if (axis->scale == AXIS_NAMES)
        add_names(s, &axis->names);
    else if (axis->scale == AXIS_LINEAR)
        add_linear(s, &r, scale, axis->step);
    else if (y || strstr(axis->label, "flop") != NULL)
        add_decimal(s, &r, axis->unit);
    else
        add_binary(s, &r, axis->unit);
    label = xasprintf("%s%s%s", axis->label, *unit == '\0' ? "" : ", ", unit);
    text_addf(s, ")\nset %clabel ", letter);
    gnuplot_quote(s, label);
    text_add(s, "\n");
    free(label);
}
