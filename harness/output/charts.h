/* Charts of reports before they are drawn: axes, series and points, each with what it says. */
#ifndef OUTPUT_CHARTS_H
#define OUTPUT_CHARTS_H

#include "harness/analysis/roofline.h"

enum axis_scale {
    AXIS_LINEAR, /* from zero */
    AXIS_LOG,
    AXIS_NAMES /* point 1, 2, ... stand for names */
};

struct axis {
    const char *label, *unit; /* of people; SI unit of the values, "" for counts */
    enum axis_scale scale;
    double low, high; /* of what is drawn; NAN: as the points have it */
    struct strings names;
    double step; /* between labels of a linear axis; 0: as fits */
};

struct chart_point {
    double x, y, low, high; /* low and high NAN where there is no interval */
    char *note;             /* value, interval and state, for who points at it; NULL: not marked */
    bool doubtful;
};

enum series_look {
    LOOK_LINE,    /* points joined by a line */
    LOOK_POINTS,  /* points alone */
    LOOK_CURVE,   /* a line without points: a fit, a prediction, a ceiling */
    LOOK_PROMISE, /* the same, dashed and thin */
    LOOK_LEVEL    /* the same, dotted: memory further away */
};

struct series {
    char *name;
    enum series_look look;
    size_t colour, mark; /* numbers that pictures turn into colours and marks */
    size_t owner;        /* the series that it is shown and hidden with; its own number: itself */
    struct chart_point *points;
    size_t count;
};

struct chart {
    const char *name;       /* "transfer", as in --figure */
    char *title, *sentence; /* sentence: what the data say, a line a device, may be "" */
    struct axis x, y;
    struct series *series;
    size_t count;
    bool virtual_card;
};

struct charts {
    struct chart *items;
    size_t count;
};

/* All charts for which the reports hold data, the roofline first; the caller frees them. */
void charts_of(struct charts *charts, const struct report *const *reports, size_t count);
void charts_free(struct charts *charts);
/* The chart of that name, or NULL. */
const struct chart *charts_named(const struct charts *charts, const char *name);
/* The names that charts can have, NULL-terminated. */
extern const char *const chart_names[];

enum chart_form {
    CHART_PAGE,
    CHART_WIDE,
    CHART_SVG,
    CHART_PNG,
    CHART_TERMINAL, /* in plain characters: marks of measured series, lines of all others */
    CHART_BRAILLE   /* marks in plain characters over lines in braille */
};

/* Adds all charts as SVG elements for one page (form: CHART_PAGE, or CHART_WIDE for the same at
 * twice the size), drawn by one run of gnuplot: series carry data-series, marks a title.  Returns
 * 0, or -1 with a sentence in why. */
int charts_draw(struct strings *out, const struct charts *charts, enum chart_form form,
                struct text *why);
/* Adds one chart as a picture of its own; `columns` is the width of a terminal.  Returns 0, or -1
 * with a sentence in why. */
int chart_draw(struct text *out, const struct chart *c, enum chart_form form, size_t columns,
               struct text *why);
/* All charts for a terminal in braille, each with its sentence.  Returns 0, or -1 with a sentence
 * in why. */
int figures_plot(struct text *out, const struct report *const *reports, size_t count,
                 size_t columns, struct text *why);
/* The chart of that name (NULL: the roofline) likewise; why says so where there are no data. */
int figure_draw(struct text *out, const struct report *const *reports, size_t count,
                const char *name, enum chart_form form, size_t columns, struct text *why);

#endif
