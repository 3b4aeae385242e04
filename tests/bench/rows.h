/* Synthetic rows for an experiment's conclude: a report in which a model is the card. */
#ifndef TESTS_BENCH_ROWS_H
#define TESTS_BENCH_ROWS_H

#include "harness/measure/experiment.h"

/* Adds a row with 20 samples within +- 0.1 % of `seconds`, checked and derived.
 * Valid until the next is added. */
struct measurement *rows_add(struct report *r, const char *role, double seconds,
                             struct metric metric, struct work work);
/* Lets the experiment conclude over all rows of the report. */
void rows_conclude(struct report *r, const struct experiment *e, const struct facts *facts);
/* The value of the figure `name` for which "name", "value" pairs hold; NAN when there is none. */
double rows_figure(const struct report *r, const char *role, const char *name,
                   const char *const *conditions);

#endif
