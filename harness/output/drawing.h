/* The roofline of one or several devices as lines, points and labels on logarithmic axes. */
#ifndef OUTPUT_DRAWING_H
#define OUTPUT_DRAWING_H

#include "harness/analysis/roofline.h"

/* LINE_LEVEL: a slope beside memory's, of a cache or of the way to the host. */
enum line_kind { LINE_MEMORY, LINE_COMPUTE, LINE_PROMISE, LINE_RIDGE, LINE_LEVEL };

struct line {
    enum line_kind kind;
    double x[2], y[2];
    size_t colour;
    char *name, *label; /* "FP32 FMA"; the same with what it reaches; NULL: none */
};

enum point_kind { POINT_GEMM, POINT_FMA, POINT_TRIAD, POINT_WALK, POINT_KINDS };
extern const char *const point_kind_names[POINT_KINDS];

struct dot {
    enum point_kind kind;
    double x, y;
    size_t colour;
    char *name; /* of its ceiling, as that line has it: "FP32 GEMM" */
    const struct measurement *row;
};

struct drawing {
    struct line *lines;
    size_t line_count;
    struct dot *dots;
    size_t dot_count;
    double x_low, x_high, y_low, y_high;
    char *title;
    bool virtual_card;
};

/* The caller frees it; without lines there is nothing to draw. */
void drawing_of(struct drawing *d, const struct report *const *reports, size_t count);
void drawing_free(struct drawing *d);

#endif
