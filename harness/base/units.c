/* Numbers for people: the only place where a figure is scaled. */
#include "harness/base/units.h"

#include "harness/base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct prefix {
    const char *name;
    double factor;
};

static const struct prefix decimal[] = {{"", 1},     {"k", 1e3},  {"M", 1e6}, {"G", 1e9},
                                        {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
static const struct prefix binary[] = {{"", 1},
                                       {"Ki", 1024.0},
                                       {"Mi", 1048576.0},
                                       {"Gi", 1073741824.0},
                                       {"Ti", 1099511627776.0},
                                       {"Pi", 1125899906842624.0}};
static const struct prefix seconds[] = {{"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"", 1}};
static const struct prefix plain[] = {{"", 1}};

struct prefixes {
    const struct prefix *items;
    size_t count;
};

static bool ends_with(const char *chars, const char *end)
{
    const size_t length = strlen(chars), tail = strlen(end);

    return length >= tail && strcmp(chars + length - tail, end) == 0;
}

static struct prefixes prefixes_of(const char *unit)
{
    if (strcmp(unit, "B") == 0) {
        return (struct prefixes){binary, COUNT_OF(binary)};
    }
    if (strcmp(unit, "s") == 0) {
        return (struct prefixes){seconds, COUNT_OF(seconds)};
    }
    if (ends_with(unit, "/s") || ends_with(unit, "Hz") || ends_with(unit, "W")) {
        return (struct prefixes){decimal, COUNT_OF(decimal)};
    }
    return (struct prefixes){plain, COUNT_OF(plain)};
}

/* To three significant digits, so that 999.6 MB/s becomes 1.00 GB/s and not 1000 MB/s. */
static double rounded(double value)
{
    if (value == 0) {
        return 0;
    }
    const double step = pow(10, floor(log10(fabs(value))) - 2);
    return round(value / step) * step;
}

static struct prefix prefix_of(double value, const char *unit)
{
    const struct prefixes p = prefixes_of(unit);
    const double size = p.items == binary ? fabs(value) : fabs(rounded(value));
    size_t chosen = 0;

    if (!isfinite(size) || size == 0) {
        return plain[0];
    }
    while (chosen + 1 < p.count && size >= p.items[chosen + 1].factor * (1 - 1e-12)) {
        chosen++;
    }
    return p.items[chosen];
}

const char *units_scale(char out[UNITS_MAX], double value, const char *unit, double *scale)
{
    const struct prefix p = prefix_of(value, unit);
    /* Events a second carry their prefix alone: "2.50 M/s". */
    const char *rest = strcmp(unit, "1/s") == 0 && p.factor > 1 ? "/s" : unit;

    *scale = p.factor;
    snprintf(out, UNITS_MAX, "%s%.24s", p.name, rest);
    return out;
}

static int decimals_of(double value)
{
    const double size = fabs(rounded(value));

    return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

static void number_format(char *out, size_t room, double value, bool size_in_bytes)
{
    const double size = fabs(value);

    if (value == 0) {
        snprintf(out, room, "0");
    } else if (size >= 1e6 || size < 0.1) {
        snprintf(out, room, "%.3g", value);
    } else if (size_in_bytes && value == floor(value)) {
        snprintf(out, room, "%.0f", value); /* a buffer's size is exact: "1 GiB" */
    } else {
        snprintf(out, room, "%.*f", decimals_of(value), value);
    }
}

const char *units_format(char out[UNITS_MAX], double value, const char *unit)
{
    char scaled[UNITS_MAX], number[16];
    double scale = 1;

    if (!isfinite(value)) {
        snprintf(out, UNITS_MAX, "-");
        return out;
    }
    units_scale(scaled, value, unit, &scale);
    number_format(number, sizeof number, value / scale, strcmp(unit, "B") == 0);
    snprintf(out, UNITS_MAX, "%s%s%.20s", number, scaled[0] != '\0' ? " " : "", scaled);
    return out;
}
