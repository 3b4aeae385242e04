/* Parts of a page in HTML: one file that needs no network and no script. */
#ifndef OUTPUT_HTML_H
#define OUTPUT_HTML_H

#include "harness/output/charts.h"
#include "harness/output/page.h"

/* Opens the document up to its body; `title` is the window's. */
void html_open(struct text *out, const char *title);
/* The foot, the script and the end. */
void html_close(struct text *out);

/* Adds chars with what HTML takes for markup escaped. */
void html_add(struct text *out, const char *chars);
/* Adds a page's blocks, their sections as headings of that level. */
void html_add_blocks(struct text *out, const struct page *page, int level);
/* Adds a table with that caption (NULL: none), in a frame that scrolls by itself. */
void html_add_table(struct text *out, const struct table *t, const char *caption);
/* Adds the tables of a page of page_add_figures as tiles, below a heading of that level. */
void html_add_tiles(struct text *out, const struct page *page, int level);
/* Adds what was found, worst first, and the verdict that follows. */
void html_add_findings(struct text *out, const struct report *r, int level);
/* Adds all charts of the reports, or a note on what is missing. */
void html_add_charts(struct text *out, const struct report *const *reports, size_t count);
/* Adds the table of every row; exact values stand in <data>. */
void html_add_rows(struct text *out, const struct report *r);
/* Adds what is known of the run, its environment and its devices. */
void html_add_facts(struct text *out, const struct report *r);

/* A page of blocks as a document of its own, with the charts of the reports where it has its
 * picture. */
void page_write_html(struct text *out, const struct page *page, const char *title,
                     const struct report *const *reports, size_t count);

#endif
