/* What words of a command line name for a comparison: devices of result files, datasheets. */
#ifndef COMMAND_CONTENDERS_H
#define COMMAND_CONTENDERS_H

#include "harness/analysis/compare.h"

/* "FILE", "FILE:cuda1", "card:NAME": reduced to its figures; a file without a device means its
 * first card, else its host.  Anything else is the user's mistake (exit 2). */
void contender_named(struct contender *c, const char *word);
/* All of the words, in their order; the caller frees them.  A few reports are read at a time, and
 * kept only where charts are to show their rows. */
struct contender *contenders_read(const struct strings *words, bool keeps_reports);
/* The place of the one that `word` means: a letter ("A"), a number (1 is the first), what the user
 * gave, or a name of the device.  One that is none of them, or several, is the user's mistake; so
 * are two of one identity. */
size_t contender_place(const struct contender *c, size_t count, const char *option,
                       const char *word);
void contenders_distinct(const struct contender *c, size_t count);
/* Reads "A=2.10" words into values (NAN where none is given). */
void contenders_values(const struct contender *c, size_t count, const char *option,
                       const struct strings *words, double *values);
/* A finite number above zero; anything else is the user's mistake. */
double positive_number(const char *option, const char *word);
/* Adds a user's cards to the catalogue, at the start of a command. */
void cards_take(const char *path);
/* A sentence that offers the card with the nearest name; exit 2. */
_Noreturn void card_unknown(const char *word);

#endif
