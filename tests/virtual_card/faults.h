/* What goes wrong on a virtual card when a test asks for it; see README.md. */
#ifndef VIRTUAL_CARD_FAULTS_H
#define VIRTUAL_CARD_FAULTS_H

#include "tests/virtual_card/fail.h"

#include <stdio.h>

/* Each call by name, with how often it was made. */
void faults_log(FILE *out);
/* Whether an error of the runtime stays for the life of the context. */
bool fault_lasts(int code);
/* `wrong_bit`: memory of 64 KiB or more, written just now, has one bit that is not as written. */
void fault_wear(char *base, size_t bytes);
/* `short_copy`: how much of a copy arrives, its last page being lost. */
size_t fault_copied(size_t bytes);

#endif
