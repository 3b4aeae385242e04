/* Rules that compare a card with its peers, and a device with its own past. */
#include "harness/analysis/rules.h"
#include "harness/base/units.h"

#include <math.h>
#include <string.h>

/* Figures that are rates: more is better. */
static bool is_rate_figure(const struct scene *s)
{
    return same_word(s->figure->name, "best") || same_word(s->figure->name, "rate");
}

static bool is_rate_with_past(const struct scene *s)
{
    return s->given->baseline != NULL && is_rate_figure(s);
}

const char *figure_words(const struct verdict *v, struct text *out)
{
    static const char *const told_by[] = {"memory", "operation", "precision"};
    const struct figure *f = v->scene->figure;

    for (const char *c = f->role; *c != '\0'; c++)
        text_add_bytes(out, *c == '_' ? " " : c, 1);
    for (size_t i = 0; i < COUNT_OF(told_by); i++) {
        const char *word = parameters_word(&f->parameters, told_by[i]);

        if (word != NULL)
            text_addf(out, " (%s)", word);
    }
    return text_chars(out);
}

static void say_outlier(struct verdict *v)
{
    const double figure = need(v, INPUT_FIGURE), median = need(v, INPUT_PEER_MEDIAN);
    struct text name = TEXT_EMPTY;

    found(v, "{w} is {%} below the median of {n} cards of this model.", figure_words(v, &name),
          1 - figure / median, need(v, INPUT_PEERS));
    text_free(&name);
}

static void peer_outlier(struct verdict *v)
{
    const double peers = need(v, INPUT_PEERS);
    const double share = need(v, INPUT_FIGURE) / need(v, INPUT_PEER_MEDIAN);

    if ((peers >= 8 && share < limit(v, LIMIT_PEER_MANY) &&
         need(v, INPUT_PEER_Z) < limit(v, LIMIT_PEER_Z)) ||
        (peers >= 3 && peers < 8 && share < limit(v, LIMIT_PEER_FEW)))
        say_outlier(v);
}

static void peer_far_out(struct verdict *v)
{
    if (need(v, INPUT_PEERS) >= 3 &&
        need(v, INPUT_FIGURE) < limit(v, LIMIT_PEER_FAULT) * need(v, INPUT_PEER_MEDIAN))
        say_outlier(v);
}

/* The median of two lies between them. */
static void one_of_two(struct verdict *v)
{
    const double figure = need(v, INPUT_FIGURE), median = need(v, INPUT_PEER_MEDIAN);
    const double other = 2 * median - figure;
    struct text name = TEXT_EMPTY;

    if (need(v, INPUT_PEERS) == 2 && figure < limit(v, LIMIT_PEER_FEW) * other)
        found(v,
              "{w} is {%} below that of the other card of this model; which of the two is right "
              "cannot be told.",
              figure_words(v, &name), 1 - figure / other);
    text_free(&name);
}

/* ---- what peers should have in common ---- */

struct common {
    const char *name, *unit; /* unit NULL: on or off */
    double (*of)(const struct facts *f);
};

static double memory_of(const struct facts *f)
{
    return f->memory_bytes;
}

static double flag_number(enum flag flag)
{
    return flag == FLAG_UNKNOWN ? NAN : flag;
}

static double ecc_of(const struct facts *f)
{
    return flag_number(f->ecc);
}

static double limit_of(const struct facts *f)
{
    return f->power_limit_watts;
}

static double generation_of(const struct facts *f)
{
    return f->link_generation_max_host;
}

static double width_of(const struct facts *f)
{
    return f->link_width_max;
}

static const struct common commons[] = {
    {"memory", "B", memory_of},        {"ECC", NULL, ecc_of},
    {"power limit", "W", limit_of},    {"slot's generation", "", generation_of},
    {"number of lanes", "", width_of},
};

static bool is_peer(const struct device_record *a, const struct device_record *b)
{
    return same_word(a->kind, "cuda") && same_word(a->name, b->name);
}

/* The first card of the model; NULL where a card's model is unknown: it could be the first. */
static const struct device_record *reference(const struct scene *s)
{
    const struct device_record *first = NULL;

    for (size_t i = 0; i < s->report->device_count; i++) {
        const struct device_record *d = &s->report->devices[i];

        if (same_word(d->kind, "cuda") && d->name == NULL)
            return NULL;
        if (first == NULL && is_peer(d, s->device))
            first = d;
    }
    return first;
}

/* Which of the common facts differs, both known; NULL: none. */
static const struct common *difference(const struct scene *s, const struct device_record *other)
{
    for (size_t i = 0; i < COUNT_OF(commons); i++) {
        const double a = commons[i].of(&s->device->facts), b = commons[i].of(&other->facts);

        if (!isnan(a) && !isnan(b) && fabs(a - b) > 0.005 * fmax(fabs(a), fabs(b)))
            return &commons[i];
    }
    return NULL;
}

double input_peers_alike(const struct scene *s)
{
    const struct device_record *first = reference(s);

    return first == NULL ? NAN : difference(s, first) == NULL;
}

static const char *common_words(char out[UNITS_MAX], const struct common *c,
                                const struct device_record *d)
{
    const double value = c->of(&d->facts);

    if (c->unit == NULL)
        return value == 1 ? "on" : "off";
    return units_format(out, value, c->unit);
}

static void peers_differ(struct verdict *v)
{
    const struct device_record *first = reference(v->scene);
    const struct common *c;
    char ours[UNITS_MAX], theirs[UNITS_MAX];

    if (need(v, INPUT_PEERS_ALIKE) == 1)
        return;
    c = difference(v->scene, first);
    found(v, "Its {w} is {w}, that of {w}, a card of the same model, {w}.", c->name,
          common_words(ours, c, v->scene->device), first->id, common_words(theirs, c, first));
}

/* ---- the same device earlier ---- */

static bool is_apart_below(const struct verdict *v)
{
    return need(v, INPUT_FIGURE_HIGH) < need(v, INPUT_BASELINE_LOW);
}

static void say_slower(struct verdict *v)
{
    const char *date = v->scene->given->baseline->started;
    const double now = need(v, INPUT_FIGURE), before = need(v, INPUT_BASELINE);
    const char *unit = v->scene->figure->unit;
    struct text name = TEXT_EMPTY;

    figure_words(v, &name);
    if (unit != NULL && strcmp(unit, "FLOP/s") == 0)
        found(v, "{w} is {%} below its own of {w}: {FLOP/s}, then {FLOP/s}.", text_chars(&name),
              1 - now / before, date == NULL ? "an earlier day" : date, now, before);
    else
        found(v, "{w} is {%} below its own of {w}: {B/s}, then {B/s}.", text_chars(&name),
              1 - now / before, date == NULL ? "an earlier day" : date, now, before);
    text_free(&name);
}

static void below_baseline(struct verdict *v)
{
    if (is_apart_below(v) && need(v, INPUT_CONDITIONS_ALIKE) == 1 &&
        need(v, INPUT_FIGURE) < limit(v, LIMIT_BASELINE) * need(v, INPUT_BASELINE))
        say_slower(v);
}

static void far_below_baseline(struct verdict *v)
{
    if (is_apart_below(v) && need(v, INPUT_CONDITIONS_ALIKE) == 1 &&
        need(v, INPUT_FIGURE) < limit(v, LIMIT_BASELINE_FAULT) * need(v, INPUT_BASELINE))
        say_slower(v);
}

static void baseline_unlike(struct verdict *v)
{
    if (is_apart_below(v) && need(v, INPUT_CONDITIONS_ALIKE) == 0)
        found(v,
              "Figures are lower than in the earlier report, but driver, power limit, ECC or "
              "SMs were others: {n} SMs now.",
              need(v, INPUT_UNITS));
}

#define WITH_PEERS                                                                                 \
    .scope = EACH_FIGURE, .concerns = is_rate_figure, .device = "cuda",                            \
    .needs = {INPUT_FIGURE, INPUT_PEERS, INPUT_PEER_MEDIAN, INPUT_PEER_Z}
#define EARLIER                                                                                    \
    .scope = EACH_FIGURE, .concerns = is_rate_with_past,                                           \
    .needs = {INPUT_FIGURE,       INPUT_FIGURE_HIGH,      INPUT_BASELINE,                          \
              INPUT_BASELINE_LOW, INPUT_CONDITIONS_ALIKE, INPUT_UNITS}
#define DEVIANT "Measure it again after an idle minute; compare clocks, power and link."
static const struct rule rules[] = {
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_DEGRADED,
     WITH_PEERS,
     .judge = peer_outlier,
     .limits = {LIMIT_PEER_MANY, LIMIT_PEER_FEW, LIMIT_PEER_Z},
     .when = "a card's figure is below the median of three cards or more of its model",
     .fix = DEVIANT,
     .source = "ours"},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_FAULT,
     WITH_PEERS,
     .judge = peer_far_out,
     .limits = {LIMIT_PEER_FAULT},
     .when = "a card's figure is far below the median of its model",
     .fix = DEVIANT,
     .source = "ours"},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_NOTE,
     WITH_PEERS,
     .judge = one_of_two,
     .limits = {LIMIT_PEER_FEW},
     .when = "one of two cards of a model is slower",
     .fix = DEVIANT,
     .source = "ours"},
    {.id = "PEERS_DIFFER",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_PEERS_ALIKE},
     .judge = peers_differ,
     .when = "cards of one model differ in memory, ECC, power limit, slot or lanes",
     .fix = "Set them alike before comparing them.",
     .source = "ours"},
    {.id = "BELOW_BASELINE",
     .severity = SEVERITY_DEGRADED,
     EARLIER,
     .judge = below_baseline,
     .limits = {LIMIT_BASELINE},
     .when = "a figure is below the same device's earlier one, intervals apart",
     .fix = "Look at clocks, power and link of both reports.",
     .source = "ours"},
    {.id = "BELOW_BASELINE",
     .severity = SEVERITY_FAULT,
     EARLIER,
     .judge = far_below_baseline,
     .limits = {LIMIT_BASELINE_FAULT},
     .when = "a figure is far below the same device's earlier one, intervals apart",
     .fix = "Look at clocks, power and link of both reports.",
     .source = "ours"},
    {.id = "BASELINE_UNLIKE",
     .severity = SEVERITY_NOTE,
     EARLIER,
     .judge = baseline_unlike,
     .when = "a figure is below an earlier one that was measured under other conditions",
     .fix = "Compare reports of the same conditions.",
     .source = "ours"},
};
const struct rules rules_peers = {rules, COUNT_OF(rules)};
