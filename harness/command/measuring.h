/* Measuring for a command: what was asked for is opened, measured, watched on stderr and saved. */
#ifndef COMMAND_MEASURING_H
#define COMMAND_MEASURING_H

#include "harness/command/choice.h"
#include "harness/command/command.h"
#include "harness/command/meter.h"

struct measuring_request {
    const char *command;                 /* "run", for the record in the file */
    struct strings devices, experiments; /* empty: all */
    const char *plan;                    /* NULL: standard */
    bool saves, watches;   /* watches: rate, clock and power are drawn on a terminal */
    const char *folder;    /* where to save; NULL: results/local/MACHINE */
    double budget_seconds; /* of wall time, after which no sample is begun; 0: the plan's own */
};

struct measuring {
    struct report report;
    struct runner runner;
    struct chosen_devices devices;
    const struct experiment **experiments;
    char *path; /* NULL: not saved */
    struct meter meter;
    bool watches;
    double started, budget_seconds;
    struct text trouble; /* why the result could not be saved */
};

/* Chooses what to measure and where to save, and says so on stderr.  Returns EXIT_OK, or the status
 * to end with; close it either way.  argv[0] is not looked at. */
enum exit_status measuring_open(struct measuring *m, const struct measuring_request *wanted,
                                int argc, char **argv);
/* Measures, and saves a last time: the report is derived.  Returns EXIT_OK; EXIT_USAGE having said
 * why the result was not saved; EXIT_INTERRUPTED or EXIT_TERMINATED when a signal ended it. */
enum exit_status measuring_run(struct measuring *m);
void measuring_close(struct measuring *m);

#endif
