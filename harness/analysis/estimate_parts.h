/* What the files of estimates share. */
#ifndef ANALYSIS_ESTIMATE_PARTS_H
#define ANALYSIS_ESTIMATE_PARTS_H

#include "harness/analysis/estimate.h"

/* Adds the estimates of memory; serving returns what one card would have to hold. */
struct estimate estimate_serving_memory(struct estimates *e, const struct model_job *job,
                                        const struct contender *card);
void estimate_training_memory(struct estimates *e, const struct model_job *job,
                              const struct contender *card);

/* Bytes of the cache of keys and values for a token (NAN: the shape is not known), of all weights.
 */
double model_cache_token(const struct model_job *job);
double model_weight_bytes(const struct model_job *job);

/* Bytes a second of a large pinned copy to the card, start-up of a copy, both with their bands:
 * measured, or what the datasheet's link is known to give.  NAN where nothing is known. */
struct estimate link_rate_up(const struct contender *card, const char *memory);
struct estimate link_startup_up(const struct contender *card, const char *memory);

/* How a bound and what programs reach of it are apart: shares for a measured and a promised bound.
 */
struct band {
    double low, high;
};
struct band band_of(const struct contender *card, struct band measured, struct band promised);

#endif
