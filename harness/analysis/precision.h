/* Names of ceilings of arithmetic, and the datasheet's peak that belongs to each. */
#ifndef ANALYSIS_PRECISION_H
#define ANALYSIS_PRECISION_H

#include "harness/analysis/cards.h"

/* True for the roles whose rows are rates of arithmetic. */
bool role_is_arithmetic(const char *role);
/* Adds the ceiling's name for a row of such a role: "FP32 FMA", "TF32 GEMM",
 * "FP16 GEMM (FP16 accumulate)". */
void precision_name(struct text *out, const struct measurement *m);
/* The peak that a ceiling of that name is held against, CARD_PEAKS where datasheets give none.
 * `card` decides where a part has no tensor path (its plain peak is meant then). */
enum card_peak precision_peak(const struct card *card, const char *roof_name);

#endif
