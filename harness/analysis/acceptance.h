/* Judges acceptance files: floors that a fleet's cards must reach. */
#ifndef ANALYSIS_ACCEPTANCE_H
#define ANALYSIS_ACCEPTANCE_H

#include "harness/report/model.h"

/* Reads comma-separated values with the columns card, figure, minimum and unit (in any order;
 * others are passed over), and adds a finding to `verdicts` for every floor that a broken card
 * passes, that no card reaches, or that a slipped unit explains.  figure: "memory", "link" or a
 * precision
 * ("fp16"); unit: "GB/s", "B/s", "TFLOP/s", "FLOP/s" or "roof" (a share).  Cards in `present`
 * (may be NULL) for which there is no row are findings, too.  Returns how many rows were judged, or
 * -1 with a sentence in why. */
long acceptance_judge(struct report *verdicts, const char *csv, size_t length, const char *name,
                      const struct report *present, struct text *why);

#endif
