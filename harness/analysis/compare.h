/* Devices and datasheets side by side: what each reaches, and whether a difference is one. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "harness/analysis/cards.h"

enum { CONTENDERS_MOST = 20 };

enum better { MORE_IS_BETTER, LESS_IS_BETTER, NEITHER_IS_BETTER };

/* In the order in which people read them. */
enum reached_group {
    REACHED_MEMORY,
    REACHED_LINK,
    REACHED_GEMM,
    REACHED_FMA,
    REACHED_LATENCY,
    REACHED_DIVERGENCE,
    REACHED_RIDGE,
    REACHED_SIZE
};

/* One figure of a contender, "memory bandwidth" or "FP16 GEMM". */
struct reached {
    char *name;
    const char *unit;
    enum reached_group group;
    enum better better;
    struct estimate value;
    bool exact, weak; /* exact: by a datasheet or the device's own word, without an interval */
    double *samples;  /* of the row that it rests on, as values of its metric; NULL: none */
    size_t sample_count;
};

/* Circumstances of a result that make it another question. */
struct setting {
    char *kind, *plan, *driver, *library; /* "cuda", "host"; NULL in datasheets */
    enum flag complete, virtual_card, ecc, mig, vgpu;
    double power_limit_share, clock_share; /* of the default limit; of the maximum clock */
};

/* What is compared: a device of a result or a datasheet, reduced to its figures. */
struct contender {
    char *name, *id; /* of the device or card; "cuda0", "l40s" */
    char *origin;    /* what the user gave */
    char *identity;  /* the same for one device of one file however it is given */
    bool measured;
    struct reached *reached;
    size_t count;
    struct setting setting;
    struct report *report; /* all rows, for charts, where they were asked for; NULL else */
};

/* From a derived report (analysis_derive); false where the device reached nothing.  The caller
 * frees the contender in either case. */
bool contender_of_device(struct contender *c, const struct report *r, const char *device);
void contender_of_card(struct contender *c, const struct card *card);
void contender_free(struct contender *c);
/* The figure of that name, or NULL. */
const struct reached *contender_figure(const struct contender *c, const char *name);

/* How a contender's figure stands to the first one's. */
enum difference { DIFFERENCE_UNKNOWN, SAME, MORE, LESS, UNCLEAR };

struct compared {
    const struct reached *reached; /* NULL: the contender has no such figure */
    struct estimate ratio;         /* to the first contender's; NAN where unknown */
    enum difference difference;
};

struct comparison_row {
    const struct reached *example; /* its name, unit and what is better */
    size_t found;                  /* the order in which figures were met */
    struct compared cells[CONTENDERS_MOST];
};

/* What figures are divided by when asked: a price, watts, gigabytes. */
struct divisor {
    const char *name, *suffix;  /* "per dollar", "per $" */
    double of[CONTENDERS_MOST]; /* NAN: not given */
};

struct place {
    size_t contender;
    struct estimate score;
};

/* Contenders in order, the best first. */
struct ranking {
    char *title, *method;
    const char *unit; /* of the score; "" a ratio to the first contender */
    enum better better;
    struct place places[CONTENDERS_MOST];
    size_t count;
};

enum { DIVISORS_MOST = 3, RANKINGS_MOST = 2 };

struct comparison {
    const struct contender *contenders; /* the caller's */
    size_t count;
    struct comparison_row *rows; /* figures that two contenders or more have */
    size_t row_count;
    struct strings warnings, alone; /* sentences; alone: which figures only one has */
    struct divisor divisors[DIVISORS_MOST];
    size_t divisor_count;
    struct ranking rankings[RANKINGS_MOST];
    size_t ranking_count;
};

/* The score of that place per divisor, over the first contender's: NAN where it is not given. */
double ranking_per(const struct ranking *r, size_t place, const struct divisor *d);

/* Compares all with the first.  Returns 0, or -1 with a sentence in why where one has no figure in
 * common with the first.  The caller frees c in either case. */
int comparison_of(struct comparison *c, const struct contender *contenders, size_t count,
                  struct text *why);
void comparison_free(struct comparison *c);
void comparison_add_warnings(struct comparison *c); /* part of comparison_of */
/* Whether one is slower than the first in some figure, surely and by more than `share`; which says
 * what. */
bool comparison_is_slower(const struct comparison *c, double share, struct text *which);

/* Differences below this share of a figure are none: two runs of one card differ by as much. */
extern const double comparison_margin;
extern const char comparison_rule[]; /* the rule in words */

/* The ratio of a to b with its 95 % interval: of all quotients a[i] / b[j] the median (Hodges and
 * Lehmann), and those two whose ranks the distribution of Mann and Whitney gives.  NAN where there
 * are too few samples for an interval, or none. */
struct estimate ratio_of_samples(const double *a, size_t count_a, const double *b, size_t count_b);
enum difference difference_of(struct estimate ratio);
/* "same", "faster", "lower", "unclear"; "-" where unknown. */
const char *difference_word(enum difference d, enum better better);

/* "A" of the first. */
char contender_letter(size_t index);

#endif
