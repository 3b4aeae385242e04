/* What the host is: the cores that may be used, and its facts. */
#ifndef DEVICE_HOST_FACTS_H
#define DEVICE_HOST_FACTS_H

#include "harness/report/model.h"

#include <hwloc.h>

/* Drops from the topology what this thread may not run on. */
void host_restrict(hwloc_topology_t topology);
/* One CPU of each core, no more of them than the control group's quota feeds; *count, at least
 * one.  Free with host_cores_free. */
hwloc_cpuset_t *host_cores(hwloc_topology_t topology, unsigned *count);
void host_cores_free(hwloc_cpuset_t *cores, unsigned count);

void host_facts_fill(struct facts *f, hwloc_topology_t topology, unsigned cores);
/* State of the CPU `cpu` (the system's number). */
void host_sense_cpu(unsigned cpu, struct telemetry *out);

#endif
