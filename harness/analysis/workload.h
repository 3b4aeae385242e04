/* Which contender suits a kind of work: weighted figures, or time by the roofline. */
#ifndef ANALYSIS_WORKLOAD_H
#define ANALYSIS_WORKLOAD_H

#include "harness/analysis/compare.h"

enum { WORKLOAD_TERMS_MOST = 5 };

/* The score is the mean, weighted and geometric, of a contender's figures over the first one's
 * (times are turned round): so the order does not depend on which is first. */
struct workload {
    const char *name, *summary;
    const char *why; /* the reasoning behind the weights, which are a judgement */
    struct {
        const char *figure; /* NULL: no further term */
        double weight;      /* of 1 */
    } terms[WORKLOAD_TERMS_MOST];
};
extern const struct workload workloads[]; /* ends with a name of NULL */
const struct workload *workload_named(const char *name);
/* "80 % FP16 GEMM; 20 % memory bandwidth" */
void workload_describe(struct text *out, const struct workload *w);

/* Adds the ranking by that workload.  A figure that some contender lacks is left out for all; with
 * less than half of the weight left there is no ranking.  0, or -1 with a sentence in why. */
int ranking_by_workload(struct comparison *c, const struct workload *w, struct text *why);
/* Adds the ranking of a kernel of so many flops per byte, by the roofline that the memory bandwidth
 * and the figure `compute` ("FP32 FMA") span: seconds for a gigabyte.  0, or -1 with a sentence. */
int ranking_by_intensity(struct comparison *c, double flop_per_byte, const char *compute,
                         struct text *why);

#endif
