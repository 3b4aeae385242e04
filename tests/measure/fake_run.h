/* A run on fake devices, and experiments for it; a fixture of the runner's tests. */
#ifndef TESTS_MEASURE_FAKE_RUN_H
#define TESTS_MEASURE_FAKE_RUN_H

#include "harness/measure/runner.h"
#include "tests/measure/fake.h"

enum { DEVICES_MAX = 2 };

extern struct device devices[DEVICES_MAX]; /* cuda0 and host; a run has the first */
extern struct report report;
extern struct runner run;
extern int saves, save_result, tellings; /* calls of `saved`, what it returns, progress told */

void open_run(void);
/* Fails the test when a buffer was not given back. */
void close_run(void);

/* Runs the experiments (b may be NULL) and returns what runner_run does. */
int measure(const struct experiment *a, const struct experiment *b);

/* Points x = 0..9 of one execution each, `once` seconds long; of the second, some go wrong. */
extern double once;
extern const struct experiment plain, mishaps;
enum { SKIPPED_POINT = 3, WRONG_POINT = 5, OMITTED_POINT = 6, HEADLINE_POINT = 8 };
int prepare_plain(struct trial *t);
int prepare_mishaps(struct trial *t);

/* The row with that x, or NULL. */
const struct measurement *row_of(double x);
size_t rows_with(enum row_status status);

#endif
