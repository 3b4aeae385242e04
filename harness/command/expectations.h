/* What a user says that a device is meant to be. */
#ifndef COMMAND_EXPECTATIONS_H
#define COMMAND_EXPECTATIONS_H

#include "harness/report/model.h"

/* "gen5x16", "gen4-x8": false for anything else. */
bool expectation_link(const char *word, double *generation, double *width);

/* Judges an acceptance file, and whether it has rows for the cards present (may be NULL).  Returns
 * an exit status: 0, 1 something degraded, 2 unreadable, 4 a fault. */
int check_thresholds(const char *path, const struct report *present);

#endif
