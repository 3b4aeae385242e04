/* Reads comma-separated values as RFC 4180 has them: quoted fields, doubled quotes, CRLF or LF. */
#ifndef ANALYSIS_CSV_H
#define ANALYSIS_CSV_H

#include "harness/base/text.h"

#include <stddef.h>

struct csv_reader {
    const char *at, *end; /* what is left to read */
};

/* Appends the fields of the next record to `fields`, which the caller frees.  Returns 1, 0 at the
 * end, or -1 for a quote out of place or never closed. */
int csv_read_record(struct csv_reader *reader, struct strings *fields);

#endif
