/* A plan's wall time on one device: what an experiment may use of it, and what is promised. */
#ifndef MEASURE_BUDGET_H
#define MEASURE_BUDGET_H

#include "harness/measure/experiment.h"
#include "harness/measure/wall.h"

struct budget {
    const struct wall *wall;
    double end;          /* of the device's time, on that clock */
    double shares_left;  /* of the experiments that have not ended */
    double began, until; /* of the current experiment */
    double promised;     /* expected seconds of samples that are admitted and not yet taken */
};

double experiment_share(const struct experiment *e);
/* From now on, `seconds` for experiments whose shares sum to `shares`. */
void budget_begin(struct budget *b, const struct wall *wall, double seconds, double shares);
/* The next experiment: it may use its share of what is left, so that what one leaves unused goes to
 * those after it, and so does what one overdraws. */
void budget_enter(struct budget *b, double share);
/* Would further work of so many seconds still end in the experiment's time? */
bool budget_admits(const struct budget *b, double seconds);
/* The experiment has overdrawn its time by a tenth: nothing more that can be left out. */
bool budget_overdrawn(const struct budget *b);
/* Seconds until the device's plan ends, as far as is known; never negative. */
double budget_left(const struct budget *b);

#endif
