/* The table of thresholds. */
#include "harness/analysis/thresholds.h"

#define THRESHOLDS_ROW(name, value, unit, bounds, source)                                          \
    [LIMIT_##name] = {value, unit, bounds, source},
const struct threshold thresholds[LIMIT_COUNT] = {THRESHOLDS(THRESHOLDS_ROW)};
