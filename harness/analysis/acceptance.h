/* Judges acceptance files: floors that a fleet's cards must reach. */
#ifndef ANALYSIS_ACCEPTANCE_H
#define ANALYSIS_ACCEPTANCE_H

#include "harness/report/model.h"

/* Reads floors in the forms of floors.h, and adds a finding to `verdicts` for every floor that a
 * broken card passes, that no card reaches, or that a slipped unit explains.  Units are "GB/s",
 * "B/s", "TFLOP/s", "FLOP/s" and kin, "MHz", or "roof" (a share).  Cards in `present` (may be NULL)
 * for which there is no floor are findings, too.  Returns how many were judged, or -1 with a
 * sentence in why. */
long acceptance_judge(struct report *verdicts, const char *text, size_t length, const char *name,
                      const struct report *present, struct text *why);

#endif
