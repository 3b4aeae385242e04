/* Ceilings of one device: what it was measured to reach, what its maker and its own registers
 * promise. */
#ifndef ANALYSIS_ROOFS_H
#define ANALYSIS_ROOFS_H

#include "harness/analysis/cards.h"

/* Each adds the roofs of one device to r; unknown ones are left out.  kind "memory", "compute",
 * "link" (one direction of the way to the host) and "cache" (what a level delivers). */
void roofs_add_measured(struct report *r, const struct device_record *d);
void roofs_add_datasheet(struct report *r, const struct device_record *d);
void roofs_add_device(struct report *r, const struct device_record *d);
/* Adds the ridge points of one device: every compute roof over the memory roof of its own source.
 */
void ridge_points_add(struct report *r, const char *device);

/* Adds one roof whose strings are copied; a value that is unknown or not positive adds none. */
void roof_add(struct report *r, const char *device, const char *kind, const char *name,
              const char *source, struct estimate value, const char *unit);
/* A value without an interval. */
struct estimate estimate_exact(double value);

#endif
