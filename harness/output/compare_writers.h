/* Ways to show a comparison. */
#ifndef OUTPUT_COMPARE_WRITERS_H
#define OUTPUT_COMPARE_WRITERS_H

#include "harness/analysis/compare.h"
#include "harness/output/page.h"

struct comparison_writer {
    const char *name, *extension; /* "text", ".txt" */
    bool charts;                  /* shows the rows of the contenders' reports */
    void (*write)(struct text *out, const struct comparison *c, const struct view *view);
};
extern const struct comparison_writer comparison_writers[]; /* ends with a name of NULL */
const struct comparison_writer *comparison_writer_named(const char *name); /* or NULL */

/* The comparison as people read it; the caller frees the page. */
void comparison_page(struct page *page, const struct comparison *c);
void comparison_html(struct text *out, const struct comparison *c, const struct view *view);
void comparison_csv(struct text *out, const struct comparison *c, const struct view *view);
void comparison_json(struct text *out, const struct comparison *c, const struct view *view);

#endif
