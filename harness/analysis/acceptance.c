/* Judges acceptance files by the datasheets and by what is usual. */
#include "harness/analysis/acceptance.h"

#include "harness/analysis/bands.h"
#include "harness/analysis/cards.h"
#include "harness/analysis/csv.h"
#include "harness/analysis/rates.h"
#include "harness/analysis/say.h"
#include "harness/analysis/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum column { CARD, FIGURE, MINIMUM, UNIT, COLUMNS };
static const char *const column_names[COLUMNS] = {"card", "figure", "minimum", "unit"};

struct row {
    struct report *verdicts;
    const char *card_name, *figure, *unit; /* the unit of floor and roof */
    const struct card *card;
    double floor, roof, low, high; /* low, high: what is usual */
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
    } units[] = {{"B/s", 1},        {"MB/s", 1e6},    {"GB/s", 1e9},
                 {"TB/s", 1e12},    {"FLOP/s", 1},    {"GFLOP/s", 1e9},
                 {"TFLOP/s", 1e12}, {"TFLOPS", 1e12}, {"GFLOPS", 1e9}};

    if (strcasecmp(unit, "roof") == 0)
        return r->roof;
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcasecmp(units[i].name, unit) == 0)
            return units[i].scale;
    return NAN;
}

static void unknown_card(const struct row *r, const char *what)
{
    struct text t = TEXT_EMPTY;

    text_add(&t, what);
    verdict(r, "UNKNOWN_CARD", SEVERITY_NOTE, &t, NULL);
    text_free(&t);
}

static int judge_row(struct row *r, const char *minimum, const char *unit, struct text *why)
{
    char *end;
    const double number = strtod(minimum, &end);

    r->card = card_named(r->card_name);
    r->floor = r->roof = r->low = r->high = NAN;
    r->unit = "";
    if (end == minimum || *end != '\0' || !isfinite(number)) {
        text_addf(why, "'%s' is no number", minimum);
        return -1;
    }
    if (r->card == NULL) {
        unknown_card(r, "the catalogue has no such card; the floor was not judged.");
        return 0;
    }
    if (!set_roof(r)) {
        unknown_card(r, "its datasheet has no such figure; the floor was not judged.");
        return 0;
    }
    r->floor = number * scale_of(r, unit);
    if (isnan(r->floor)) {
        text_addf(why, "'%s' is no unit; known are GB/s, TFLOP/s and roof", unit);
        return -1;
    }
    judge_against_roof(r);
    judge_against_band(r);
    judge_unit(r);
    judge_sparse(r);
    return 0;
}

/* ---- the file ---- */

static int find_columns(const struct strings *heading, size_t at[COLUMNS], struct text *why)
{
    for (size_t k = 0; k < COLUMNS; k++) {
        at[k] = heading->count;
        for (size_t i = 0; i < heading->count; i++)
            if (strcasecmp(heading->items[i], column_names[k]) == 0)
                at[k] = i;
        if (at[k] == heading->count) {
            text_addf(why, "there is no column '%s'", column_names[k]);
            return -1;
        }
    }
    return 0;
}

static bool names_card(const struct strings *names, const struct device_record *d)
{
    const struct card *card = card_of_device(d, NULL);

    for (size_t i = 0; i < names->count; i++) {
        const struct card *named = card_named(names->items[i]);

        if ((named != NULL && named == card) ||
            (d->name != NULL && strcasecmp(names->items[i], d->name) == 0))
            return true;
    }
    return false;
}

static void judge_present(struct report *verdicts, const struct report *present,
                          const struct strings *names)
{
    struct text t = TEXT_EMPTY;

    for (size_t i = 0; present != NULL && i < present->device_count; i++) {
        const struct device_record *d = &present->devices[i];
        const struct row r = {.verdicts = verdicts,
                              .card_name = d->name == NULL ? d->id : d->name,
                              .figure = "every figure",
                              .floor = NAN,
                              .roof = NAN};

        if (strcmp(d->kind, "cuda") != 0 || names_card(names, d))
            continue;
        text_free(&t);
        text_addf(&t, "%s has no row: nothing is tested.", d->id);
        verdict(&r, "UNKNOWN_CARD", SEVERITY_FAULT, &t, "Add its floors.");
    }
    text_free(&t);
}

static long judge_records(struct report *verdicts, struct csv_reader *reader, struct strings *names,
                          struct text *why)
{
    struct strings cells = {0};
    size_t at[COLUMNS];
    long rows = 0;
    int status = csv_read_record(reader, &cells), failed = 0;

    failed = status != 1 ? -1 : find_columns(&cells, at, why);
    for (strings_free(&cells); !failed && (status = csv_read_record(reader, &cells)) == 1;
         strings_free(&cells)) {
        struct row r = {.verdicts = verdicts};

        for (size_t k = 0; k < COLUMNS && !failed; k++)
            failed = at[k] < cells.count ? 0 : -1;
        if (failed)
            break;
        r.card_name = cells.items[at[CARD]];
        r.figure = cells.items[at[FIGURE]];
        strings_add(names, r.card_name);
        failed = judge_row(&r, cells.items[at[MINIMUM]], cells.items[at[UNIT]], why);
        rows++;
    }
    strings_free(&cells);
    if ((failed || status < 0) && why->length == 0)
        text_add(why, "not a table with the columns card, figure, minimum and unit");
    return failed || status < 0 ? -1 - rows : rows;
}

long acceptance_judge(struct report *verdicts, const char *csv, size_t length, const char *name,
                      const struct report *present, struct text *why)
{
    struct csv_reader reader = {csv, csv + length};
    struct strings names = {0};
    struct text mistake = TEXT_EMPTY;
    const long rows = judge_records(verdicts, &reader, &names, &mistake);

    if (rows < 0)
        text_addf(why, "%s: record %ld: %s", name, -rows, text_chars(&mistake));
    else
        judge_present(verdicts, present, &names);
    text_free(&mistake);
    strings_free(&names);
    return rows < 0 ? -1 : rows;
}
