/* Bridges are the folders that hold a device's folder in sysfs. */
#include "harness/device/bridges.h"

#include "harness/device/system.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number_in(const char *folder, const char *file)
{
    char *path = xasprintf("%s/%s", folder, file);
    const double number = system_number(path);

    free(path);
    return number;
}

/* Of one lane, from its transfers a second; the line code is 8/10, 128/130 or 236/256. */
static double lane_bytes(double gigatransfers)
{
    const double code = gigatransfers < 8 ? 0.8 : gigatransfers < 64 ? 128.0 / 130 : 236.0 / 256;

    return 1e9 * gigatransfers * code / 8;
}

static bool is_address(const char *name)
{
    unsigned domain, bus, slot, function;
    int end = 0;

    return sscanf(name, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &end) == 4 &&
           name[end] == '\0';
}

/* The folder's true path below device_root, or NULL. */
static char *true_path(const char *folder)
{
    char *full = xasprintf("%s%s", device_root(), folder), *real = realpath(full, NULL);
    char *root = realpath(*device_root() ? device_root() : "/", NULL), *path = NULL;
    const size_t length = root && strcmp(root, "/") != 0 ? strlen(root) : 0;

    if (real && root && strncmp(real, root, length) == 0)
        path = xstrdup(real + length);
    free(full);
    free(real);
    free(root);
    return path;
}

double bridges_slowest(const char *folder, char **name)
{
    char *path = true_path(folder), *slash;
    double slowest = NAN;

    *name = NULL;
    while (path && (slash = strrchr(path, '/'))) {
        double rate;

        *slash = '\0'; /* to the bridge above */
        slash = strrchr(path, '/');
        if (!slash || !is_address(slash + 1))
            break;
        rate =
            lane_bytes(number_in(path, "max_link_speed")) * number_in(path, "current_link_width");
        if (rate > 0 && !(rate >= slowest)) {
            slowest = rate;
            free(*name);
            *name = xstrdup(slash + 1);
        }
    }
    free(path);
    return slowest;
}
