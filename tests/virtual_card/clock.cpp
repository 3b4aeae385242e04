/* The host's view of card time, and CLOCK_MONOTONIC_RAW of the whole program made of it: the clock
 * that only device->ops->now reads.  Every other clock stays the system's. */
#include "tests/virtual_card/clock.h"

#include <dlfcn.h>
#include <time.h>

static const double READING_SECONDS = 25e-9, BEGIN_SECONDS = 1000;

static double now = BEGIN_SECONDS;

double clock_now(void)
{
    return now;
}

void clock_spend(double seconds)
{
    now += seconds;
}

void clock_reach(double seconds)
{
    if (seconds > now)
        now = seconds;
}

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t id,
                                                                    struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);

    if (id != CLOCK_MONOTONIC_RAW) {
        if (!real)
            real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
        return real(id, t);
    }
    now += READING_SECONDS;
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)((now - (double)t->tv_sec) * 1e9);
    return 0;
}
