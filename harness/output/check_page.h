/* The page of `ridge check`: the verdict first, then why, then whether figures are normal. */
#ifndef OUTPUT_CHECK_PAGE_H
#define OUTPUT_CHECK_PAGE_H

#include "harness/analysis/findings.h"
#include "harness/output/exports.h"
#include "harness/output/writer.h"

/* silent: not NULL lists the rules that could not run under these circumstances. */
void check_page(struct text *out, const struct report *r, const struct verdict_summary *v,
                const struct circumstances *silent, const struct view *view);

#endif
