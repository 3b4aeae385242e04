/* Inputs that are figures of the device, and the same figures of its peers and of earlier days. */
#include "harness/analysis/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double figure_of(const struct scene *s, const char *role, const char *name,
                        const char *parameter, const char *word)
{
    const char *const conditions[] = {parameter, word, NULL};
    const struct figure *f = report_figure(s->report, s->device->id, role, name, conditions);

    return f == NULL ? NAN : f->value.value;
}

double input_read_rate(const struct scene *s)
{
    return figure_of(s, "memory_bandwidth", "best", "operation", "read");
}

double input_triad_rate(const struct scene *s)
{
    return figure_of(s, "memory_bandwidth", "best", "operation", "triad");
}

double input_download_rate(const struct scene *s)
{
    return figure_of(s, "device_to_host", "rate", "memory", "pinned");
}

/* While that row was measured which the figure of reading names. */
double input_read_memory_clock(const struct scene *s)
{
    static const char *const read[] = {"operation", "read", NULL};
    const struct figure *f =
        report_figure(s->report, s->device->id, "memory_bandwidth", "best", read);
    const char *variant = f == NULL ? NULL : parameters_word(&f->parameters, "variant");
    const char *const conditions[] = {"operation", "read", "variant", variant, NULL};
    const struct measurement *m =
        variant == NULL ? NULL
                        : report_find(s->report, s->device->id, "memory_bandwidth", conditions);

    return m == NULL ? NAN : m->telemetry.memory_clock_hz;
}

static double upload_rate_at(const struct scene *s, const char *bytes)
{
    const char *const conditions[] = {"memory", "pinned", "bytes", bytes, NULL};
    const struct measurement *m =
        report_find(s->report, s->device->id, "host_to_device", conditions);

    return m == NULL ? NAN : m->value.median;
}

double input_small_copy_rate(const struct scene *s)
{
    return upload_rate_at(s, "268435456");
}

double input_large_copy_rate(const struct scene *s)
{
    return upload_rate_at(s, "1073741824");
}

double input_figure(const struct scene *s)
{
    return s->figure->value.value;
}

double input_figure_low(const struct scene *s)
{
    return s->figure->value.low;
}

double input_figure_high(const struct scene *s)
{
    return s->figure->value.high;
}

/* ---- the same figure elsewhere ---- */

/* What tells figures of a role and name apart; not which variant won. */
static bool same_question(const struct figure *a, const struct figure *b)
{
    static const char *const told_by[] = {"memory", "operation", "precision", "accumulate"};

    if (!same_word(a->role, b->role) || !same_word(a->name, b->name))
        return false;
    for (size_t i = 0; i < COUNT_OF(told_by); i++) {
        const char *x = parameters_word(&a->parameters, told_by[i]);
        const char *y = parameters_word(&b->parameters, told_by[i]);

        if ((x == NULL) != (y == NULL) || (x != NULL && strcmp(x, y) != 0))
            return false;
    }
    return true;
}

const struct figure *figure_like(const struct report *r, const char *device,
                                 const struct figure *asked)
{
    for (size_t i = 0; i < r->figure_count; i++)
        if (same_word(r->figures[i].device, device) && same_question(&r->figures[i], asked))
            return &r->figures[i];
    return NULL;
}

static bool is_card(const struct device_record *d)
{
    return same_word(d->kind, "cuda");
}

/* The same figure of all cards of the model, this one's among them.  Unknown (0) where it is not
 * known of each card which model it is, or what it reached: a missing card would change what the
 * others are compared with. */
enum { PEERS_MAX = 1024 };
struct peer {
    const char *uuid;
    double value;
    size_t order; /* of its report among the others */
};

static size_t peers_in(const struct report *r, const struct scene *s, struct peer *peers,
                       size_t count)
{
    for (size_t i = 0; i < r->device_count && count < PEERS_MAX; i++) {
        const struct device_record *d = &r->devices[i];
        const struct figure *f;

        if (!is_card(d))
            continue;
        if (d->name == NULL || d->uuid == NULL || isnan(d->facts.units))
            return PEERS_MAX;
        if (!same_word(d->name, s->device->name) || d->facts.units != s->device->facts.units)
            continue;
        f = figure_like(r, d->id, s->figure);
        if (f == NULL || isnan(f->value.value))
            return PEERS_MAX;
        peers[count] = (struct peer){d->uuid, f->value.value, count};
        count++;
    }
    return count;
}

static int by_card_and_order(const void *a, const void *b)
{
    const struct peer *x = a, *y = b;
    const int cards = strcmp(x->uuid, y->uuid);

    return cards != 0 ? cards : (x->order > y->order) - (x->order < y->order);
}

/* A card that was measured again is no peer of its own: its first report counts. */
static size_t once_each(struct peer *peers, size_t count, double *values)
{
    size_t kept = 0;

    qsort(peers, count, sizeof *peers, by_card_and_order);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(peers[i].uuid, peers[i - 1].uuid) != 0)
            values[kept++] = peers[i].value;
    return kept;
}

static size_t peer_values(const struct scene *s, double *values)
{
    const struct circumstances *given = s->given;
    struct peer peers[PEERS_MAX];
    size_t count = 0;

    if (!is_card(s->device) || s->device->name == NULL)
        return 0;
    if (given->together_count == 0)
        count = peers_in(s->report, s, peers, 0);
    for (size_t i = 0; i < given->together_count && count < PEERS_MAX; i++)
        count = peers_in(given->together[i], s, peers, count);
    return count >= PEERS_MAX ? 0 : once_each(peers, count, values);
}

double input_peers(const struct scene *s)
{
    double values[PEERS_MAX];
    const size_t count = peer_values(s, values);

    return count == 0 ? NAN : (double)count;
}

double input_peer_median(const struct scene *s)
{
    double values[PEERS_MAX];

    return summary_of(values, peer_values(s, values)).median;
}

/* Median and MAD, the MAD at least 0.5 % of the median. */
double input_peer_z(const struct scene *s)
{
    double values[PEERS_MAX];
    const size_t count = peer_values(s, values);
    const double median = summary_of(values, count).median;

    return 0.6745 * (s->figure->value.value - median) /
           fmax(samples_mad(values, count), 0.005 * median);
}

const struct device_record *device_like(const struct report *r, const struct device_record *asked)
{
    for (size_t i = 0; r != NULL && i < r->device_count; i++) {
        const struct device_record *d = &r->devices[i];

        if (is_card(asked) ? same_word(d->uuid, asked->uuid)
                           : same_word(d->id, asked->id) && same_word(d->name, asked->name))
            return d;
    }
    return NULL;
}

bool findings_have_device_of(const struct report *r, const struct report *other)
{
    for (size_t i = 0; i < r->device_count; i++)
        if (device_like(other, &r->devices[i]) != NULL)
            return true;
    return false;
}

static const struct device_record *device_before(const struct scene *s)
{
    return device_like(s->given->baseline, s->device);
}

static const struct figure *figure_before(const struct scene *s)
{
    const struct device_record *d = device_before(s);

    return d == NULL ? NULL : figure_like(s->given->baseline, d->id, s->figure);
}

double input_baseline(const struct scene *s)
{
    const struct figure *f = figure_before(s);

    return f == NULL ? NAN : f->value.value;
}

double input_baseline_low(const struct scene *s)
{
    const struct figure *f = figure_before(s);

    return f == NULL ? NAN : f->value.low;
}

double input_baseline_high(const struct scene *s)
{
    const struct figure *f = figure_before(s);

    return f == NULL ? NAN : f->value.high;
}

/* 1 alike (both unknown among it), 0 not, NAN where only one is known. */
static double alike_numbers(double a, double b)
{
    if (isnan(a) != isnan(b))
        return NAN;
    return isnan(a) || a == b;
}

static double alike_flags(enum flag a, enum flag b)
{
    return alike_numbers(a == FLAG_UNKNOWN ? NAN : a, b == FLAG_UNKNOWN ? NAN : b);
}

static double alike_words(const char *a, const char *b)
{
    if ((a == NULL) != (b == NULL))
        return NAN;
    return a == NULL || strcmp(a, b) == 0;
}

double input_conditions_alike(const struct scene *s)
{
    const struct device_record *d = device_before(s);
    const struct facts *now = &s->device->facts;

    if (d == NULL)
        return NAN;
    return alike_words(s->report->environment.driver, s->given->baseline->environment.driver) *
           alike_numbers(now->power_limit_watts, d->facts.power_limit_watts) *
           alike_flags(now->ecc, d->facts.ecc) * alike_flags(now->mig, d->facts.mig) *
           alike_numbers(now->units, d->facts.units);
}
