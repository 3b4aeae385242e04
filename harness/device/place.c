/* Moves the calling thread among the CPUs that the program was given. */
#include "harness/device/place.h"

#include <stdlib.h>

static cpu_set_t given;
static bool given_is_known;
static const cpu_set_t *current; /* NULL: anywhere */

static bool learn_given(void)
{
    if (!given_is_known)
        given_is_known = sched_getaffinity(0, sizeof given, &given) == 0;
    return given_is_known;
}

void place_anywhere(void)
{
    if (learn_given() && current)
        sched_setaffinity(0, sizeof given, &given);
    current = NULL;
}

void place_near(const cpu_set_t *near)
{
    cpu_set_t both;

    if (!learn_given() || current == near)
        return;
    CPU_AND(&both, &given, near);
    if (CPU_COUNT(&both) == 0)
        place_anywhere();
    else if (sched_setaffinity(0, sizeof both, &both) == 0)
        current = near;
}

bool place_parse(const char *list, cpu_set_t *cpus)
{
    CPU_ZERO(cpus);
    while (*list) {
        char *end;
        long first = strtol(list, &end, 10), last = first;

        if (end == list)
            break;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long cpu = first; cpu >= 0 && cpu <= last && cpu < CPU_SETSIZE; cpu++)
            CPU_SET((size_t)cpu, cpus);
        list = *end ? end + 1 : end;
    }
    return CPU_COUNT(cpus) > 0;
}
