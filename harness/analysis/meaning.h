/* What a device's figures mean, in sentences computed from them (METHOD 12). */
#ifndef ANALYSIS_MEANING_H
#define ANALYSIS_MEANING_H

#include "harness/report/model.h"

/* Adds, for one role of one device, one to three sentences that say what its rows and figures mean
 * for this device, with the numbers in them; says so when the expected effect is absent.  Adds
 * nothing when the report lacks what it needs. */
void meaning_of(struct text *out, const struct report *r, const char *device, const char *role);

#endif
