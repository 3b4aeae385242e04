/* A rule: what it needs, when it speaks, what it says.  A file of rules for each subject. */
#ifndef ANALYSIS_RULES_H
#define ANALYSIS_RULES_H

#include "harness/analysis/inputs.h"
#include "harness/analysis/thresholds.h"

enum scope { EACH_DEVICE, EACH_ROW, EACH_FIGURE };
enum { RULE_NEEDS_MAX = 11, RULE_UNLESS_MAX = 3, RULE_LIMITS_MAX = 4 };

struct verdict {
    const struct scene *scene;
    const struct rule *rule;
    double values[RULE_NEEDS_MAX]; /* of the rule's needs, all known */
    struct text sentence;          /* empty: nothing to say */
};

struct rule {
    const char *id;
    enum severity severity;
    enum scope scope;
    const char *device; /* kind, "cuda" or "host"; NULL: any */
    /* Of rows and figures: those it is applied to, with blanks between them.  Of devices: the rows
     * that the finding concerns.  "*": all; NULL: all, or none of a device's. */
    const char *roles;
    /* Of rows and figures: false where they are no question; what is not known is none. */
    bool (*concerns)(const struct scene *s);
    enum input needs[RULE_NEEDS_MAX];
    enum input unless[RULE_UNLESS_MAX]; /* flags that must be known to be 0 */
    void (*judge)(struct verdict *v);
    enum limit limits[RULE_LIMITS_MAX]; /* that judge uses */
    const char *lacks;                  /* judge NULL: what would have to be measured, in words */
    const char *when, *fix, *source;    /* in words; fix NULL: nothing to be done */
};

struct rules {
    const struct rule *items;
    size_t count;
};
extern const struct rules rules_impossible, rules_link, rules_circumstances, rules_power,
    rules_levels, rules_host, rules_peers, rules_fleet, rules_errors, rules_unread;
extern const struct rules *const rules_all[]; /* NULL-terminated */

/* Named by an id, too, but no rule over a report: something that happened, or is in a file. */
struct event {
    const char *id, *kind, *when, *fix, *source; /* kind: where it is met, and how bad it is */
};
struct events {
    const struct event *items;
    size_t count;
};
extern const struct events events_all;

/* The value of a declared need. */
double need(const struct verdict *v, enum input which);
/* Of an input that only adds to the sentence: NAN where it is unknown. */
double known(const struct verdict *v, enum input which);
/* The threshold's value; declared in limits. */
double limit(const struct verdict *v, enum limit which);
/* Speaks, with sentence and values as in say(); a second call adds a sentence. */
void found(struct verdict *v, const char *sentence, ...);
/* Adds the figure that the verdict is about, "gemm (bf16)"; returns what out holds. */
const char *figure_words(const struct verdict *v, struct text *out);

/* Conditions of rows. */
bool is_headline(const struct scene *s);
bool is_pinned_headline(const struct scene *s);

#endif
