/* CPU time by /proc/stat, less our own. */
#include "harness/device/host_load.h"

#include "harness/device/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double least_window_seconds = 0.5;

static double clock_seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_among(const hwloc_cpuset_t *cpus, unsigned count, unsigned cpu)
{
    for (unsigned i = 0; i < count; i++)
        if (hwloc_bitmap_isset(cpus[i], cpu))
            return true;
    return false;
}

/* Adds up the lines "cpuN user nice system idle iowait irq softirq steal ..." of these CPUs.
 * Returns whether there was one. */
static bool read_counts(struct host_load *now, const hwloc_cpuset_t *cpus, unsigned count)
{
    const double tick = 1 / (double)sysconf(_SC_CLK_TCK);
    char *contents = system_read("/proc/stat"), *rest = contents, *line;
    bool any = false;

    now->busy = now->stolen = 0;
    while ((line = strsep(&rest, "\n"))) {
        double user, nice, system, interrupts, soft, stolen;
        unsigned cpu;

        if (sscanf(line, "cpu%u %lf %lf %lf %*f %*f %lf %lf %lf", &cpu, &user, &nice, &system,
                   &interrupts, &soft, &stolen) != 7 ||
            !is_among(cpus, count, cpu))
            continue;
        now->busy += tick * (user + nice + system + interrupts + soft);
        now->stolen += tick * stolen;
        any = true;
    }
    free(contents);
    return any;
}

static void look(struct host_load *load, const hwloc_cpuset_t *cpus, unsigned count)
{
    struct host_load now = {.at = clock_seconds(CLOCK_MONOTONIC),
                            .own = clock_seconds(CLOCK_PROCESS_CPUTIME_ID)};
    const double had = count * (now.at - load->at);

    if (load->at > 0 && now.at - load->at < least_window_seconds)
        return;
    if (!read_counts(&now, cpus, count))
        return;
    if (load->at > 0) {
        now.known = true;
        now.others_share = fmax(0, (now.busy - load->busy - (now.own - load->own)) / had);
        now.steal_share = fmax(0, (now.stolen - load->stolen) / had);
    }
    *load = now;
}

void host_load_sense(struct host_load *load, const hwloc_cpuset_t *cpus, unsigned count,
                     struct telemetry *out)
{
    look(load, cpus, count);
    out->others_share = load->known ? fmin(1, load->others_share) : NAN;
    out->steal_share = load->known ? fmin(1, load->steal_share) : NAN;
}
