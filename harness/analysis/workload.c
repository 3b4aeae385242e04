/* Kinds of work as weights of figures, and rankings by them. */
#include "harness/analysis/workload.h"
#include "harness/base/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The weights are ours, a judgement and no measurement: how the time of such work divides between
 * what a card has to give.  Each says why, and --intensity ranks without them. */
const struct workload workloads[] = {
    {"decode",
     "a language model that writes: every token reads all weights",
     "a token reads all weights and does two flops with each, so memory is the limit until dozens "
     "of users share the reading",
     {{"memory bandwidth", 0.85}, {"FP16 GEMM", 0.10}, {"memory latency", 0.05}}},
    {"prefill",
     "a language model that reads: large products of matrices",
     "a whole prompt shares one reading of the weights, so products are the limit; norms and "
     "softmax still pass through memory",
     {{"FP16 GEMM", 0.80}, {"memory bandwidth", 0.20}}},
    {"training",
     "products of matrices, the optimiser's passes over memory, gradients and data on the link",
     "products as in prefill, three times; each step the optimiser reads and writes 16 bytes a "
     "parameter; data and gradients cross the link",
     {{"BF16 GEMM", 0.65},
      {"memory bandwidth", 0.25},
      {"host to device, pinned", 0.05},
      {"device to host, pinned", 0.05}}},
    {"transfer",
     "data that passes through: up, a little work, down",
     "the link is the work; answers are fewer than data, stages overlap, and each byte is read "
     "once from memory",
     {{"host to device, pinned", 0.40},
      {"device to host, pinned", 0.25},
      {"both directions, pinned", 0.25},
      {"memory bandwidth", 0.10}}},
    {"stencil",
     "sweeps over grids: memory first, plain arithmetic second",
     "a few flops a byte, a tenth of a card's ridge point: memory is the limit but where tiles are "
     "reused; some codes need FP64",
     {{"memory bandwidth", 0.75}, {"FP32 FMA", 0.15}, {"FP64 FMA", 0.10}}},
    {0},
};

const struct workload *workload_named(const char *name)
{
    for (size_t i = 0; workloads[i].name != NULL; i++)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    return NULL;
}

static size_t count_terms(const struct workload *w)
{
    size_t count = 0;

    while (count < WORKLOAD_TERMS_MOST && w->terms[count].figure != NULL)
        count++;
    return count;
}

void workload_describe(struct text *out, const struct workload *w)
{
    for (size_t i = 0; i < count_terms(w); i++)
        text_addf(out, "%s%.0f %% %s", i > 0 ? "; " : "", w->terms[i].weight * 100,
                  w->terms[i].figure);
}

/* The row that all contenders have a ratio in, or NULL. */
static const struct comparison_row *row_of_all(const struct comparison *c, const char *figure)
{
    for (size_t i = 0; i < c->row_count; i++) {
        size_t known = 0;

        if (strcmp(c->rows[i].example->name, figure) != 0)
            continue;
        while (known < c->count && c->rows[i].cells[known].ratio.value > 0)
            known++;
        return known == c->count ? &c->rows[i] : NULL;
    }
    return NULL;
}

/* Logarithms: their weighted means are geometric, and intervals add in quadrature. */
struct score {
    double log_value, below, above; /* squares of the intervals' halves */
};

static void add_term(struct score *s, const struct comparison_row *row, size_t contender,
                     double weight)
{
    const struct estimate *r = &row->cells[contender].ratio;
    const double sign = row->example->better == LESS_IS_BETTER ? -1 : 1;
    const double down = weight * log(r->value / r->low), up = weight * log(r->high / r->value);

    s->log_value += sign * weight * log(r->value);
    s->below += sign > 0 ? down * down : up * up;
    s->above += sign > 0 ? up * up : down * down;
}

static struct estimate score_of(const struct comparison *c, const struct workload *w,
                                size_t contender, double total)
{
    struct score s = {0};

    for (size_t i = 0; i < count_terms(w); i++) {
        const struct comparison_row *row = row_of_all(c, w->terms[i].figure);

        if (row != NULL)
            add_term(&s, row, contender, w->terms[i].weight / total);
    }
    return (struct estimate){exp(s.log_value), exp(s.log_value - sqrt(s.below)),
                             exp(s.log_value + sqrt(s.above))};
}

static int by_score_down(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return (x->score.value < y->score.value) - (x->score.value > y->score.value);
}

static int by_score_up(const void *a, const void *b)
{
    return by_score_down(b, a);
}

static void finish(struct ranking *r, const struct comparison *c)
{
    r->count = c->count;
    qsort(r->places, r->count, sizeof *r->places,
          r->better == MORE_IS_BETTER ? by_score_down : by_score_up);
}

/* The weight that is left, and in words what is not. */
static double common_weight(const struct comparison *c, const struct workload *w, struct text *left)
{
    double total = 0;

    for (size_t i = 0; i < count_terms(w); i++)
        if (row_of_all(c, w->terms[i].figure) != NULL)
            total += w->terms[i].weight;
        else
            text_addf(left, "%s%s", left->length > 0 ? "; " : "", w->terms[i].figure);
    return total;
}

int ranking_by_workload(struct comparison *c, const struct workload *w, struct text *why)
{
    struct text left = TEXT_EMPTY, method = TEXT_EMPTY;
    const double total = common_weight(c, w, &left);
    struct ranking *r = &c->rankings[c->ranking_count];

    if (total < 0.5) {
        text_addf(why, "cannot rank for %s: not every one has these figures: %s", w->name,
                  text_chars(&left));
        text_free(&left);
        return -1;
    }
    text_add(&method, "Weighted geometric mean of the ratios to A: ");
    workload_describe(&method, w);
    if (left.length > 0)
        text_addf(&method, "; left out, for not every one has it: %s", text_chars(&left));
    text_addf(&method, ". The weights are our judgement, not measured: %s", w->why);
    *r = (struct ranking){.title = xasprintf("%s: %s", w->name, w->summary),
                          .method = text_take(&method),
                          .unit = "",
                          .better = MORE_IS_BETTER};
    for (size_t i = 0; i < c->count; i++)
        r->places[i] = (struct place){i, score_of(c, w, i, total)};
    finish(r, c);
    c->ranking_count++;
    text_free(&left);
    return 0;
}

static double low_of(const struct reached *f)
{
    return f->exact ? f->value.value : f->value.low;
}

static double high_of(const struct reached *f)
{
    return f->exact ? f->value.value : f->value.high;
}

/* Seconds for 1 GB by the roofline: the slower of moving it and of working on it. */
static struct estimate roofline_seconds(const struct reached *memory, const struct reached *compute,
                                        double intensity)
{
    return (struct estimate){
        1e9 * fmax(1 / memory->value.value, intensity / compute->value.value),
        1e9 * fmax(1 / high_of(memory), intensity / high_of(compute)),
        1e9 * fmax(1 / low_of(memory), intensity / low_of(compute)),
    };
}

int ranking_by_intensity(struct comparison *c, double flop_per_byte, const char *compute,
                         struct text *why)
{
    struct ranking *r = &c->rankings[c->ranking_count];
    char number[UNITS_MAX];

    *r = (struct ranking){.unit = "s", .better = LESS_IS_BETTER};
    for (size_t i = 0; i < c->count; i++) {
        const struct reached *memory = contender_figure(&c->contenders[i], "memory bandwidth");
        const struct reached *peak = contender_figure(&c->contenders[i], compute);

        if (memory == NULL || peak == NULL) {
            text_addf(why, "cannot rank by the roofline: %s has no %s", c->contenders[i].origin,
                      memory == NULL ? "memory bandwidth" : compute);
            return -1;
        }
        r->places[i] = (struct place){i, roofline_seconds(memory, peak, flop_per_byte)};
    }
    units_format(number, flop_per_byte, "FLOP/B");
    r->title = xasprintf("a kernel of %s", number);
    r->method =
        xasprintf("Seconds for 1 GB: the greater of 1 GB / memory bandwidth and 1 GB x %s / "
                  "%s; no kernel is faster than its roof",
                  number, compute);
    finish(r, c);
    c->ranking_count++;
    return 0;
}

static const struct place *place_of_first(const struct ranking *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->places[i].contender == 0)
            return &r->places[i];
    return NULL;
}

double ranking_per(const struct ranking *r, size_t place, const struct divisor *d)
{
    const struct place *p = &r->places[place], *first = place_of_first(r);
    const double ratio = first == NULL                 ? NAN
                         : r->better == MORE_IS_BETTER ? p->score.value / first->score.value
                                                       : first->score.value / p->score.value;

    return ratio * d->of[0] / d->of[p->contender];
}
