/* From one trial to a series of samples: how often a sample repeats, which are set aside, what is
 * doubted. */
#ifndef MEASURE_SAMPLER_H
#define MEASURE_SAMPLER_H

#include "harness/measure/experiment.h"

/* Samples of a row by plan (METHOD 1.3): headline 20, 51, 100; curve 9, 20, 51. */
unsigned sampler_count(const struct trial *t);
/* Finds how many executions make a sample long enough.  Runs the kernel a few times, untimed
 * warm-up first.  Sets t->times and t->once_seconds.  0, or -1 with the row failed. */
int sampler_calibrate(struct trial *t);
/* Takes one sample and appends it to the row.  0, or -1 with the row failed. */
int sampler_take(struct trial *t);
/* After the last sample: derives the value, sets telemetry to the medians, finds doubts (noisy,
 * short, spread, throttled, clock_drift, clock_locked, power_capped). */
void sampler_finish(struct trial *t);

#endif
