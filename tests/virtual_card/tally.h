/* What kernels, copies and products were done, for tests that compare it with what ridge says that
 * it had done. */
#ifndef VIRTUAL_CARD_TALLY_H
#define VIRTUAL_CARD_TALLY_H

#include <stdio.h>

/* Somebody's launch, copy or product, with the bytes that it moved and its fused multiply-adds. */
void tally_work(const char *what, double bytes, double fmas);
/* A line for each amount of work that was done: how often. */
void tally_log(FILE *out);

#endif
