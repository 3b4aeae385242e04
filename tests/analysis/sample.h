/* Small reports for the tests of analysis. */
#ifndef TESTS_ANALYSIS_SAMPLE_H
#define TESTS_ANALYSIS_SAMPLE_H

#include "harness/report/model.h"

/* A device "cuda0" (an A100 by name, SM count and memory) or "host" in an empty report. */
struct device_record *sample_card(struct report *r);
struct device_record *sample_host(struct report *r);
/* A row of seven equal samples whose value by the metric is `value`. */
struct measurement *sample_row(struct report *r, const char *device, const char *role,
                               struct metric metric, double value);
/* A figure with an interval of 1 % to either side. */
struct figure *sample_figure(struct report *r, const char *device, const char *role,
                             const char *name, double value, const char *unit);

#endif
