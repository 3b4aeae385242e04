/* One launch while it is being executed: blocks one after the other, threads as plain calls until
 * one of them waits. */
#ifndef VIRTUAL_CARD_EXECUTION_H
#define VIRTUAL_CARD_EXECUTION_H

#include "tests/virtual_card/count.h"
#include "tests/virtual_card/kernel_entry.h"

#include <driver_types.h>
#include <string>
#include <vector_types.h>

struct launch {
    const struct kernel_entry *kernel;
    dim3 grid, block;
    size_t shared_bytes;
    std::string arguments; /* packed */
};

struct execution;

struct execution *execution_begin(const struct launch *l, const struct card *card, int sms_used,
                                  double resident_blocks, double start);
/* True when it is done.  False when a thread does nothing but ask for the time and may_wait is
 * false: go on later, when the host may have written what it waits for. */
bool execution_advance(struct execution *e, bool may_wait);
/* What it did; e is gone. */
struct work execution_end(struct execution *e);

#endif
