/* One experiment on one device: from its axes to finished rows and figures. */
#ifndef MEASURE_SERIES_H
#define MEASURE_SERIES_H

#include "harness/measure/budget.h"
#include "harness/measure/runner.h"

/* One device's part of a run. */
struct session {
    const struct runner *run;
    struct report *report;
    struct device *device;
    const struct wall *wall;
    struct budget budget;
    uint64_t random; /* state of the generator */

    struct progress progress;          /* as told last */
    double started, last_told;         /* wall time */
    double shares, shares_done, share; /* of the whole run, done, of this experiment */
    double later_seconds;              /* of the plan on the devices still to come */
};

/* Tells the watcher, at most five times a second, that `inner` (0..1) of the experiment is done. */
void session_tell(struct session *s, double inner);
bool session_stopped(const struct session *s);

/* Measures `e` on the session's device (with `peer`, or NULL) and appends rows and figures to its
 * report.  Returns 0, or -1 when it was stopped on the way. */
int series_run(struct session *s, const struct experiment *e, struct device *peer);

#endif
