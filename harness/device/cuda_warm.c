/* Brings a card's clocks to a steady state (METHOD 1.2). */
#include "harness/device/cuda_state.h"
#include "harness/device/host_workers.h"

#include <math.h>

enum { BLOCKS_PER_SM = 4, WINDOWS_ALIKE = 3 };
static const double window_seconds = 0.1, most_seconds = 5, alike = 0.01, idle_seconds = 0.5;

static bool are_alike(const double hz[WINDOWS_ALIKE])
{
    double least = hz[0], most = hz[0];

    for (unsigned i = 1; i < WINDOWS_ALIKE; i++) {
        least = fmin(least, hz[i]);
        most = fmax(most, hz[i]);
    }
    return most - least <= alike * most;
}

/* Heats until three windows in a row agree; a card whose clock cannot be read is heated for as many
 * windows, and no longer. */
int cuda_warm(struct device *d)
{
    struct cuda *c = d->state;
    const struct heat_args args = {.nanoseconds = (uint64_t)(1e9 * window_seconds),
                                   .blocks = BLOCKS_PER_SM * (unsigned)d->facts.units};
    double hz[WINDOWS_ALIKE] = {0}, heated = 0;
    struct run_times times;

    if (!d->lost && host_seconds() - c->idle_since < idle_seconds)
        return 0;
    for (unsigned i = 0; i < WINDOWS_ALIKE || (!are_alike(hz) && heated < most_seconds); i++) {
        if (cuda_run(d, &kernel_heat, &args, 1, TIMED_BY_EVENTS, &times))
            return -1;
        hz[i % WINDOWS_ALIKE] = isnan(times.sm_clock_hz) ? 0 : times.sm_clock_hz;
        heated += times.seconds;
    }
    return 0;
}
