/* A device whose time, noise and mishaps a test scripts; its clock is the wall's clock too. */
#ifndef TESTS_MEASURE_FAKE_H
#define TESTS_MEASURE_FAKE_H

#include "harness/measure/wall.h"

#include "harness/measure/experiment.h"

enum { FAKE_LOG_MAX = 100000 };

/* Arguments of the fake kernel. */
struct fake_args {
    double seconds; /* of one execution */
    int id;         /* who runs it, for the log */
};

/* What the test sets, and what it finds afterwards.  fake_reset before every test. */
extern struct fake {
    double now;      /* seconds */
    double noise;    /* relative standard deviation of a run */
    double outliers; /* share of runs that take half as long again */
    double drift;    /* runs take longer by this share with every second */
    double overhead; /* wall seconds of a run beside its work */
    double clock_hz; /* that the card reports, NAN: none */
    double slow_hz;  /* reported in every slow_every-th run instead, if slow_every is not 0 */
    unsigned slow_every;
    double reasons; /* NVML's mask, NAN: unknown */
    int lose_at;    /* the run that loses the device, counted from 1; 0: none */
    int disturb_at; /* the run that takes 20 ms longer; 0: none */
    bool refuse;    /* no memory */
    int stop_at;    /* runs after which fake_stop says so; 0: never */
    uint64_t random;

    int runs, copies, warmed;
    int live_buffers, allocated;
    double rested;
    size_t logged;
    struct {
        int id;
        unsigned times;
    } log[FAKE_LOG_MAX];
} fake;

extern const struct wall fake_wall;
extern const struct kernel fake_kernel;
extern const struct device_ops fake_card, fake_host; /* of the kinds "cuda" and "host" */

void fake_reset(void);
/* A device as device_open would leave it; fake_close releases it. */
struct device fake_open(const struct device_ops *ops, const char *id);
void fake_close(struct device *d);
bool fake_stop(void *context);

#endif
