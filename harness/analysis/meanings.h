/* One function for every role that has a meaning; shared by the files that hold them. */
#ifndef ANALYSIS_MEANINGS_H
#define ANALYSIS_MEANINGS_H

#include "harness/analysis/roofline.h"
#include "harness/analysis/say.h"

/* Whose figures are explained. */
struct subject {
    const struct report *report;
    const struct device_record *device;
    bool host; /* the CPU, which pays for other things than a card */
};

typedef void meaning(struct text *out, const struct subject *s);
meaning meaning_of_upload, meaning_of_download, meaning_of_both_ways, meaning_of_memcpy,
    meaning_of_overlap;
meaning meaning_of_memory, meaning_of_caches, meaning_of_latency, meaning_of_hiding;
meaning meaning_of_gemm, meaning_of_vector_peak, meaning_of_intensity;
meaning meaning_of_divergence, meaning_of_launch;

/* The figure's value, NAN where there is none.  name and value of one condition, or NULL. */
double subject_figure(const struct subject *s, const char *role, const char *figure,
                      const char *name, const char *value);
/* The best usable row of a role under one condition (name NULL: none), or NULL. */
const struct measurement *subject_best(const struct subject *s, const char *role, const char *name,
                                       const char *value);

#endif
