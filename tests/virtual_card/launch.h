/* Launches on a stream: executed, or only charged when an identical one has left the same memory.
 */
#ifndef VIRTUAL_CARD_LAUNCH_H
#define VIRTUAL_CARD_LAUNCH_H

#include "tests/virtual_card/execution.h"
#include "tests/virtual_card/queue.h"

#include <stdio.h>

void launch_enqueue(struct stream *s, const struct launch *l);
/* Somebody is about to read (or change) this memory: launches that were only charged are made good
 * where that matters. */
void launch_settle(const struct allocation *a, bool change);
/* Whether that is still to be done for this memory. */
bool launch_is_owed(const struct allocation *a);
/* The memory is about to go. */
void launch_forget(const struct allocation *a);

/* Says of each kernel how often it was executed and how often only charged. */
void launch_log(FILE *out);

#endif
