/* Verdicts for other programs: node_exporter, Node Feature Discovery, health checks. */
#ifndef OUTPUT_EXPORTS_H
#define OUTPUT_EXPORTS_H

#include "harness/report/model.h"

#include <time.h>

/* What a check came to. */
struct verdict_summary {
    const char *word; /* "OK", "DEGRADED", "INCOMPLETE", "FAULT" */
    int exit_status;
    const char *missing; /* main figures that could not be had; "" */
};

/* Prometheus' text format for node_exporter's textfile collector: HELP and TYPE once a name, all
 * its samples together, no timestamps.  What is unknown or must not be used is left out. */
void export_prometheus(struct text *out, const struct report *r, const struct verdict_summary *v);
/* Labels of a node: bands rather than figures, so that they do not change with every run. */
void export_nfd(struct text *out, const struct report *r, const struct verdict_summary *v,
                time_t expires);
/* "ridge: STATE device id sentence; fix" and an end of line: at most 200 characters, no quotes. */
void export_one_line(struct text *out, const struct report *r, const struct verdict_summary *v);

#endif
