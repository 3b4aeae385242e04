/* What else runs on the host while it is measured. */
#ifndef DEVICE_HOST_LOAD_H
#define DEVICE_HOST_LOAD_H

#include "harness/report/model.h"

#include <hwloc.h>

/* Counts at the last look, and the shares since the one before it.  Start with all zero. */
struct host_load {
    double at, busy, stolen, own; /* seconds */
    double others_share, steal_share;
    bool known; /* the shares are */
};

/* Sets the shares of `out`: of the time that these CPUs have, what others took and what the
 * hypervisor took, over the last half second or longer (counts are kept in hundredths).  NAN where
 * the system does not say. */
void host_load_sense(struct host_load *load, const hwloc_cpuset_t *cpus, unsigned count,
                     struct telemetry *out);

#endif
