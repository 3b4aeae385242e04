/* Acceptance files as lists of floors, whatever form they have. */
#ifndef ANALYSIS_FLOORS_H
#define ANALYSIS_FLOORS_H

#include "harness/report/model.h"

/* What a card must reach.  figure: "memory", "link", "link_generation", "link_width", "sm_clock" or
 * a precision ("fp16"). */
struct floor {
    char *card, *figure, *minimum, *unit;
    char *comment;     /* what the file says about it; NULL: nothing */
    const char *place; /* "record" or "line" */
    size_t number;     /* where it stands in the file */
};
struct floors {
    struct floor *items;
    size_t count;
};

/* Adds the floors of a file to `out`: comma-separated values with the columns card, figure, minimum
 * and unit (in any order; "comment" may be among them, others are passed over), a YAML file of
 * DCGM's with the list "skus", or NHC's lines with check_gpu_bw, which name no card and are for
 * each of those in `present` (may be NULL).  Returns 0, or -1 with what is wrong, and where, in
 * why. */
int floors_read(struct floors *out, const char *text, size_t length, const struct report *present,
                struct text *why);
void floors_free(struct floors *floors);

/* The parts: the same for one form each. */
int floors_read_csv(struct floors *out, const char *text, size_t length, struct text *why);
int floors_read_yaml(struct floors *out, const char *text, size_t length, struct text *why);
int floors_read_nhc(struct floors *out, const char *text, size_t length,
                    const struct report *present, struct text *why);
/* Adds one; the words are copied. */
struct floor *floors_add(struct floors *out, const char *card, const char *figure,
                         const char *minimum, const char *unit);

#endif
