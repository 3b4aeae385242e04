/* What makes a row doubtful: every threshold, with its source. */
#ifndef MEASURE_DOUBTS_H
#define MEASURE_DOUBTS_H

#include "harness/measure/experiment.h"

/* NVML's clock event reasons (nvml.h), as METHOD 1.2 groups them. */
enum { REASON_POWER_CAP = 0x4, REASONS_SLOWDOWN = 0x8 | 0x20 | 0x40 | 0x80 };

/* A sample to set aside: a card's clock below three quarters of the rated one, and no power cap
 * that explains it.  Never so on the host, whose rated clock is one core's best moment. */
bool sample_is_slow(const struct trial *t, const struct telemetry *state);
/* Adds to a finished row, whose value and telemetry are known, what is doubtful about it: "few",
 * "noisy", "spread", "short", "throttled", "clock_drift", "clock_locked", "power_capped". */
void doubts_find(struct trial *t);

#endif
