/* Pictures of rooflines, drawn by gnuplot. */
#ifndef OUTPUT_PICTURE_H
#define OUTPUT_PICTURE_H

#include "harness/analysis/roofline.h"

enum picture_form {
    PICTURE_TERMINAL, /* in plain characters */
    PICTURE_BRAILLE,  /* the same, lines in braille */
    PICTURE_SVG,
    PICTURE_PNG
};

/* Adds the roofline of all devices of all reports; `columns` is the width of a terminal picture.
 * Returns 0, or -1 with a sentence in why: nothing to draw, no gnuplot, gnuplot's own complaint. */
int picture_draw(struct text *out, const struct report *const *reports, size_t count,
                 enum picture_form form, size_t columns, struct text *why);

/* The colour of a number, "#0072B2": the first is for memory, the others repeat themselves. */
const char *picture_colour(size_t index);
enum { PICTURE_COLOURS = 9 };

/* Runs gnuplot on a script and adds what it prints.  Returns 0, or -1 with a sentence in why. */
int gnuplot_run(struct text *out, const char *script, struct text *why);
/* Adds a picture for a terminal, which begins with a form feed and fills its lines up with blanks,
 * without those. */
void picture_add_trimmed(struct text *out, const char *picture);
/* The same, with lines in braille where the picture is blank: `axes` and `plot` are the parts of a
 * script that draws them, plot "" where there are none.  Returns 0, or -1 with a sentence in why.
 */
int picture_add_braille(struct text *out, const char *picture, const char *axes, const char *plot,
                        struct text *why);
/* Adds chars as a quoted string in which gnuplot interprets nothing. */
void gnuplot_quote(struct text *script, const char *chars);

#endif
