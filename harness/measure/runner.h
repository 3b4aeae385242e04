/* Runs experiments on devices and fills a report.  Never prints: it tells a watcher. */
#ifndef MEASURE_RUNNER_H
#define MEASURE_RUNNER_H

#include "harness/measure/experiment.h"
#include "harness/measure/wall.h"

struct progress {
    const char *device, *experiment;
    size_t step, steps;           /* experiments done so far on all devices, and in all */
    double fraction;              /* of the whole run, 0..1 */
    double elapsed, seconds_left; /* wall time */
    /* The row that was sampled last, its last reading the newest; NULL before the first sample of
     * an experiment.  Valid during the call. */
    const struct measurement *row;
};

struct runner {
    enum plan plan;
    struct device **devices; /* open */
    size_t device_count;
    const struct experiment *const *experiments; /* NULL-terminated */
    uint64_t seed;                               /* of the order of samples */
    const struct wall *wall;                     /* NULL: the system's */
    void *context;
    void (*progress)(void *context,
                     const struct progress *p); /* several times a second; may be NULL */
    /* After every experiment, with all that is measured so far (to save it); non-zero ends the run.
     */
    int (*saved)(void *context, struct report *r);
    bool (*stop)(void *context); /* asked between samples; true ends the run, rows kept */
};

/* Appends to r (devices, experiments, measurements, figures).  Returns 0 and sets r->complete, or
 * -1 when stopped or when `saved` asked for it.  When stopped, rows that have six samples or more
 * (enough for an interval) are finished and kept; the others are skipped, "interrupted",
 * and points that were not yet prepared have no row. */
int runner_run(struct runner *run, struct report *r);
/* What the run is expected to take, seconds of wall time. */
double runner_estimate(const struct runner *run);

#endif
