/* Turns rows of one shape into a table: one parameter runs down, the others run across. */
#ifndef OUTPUT_PIVOT_H
#define OUTPUT_PIVOT_H

#include "harness/output/table.h"
#include "harness/report/model.h"

enum { PIVOT_KEYS_MAX = 12 };

/* Rows by number: equal ones share a number, numbers in order of first appearance. */
struct numbering {
    size_t *of; /* a row */
    size_t count;
};

/* Rows with the same parameters (by name) and the same metric. */
struct pivot {
    const struct measurement **rows;
    size_t count;
    const char *down;                   /* the parameter that runs down */
    const char *across[PIVOT_KEYS_MAX]; /* what tells columns apart; "role" among them */
    size_t across_count;
    struct numbering lines, columns;
};

/* Chooses for p->rows what runs down (the parameter with the most values, numbers before words)
 * and the fewest parameters across that give every row a cell of its own. */
void pivot_plan(struct pivot *p);
void pivot_free(struct pivot *p); /* the plan, not the rows */
/* The table; about `most` lines (0: all), evenly chosen, those with headline rows always.
 * *left_out: how many were not shown. */
struct table *pivot_table(const struct pivot *p, size_t most, size_t *left_out);
/* Adds the parameters that are the same in all rows, "bytes 1 GiB, variant plain". */
void pivot_constants(struct text *out, const struct pivot *p);
/* Adds all that a row has, "memory pinned, bytes 1 KiB". */
void pivot_parameters(struct text *out, const struct measurement *m);
/* What a row has of a key, for people; caller frees. */
char *pivot_value(const struct measurement *m, const char *key);

#endif
