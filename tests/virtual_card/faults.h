/* What goes wrong on a virtual card when a test asks for it; see README.md. */
#ifndef VIRTUAL_CARD_FAULTS_H
#define VIRTUAL_CARD_FAULTS_H

#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/queue.h"

#include <stdio.h>

/* Each call by name, with how often it was made. */
void faults_log(FILE *out);
/* Whether an error of the runtime stays for the life of the context. */
bool fault_lasts(int code);
/* Whether a test ordered that this work never ends (`endless` launches, `endless_product`,
 * `endless_copy`); work without end then stands in the queue in its place.  A host that waits
 * inside a call for a kernel or a product ends the program, since it should have asked; one that
 * waits for a copy waits for good, as it must where memory is pageable. */
bool fault_endless(struct stream *s, const char *kind);
/* `wrong_bit`: memory of 64 KiB or more, written just now, has one bit that is not as written. */
void fault_wear(char *base, size_t bytes);
/* `short_copy`: how much of a copy arrives, its last page being lost. */
size_t fault_copied(size_t bytes);

#endif
