/* Ordinary memory of the host for buffers: aligned, in huge pages where the system has them, and
 * untouched, so that its pages are placed where they are first used. */
#ifndef DEVICE_PAGES_H
#define DEVICE_PAGES_H

#include "harness/device/device.h"

enum { PAGES_ALIGNMENT = 2 << 20 };

/* NULL with d->error (and d->refused for want of memory). */
void *pages_alloc(struct device *d, size_t bytes);
void pages_free(void *memory); /* NULL is allowed */
/* Refuses, as pages_alloc does, what would not fit into the memory that is available: the system
 * would grant it and end the program later.  Returns 0 or -1. */
int pages_refuse(struct device *d, size_t bytes);

#endif
