/* Checks what a trial's kernel computes, before any of it is timed. */
#ifndef MEASURE_ANSWER_H
#define MEASURE_ANSWER_H

#include "harness/measure/experiment.h"

/* One execution, and whether it did what it should; a wrong answer is checked three times more.
 * Returns 0, or -1 with the row's status, reason and rechecks set. */
int answer_check(struct trial *t);

#endif
