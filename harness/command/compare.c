/* ridge compare: results and datasheets side by side. */
#include "harness/analysis/workload.h"
#include "harness/base/options.h"
#include "harness/command/choice.h"
#include "harness/command/command.h"
#include "harness/command/contenders.h"
#include "harness/output/compare_writers.h"
#include "harness/output/terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_PRICE = 256, KEY_WATTS, KEY_GIGABYTE, KEY_WORKLOAD, KEY_INTENSITY, KEY_FAIL, KEY_CARDS };

struct request {
    const struct comparison_writer *writer;
    const char *out, *precision;
    struct strings words, prices, watts;
    bool per_gigabyte;
    const struct workload *workload;
    double intensity, fail_share; /* NAN: not asked for */
};

/* Ceilings of arithmetic by the word that --precision takes. */
static const struct {
    const char *word, *figure;
} precisions[] = {
    {"fp32", "FP32 FMA"},  {"fp64", "FP64 FMA"}, {"tf32", "TF32 GEMM"}, {"fp16", "FP16 GEMM"},
    {"bf16", "BF16 GEMM"}, {"fp8", "FP8 GEMM"},  {"int8", "INT8 GEMM"},
};

_Noreturn static void unknown_word(const char *what, const char *word, const char *const *names,
                                   size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    options_mistake("unknown %s '%s'; %s%s%s", what, word,
                    nearest != NULL ? "did you mean '" : "`ridge compare --help` lists them",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static const struct comparison_writer *choose_writer(const char *name)
{
    const struct comparison_writer *w = comparison_writer_named(name);
    const char *names[8];
    size_t count = 0;

    for (; comparison_writers[count].name != NULL; count++)
        names[count] = comparison_writers[count].name;
    if (w == NULL)
        unknown_word("format", name, names, count);
    return w;
}

static const struct comparison_writer *writer_of_path(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *dot = path == NULL ? NULL : strrchr(slash == NULL ? path : slash, '.');

    for (size_t i = 0; dot != NULL && comparison_writers[i].name != NULL; i++)
        if (strcmp(dot, comparison_writers[i].extension) == 0)
            return &comparison_writers[i];
    if (dot != NULL)
        options_mistake("no format is known by the end of '%s'; name one with --format", path);
    return comparison_writer_named("text");
}

static const struct workload *choose_workload(const char *name)
{
    const struct workload *w = workload_named(name);
    const char *names[16];
    size_t count = 0;

    for (; workloads[count].name != NULL && count < COUNT_OF(names); count++)
        names[count] = workloads[count].name;
    if (w == NULL)
        unknown_word("workload", name, names, count);
    return w;
}

static const char *choose_precision(const char *word)
{
    const char *words[COUNT_OF(precisions)];

    for (size_t i = 0; i < COUNT_OF(precisions); i++) {
        if (strcmp(precisions[i].word, word) == 0)
            return precisions[i].figure;
        words[i] = precisions[i].word;
    }
    unknown_word("precision", word, words, COUNT_OF(words));
}

static double percent(const char *word)
{
    char *end;
    const double number = strtod(word, &end);

    if (end == word || *end != '\0' || !(number >= 0 && number < 100))
        options_mistake("--fail-if-slower: expected per cent from 0 to below 100, not '%s'", word);
    return number / 100;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct request *q = state->input;

    switch (key) {
    case 'f':
        q->writer = choose_writer(argument);
        return 0;
    case 'o':
        q->out = argument;
        return 0;
    case 'p':
        q->precision = choose_precision(argument);
        return 0;
    case KEY_PRICE:
        choice_add(&q->prices, argument);
        return 0;
    case KEY_WATTS:
        choice_add(&q->watts, argument);
        return 0;
    case KEY_CARDS:
        cards_take(argument);
        return 0;
    case KEY_GIGABYTE:
        q->per_gigabyte = true;
        return 0;
    case KEY_WORKLOAD:
        q->workload = choose_workload(argument);
        return 0;
    case KEY_INTENSITY:
        q->intensity = positive_number("--intensity", argument);
        return 0;
    case KEY_FAIL:
        q->fail_share = percent(argument);
        return 0;
    case ARGP_KEY_ARG:
        strings_add(&q->words, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"price", KEY_PRICE, "X=PRICE", 0,
     "what X costs, for figures per dollar; X is a letter (A is the first), a number (1 is the "
     "first) or a name; may be repeated, or a list with commas",
     0},
    {"watts", KEY_WATTS, "X=WATTS", 0, "what X draws, for figures per watt", 0},
    {"per-gigabyte", KEY_GIGABYTE, NULL, 0, "figures per gigabyte of memory, too", 0},
    {"workload", KEY_WORKLOAD, "WORK", 0, "rank for a kind of work (below)", 0},
    {"intensity", KEY_INTENSITY, "F", 0, "rank for a kernel of F flops per byte, by each roofline",
     0},
    {"precision", 'p', "TYPE", 0,
     "the arithmetic of --intensity: fp32 (default), fp64, tf32, fp16, bf16, fp8, int8", 0},
    {"fail-if-slower", KEY_FAIL, "PERCENT", 0,
     "exit with 1 when one is surely slower than A in some figure, by more than that", 0},
    {"cards", KEY_CARDS, "FILE", 0,
     "further cards, a file in the form of results/datasheets/cards.csv", 0},
    {"format", 'f', "FORMAT", 0,
     "text (default), markdown, html, csv or json; with --output the file's name decides", 0},
    {"output", 'o', "OUT", 0, "write to the file OUT", 0},
    {0},
};

/* Adds the table of workloads below the options. */
static char *filter_help(int key, const char *help, void *input)
{
    struct text table = TEXT_EMPTY;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)help;
    text_add(&table, "A workload ranks by the weighted geometric mean of figures:\n");
    for (size_t i = 0; workloads[i].name != NULL; i++) {
        text_addf(&table, "  %-9s ", workloads[i].name);
        workload_describe(&table, &workloads[i]);
        text_add(&table, "\n");
    }
    return text_take(&table);
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "A B...",
    .doc = "Compares devices with the first: each a result file (FILE:cuda1 or FILE:host names a "
           "device of it, else its first card counts) or a datasheet (card:NAME). 2 to 20.\v ",
    .help_filter = filter_help,
};

static struct contender *read_contenders(const struct request *q)
{
    struct contender *c;

    if (q->words.count < 2)
        options_mistake("compare needs two to %d results or cards; see ridge compare --help",
                        CONTENDERS_MOST);
    if (q->words.count > CONTENDERS_MOST)
        options_mistake("compare takes at most %d results or cards, not %zu", CONTENDERS_MOST,
                        q->words.count);
    c = contenders_read(&q->words, q->writer->charts);
    contenders_distinct(c, q->words.count);
    return c;
}

static struct divisor *add_divisor(struct comparison *c, const char *name, const char *suffix)
{
    struct divisor *d = &c->divisors[c->divisor_count++];

    d->name = name;
    d->suffix = suffix;
    return d;
}

static void add_divisors(struct comparison *c, const struct request *q)
{
    if (q->prices.count > 0)
        contenders_values(c->contenders, c->count, "--price", &q->prices,
                          add_divisor(c, "per dollar", "per $")->of);
    if (q->watts.count > 0)
        contenders_values(c->contenders, c->count, "--watts", &q->watts,
                          add_divisor(c, "per watt", "per W")->of);
    if (q->per_gigabyte) {
        double *of = add_divisor(c, "per gigabyte", "per GB")->of;

        for (size_t i = 0; i < c->count; i++) {
            const struct reached *size = contender_figure(&c->contenders[i], "memory size");

            of[i] = size == NULL ? NAN : size->value.value / 1e9;
        }
    }
}

static void add_rankings(struct comparison *c, const struct request *q)
{
    struct text why = TEXT_EMPTY;

    if ((q->workload != NULL && ranking_by_workload(c, q->workload, &why) != 0) ||
        (!isnan(q->intensity) && ranking_by_intensity(c, q->intensity, q->precision, &why) != 0))
        options_mistake("%s", text_chars(&why));
}

static int deliver(const struct text *shown, const struct request *q)
{
    if (q->out != NULL && text_write_file(shown, q->out) != 0)
        options_mistake("cannot write %s: %s", q->out, strerror(errno));
    if (q->out == NULL && (fwrite(text_chars(shown), 1, shown->length, stdout) != shown->length ||
                           fflush(stdout) != 0))
        options_mistake("cannot write to standard output: %s", strerror(errno));
    return EXIT_OK;
}

static int verdict_of(const struct comparison *c, const struct request *q)
{
    struct text which = TEXT_EMPTY;
    int status = EXIT_OK;

    if (!isnan(q->fail_share) && comparison_is_slower(c, q->fail_share, &which)) {
        fprintf(stderr, "ridge: slower than A by more than %.3g %%: %s\n", q->fail_share * 100,
                text_chars(&which));
        status = EXIT_INVALID;
    }
    text_free(&which);
    return status;
}

static int show(const struct contender *contenders, const struct request *q)
{
    const struct view view = q->out == NULL ? view_of(stdout) : (struct view){0};
    struct comparison c;
    struct text shown = TEXT_EMPTY, why = TEXT_EMPTY;
    int status;

    if (comparison_of(&c, contenders, q->words.count, &why) != 0)
        options_mistake("%s", text_chars(&why));
    add_divisors(&c, q);
    add_rankings(&c, q);
    q->writer->write(&shown, &c, &view);
    deliver(&shown, q);
    status = verdict_of(&c, q);
    text_free(&shown);
    comparison_free(&c);
    return status;
}

static int run_compare(int argc, char **argv)
{
    struct request q = {.precision = precisions[0].figure, .intensity = NAN, .fail_share = NAN};
    struct contender *contenders;
    int status;

    options_parse(&argp, argc, argv, &q);
    if (q.writer == NULL)
        q.writer = writer_of_path(q.out);
    contenders = read_contenders(&q);
    status = show(contenders, &q);
    for (size_t i = 0; i < q.words.count; i++)
        contender_free(&contenders[i]);
    free(contenders);
    strings_free(&q.words);
    strings_free(&q.prices);
    strings_free(&q.watts);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "results and datasheets side by side, with what a difference is worth",
    .argp = &argp,
    .run = run_compare,
};
