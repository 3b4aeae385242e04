/* A command: what the user types after `ridge`; one file each, ending in its descriptor. */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <argp.h>
#include <stdio.h>

enum exit_status {
    EXIT_OK = 0,
    EXIT_INVALID = 1, /* some row invalid */
    EXIT_USAGE = 2,   /* wrong command line or input file; the result could not be saved */
    EXIT_NOTHING = 3, /* no row ok */
    EXIT_FAULT = 4,   /* some row failed or wrong */
    EXIT_INTERRUPTED = 130,
    EXIT_TERMINATED = 143
};

struct command {
    const char *name, *summary;
    const struct argp *argp;           /* parser, --help and README's reference come from it */
    int (*run)(int argc, char **argv); /* argv[0] is "ridge NAME"; returns an exit status */
};
extern const struct command command_list, command_run, command_report, command_cards, command_check;
extern const struct command command_compare, command_estimate;
extern const struct command *const commands[]; /* NULL-terminated */

/* What `ridge ARGUMENTS` does, from the program's own arguments.  Returns an exit status. */
int commands_run(int argc, char **argv);

#endif
