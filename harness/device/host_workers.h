/* The host's workers: a thread for each core, asleep unless there is work. */
#ifndef DEVICE_HOST_WORKERS_H
#define DEVICE_HOST_WORKERS_H

#include "kernels/kernel.h"

#include <hwloc.h>

struct workers;

/* A worker bound to each of the `count` sets; both are only read, and must live as long as the
 * workers. NULL with errno set when the system starts no more threads. */
struct workers *workers_start(hwloc_topology_t topology, const hwloc_cpuset_t *cores,
                              unsigned count);
void workers_stop(struct workers *w); /* NULL is allowed */

/* Lets the first `active` workers do their share `times` times, all released together.  Returns the
 * seconds from there to the last one's end; *code is 0, or the first worker's code that is not. */
double workers_run(struct workers *w, unsigned active, host_body *body, const void *args,
                   unsigned times, int *code);

/* CLOCK_MONOTONIC in seconds. */
double host_seconds(void);

#endif
