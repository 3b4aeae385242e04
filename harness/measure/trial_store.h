/* What the trials of one experiment on one device share: buffers by name, arguments, limits. */
#ifndef MEASURE_TRIAL_STORE_H
#define MEASURE_TRIAL_STORE_H

#include "harness/measure/experiment.h"

struct trial_buffer {
    char *name;
    enum memory kind;
    size_t bytes;
    void *memory;
};

struct trial_store {
    struct device *device;
    struct trial_buffer *buffers;
    size_t buffer_count;
    void **args;
    size_t args_count;
    size_t device_limit, host_limit; /* bytes that may be allocated in all */
};

void trial_store_open(struct trial_store *s, struct device *d, enum plan plan);
/* Gives everything back to the device. */
void trial_store_free(struct trial_store *s);

#endif
