/* The points of an experiment, from its axes. */
#include "harness/measure/points.h"

#include <stdlib.h>

/* Rounding must not lose the last value of a range. */
static const double slack = 1e-9;

static size_t names_count(const struct axis *a)
{
    size_t n = 0;

    while (a->names[n])
        n++;
    return n;
}

static size_t range_count(const struct axis *a)
{
    size_t n = 1;

    if (a->step > 0)
        return 1 + (size_t)((a->last - a->first) / a->step + slack);
    if (a->factor > 1)
        for (double x = a->first * a->factor; x <= a->last * (1 + slack); x *= a->factor)
            n++;
    return n;
}

static size_t axis_count(const struct axis *a)
{
    if (a->names)
        return names_count(a);
    return a->numbers ? a->count : range_count(a);
}

static double axis_value(const struct axis *a, size_t i)
{
    double x = a->first;

    if (a->names)
        return (double)i;
    if (a->numbers)
        return a->numbers[i];
    if (a->step > 0)
        return a->first + (double)i * a->step;
    while (i--)
        x *= a->factor;
    return x;
}

static void add_axis(struct points *out, const struct axis *a, enum plan plan)
{
    const size_t count = axis_count(a),
                 each = plan == PLAN_QUICK && a->quick_every > 1 ? a->quick_every : 1;
    double *values = xcalloc(count ? count : 1, sizeof *values);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (i % each == 0 || i + 1 == count)
            values[kept++] = axis_value(a, i);
    out->values[out->axes] = values;
    out->length[out->axes] = kept;
    out->named[out->axes] = a->names;
    out->axes++;
    out->count *= kept;
}

void points_of(struct points *out, const struct experiment *e, enum plan plan)
{
    *out = (struct points){.count = 1};
    for (size_t i = 0; i < AXES_MAX && e->axis[i].name; i++)
        add_axis(out, &e->axis[i], plan);
}

void points_free(struct points *p)
{
    for (size_t i = 0; i < p->axes; i++)
        free(p->values[i]);
    *p = (struct points){0};
}

static void split(const struct points *p, size_t point, size_t index[AXES_MAX])
{
    for (size_t i = p->axes; i-- > 0; point /= p->length[i])
        index[i] = point % p->length[i];
}

void points_at(const struct points *p, size_t point, double at[AXES_MAX])
{
    size_t index[AXES_MAX];

    split(p, point, index);
    for (size_t i = 0; i < AXES_MAX; i++)
        at[i] = i < p->axes ? p->values[i][index[i]] : 0;
}

/* How many halvings of 0..count - 1 find the index. */
static unsigned halvings(size_t index, size_t count)
{
    size_t low = 0, high = count - 1;
    unsigned n = 0;

    while (index != low && index != high) {
        const size_t middle = low + (high - low) / 2;
        n++;
        if (index == middle)
            break;
        *(index < middle ? &high : &low) = middle;
    }
    return n;
}

unsigned points_rank(const struct points *p, size_t point)
{
    size_t index[AXES_MAX];
    unsigned rank = 0;

    split(p, point, index);
    for (size_t i = 0; i < p->axes; i++)
        rank += p->named[i] ? 0 : halvings(index[i], p->length[i]);
    return rank;
}
