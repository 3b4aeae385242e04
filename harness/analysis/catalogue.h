/* From the catalogue's text to cards. */
#ifndef ANALYSIS_CATALOGUE_H
#define ANALYSIS_CATALOGUE_H

#include "harness/analysis/cards.h"

/* Reads a catalogue in the form that cards.md describes; columns it does not know are passed over.
 * Returns the cards (*count of them; the caller frees them with catalogue_free), or NULL where the
 * text is no catalogue: an unreadable record, one with another number of fields, a cell that should
 * be a number. */
struct card *catalogue_parse(const char *csv, size_t length, size_t *count);
void catalogue_free(struct card *cards, size_t count);

#endif
