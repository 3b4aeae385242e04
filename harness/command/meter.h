/* Progress on stderr: lines that are drawn anew on a terminal, plain lines elsewhere. */
#ifndef COMMAND_METER_H
#define COMMAND_METER_H

#include "harness/measure/runner.h"

struct meter {
    bool redraws, watches;
    unsigned columns;
    bool drawn;  /* lines stand on the terminal */
    double said; /* elapsed seconds at the last plain line */
    const char *said_device, *said_experiment;
};

/* watches: a second line says what the newest sample showed; without a terminal, a sentence says
 * why there is none. */
void meter_start(struct meter *m, bool watches);
void meter_show(struct meter *m, const struct progress *p);
/* Takes what is drawn off the terminal. */
void meter_clear(struct meter *m);

#endif
