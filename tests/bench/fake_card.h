/* A card whose kernels are executed by a function of the test: for what experiments prepare and
 * check, without a runtime and without time. */
#ifndef TESTS_BENCH_FAKE_CARD_H
#define TESTS_BENCH_FAKE_CARD_H

#include "harness/measure/trial_store.h"

enum { FAKE_SMS = 2 };

/* Does what the kernel would do; `args` may be read only. */
typedef void fake_body(const struct kernel *k, const void *args);
/* Answers for the runtime. */
typedef void fake_plan(const struct kernel *k, void *args);

struct fake_card {
    struct device device;
    struct trial_store store;
    struct measurement row;
    struct trial trial;
    enum plan plan; /* quick unless the test says otherwise */
};

/* A device of kind "cuda" with FAKE_SMS SMs of 1024 threads and 1 MiB of L2, or the host. */
void fake_card_open(struct fake_card *f, fake_body *body, fake_plan *plan, bool host);
/* Prepares the point of the experiment.  What prepare returned. */
int fake_card_prepare(struct fake_card *f, const struct experiment *e, double first, double second);
/* The same with three axes. */
int fake_card_prepare_at(struct fake_card *f, const struct experiment *e, const double at[3]);
void fake_card_close(struct fake_card *f);

#endif
