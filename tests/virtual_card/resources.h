/* What a kernel takes of an SM: registers and static shared memory, as ptxas said when it was
 * built. */
#ifndef VIRTUAL_CARD_RESOURCES_H
#define VIRTUAL_CARD_RESOURCES_H

#include "tests/virtual_card/card.h"

struct kernel_resources {
    const char *name;
    int architecture, registers; /* the lowest architecture built; registers of a thread */
    size_t shared_bytes;         /* static */
};

/* Of a kernel of this build; ends the program for one that ptxas never saw. */
const struct kernel_resources *resources_of(const char *kernel);
/* Blocks of it that one SM holds, each with so much dynamic shared memory; 0: it cannot run. */
int resources_resident(const struct card *card, const char *kernel, unsigned threads,
                       size_t dynamic_bytes);

#endif
