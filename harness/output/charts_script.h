/* What turns a chart into a script for gnuplot, and gnuplot's answer into pictures. */
#ifndef OUTPUT_CHARTS_SCRIPT_H
#define OUTPUT_CHARTS_SCRIPT_H

#include "harness/output/charts.h"

struct range {
    double low, high;
};

/* Whether the point has a place on the chart's axes: neither of absurd size, nor without a
 * logarithm where that is the scale. */
bool point_is_drawable(const struct chart *c, const struct chart_point *p);
/* How far the axis reaches. */
struct range axis_range(const struct chart *c, bool y);
/* Adds range, scale, labels and title of the axis. */
void script_add_axis(struct text *s, const struct chart *c, bool y);

/* What a script's elements and marks stand for, in the order in which they are plotted. */
struct script_key {
    size_t *owners; /* of each element: the series with which it is shown and hidden */
    size_t owner_count;
    const char **notes; /* of each mark */
    size_t note_count;
};

/* Adds the SVG that gnuplot made of a chart (the text up to `end`): notes stand as titles of their
 * marks.  in_page: for a page, which allows an id but once; one picture of it keeps the definitions
 * that all share. */
void svg_add(struct text *out, const char *svg, const char *end, const struct script_key *key,
             const char *label, bool in_page, bool definitions);
/* Adds chars with what HTML takes for markup escaped. */
void markup_add(struct text *out, const char *chars);

#endif
