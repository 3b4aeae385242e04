/* Wall time of the system. */
#include "harness/measure/wall.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void rest(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timespec t = {whole, (long)(1e9 * (seconds - (double)whole))};
    nanosleep(&t, NULL);
}

const struct wall wall_system = {now, rest};
