/* The command line: argp's tables, with the nearest known name suggested for an unknown one. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <argp.h>

/* Parses with glibc's argp: `--help` prints the text made from argp's own table and ends the
 * program with 0; a mistake is one sentence on stderr (with the nearest known option) and exit
 * status 2. argv[0] is shown as the program's name, e.g. "ridge run".  Returns 0 when all is
 * parsed.  A parser leaves an argument that it does not take with ARGP_ERR_UNKNOWN, and calls
 * options_mistake for a wrong value (argp_error would add a line of its own). */
int options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* One sentence on stderr, "ridge: ..." and exit with status 2: the user's mistake. */
_Noreturn void options_mistake(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
