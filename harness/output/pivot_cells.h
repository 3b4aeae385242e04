/* What the two halves of the pivot share: how rows compare and how their keys read. */
#ifndef OUTPUT_PIVOT_CELLS_H
#define OUTPUT_PIVOT_CELLS_H

#include "harness/output/pivot.h"

bool pivot_same(const struct measurement *a, const struct measurement *b, const char *key);
bool pivot_same_cell(const struct pivot *p, const struct measurement *a,
                     const struct measurement *b);
bool pivot_is_number(const struct measurement *m, const char *key);
char *pivot_value(const struct measurement *m, const char *key); /* caller frees */

#endif
