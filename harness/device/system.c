/* Reads the host's system files, below a prefix that tests can set. */
#include "harness/device/system.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *device_root(void)
{
    const char *root = getenv("RIDGE_ROOT");

    return root ? root : "";
}

char *system_read(const char *path)
{
    char *full = xasprintf("%s%s", device_root(), path);
    struct text contents = TEXT_EMPTY;
    int failed = text_read_file(&contents, full);

    free(full);
    if (!failed)
        return text_take(&contents);
    text_free(&contents);
    return NULL;
}

char *device_read_line(const char *path)
{
    char *contents = system_read(path);

    if (contents)
        contents[strcspn(contents, "\r\n")] = '\0';
    return contents;
}

double system_number(const char *path)
{
    char *line = device_read_line(path), *end = line;
    double number = line ? strtod(line, &end) : NAN;

    if (end == line)
        number = NAN;
    free(line);
    return number;
}

bool system_exists(const char *path)
{
    char *full = xasprintf("%s%s", device_root(), path);
    bool exists = access(full, F_OK) == 0;

    free(full);
    return exists;
}

/* The value when line (up to end) is "key: value" or "key=value", else NULL. */
static char *value_in_line(const char *line, const char *end, const char *key)
{
    size_t length = strlen(key);

    if ((size_t)(end - line) <= length || strncmp(line, key, length) != 0)
        return NULL;
    for (line += length; line < end && isblank((unsigned char)*line); line++)
        ;
    if (line == end || (*line != ':' && *line != '='))
        return NULL;
    for (line++; line < end && (isblank((unsigned char)*line) || *line == '"'); line++)
        ;
    while (end > line && (isspace((unsigned char)end[-1]) || end[-1] == '"'))
        end--;
    return xasprintf("%.*s", (int)(end - line), line);
}

char *system_field(const char *path, const char *key)
{
    char *contents = system_read(path), *value = NULL;

    for (char *line = contents; line && *line && !value;) {
        char *end = line + strcspn(line, "\n");

        value = value_in_line(line, end, key);
        line = *end ? end + 1 : end;
    }
    free(contents);
    return value;
}

static double meminfo_bytes(const char *key)
{
    char *kibibytes = system_field("/proc/meminfo", key);
    double bytes = kibibytes ? strtod(kibibytes, NULL) * 1024 : NAN;

    free(kibibytes);
    return bytes;
}

double system_memory_available_bytes(void)
{
    return fmin(meminfo_bytes("MemAvailable"), cgroup_memory_free_bytes());
}

double system_memory_bytes(void)
{
    return fmin(meminfo_bytes("MemTotal"), cgroup_memory_limit_bytes());
}
