/* A report with every member filled in, made by the tables, so that nothing can be left out. */
#ifndef TESTS_REPORT_EXAMPLE_H
#define TESTS_REPORT_EXAMPLE_H

#include "harness/report/model.h"

/* Numbers and words that are all different; lists of two; unknown members at every level. */
void example_fill(struct report *r);

#endif
