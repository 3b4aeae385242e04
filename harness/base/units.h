/* Numbers for people: the only place where a figure is scaled. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>

enum { UNITS_MAX = 40 };

/* Writes `value`, given in the SI unit `unit` ("B/s", "FLOP/s", "s", "B", "Hz", "W", "FLOP/B", ""
 * ...), for people with three significant digits: 4.1e10 "B/s" is "41.0 GB/s".  Decimal prefixes
 * except for "B", which is a buffer size: 1073741824 is "1 GiB".  NAN is "-".  Returns out. */
const char *units_format(char out[UNITS_MAX], double value, const char *unit);

/* The prefix that suits `value` in `unit`, for tables whose column shares one scale: sets *scale to
 * the divisor and returns the scaled unit's name ("GB/s") in out. */
const char *units_scale(char out[UNITS_MAX], double value, const char *unit, double *scale);

#endif
