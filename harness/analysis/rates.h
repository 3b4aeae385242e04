/* What the units of a card do in one clock, by compute capability (METHOD 1.5, cards.md). */
#ifndef ANALYSIS_RATES_H
#define ANALYSIS_RATES_H

#include "harness/report/model.h"

/* Fused multiply-adds a clock of the vector units of one SM; NAN: not published. */
double rate_fp32_fma(const char *capability);
double rate_fp64_fma(const char *capability);
/* FLOP a clock of one SM for matrix products in that format ("fp16"), dense; 0: no such path; NAN:
 * not published. */
double rate_products(const char *capability, const char *precision);
/* FLOP a clock that an SM can do at most for a row of role gemm or vector_peak; `name` is the
 * card's, for GeForce cards do half as much with an FP32 accumulator.  NAN: not published, or
 * something that it needs is unknown. */
double rate_of_row(const struct device_record *d, const struct measurement *m);
/* Bytes a second of one lane and direction of PCI Express, the line code counted; NAN for a
 * generation that is none. */
double rate_of_lane(double generation);
/* Bytes a second that the clock and the width of a card's memory mean; NAN where they mean nothing
 * (some Jetsons, a slice of a card). */
double rate_of_memory(const struct device_record *d);

#endif
