/* Rules that need several reports, or cards that work side by side. */
#include "harness/analysis/rules.h"
#include "harness/base/units.h"

#include <math.h>
#include <string.h>

static bool is_rate_in_company(const struct scene *s)
{
    return s->given->together_count > 1 &&
           (same_word(s->figure->name, "best") || same_word(s->figure->name, "rate"));
}

static bool is_memory(const struct scene *s)
{
    return is_rate_in_company(s) && same_word(s->figure->role, "memory_bandwidth");
}

static bool is_product(const struct scene *s)
{
    return is_rate_in_company(s) && same_word(s->figure->role, "gemm");
}

static bool is_link(const struct scene *s)
{
    return is_rate_in_company(s) && same_word(s->figure->name, "rate");
}

static bool is_outlier(const struct verdict *v, double value, double share)
{
    const double median = need(v, INPUT_NODES_MEDIAN);

    return need(v, INPUT_NODES) >= limit(v, LIMIT_FLEET_NODES) && value < share * median &&
           0.6745 * (value - median) / need(v, INPUT_NODES_MAD) < limit(v, LIMIT_PEER_Z);
}

static void fleet_outlier(struct verdict *v)
{
    const double share = limit(v, v->rule->limits[0]), figure = need(v, INPUT_FIGURE);
    struct text name = TEXT_EMPTY;

    if (is_outlier(v, figure, share) && is_outlier(v, need(v, INPUT_NODE_BEST), share))
        found(v, "{w} is {%} below the median of {n} nodes; up to {%} is usual.",
              figure_words(v, &name), 1 - figure / need(v, INPUT_NODES_MEDIAN),
              need(v, INPUT_NODES), 1 - share);
    text_free(&name);
}

static void flutter(struct verdict *v)
{
    const double share = limit(v, v->rule->limits[0]), figure = need(v, INPUT_FIGURE);
    const double best = need(v, INPUT_NODE_BEST), median = need(v, INPUT_NODES_MEDIAN);
    struct text name = TEXT_EMPTY;

    if (is_outlier(v, figure, share) && !is_outlier(v, best, share))
        found(v,
              "{w} is {%} below the median of {n} nodes here, and {%} of it in another pass of "
              "this node.",
              figure_words(v, &name), 1 - figure / median, need(v, INPUT_NODES), best / median);
    text_free(&name);
}

/* ---- two modes, and what separates them ---- */

static const char *driver_of(const struct report *r, const struct device_record *d)
{
    (void)d;
    return r->environment.driver;
}

static const char *kernel_of(const struct report *r, const struct device_record *d)
{
    (void)d;
    return r->environment.kernel;
}

static const char *cublas_of(const struct report *r, const struct device_record *d)
{
    (void)d;
    return r->environment.cublas;
}

static const char *vbios_of(const struct report *r, const struct device_record *d)
{
    (void)r;
    return d->facts.vbios;
}

static const char *ecc_of(const struct report *r, const struct device_record *d)
{
    static const char *const words[] = {"off", "on"};

    (void)r;
    return d->facts.ecc == FLAG_UNKNOWN ? NULL : words[d->facts.ecc];
}

static const struct fact {
    const char *name;
    const char *(*of)(const struct report *r, const struct device_record *d);
} facts[] = {{"driver", driver_of},
             {"cuBLAS", cublas_of},
             {"VBIOS", vbios_of},
             {"ECC", ecc_of},
             {"kernel", kernel_of}};

static const char *word_of(const struct fact *fact, const struct report *r, const struct scene *s)
{
    for (size_t i = 0; i < r->device_count; i++)
        if (same_word(r->devices[i].name, s->device->name))
            return fact->of(r, &r->devices[i]);
    return NULL;
}

/* Whether all slower nodes have one word and all others another. */
static bool separates(const struct fact *fact, const struct fleet *f, double border,
                      const struct scene *s, const char *words[2])
{
    words[0] = words[1] = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const char *word = word_of(fact, f->nodes[i], s);
        const char **of_mode = &words[f->values[i] > border];

        if (word == NULL || (*of_mode != NULL && strcmp(*of_mode, word) != 0))
            return false;
        *of_mode = word;
    }
    return words[0] != NULL && words[1] != NULL && strcmp(words[0], words[1]) != 0;
}

/* The fact that separates the slower nodes from the others, with its two words; NULL: none does. */
static const struct fact *separator(const struct verdict *v, double border, const char *words[2])
{
    struct fleet f;

    fleet_of(&f, v->scene);
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (separates(&facts[i], &f, border, v->scene, words))
            return &facts[i];
    return NULL;
}

static void fleet_split(struct verdict *v)
{
    const double low = need(v, INPUT_NODES_LOW), high = need(v, INPUT_NODES_HIGH);
    const struct fact *fact;
    const char *words[2];
    struct text name = TEXT_EMPTY;

    if (!(low < high) || need(v, INPUT_NODES) < limit(v, LIMIT_FLEET_NODES))
        return;
    found(v, "{w}: the {n} nodes have two modes, {%} apart.", figure_words(v, &name),
          need(v, INPUT_NODES), high / low - 1);
    fact = separator(v, (low + high) / 2, words);
    if (fact != NULL)
        found(v, "The slower ones have {w} {w}, the others {w}.", fact->name, words[0], words[1]);
    else
        found(v, "No fact of the reports separates them.");
    text_free(&name);
}

/* ---- runs, neighbours, libraries ---- */

static void run_to_run(struct verdict *v)
{
    const double spread = need(v, INPUT_RUNS_SPREAD);
    const double within =
        (need(v, INPUT_FIGURE_HIGH) - need(v, INPUT_FIGURE_LOW)) / 2 / need(v, INPUT_FIGURE);
    struct text name = TEXT_EMPTY;

    if (need(v, INPUT_RUNS) >= 3 && spread > limit(v, LIMIT_RUNS) &&
        spread > limit(v, LIMIT_RUNS_TIMES) * within)
        found(v, "{w} spreads by {%} over {n} runs of this device, and by {%} within this one.",
              figure_words(v, &name), spread, need(v, INPUT_RUNS), within);
    text_free(&name);
}

static void peer_warm(struct verdict *v)
{
    const double own = need(v, INPUT_TEMPERATURE), median = need(v, INPUT_PEER_CELSIUS);

    if (own > median + limit(v, LIMIT_WARM))
        found(v, "It is {n} °C warm at {W}, the median of its peers at equal power is {n} °C.", own,
              need(v, INPUT_POWER), median);
}

static void library_differs(struct verdict *v)
{
    const struct circumstances *given = v->scene->given;
    const struct report *other = given->together_count > 0 ? given->together[0] : given->baseline;

    if (need(v, INPUT_CUBLAS_ALIKE) == 0)
        found(v, "Matrix products came from cuBLAS {w}, those of the report beside it from {w}.",
              v->scene->report->environment.cublas, other->environment.cublas);
}

#define FLEET                                                                                      \
    .scope = EACH_FIGURE, .device = "cuda",                                                        \
    .needs = {INPUT_FIGURE, INPUT_NODES, INPUT_NODE_BEST, INPUT_NODES_MEDIAN, INPUT_NODES_MAD},    \
    .fix = "Measure it again after an idle minute; compare clocks, power and link with another "   \
           "node's."
#define OUTLIER                                                                                    \
    .id = "FLEET_OUTLIER", FLEET, .judge = fleet_outlier,                                          \
    .when = "in every pass of ten nodes or more a card is below the nodes' median"
#define FLUTTERS                                                                                   \
    .id = "FLUTTER", FLEET, .judge = flutter,                                                      \
    .when = "a card is an outlier of the fleet in this pass, and not in another"
#define LIMITS(figure) .limits = {figure, LIMIT_FLEET_NODES, LIMIT_PEER_Z}
static const struct rule rules[] = {
    {OUTLIER, .severity = SEVERITY_DEGRADED, .concerns = is_product, LIMITS(LIMIT_FLEET_GEMM),
     .source = "Azure's node checks"},
    {OUTLIER, .severity = SEVERITY_FAULT, .concerns = is_product, LIMITS(LIMIT_FLEET_GEMM_FAULT),
     .source = "Azure's node checks"},
    {OUTLIER, .severity = SEVERITY_DEGRADED, .concerns = is_memory, LIMITS(LIMIT_FLEET_MEMORY),
     .source = "ours"},
    {OUTLIER, .severity = SEVERITY_FAULT, .concerns = is_memory, LIMITS(LIMIT_FLEET_MEMORY_FAULT),
     .source = "ours"},
    {OUTLIER, .severity = SEVERITY_DEGRADED, .concerns = is_link, LIMITS(LIMIT_FLEET_LINK),
     .source = "ours"},
    {OUTLIER, .severity = SEVERITY_FAULT, .concerns = is_link, LIMITS(LIMIT_FLEET_LINK_FAULT),
     .source = "ours"},
    {FLUTTERS, .concerns = is_product, LIMITS(LIMIT_FLEET_GEMM), .source = "ours"},
    {FLUTTERS, .concerns = is_memory, LIMITS(LIMIT_FLEET_MEMORY), .source = "ours"},
    {FLUTTERS, .concerns = is_link, LIMITS(LIMIT_FLEET_LINK), .source = "ours"},
    {.id = "FLEET_SPLIT",
     .scope = EACH_FIGURE,
     .device = "cuda",
     .concerns = is_rate_in_company,
     .needs = {INPUT_NODES, INPUT_NODES_LOW, INPUT_NODES_HIGH},
     .judge = fleet_split,
     .limits = {LIMIT_FLEET_NODES},
     .when = "the nodes of a fleet fall into two groups",
     .fix = "Find what separates them before blaming cards.",
     .source = "ours"},
    {.id = "RUN_TO_RUN",
     .scope = EACH_FIGURE,
     .concerns = is_rate_in_company,
     .needs = {INPUT_FIGURE, INPUT_FIGURE_LOW, INPUT_FIGURE_HIGH, INPUT_RUNS, INPUT_RUNS_SPREAD},
     .judge = run_to_run,
     .limits = {LIMIT_RUNS, LIMIT_RUNS_TIMES},
     .when = "three runs or more of one device spread more than one run does within itself",
     .fix = "Compare medians of several runs.",
     .source = "ours"},
    {.id = "PEER_WARM",
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "gemm sustained",
     .concerns = is_headline,
     .needs = {INPUT_TEMPERATURE, INPUT_POWER, INPUT_PEER_CELSIUS},
     .judge = peer_warm,
     .limits = {LIMIT_WARM},
     .when = "of three cards or more at equal power one is warmer than their median",
     .fix = "Look at airflow, fans, and the cards beside it.",
     .source = "ours"},
    {.id = "LIBRARY_DIFFERS",
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_CUBLAS_ALIKE},
     .judge = library_differs,
     .when = "reports that are judged together, or the baseline, have another cuBLAS",
     .fix = "Compare matrix products of one version.",
     .source = "the library's version"},
};
const struct rules rules_fleet = {rules, COUNT_OF(rules)};
