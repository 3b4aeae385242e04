/* Progress on stderr: one line that is drawn anew on a terminal, plain lines elsewhere. */
#ifndef COMMAND_METER_H
#define COMMAND_METER_H

#include "harness/measure/runner.h"

struct meter {
    bool redraws;
    unsigned columns;
    bool drawn;  /* a line stands on the terminal */
    double said; /* elapsed seconds at the last plain line */
    const char *said_device, *said_experiment;
};

void meter_start(struct meter *m);
void meter_show(struct meter *m, const struct progress *p);
/* Takes the drawn line off the terminal. */
void meter_clear(struct meter *m);

#endif
