/* ridge estimate: what a measured or promised card means for a job. */
#include "harness/analysis/estimate.h"
#include "harness/base/options.h"
#include "harness/command/command.h"
#include "harness/command/contenders.h"
#include "harness/output/estimate_page.h"
#include "harness/output/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_MODEL = 256,
    KEY_PARAMETERS,
    KEY_ACTIVE,
    KEY_LAYERS,
    KEY_HIDDEN,
    KEY_KV_HEADS,
    KEY_HEAD_SIZE,
    KEY_USERS,
    KEY_CONTEXT,
    KEY_TRAIN,
    KEY_PAYLOAD,
    KEY_ITEMS,
    KEY_WORK,
    KEY_HOST,
    KEY_CARDS
};

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_JSON, FORMS };
static const char *const form_names[FORMS] = {"text", "markdown", "json"};

struct request {
    const char *card, *host;
    const struct model_shape *model;
    struct model_job job; /* members that are NAN come from the model */
    bool train;
    double payload, items, work;
    enum form form;
};

/* "7e9", "7B", "350M": a count of parameters. */
static double read_parameters(const char *option, const char *word)
{
    char *end, *plain;
    double factor = 1, number;

    strtod(word, &end);
    if (strcasecmp(end, "b") == 0)
        factor = 1e9;
    else if (strcasecmp(end, "m") == 0)
        factor = 1e6;
    plain = xasprintf("%.*s", (int)(factor > 1 ? end - word : (ptrdiff_t)strlen(word)), word);
    number = positive_number(option, plain) * factor;
    free(plain);
    return number;
}

/* "10GB", "64MiB", "1e9". */
static double read_bytes(const char *option, const char *word)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {{"", 1},
                 {"b", 1},
                 {"kb", 1e3},
                 {"mb", 1e6},
                 {"gb", 1e9},
                 {"tb", 1e12},
                 {"kib", 1024},
                 {"mib", 1048576},
                 {"gib", 1024.0 * 1048576},
                 {"tib", 1048576.0 * 1048576}};
    char *end;

    strtod(word, &end);
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcasecmp(end, units[i].suffix) == 0) {
            char *plain = xasprintf("%.*s", (int)(end - word), word);
            const double number = positive_number(option, plain) * units[i].factor;

            free(plain);
            return number;
        }
    options_mistake("%s: expected a size as 10GB or 64MiB, not '%s'", option, word);
}

static double read_count(const char *option, const char *word)
{
    const double number = positive_number(option, word);

    if (number != floor(number))
        options_mistake("%s: expected a whole number, not '%s'", option, word);
    return number;
}

static const struct model_shape *read_model(const char *word)
{
    const struct model_shape *m = model_shape_named(word);
    struct text known = TEXT_EMPTY;

    if (m != NULL)
        return m;
    for (size_t i = 0; model_shapes[i].name != NULL; i++)
        text_addf(&known, "%s%s", i > 0 ? ", " : "", model_shapes[i].name);
    options_mistake("unknown model '%s'; known are %s; others by --parameters and --layers", word,
                    text_chars(&known));
}

static const struct model_precision *read_precision(const char *word)
{
    const struct model_precision *p = model_precision_named(word);
    struct text known = TEXT_EMPTY;

    if (p != NULL)
        return p;
    for (size_t i = 0; model_precisions[i].name != NULL; i++)
        text_addf(&known, "%s%s", i > 0 ? ", " : "", model_precisions[i].name);
    options_mistake("unknown precision '%s'; known are %s", word, text_chars(&known));
}

static enum form read_form(const char *word)
{
    const char *nearest = text_nearest(word, form_names, FORMS);

    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(form_names[i], word) == 0)
            return (enum form)i;
    options_mistake("unknown format '%s'; %s%s", word,
                    nearest != NULL ? "did you mean " : "text, markdown or json",
                    nearest != NULL ? nearest : "");
}

/* Options that take a whole number, and where it goes. */
static double *count_of(struct request *q, int key, const char **option)
{
    struct model_shape *s = &q->job.shape;
    const struct {
        int key;
        const char *option;
        double *place;
    } counts[] = {
        {KEY_LAYERS, "--layers", &s->layers},       {KEY_HIDDEN, "--hidden", &s->hidden},
        {KEY_KV_HEADS, "--kv-heads", &s->kv_heads}, {KEY_HEAD_SIZE, "--head-size", &s->head_size},
        {KEY_USERS, "--users", &q->job.users},      {KEY_CONTEXT, "--context", &q->job.context},
        {KEY_ITEMS, "--items", &q->items},
    };

    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (counts[i].key == key) {
            *option = counts[i].option;
            return counts[i].place;
        }
    return NULL;
}

static error_t parse_argument(struct request *q, const char *word)
{
    if (q->card != NULL)
        options_mistake("estimate takes one result or card, not '%s' as well", word);
    q->card = word;
    return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct request *q = state->input;
    const char *option;
    double *count = count_of(q, key, &option);

    if (count != NULL) {
        *count = read_count(option, argument);
        return 0;
    }
    switch (key) {
    case KEY_MODEL:
        q->model = read_model(argument);
        return 0;
    case KEY_PARAMETERS:
        q->job.shape.parameters = read_parameters("--parameters", argument);
        return 0;
    case KEY_ACTIVE:
        q->job.shape.active_parameters = read_parameters("--active-parameters", argument);
        return 0;
    case KEY_TRAIN:
        q->train = true;
        return 0;
    case KEY_PAYLOAD:
        q->payload = read_bytes("--payload", argument);
        return 0;
    case KEY_WORK:
        q->work = positive_number("--work", argument);
        return 0;
    case KEY_CARDS:
        cards_take(argument);
        return 0;
    case KEY_HOST:
        q->host = argument;
        return 0;
    case 'p':
        q->job.precision = read_precision(argument);
        return 0;
    case 'f':
        q->form = read_form(argument);
        return 0;
    case ARGP_KEY_ARG:
        return parse_argument(q, argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "A language model:", 1},
    {"model", KEY_MODEL, "NAME", 0,
     "7b, 8b, 13b or 70b (Llama), 8x7b (Mixtral); the options below replace its numbers", 1},
    {"parameters", KEY_PARAMETERS, "N", 0, "all parameters: 7e9, 7B or 350M", 1},
    {"active-parameters", KEY_ACTIVE, "N", 0, "of a mixture of experts: those that each token uses",
     1},
    {"layers", KEY_LAYERS, "N", 0, "layers", 1},
    {"hidden", KEY_HIDDEN, "N", 0, "width of the model (for --train)", 1},
    {"kv-heads", KEY_KV_HEADS, "N", 0, "heads of keys and values in a layer", 1},
    {"head-size", KEY_HEAD_SIZE, "N", 0, "width of a head", 1},
    {"precision", 'p', "TYPE", 0,
     "of the weights: fp32, tf32, fp16 (default), bf16, fp8, int8, int4", 1},
    {"users", KEY_USERS, "N", 0, "sequences at once (1)", 1},
    {"context", KEY_CONTEXT, "N", 0, "tokens in each sequence (4096)", 1},
    {"train", KEY_TRAIN, NULL, 0, "train it with Adam, rather than serve it", 1},
    {NULL, 0, NULL, 0, "Data on its way to the card:", 2},
    {"payload", KEY_PAYLOAD, "SIZE", 0, "how much: 10GB, 64MiB", 2},
    {"items", KEY_ITEMS, "N", 0, "in so many copies, too", 2},
    {"work", KEY_WORK, "F", 0, "the kernel does F flops for each byte (0: it only reads)", 2},
    {NULL, 0, NULL, 0, "Card or processor:", 3},
    {"host", KEY_HOST, "FILE", 0, "the result with the host: from where on does the card win?", 3},
    {NULL, 0, NULL, 0, "Other:", 4},
    {"cards", KEY_CARDS, "FILE", 0,
     "further cards, a file in the form of results/datasheets/cards.csv", 4},
    {"format", 'f', "FORMAT", 0, "text (default), markdown or json", 4},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE[:DEVICE]|card:NAME",
    .doc = "Estimates what a measured card, or one's datasheet, means for a job: memory and tokens "
           "a second of a language model, time on the link, break-even with the processor. Every "
           "estimate shows its formula with the numbers in it, and where reality is likely to lie.",
};

static double given_or(double given, double otherwise)
{
    return isnan(given) ? otherwise : given;
}

/* What is not given comes from the model; all parameters are active unless said otherwise. */
static void complete_job(struct request *q)
{
    struct model_shape *s = &q->job.shape;

    if (q->model != NULL) {
        const bool replaced = !isnan(s->parameters);

        s->active_parameters =
            given_or(s->active_parameters, replaced ? s->parameters : q->model->active_parameters);
        s->parameters = given_or(s->parameters, q->model->parameters);
        s->layers = given_or(s->layers, q->model->layers);
        s->hidden = given_or(s->hidden, q->model->hidden);
        s->kv_heads = given_or(s->kv_heads, q->model->kv_heads);
        s->head_size = given_or(s->head_size, q->model->head_size);
    }
    s->active_parameters = given_or(s->active_parameters, s->parameters);
    if (s->active_parameters > s->parameters)
        options_mistake("--active-parameters: more than there are (%.3g)", s->parameters);
}

static void check(const struct request *q)
{
    const bool model = !isnan(q->job.shape.parameters);

    if (q->card == NULL)
        options_mistake("estimate needs a result file or card:NAME; see ridge estimate --help");
    if (!model && isnan(q->payload) && q->host == NULL)
        options_mistake("say what to estimate: --model or --parameters, --payload, or --host");
    if (!model && (q->train || !isnan(q->job.shape.active_parameters)))
        options_mistake("%s needs --model or --parameters",
                        q->train ? "--train" : "--active-parameters");
    if (isnan(q->payload) && (!isnan(q->items) || q->work > 0))
        options_mistake("%s needs --payload", isnan(q->items) ? "--work" : "--items");
}

/* "FILE" means its host here. */
static void read_host(struct contender *host, const char *word)
{
    const size_t length = strlen(word);
    const bool named = length > 5 && strcmp(word + length - 5, ":host") == 0;
    char *full = xasprintf("%s%s", word, named ? "" : ":host");

    if (strncmp(word, "card:", 5) == 0)
        options_mistake("--host: expected a result file, not '%s'", word);
    contender_named(host, full);
    free(full);
}

static char *question_of(const struct request *q)
{
    struct text t = TEXT_EMPTY;

    if (!isnan(q->job.shape.parameters)) {
        text_addf(&t, "%s %s", q->train ? "train" : "serve",
                  q->model != NULL ? q->model->source : "a model");
        text_addf(&t, " in %s, %.0f x %.0f tokens", q->job.precision->name, q->job.users,
                  q->job.context);
    }
    if (!isnan(q->payload))
        text_addf(&t, "%scopy %.3g GB", t.length > 0 ? "; " : "", q->payload / 1e9);
    if (q->host != NULL)
        text_addf(&t, "%sbreak-even with %s", t.length > 0 ? "; " : "", q->host);
    return text_take(&t);
}

static void estimate(struct estimates *e, const struct request *q, const struct contender *card)
{
    if (!isnan(q->job.shape.parameters) && q->train)
        estimate_training(e, &q->job, card);
    else if (!isnan(q->job.shape.parameters))
        estimate_serving(e, &q->job, card);
    if (!isnan(q->payload))
        estimate_link(e, card, q->payload, given_or(q->items, 1), q->work);
    if (q->host != NULL) {
        struct contender host;

        read_host(&host, q->host);
        estimate_breakeven(e, card, &host);
        contender_free(&host);
    }
}

static void write_page(struct text *out, const struct estimates *e, const struct contender *card,
                       const char *question, enum form form)
{
    const struct view view = view_of(stdout);
    struct page page;

    estimates_page(&page, e, card, question);
    if (form == FORM_TEXT)
        page_write_text(out, &page, NULL, 0, &view);
    else
        page_write_markdown(out, &page, NULL, 0);
    page_free(&page);
}

static int show(const struct request *q)
{
    struct contender card;
    struct estimates e = {0};
    struct text out = TEXT_EMPTY;
    char *question = question_of(q);

    contender_named(&card, q->card);
    estimate(&e, q, &card);
    if (e.count == 0)
        options_mistake("%s tells nothing about that: %s", q->card,
                        e.notes.count > 0 ? e.notes.items[0] : "no figure");
    if (q->form == FORM_JSON)
        estimates_json(&out, &e, &card, question);
    else
        write_page(&out, &e, &card, question, q->form);
    fputs(text_chars(&out), stdout);
    text_free(&out);
    estimates_free(&e);
    contender_free(&card);
    free(question);
    return EXIT_OK;
}

static int run_estimate(int argc, char **argv)
{
    struct request q = {
        .job = {.shape = {NULL, NULL, NAN, NAN, NAN, NAN, NAN, NAN}, .users = 1, .context = 4096},
        .payload = NAN,
        .items = NAN,
    };

    q.job.precision = model_precision_named("fp16");
    options_parse(&argp, argc, argv, &q);
    complete_job(&q);
    check(&q);
    return show(&q);
}

const struct command command_estimate = {
    .name = "estimate",
    .summary = "what a card means for a job: memory, tokens a second, time on the link",
    .argp = &argp,
    .run = run_estimate,
};
