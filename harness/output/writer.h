/* Ways to show a report: a table of writers, each a pure function of reports and options. */
#ifndef OUTPUT_WRITER_H
#define OUTPUT_WRITER_H

#include "harness/analysis/roofline.h"

struct view {
    bool colour;        /* terminal escapes may be used */
    unsigned columns;   /* of the terminal; 0: 80 */
    bool all_rows;      /* every row, not only the headline ones */
    bool plot;          /* charts in braille instead of tables */
    const char *figure; /* the one chart that is wanted; NULL: all that the writer has */
};

struct writer {
    const char *name, *summary; /* "text", "markdown", ... as in --format */
    const char *extension;
    bool binary;  /* not for a terminal */
    bool figures; /* shows one chart when asked for it */
    /* Adds the reports (derived: analysis_derive has been called) to out.  0, or -1 with a sentence
     * in why. */
    int (*write)(struct text *out, const struct report *const *reports, size_t count,
                 const struct view *view, struct text *why);
};
extern const struct writer *const writers[];         /* NULL-terminated */
const struct writer *writer_named(const char *name); /* or NULL */

#endif
