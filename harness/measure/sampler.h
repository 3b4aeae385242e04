/* From one trial to a series of samples: how often a sample repeats, which are set aside, what is
 * doubted. */
#ifndef MEASURE_SAMPLER_H
#define MEASURE_SAMPLER_H

#include "harness/measure/experiment.h"

/* Samples of a row by plan (METHOD 1.3): headline 20, 51, 100; curve 9, 20, 51. */
unsigned sampler_count(const struct trial *t);
/* The least length of a sample, seconds (METHOD 1.3). */
double sampler_least_seconds(const struct trial *t);
/* Finds how many executions make a sample long enough, by a few probes.  The kernel has been
 * executed before, by the check.  Sets t->times, t->once_seconds and t->sample_wall.  0, or -1 with
 * the row failed. */
int sampler_calibrate(struct trial *t);
/* Takes one sample, after an untimed execution where that is cheap, and appends it to the row.
 * SAMPLE_KEPT, SAMPLE_ASIDE when the card's clock was too low (take another one later), or -1 with
 * the row failed. */
enum { SAMPLE_KEPT = 0, SAMPLE_ASIDE = 1 };
int sampler_take(struct trial *t);
/* Samples of the row that are not aside. */
size_t sampler_kept(const struct trial *t);
/* After the last sample: drops the samples aside (keeps them all when they are the majority),
 * derives the value, sets telemetry to the medians, finds doubts (doubts.h).  A headline row keeps
 * its readings as its time line, if any of them knows the state of the device. */
void sampler_finish(struct trial *t);

#endif
