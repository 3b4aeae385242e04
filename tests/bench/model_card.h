/* A device whose kernels are done by their host bodies and whose time is a model of the test's:
 * runs experiments from end to end, quickly and always alike. */
#ifndef TESTS_BENCH_MODEL_CARD_H
#define TESTS_BENCH_MODEL_CARD_H

#include "harness/measure/runner.h"

struct model {
    const char *kind; /* "cuda" or "host" */
    enum plan plan;
    double memory_bytes, copy_engines;
    bool refuse_pinned;
    /* Seconds of one execution. */
    double (*seconds)(const struct kernel *k, const void *args, enum timed_by how);
    /* Asked before each execution; true: the kernel does nothing.  May be NULL. */
    bool (*idle)(const struct kernel *k, const void *args);
};

/* Runs the experiment on the model's device; the report is the caller's to free. */
void model_run(const struct model *m, const struct experiment *e, struct report *out);
/* Rows of that status. */
size_t model_rows(const struct report *r, enum row_status status);

#endif
