/* Walks all rules over a report: every device, row and figure that each is about. */
#ifndef ANALYSIS_VERDICTS_H
#define ANALYSIS_VERDICTS_H

#include "harness/analysis/rules.h"

/* A rule ran; the sentence is empty where it had nothing to say. */
typedef void verdict_taker(const struct verdict *v, void *context);
/* A rule could not run for want of these inputs (count of them). */
typedef void silence_taker(const struct rule *rule, const struct scene *s, const enum input *lacked,
                           size_t count, void *context);

/* Calls back for every rule and scene; either may be NULL. */
void verdicts_each(const struct report *r, const struct circumstances *given, verdict_taker *heard,
                   silence_taker *silent, void *context);

/* Whether a verdict is about that row. */
bool verdict_concerns(const struct verdict *v, const struct measurement *m);

#endif
