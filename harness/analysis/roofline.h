/* Roofs, ridge points and the points under them: pure functions of a report and of the catalogue.
 */
#ifndef ANALYSIS_ROOFLINE_H
#define ANALYSIS_ROOFLINE_H

#include "harness/analysis/cards.h"

/* Derives findings, roofs and ridge points anew into r (roofs: measured, datasheet and from what
 * the device says), for every device and precision.  Rows that a finding calls invalid are marked
 * so, and are no part of a roof. */
void analysis_derive(struct report *r);

/* The roof, or NULL.  source: "measured", "datasheet", "device"; kind: "memory", "compute", "link"
 * (one direction of the way to the host). */
const struct roof *report_roof(const struct report *r, const char *device, const char *kind,
                               const char *name, const char *source);
/* The memory roof that ridge points use: the best of read, copy and triad; its name says which. */
const struct roof *report_memory_roof(const struct report *r, const char *device,
                                      const char *source);
/* What a measured roof is held against: the datasheet's roof, else the one that follows from what
 * the device reports, else NULL.  It may be exceeded where a card clocks above its rating. */
const struct roof *roof_promise(const struct report *r, const struct roof *measured);
/* True for a datasheet roof that rests on one source or is derived. */
bool roof_is_weak(const struct report *r, const struct roof *roof);
/* The highest measured compute roof of a device, or NULL. */
const struct roof *report_fastest(const struct report *r, const char *device);
/* The ridge point, or NULL. */
const struct ridge_point *report_ridge_point(const struct report *r, const char *device,
                                             const char *compute, const char *source);

/* The usable row of the most bytes of a role, of that kind of memory where `memory` is not NULL:
 * what stands for a rate that could not be fitted; or NULL. */
const struct measurement *report_largest(const struct report *r, const char *device,
                                         const char *role, const char *memory);

/* A measured point under the roofs. */
struct roofline_point {
    char *label;          /* of its ceiling, "FP32 GEMM", or "triad" */
    double flop_per_byte; /* INFINITY where the row reads nothing but registers */
    double flop_per_second;
    const struct measurement *row;
};
/* Points of a device (every gemm, triad, vector_peak and intensity row); returns how many, *points
 * is the caller's to free with roofline_points_free. */
size_t roofline_points(const struct report *r, const char *device, struct roofline_point **points);
void roofline_points_free(struct roofline_point *points, size_t count);

/* "a kernel needs N flops for every byte ..." */
void ridge_point_sentence(struct text *out, const struct report *r, const struct ridge_point *p);

#endif
