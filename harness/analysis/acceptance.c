/* Judges acceptance files by the datasheets and by what is usual. */
#include "harness/analysis/acceptance.h"

#include "harness/analysis/bands.h"
#include "harness/analysis/cards.h"
#include "harness/analysis/floors.h"
#include "harness/analysis/rates.h"
#include "harness/analysis/say.h"
#include "harness/analysis/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct row {
    struct report *verdicts;
    const char *card_name, *figure, *unit; /* the unit of floor and roof */
    const struct card *card;
    const char *comment;
    double floor, roof, low, high; /* low, high: what is usual */
    double number;                 /* the floor as it is written */
};

static void verdict(const struct row *r, const char *id, enum severity severity,
                    const struct text *sentence, const char *fix)
{
    struct finding *f = report_add_finding(r->verdicts);

    f->id = xstrdup(id);
    f->severity = severity;
    f->sentence = xasprintf("%s, %s: %s", r->card_name, r->figure, text_chars(sentence));
    f->fix = xstrdup(fix);
    parameters_set_number(&f->evidence, "minimum", r->floor);
    parameters_set_number(&f->evidence, "roof", r->roof);
}

/* Adds the value in the row's unit. */
static void add_value(struct text *out, const struct row *r, double value)
{
    char *braces = xasprintf("{%s}", r->unit);

    say(out, braces, value);
    free(braces);
}

static void judge_against_roof(const struct row *r)
{
    const double share = r->floor / r->roof;
    const bool anything = share < thresholds[LIMIT_FLOOR_ANYTHING].value;
    struct text t = TEXT_EMPTY;

    if (share > 1) {
        say(&t, "no card can reach");
        add_value(&t, r, r->floor);
        say(&t, "where the roof is");
        add_value(&t, r, r->roof);
        text_add(&t, ".");
        verdict(r, "FAILS_EVERYTHING", SEVERITY_FAULT, &t, "Correct the floor.");
    } else if (share < thresholds[LIMIT_FLOOR_WEAK].value) {
        say(&t, "a card at {%} of its roof passes; {%} and more would tell a broken one.", share,
            thresholds[LIMIT_FLOOR_WEAK].value);
        verdict(r, "PASSES_ANYTHING", anything ? SEVERITY_FAULT : SEVERITY_NOTE, &t,
                "Raise the floor.");
    }
    text_free(&t);
}

static void judge_against_band(const struct row *r)
{
    struct text t = TEXT_EMPTY;

    if (r->floor <= r->roof && r->floor > r->low) {
        say(&t, "good cards fail: usual are {%} to {%} of the roof, the floor asks for {%}.",
            r->low / r->roof, r->high / r->roof, r->floor / r->roof);
        verdict(r, "FAILS_GOOD_CARDS", SEVERITY_DEGRADED, &t, "Lower the floor.");
    }
    text_free(&t);
}

/* What a ratio of usual and floor looks like. */
static const char *slip_of(double ratio)
{
    static const struct {
        double least, most;
        const char *name;
    } slips[] = {
        {8, 20, "a lost digit, or bits for bytes"},
        {95, 200, "a hundredfold"},
        {950, 2000, "a thousandfold"},
        {1 / 10.5, 1 / 4.0, "a digit too many, or bytes for bits"},
        {1 / 105.0, 1 / 50.0, "a hundredth"},
        {1 / 1050.0, 1 / 500.0, "a thousandth"},
    };

    for (size_t i = 0; i < COUNT_OF(slips); i++)
        if (ratio >= slips[i].least && ratio <= slips[i].most)
            return slips[i].name;
    return NULL;
}

static void judge_unit(const struct row *r)
{
    const double usual = isnan(r->low) ? r->roof : (r->low + r->high) / 2;
    const char *slip = slip_of(usual / r->floor);
    struct text t = TEXT_EMPTY;

    if (slip == NULL)
        return;
    say(&t, "the floor is 1/{} of what is usual: this looks like {w}.", usual / r->floor, slip);
    verdict(r, "UNIT_SLIP", SEVERITY_FAULT, &t, "Correct the unit.");
    text_free(&t);
}

static void judge_sparse(const struct row *r)
{
    struct text t = TEXT_EMPTY;

    if (strcmp(r->unit, "FLOP/s") != 0 || !(fabs(r->floor / (2 * r->roof) - 1) <= 0.05))
        return;
    say(&t, "{FLOP/s} is twice the dense {FLOP/s}: a sparse figure.", r->floor, r->roof);
    verdict(r, "SPARSE_PEAK", SEVERITY_FAULT, &t, "Take the dense figure.");
    text_free(&t);
}

/* Whether one of the numbers in the comment is the floor's; true, too, where it has none of four
 * digits or more: a version or a share says nothing of the floor. */
static bool agrees(const char *comment, double number)
{
    bool any = false;

    for (const char *at = comment; *at != '\0';) {
        char *end;
        const double found = strtod(at, &end);

        if (end == at) {
            at++;
            continue;
        }
        any |= found >= 1000;
        if (fabs(found / number - 1) < 0.01)
            return true;
        at = end;
    }
    return !any;
}

static void judge_comment(const struct row *r)
{
    struct text t = TEXT_EMPTY;

    if (r->comment == NULL || !(r->number >= 1000) || agrees(r->comment, r->number))
        return;
    say(&t, "the floor is {n}, and no number of its comment is: \"{w}\".", r->number, r->comment);
    verdict(r, "COMMENT_DIFFERS", SEVERITY_DEGRADED, &t, "Correct one of them.");
    text_free(&t);
}

/* What a link of a generation less reaches, or one of half the lanes, which is about the same. */
static void judge_link(const struct row *r)
{
    const double lower = rate_of_lane(r->card->link_generation - 1) * r->card->link_width;
    const double reached = isnan(r->high) ? lower : lower * r->high / r->roof;
    struct text t = TEXT_EMPTY;

    if (r->floor > reached || isnan(reached))
        return;
    say(&t, "a link of a generation less, or of half the lanes, reaches {B/s}, the floor is {B/s}.",
        reached, r->floor);
    verdict(r, "LINK_FLOOR_WEAK", SEVERITY_DEGRADED, &t, "Raise the floor.");
    text_free(&t);
}

/* A generation, or a number of lanes. */
static void judge_count(const struct row *r)
{
    struct text t = TEXT_EMPTY;

    if (r->floor >= r->roof)
        return;
    say(&t, "a link with {n} passes, the card has {n}.", r->floor, r->roof);
    verdict(r, "LINK_FLOOR_WEAK", SEVERITY_DEGRADED, &t, "Raise the floor.");
    text_free(&t);
}

static void judge_clock(const struct row *r)
{
    struct text t = TEXT_EMPTY;

    if (r->floor < r->roof)
        return;
    say(&t, "under matrix products power does not allow the boost clock of {Hz}.", r->roof);
    verdict(r, "EXACT_CLOCK", SEVERITY_DEGRADED, &t, "Ask for a rate instead.");
    text_free(&t);
}

/* ---- what a row asks for ---- */

static const struct {
    const char *name;
    enum card_peak peak;
    const char *band;
} precisions[] = {
    {"fp32", CARD_FP32, "fp32"}, {"tf32", CARD_TF32, NULL}, {"fp16", CARD_FP16, "half"},
    {"bf16", CARD_BF16, "half"}, {"fp8", CARD_FP8, "fp8"},  {"int8", CARD_INT8, NULL},
    {"fp64", CARD_FP64, NULL},
};

static void set_band(struct row *r, const char *what, const char *key)
{
    const char *memory = r->card->memory_type;
    const char *const keys[] = {key != NULL ? key : r->card->id,
                                memory != NULL && strncmp(memory, "HBM", 3) == 0 ? "HBM" : "GDDR",
                                NULL};
    const struct band *band = what == NULL ? NULL : band_find(what, keys);

    r->low = band == NULL ? NAN : band->low * r->roof;
    r->high = band == NULL ? NAN : band->high * r->roof;
}

/* False: no figure of that name, or the card has none of it. */
static bool set_roof(struct row *r)
{
    char generation[16];

    r->unit = "";
    if (strcasecmp(r->figure, "link_generation") == 0)
        r->roof = r->card->link_generation;
    else if (strcasecmp(r->figure, "link_width") == 0)
        r->roof = r->card->link_width;
    else if (strcasecmp(r->figure, "sm_clock") == 0)
        r->roof = r->card->boost_hz;
    if (r->roof > 0)
        return true;
    r->unit = "B/s";
    if (strcasecmp(r->figure, "memory") == 0) {
        r->roof = r->card->memory_bytes_per_second;
        set_band(r, "memory", NULL);
    } else if (strcasecmp(r->figure, "link") == 0) {
        r->roof = rate_of_lane(r->card->link_generation) * r->card->link_width;
        snprintf(generation, sizeof generation, "gen%.0f", r->card->link_generation);
        set_band(r, "link", generation);
    } else {
        r->unit = "FLOP/s";
        r->roof = NAN;
        for (size_t i = 0; i < COUNT_OF(precisions); i++)
            if (strcasecmp(precisions[i].name, r->figure) == 0) {
                r->roof = r->card->peak[precisions[i].peak];
                set_band(r, precisions[i].band, NULL);
            }
    }
    return r->roof > 0;
}

static double scale_of(const struct row *r, const char *unit)
{
    static const struct {
        const char *name;
        double scale;
    } units[] = {{"B/s", 1},      {"MB/s", 1e6},    {"GB/s", 1e9},     {"TB/s", 1e12},
                 {"FLOP/s", 1},   {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"TFLOPS", 1e12},
                 {"GFLOPS", 1e9}, {"MHz", 1e6},     {"GHz", 1e9},      {"Hz", 1},
                 {"", 1}};

    if (strcasecmp(unit, "roof") == 0)
        return r->roof;
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcasecmp(units[i].name, unit) == 0)
            return units[i].scale;
    return NAN;
}

static int unknown_card(const struct row *r, const char *what)
{
    struct text t = TEXT_EMPTY;

    text_add(&t, what);
    verdict(r, "UNKNOWN_CARD", SEVERITY_NOTE, &t, NULL);
    text_free(&t);
    return 0;
}

/* By what the figure is. */
static void judge_floor(const struct row *r)
{
    if (strncasecmp(r->figure, "link_", 5) == 0) {
        judge_count(r);
    } else if (strcasecmp(r->figure, "sm_clock") == 0) {
        judge_clock(r);
    } else {
        judge_against_roof(r);
        judge_against_band(r);
        judge_unit(r);
        judge_sparse(r);
        if (strcasecmp(r->figure, "link") == 0)
            judge_link(r);
    }
}

static int judge_row(struct row *r, const char *minimum, const char *unit, struct text *why)
{
    char *end;

    r->number = strtod(minimum, &end);
    r->card = card_named(r->card_name);
    r->floor = r->roof = r->low = r->high = NAN;
    r->unit = "";
    if (end == minimum || *end != '\0' || !isfinite(r->number)) {
        text_addf(why, "'%s' is no number", minimum);
        return -1;
    }
    judge_comment(r);
    if (r->card == NULL)
        return unknown_card(r, "the catalogue has no such card; the floor was not judged.");
    if (!set_roof(r))
        return unknown_card(r, "its datasheet has no such figure; the floor was not judged.");
    r->floor = r->number * scale_of(r, unit);
    if (isnan(r->floor)) {
        text_addf(why, "'%s' is no unit; known are GB/s, TFLOP/s and roof", unit);
        return -1;
    }
    judge_floor(r);
    return 0;
}

/* ---- the file ---- */

static bool names_card(const struct floors *floors, const struct device_record *d)
{
    const struct card *card = card_of_device(d, NULL);

    for (size_t i = 0; i < floors->count; i++) {
        const struct card *named = card_named(floors->items[i].card);

        if ((named != NULL && named == card) ||
            (d->name != NULL && strcasecmp(floors->items[i].card, d->name) == 0))
            return true;
    }
    return false;
}

static void judge_present(struct report *verdicts, const struct report *present,
                          const struct floors *floors)
{
    struct text t = TEXT_EMPTY;

    for (size_t i = 0; present != NULL && i < present->device_count; i++) {
        const struct device_record *d = &present->devices[i];
        const struct row r = {.verdicts = verdicts,
                              .card_name = d->name == NULL ? d->id : d->name,
                              .figure = "every figure",
                              .floor = NAN,
                              .roof = NAN};

        if (strcmp(d->kind, "cuda") != 0 || names_card(floors, d))
            continue;
        text_free(&t);
        text_addf(&t, "%s has no row: nothing is tested.", d->id);
        verdict(&r, "UNKNOWN_CARD", SEVERITY_FAULT, &t, "Add its floors.");
    }
    text_free(&t);
}

static int judge_all(struct report *verdicts, const struct floors *floors, struct text *why)
{
    for (size_t i = 0; i < floors->count; i++) {
        const struct floor *f = &floors->items[i];
        struct row r = {
            .verdicts = verdicts, .card_name = f->card, .figure = f->figure, .comment = f->comment};
        struct text mistake = TEXT_EMPTY;
        const int failed = judge_row(&r, f->minimum, f->unit, &mistake);

        if (failed)
            text_addf(why, "%s %zu: %s", f->place, f->number, text_chars(&mistake));
        text_free(&mistake);
        if (failed)
            return -1;
    }
    return 0;
}

long acceptance_judge(struct report *verdicts, const char *text, size_t length, const char *name,
                      const struct report *present, struct text *why)
{
    struct floors floors = {0};
    struct text mistake = TEXT_EMPTY;
    const int failed = floors_read(&floors, text, length, present, &mistake) ||
                       judge_all(verdicts, &floors, &mistake);
    const long rows = failed ? -1 : (long)floors.count;

    if (failed)
        text_addf(why, "%s: %s", name, text_chars(&mistake));
    else
        judge_present(verdicts, present, &floors);
    text_free(&mistake);
    floors_free(&floors);
    return rows;
}
