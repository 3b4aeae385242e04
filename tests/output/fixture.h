/* Reports for the tests of writers. */
#ifndef TESTS_OUTPUT_FIXTURE_H
#define TESTS_OUTPUT_FIXTURE_H

#include "harness/output/writer.h"

/* A report below tests/fixtures/, derived; fails the test when it cannot be read. */
void fixture_read(struct report *r, const char *name);
/* What the writer of that name makes of reports; caller frees.  Fails the test when it refuses. */
char *written(const char *writer, const struct report *const *reports, size_t count);
char *written_one(const char *writer, const struct report *r);

#endif
