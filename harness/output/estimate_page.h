/* Estimates laid out for people. */
#ifndef OUTPUT_ESTIMATE_PAGE_H
#define OUTPUT_ESTIMATE_PAGE_H

#include "harness/analysis/estimate.h"
#include "harness/output/page.h"

/* `question` says what the estimates are of.  The caller frees the page. */
void estimates_page(struct page *page, const struct estimates *e, const struct contender *card,
                    const char *question);
/* The same as JSON: SI numbers, null where unknown. */
void estimates_json(struct text *out, const struct estimates *e, const struct contender *card,
                    const char *question);

#endif
