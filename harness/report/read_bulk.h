/* The samples of a result file, read ahead of everything else: they are most of the file, and a
 * tree of JSON values would hold each number on its own. */
#ifndef REPORT_READ_BULK_H
#define REPORT_READ_BULK_H

#include "harness/base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct numbers {
    double *items; /* NULL: not read ahead */
    size_t count;
};

/* By the place of the measurement in the file. */
struct bulk {
    struct numbers *samples;
    size_t count;
};

/* Adds the text to rest, with an empty array for the member "seconds" of every measurement, whose
 * numbers it keeps.  An array that holds anything but numbers, or that is out of place, is left to
 * the parser, which names the mistake. */
void bulk_take(struct bulk *b, struct text *rest, const char *json, size_t length);
/* Hands the samples of that measurement to the caller; false where none were read ahead. */
bool bulk_give(struct bulk *b, size_t measurement, double **items, size_t *count);
void bulk_free(struct bulk *b);

#endif
