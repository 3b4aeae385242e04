/* Reading one value of a result file by its kind, and saying where a mistake is. */
#ifndef REPORT_READ_VALUE_H
#define REPORT_READ_VALUE_H

#include "harness/report/fields.h"
#include "harness/report/read_bulk.h"

#include <jansson.h>

struct reader {
    struct report *report;
    const char *file;
    struct text *why;
    struct bulk bulk; /* samples that were read ahead */
};

/* The way from the top of the file to a value; kept on the stack, written out for a mistake. */
struct place {
    const struct place *parent;
    const char *name; /* NULL: an element */
    size_t index;
};

/* Each puts one sentence, "FILE: PLACE: ...", into the reader's why and returns -1. */
int read_mistake(struct reader *r, const struct place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "expected a number or null, found a string" */
int read_expected(struct reader *r, const struct place *at, const char *what, const json_t *found);

/* Reads the value (not null) of a field that is neither struct nor list into the struct at base.
 * Returns 0, or -1 having said why. */
int read_value(struct reader *r, const struct place *at, const struct field *f, char *base,
               json_t *json);

#endif
