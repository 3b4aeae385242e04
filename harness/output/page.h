/* A report as people read it, before a writer gives it a form: headings, sentences, tables. */
#ifndef OUTPUT_PAGE_H
#define OUTPUT_PAGE_H

#include "harness/output/table.h"
#include "harness/output/writer.h"

enum block_kind {
    BLOCK_TITLE,   /* of one report */
    BLOCK_BANNER,  /* what must not be overlooked */
    BLOCK_SECTION, /* heading */
    BLOCK_TOPIC,   /* heading below a section */
    BLOCK_TEXT,    /* what it means */
    BLOCK_CAPTION, /* above a table */
    BLOCK_NOTE,    /* small print */
    BLOCK_TABLE,
    BLOCK_PICTURE /* the roofline of all reports */
};

struct block {
    enum block_kind kind;
    char *text;          /* of all but tables */
    struct table *table; /* of tables */
};

struct page {
    struct block *blocks;
    size_t count;
};

/* Lays out the reports; the caller frees the page. */
void page_of(struct page *page, const struct report *const *reports, size_t count,
             const struct view *view);
void page_free(struct page *page);

/* Each adds a block; control characters in text become '?'.  An empty text or table adds none. */
void page_add(struct page *page, enum block_kind kind, const char *text);
void page_addf(struct page *page, enum block_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void page_add_table(struct page *page, struct table *table); /* takes the table */

/* Parts of a page, one report each. */
void page_add_head(struct page *page, const struct report *r);
void page_add_figures(struct page *page, const struct report *r); /* the six that matter */
void page_add_experiments(struct page *page, const struct report *r, const struct view *view);
void page_add_ridge_points(struct page *page, const struct report *r);
void page_add_missing(struct page *page, const struct report *r); /* what was not measured */
/* How many rows were not measured for the reason of row `first`; 0 where it was measured, or where
 * an earlier row stands for it. */
size_t page_count_case(const struct report *r, size_t first);

void page_add_findings(struct page *page, const struct report *r);
void page_add_normals(struct page *page, const struct report *r); /* figures in their bands */

/* A page on a terminal; the reports are those of its picture. */
void page_write_text(struct text *out, const struct page *page, const struct report *const *reports,
                     size_t count, const struct view *view);
/* The same as Markdown. */
void page_write_markdown(struct text *out, const struct page *page,
                         const struct report *const *reports, size_t count);

/* "± 0.4 %", "-" where the interval is unknown; out has room for UNITS_MAX. */
const char *interval_format(char *out, const struct estimate *e);
/* "97 %", "-" when unknown. */
const char *share_format(char *out, double share);
/* A ceiling's name where room is short, "FP16 GEMM (FP16 acc.)"; caller frees. */
char *roof_short_name(const char *name);
/* The name as people read it, '_' as blanks; caller frees. */
char *spoken(const char *name);

#endif
