/* The host's view of card time, and CLOCK_MONOTONIC_RAW of the whole program made of it: the clock
 * that only device->ops->now reads.  Every other clock stays the system's, but CLOCK_MONOTONIC,
 * which plans keep to, may go slower: a busy machine then leaves nothing out. */
#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/card.h"

#include <dlfcn.h>
#include <stdlib.h>
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

void card_spend(double seconds)
{
    clock_spend(seconds);
}

void clock_reach(double seconds)
{
    if (seconds > now)
        now = seconds;
}

static struct timespec from_seconds(double seconds)
{
    const time_t whole = (time_t)seconds;

    return {whole, (long)((seconds - (double)whole) * 1e9)};
}

static double slowness(void)
{
    static const char *const given = getenv("RIDGE_VIRTUAL_SLOWNESS");

    return given ? atof(given) : 1;
}

extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t id,
                                                                    struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);

    if (id == CLOCK_MONOTONIC_RAW) {
        now += READING_SECONDS;
        *t = from_seconds(now);
        return 0;
    }
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");

    const int failed = real(id, t);

    if (!failed && id == CLOCK_MONOTONIC && slowness() > 1)
        *t = from_seconds(((double)t->tv_sec + 1e-9 * (double)t->tv_nsec) / slowness());
    return failed;
}
