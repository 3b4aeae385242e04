/* Tables and running text in lines of a terminal. */
#ifndef OUTPUT_TEXT_TABLE_H
#define OUTPUT_TEXT_TABLE_H

#include "harness/output/table.h"

/* Adds the table, aligned; one that is too wide wraps its last column where that holds words, and
 * else continues below with its first column repeated.  Columns without content are left out. */
void text_add_table(struct text *out, const struct table *t, size_t columns);
/* Adds words in lines of `columns`; first and hang go before the first and the further lines. */
void text_add_wrapped(struct text *out, const char *words, const char *first, const char *hang,
                      size_t columns);

#endif
