/* Findings: verdicts over a report, by a table of rules.  A rule runs only where all that it needs
 * is known, so that a missing input can only remove findings. */
#ifndef ANALYSIS_FINDINGS_H
#define ANALYSIS_FINDINGS_H

#include "harness/report/model.h"

/* What the user says of the cards, and what they are compared with; circumstances_unknown where
 * nothing is. */
struct circumstances {
    double link_generation, link_width, power_watts, memory_bytes; /* expected; NAN: not said */
    const struct report *baseline;        /* an earlier report of the same machine, or NULL */
    const struct report *const *together; /* reports judged with this one, itself among them */
    size_t together_count;                /* 0: it is judged alone */
};
extern const struct circumstances circumstances_unknown;

/* Derives the report's findings anew, worst first, and marks the rows that must not be used: their
 * status becomes invalid (only that of rows that are ok), their reason "ID: sentence".  Rows that
 * an earlier call marked are judged again. */
void findings_derive(struct report *r, const struct circumstances *given);

/* The worst severity among the findings; false: there are none. */
bool findings_worst(const struct report *r, enum severity *worst);

/* False where a headline row that the figure was drawn from must not be used. */
bool figure_stands(const struct report *r, const struct figure *f);

/* Rules that concern the report and could not run, a sentence each with the inputs they lacked. */
void findings_silent(struct strings *out, const struct report *r,
                     const struct circumstances *given);

/* What the user expects and the report cannot tell, "--expect-link of cuda0 (link_generation is
 * unknown)". */
void findings_unjudged(struct strings *out, const struct report *r,
                       const struct circumstances *given);
/* Whether a device of the report is in the other one, too: the same card, or the same host. */
bool findings_have_device_of(const struct report *r, const struct report *other);

/* Adds what the rule looks at, when it speaks and whose word that is.  False: no rule of that id.
 */
bool finding_explain(struct text *out, const char *id);
/* The ids that can be explained, each once: of rules, and of what is met elsewhere. */
void finding_ids(struct strings *out);

#endif
