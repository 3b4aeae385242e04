/* What a card means for a job: memory, tokens a second, time on the link, break-even with the CPU.
 * Each estimate carries its formula with the numbers in it, and the band that reality keeps to. */
#ifndef ANALYSIS_ESTIMATE_H
#define ANALYSIS_ESTIMATE_H

#include "harness/analysis/compare.h"

enum estimated_group { ESTIMATED_MEMORY, ESTIMATED_SPEED, ESTIMATED_LINK, ESTIMATED_BREAKEVEN };

struct estimated {
    enum estimated_group group;
    char *name, *formula;
    struct estimate value; /* low and high: where it is likely to lie */
    const char *unit;
};

struct estimates {
    struct estimated *items;
    size_t count;
    struct strings notes; /* what was assumed, and what could not be estimated */
};
void estimates_free(struct estimates *e);
/* The estimate of that name, or NULL. */
const struct estimated *estimates_find(const struct estimates *e, const char *name);

/* A transformer.  NAN: unknown. */
struct model_shape {
    const char *name, *source;
    double parameters, active_parameters; /* of a mixture of experts: those that a token uses */
    double layers, hidden, kv_heads, head_size;
};
extern const struct model_shape model_shapes[]; /* ends with a name of NULL */
const struct model_shape *model_shape_named(const char *name);

/* How numbers are kept and which ceiling their arithmetic has. */
struct model_precision {
    const char *name;
    double weight_bytes, cache_bytes;
    const char *compute; /* "FP16 GEMM" */
    double overhead;     /* share that scales of quantised weights may add */
};
extern const struct model_precision model_precisions[]; /* ends with a name of NULL */
const struct model_precision *model_precision_named(const char *name);

struct model_job {
    struct model_shape shape;
    const struct model_precision *precision;
    double users, context; /* sequences at once, and tokens in each */
};

/* Each adds its estimates for one card; what the card's figures do not tell becomes a note. */
void estimate_serving(struct estimates *e, const struct model_job *job,
                      const struct contender *card);
void estimate_training(struct estimates *e, const struct model_job *job,
                       const struct contender *card);
/* `items` pieces that make up `bytes`, copied to the card; the kernel does `flop_per_byte`. */
void estimate_link(struct estimates *e, const struct contender *card, double bytes, double items,
                   double flop_per_byte);
/* From where on the card beats the host, data starting in host memory. */
void estimate_breakeven(struct estimates *e, const struct contender *card,
                        const struct contender *host);

/* For the files of estimates.  estimated_add formats like say(). */
void estimated_add(struct estimates *e, enum estimated_group group, const char *name,
                   const char *unit, struct estimate value, const char *formula, ...);
void estimated_note(struct estimates *e, const char *sentence, ...);
/* The figure's value; NAN with a note where the card has none. */
double figure_or_note(struct estimates *e, const struct contender *card, const char *figure);
/* The value with a band of shares of it. */
struct estimate within(double value, double low, double high);

#endif
