/* ridge cards: the datasheet catalogue, with the ridge points that it promises. */
#include "harness/analysis/cards.h"
#include "harness/base/options.h"
#include "harness/base/units.h"
#include "harness/command/command.h"
#include "harness/command/contenders.h"
#include "harness/output/terminal.h"
#include "harness/output/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct request {
    char **words;
    size_t count;
    bool details;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct request *q = state->input;

    switch (key) {
    case 'c':
        cards_take(argument);
        return 0;
    case 'a':
        q->details = true;
        return 0;
    case ARGP_KEY_ARG:
        q->words = xrealloc(q->words, (q->count + 1) * sizeof *q->words);
        q->words[q->count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"all-columns", 'a', NULL, 0, "all that is known of each card, as for a single one", 0},
    {"cards", 'c', "FILE", 0, "further cards, a file in the form of results/datasheets/cards.csv",
     0},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[WORD...]",
    .doc = "Lists the datasheet catalogue: peaks, and the flops for every byte at which arithmetic "
           "becomes the limit.  Shows cards whose names hold all WORDs.",
};

/* Zero is a path that the part does not have. */
static void add_quantity(struct table *t, double value, const char *unit, bool weak)
{
    char number[UNITS_MAX];

    if (isnan(value))
        table_add(t, "-");
    else if (value == 0)
        table_add(t, "none");
    else
        table_addf(t, "%s%s", units_format(number, value, unit), weak ? "*" : "");
}

static void add_count(struct table *t, double count)
{
    if (isnan(count))
        table_add(t, "-");
    else
        table_addf(t, "%.0f", count);
}

/* In the unit of the column. */
static void add_scaled(struct table *t, double value, double unit, bool weak)
{
    const double scaled = value / unit;

    if (isnan(value) || value == 0)
        table_add(t, isnan(value) ? "-" : "none");
    else
        table_addf(t, "%.*f%s", scaled < 1 ? 2 : scaled < 100 ? 1 : 0, scaled, weak ? "*" : "");
}

static void add_ridge(struct table *t, const struct card *c, enum card_peak peak)
{
    const double ridge = c->peak[peak] / c->memory_bytes_per_second;

    add_scaled(t, ridge > 0 ? ridge : NAN, 1, c->weak[peak] || c->memory_weak);
}

static void add_line(struct table *t, const struct card *c)
{
    table_add(t, c->id);
    add_count(t, c->memory_bytes / 1073741824.0);
    add_scaled(t, c->memory_bytes_per_second, 1e9, c->memory_weak);
    add_scaled(t, c->peak[CARD_FP32], 1e12, c->weak[CARD_FP32]);
    add_scaled(t, c->peak[CARD_FP16], 1e12, c->weak[CARD_FP16]);
    add_ridge(t, c, CARD_FP32);
    add_ridge(t, c, CARD_FP16);
}

static struct table *overview(void)
{
    static const char *const headings[] = {"",        "memory",  "memory", "FP32", "FP16",
                                           "ridge",   "ridge",   "id",     "GiB",  "GB/s",
                                           "TFLOP/s", "TFLOP/s", "FP32",   "FP16"};
    struct table *t = table_new(7, 2, "lr");

    for (size_t i = 0; i < COUNT_OF(headings); i++)
        table_add(t, headings[i]);
    return t;
}

static void add_list(struct text *out, const char *name, const struct strings *list)
{
    if (list->count == 0)
        return;
    text_addf(out, "  %s: ", name);
    for (size_t i = 0; i < list->count; i++)
        text_addf(out, "%s%s", i > 0 ? ", " : "", list->items[i]);
    text_add(out, "\n");
}

static void add_property(struct table *t, const char *name, double value, const char *unit)
{
    table_add(t, name);
    add_quantity(t, value, unit, false);
}

/* A user's rows need not say all that ours do. */
static const char *word_or_dash(const char *word)
{
    return word == NULL ? "-" : word;
}

static void add_properties(struct text *out, const struct card *c, size_t columns)
{
    struct table *t = table_new(2, 0, "l");

    table_add(t, "architecture");
    table_addf(t, "%s, compute capability %s", word_or_dash(c->architecture),
               word_or_dash(c->capability));
    table_add(t, "SMs");
    add_count(t, c->sm_count);
    add_property(t, "boost clock", c->boost_hz, "Hz");
    table_add(t, "memory type");
    table_add(t, word_or_dash(c->memory_type));
    add_property(t, "memory", c->memory_bytes, "B");
    add_property(t, "memory rate", c->memory_bytes_per_second, "B/s");
    table_add(t, "bus width, bit");
    add_count(t, c->bus_bits);
    add_property(t, "L2", c->l2_bytes, "B");
    table_add(t, "PCIe generation");
    add_count(t, c->link_generation);
    table_add(t, "PCIe lanes");
    add_count(t, c->link_width);
    add_property(t, "NVLink, both directions", c->nvlink_bytes_per_second, "B/s");
    add_property(t, "power", c->power_watts, "W");
    table_add(t, "year");
    add_count(t, c->year);
    text_add_table(out, t, columns);
    table_free(t);
}

static void add_peaks(struct text *out, const struct card *c, size_t columns)
{
    struct table *t = table_new(3, 1, "lrr");

    table_add(t, "dense");
    table_add(t, "peak");
    table_add(t, "flop/B");
    for (size_t i = 0; i < CARD_PEAKS; i++) {
        table_add(t, card_peak_names[i]);
        add_quantity(t, c->peak[i], i == CARD_INT8 ? "OP/s" : "FLOP/s", c->weak[i]);
        add_ridge(t, c, (enum card_peak)i);
    }
    text_add_table(out, t, columns);
    table_free(t);
}

static void add_details(struct text *out, const struct card *c, size_t columns)
{
    text_addf(out, "%s (%s), grade %s\n", c->name, c->id, word_or_dash(c->grade));
    add_list(out, "also called", &c->other_names);
    add_list(out, "known as", &c->aliases);
    add_properties(out, c, columns);
    text_add(out, "\n");
    add_peaks(out, c, columns);
    if (c->note != NULL)
        text_add_wrapped(out, c->note, "  ", "  ", columns);
    text_add(out, "\n");
}

_Noreturn static void nothing_found(const struct request *q)
{
    char *wanted = xstrdup(q->words[0]);

    for (size_t i = 1; i < q->count; i++) {
        char *longer = xasprintf("%s %s", wanted, q->words[i]);

        free(wanted);
        wanted = longer;
    }
    card_unknown(wanted);
}

static size_t count_matches(const struct request *q)
{
    size_t count, matches = 0;
    const struct card *all = cards_all(&count);

    for (size_t i = 0; i < count; i++)
        matches += card_has_words(&all[i], q->words, q->count);
    return matches;
}

static void show_cards(struct text *out, const struct request *q, bool details, size_t columns)
{
    size_t count;
    const struct card *all = cards_all(&count);
    struct table *lines = overview();

    for (size_t i = 0; i < count; i++) {
        if (!card_has_words(&all[i], q->words, q->count))
            continue;
        if (details)
            add_details(out, &all[i], columns);
        else
            add_line(lines, &all[i]);
    }
    if (!details)
        text_add_table(out, lines, columns);
    table_free(lines);
    text_add_wrapped(out,
                     details ? "* rests on one source or is derived; tensor peaks are dense, with "
                               "FP32 accumulate; grades: A two sources agree, B one source, C "
                               "derived or empty"
                             : "FP16: tensor units, dense, with FP32 accumulate; ridge: flops for "
                               "every byte from which on arithmetic is the limit; * rests on one "
                               "source or is derived",
                     "  ", "  ", columns);
}

static int run_cards(int argc, char **argv)
{
    struct request q = {0};
    const struct view view = view_of(stdout);
    struct text out = TEXT_EMPTY;
    size_t matches;

    options_parse(&argp, argc, argv, &q);
    matches = count_matches(&q);
    if (matches == 0)
        nothing_found(&q);
    show_cards(&out, &q, q.details || matches == 1, view.columns == 0 ? 80 : view.columns);
    fputs(text_chars(&out), stdout);
    text_free(&out);
    free(q.words);
    return EXIT_OK;
}

const struct command command_cards = {
    .name = "cards",
    .summary = "the datasheet catalogue, with datasheet ridge points",
    .argp = &argp,
    .run = run_cards,
};
