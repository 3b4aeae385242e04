/* Limits that control groups set on this process. */
#include "harness/device/system.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a controller's groups are, and this process's group below it. */
struct group {
    const char *mount;
    char *path;
};

/* The path in a line "5:cpu,cpuacct:/path" of /proc/self/cgroup whose second field names the
 * controller ("" is version 2); NULL when there is none.  Caller frees. */
static char *group_path(const char *controller)
{
    char *contents = system_read("/proc/self/cgroup"), *path = NULL, *rest = contents, *line;

    while (!path && (line = strsep(&rest, "\n"))) {
        char *at = line;
        char *number = strsep(&at, ":"), *names = strsep(&at, ":"), *name;
        bool named = names && !*names && !*controller;

        while (number && (name = strsep(&names, ",")))
            named |= *name && strcmp(name, controller) == 0;
        if (named && at)
            path = xstrdup(at);
    }
    free(contents);
    return path;
}

/* Reads a number out of a file of a group; NAN where it says none. */
typedef double group_value(const char *folder);

/* The least value of the group and of all groups above it. */
static double least_upwards(const struct group *g, group_value *value)
{
    char *path = xstrdup(g->path), *slash;
    double least = NAN;

    do {
        char *folder = xasprintf("%s%s", g->mount, path);

        least = fmin(least, value(folder));
        free(folder);
        if ((slash = strrchr(path, '/')))
            *slash = '\0';
    } while (slash);
    free(path);
    return least;
}

static double least_of(const char *controller, const char *mount, group_value *value)
{
    struct group g = {.mount = mount, .path = group_path(controller)};
    double least = g.path ? least_upwards(&g, value) : NAN;

    free(g.path);
    return least;
}

static double number_in(const char *folder, const char *file)
{
    char *path = xasprintf("%s/%s", folder, file);
    double number = system_number(path);

    free(path);
    return number;
}

static double memory_limit(const char *folder)
{
    return number_in(folder, "memory.max");
}

/* "No limit" is the largest number of whole pages in version 1. */
static double memory_limit_1(const char *folder)
{
    double limit = number_in(folder, "memory.limit_in_bytes");

    return limit < (double)(LONG_MAX / 2) ? limit : NAN;
}

/* What is used counts cached files too; those that nobody uses are given back on demand. */
static double memory_free_of(const char *folder, double limit, const char *used, const char *idle)
{
    char *path = xasprintf("%s/memory.stat", folder);
    char *contents = isnan(limit) ? NULL : system_read(path);
    const char *line = contents ? strstr(contents, idle) : NULL;
    double reclaimable = line ? strtod(line + strlen(idle), NULL) : 0;

    free(contents);
    free(path);
    return fmax(0, limit - number_in(folder, used) + reclaimable);
}

static double memory_free(const char *folder)
{
    double limit = memory_limit(folder);

    return isnan(limit) ? NAN : memory_free_of(folder, limit, "memory.current", "inactive_file ");
}

static double memory_free_1(const char *folder)
{
    double limit = memory_limit_1(folder);

    return isnan(limit)
               ? NAN
               : memory_free_of(folder, limit, "memory.usage_in_bytes", "total_inactive_file ");
}

static double cpus(const char *folder)
{
    char *path = xasprintf("%s/cpu.max", folder), *line = device_read_line(path);
    double quota = NAN, period = NAN;

    if (!line || sscanf(line, "%lf %lf", &quota, &period) != 2)
        quota = NAN;
    free(line);
    free(path);
    return quota / period;
}

static double cpus_1(const char *folder)
{
    double quota = number_in(folder, "cpu.cfs_quota_us");

    return quota > 0 ? quota / number_in(folder, "cpu.cfs_period_us") : NAN;
}

double cgroup_memory_limit_bytes(void)
{
    return fmin(least_of("", "/sys/fs/cgroup", memory_limit),
                least_of("memory", "/sys/fs/cgroup/memory", memory_limit_1));
}

double cgroup_memory_free_bytes(void)
{
    return fmin(least_of("", "/sys/fs/cgroup", memory_free),
                least_of("memory", "/sys/fs/cgroup/memory", memory_free_1));
}

double cgroup_cpus(void)
{
    return fmin(least_of("", "/sys/fs/cgroup", cpus),
                least_of("cpu", "/sys/fs/cgroup/cpu", cpus_1));
}
