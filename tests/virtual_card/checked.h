/* In a build with sanitizers every kernel is there twice: counted, and as AddressSanitizer and
 * UBSan compiled it. */
#ifndef VIRTUAL_CARD_CHECKED_H
#define VIRTUAL_CARD_CHECKED_H

#include "tests/virtual_card/execution.h"

/* Executes the launch in a process of its own, of which nothing is kept, with the kernel that the
 * sanitizers watch; a fault ends the program after their report. */
void checked_execute(const struct launch *l, const struct card *card, double resident_blocks,
                     double start);

#endif
