/* Instruments of the CUDA device: a gate that holds work back until all of it is queued, readings
 * of the SMs' clocks, a heater, and a kernel that does nothing.  They move no declared bytes and do
 * no declared flops. */
#ifndef KERNELS_INSTRUMENT_H
#define KERNELS_INSTRUMENT_H

#include "kernels/kernel.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { INSTRUMENT_SMS_MAX = 1024 };

/* One SM's two clocks at one time; all 0: not read. */
struct clock_reading {
    uint64_t timer_ns;
    long long ticks;
};

/* Host memory that a card sees (pinned, mapped), zeroed before use. */
struct instrument_panel {
    uint32_t open;    /* the host sets it: the gate opens */
    uint32_t expired; /* the gate gave up waiting */
    uint64_t timer_step_ns;
    struct clock_reading before[INSTRUMENT_SMS_MAX], after[INSTRUMENT_SMS_MAX]; /* by SM */
};

/* Each enqueues one launch on the stream and returns a cudaError_t.  Only in a build with CUDA. */

/* Holds the stream until panel->open, at most `nanoseconds` of the card's timer. */
int instrument_gate(struct instrument_panel *panel, uint64_t nanoseconds, void *stream);
/* Reads the clocks of (most of) `sms` SMs into panel->before. */
int instrument_clock_before(struct instrument_panel *panel, unsigned sms, void *stream);
/* The same into panel->after, on every SM no sooner than `nanoseconds` after its reading before. */
int instrument_clock_after(struct instrument_panel *panel, unsigned sms, uint64_t nanoseconds,
                           void *stream);
/* Finds the smallest step of the card's timer (METHOD 1.1). */
int instrument_timer_step(struct instrument_panel *panel, void *stream);

/* Loads all of them, so that none is loaded behind a closed gate; tells for which architecture (10
 * x major + minor) their machine code and their PTX were made.  Returns a cudaError_t. */
int instrument_load(int *machine_code, int *ptx);

/* kernel_heat: fused multiply-adds on all SMs for so long. */
struct heat_args {
    uint64_t nanoseconds;
    unsigned blocks;
};
/* kernel_empty has no arguments. */
extern const struct kernel kernel_heat, kernel_empty;

#ifdef __cplusplus
}
#endif
#endif
