/* From the catalogue's text to cards. */
#ifndef ANALYSIS_CATALOGUE_H
#define ANALYSIS_CATALOGUE_H

#include "harness/analysis/cards.h"

/* Reads a catalogue in the form that cards.md describes; columns it does not know are passed over.
 * Returns the cards (*count of them; the caller frees them with catalogue_free), or NULL where the
 * text is no catalogue: an unreadable record, one with another number of fields, a cell that should
 * be a number. */
struct card *catalogue_parse(const char *csv, size_t length, size_t *count);
/* The same for a file that a user keeps: in strict form, which also refuses columns that no
 * catalogue has.  NULL with a sentence in why that names the file and the line; `name` is the
 * file's. */
struct card *catalogue_read(const char *csv, size_t length, const char *name, size_t *count,
                            struct text *why);
/* Whether a card's figures can be true: what must be there is there, numbers are positive where
 * they must be, rates follow from clocks and widths within 1 %, no peak is above the dense one.
 * Returns 0, or -1 with what is wrong in why. */
int catalogue_check(const struct card *card, struct text *why);
void catalogue_free(struct card *cards, size_t count);

#endif
