/* What is usual: ranges of shares that others have measured, each with its source
 * (results/datasheets/bands.csv). */
#ifndef ANALYSIS_BANDS_H
#define ANALYSIS_BANDS_H

#include "harness/report/model.h"

/* A row of the file.  Shares of the roof that the figure is held against; of latencies seconds.
 * NAN: not known. */
struct band {
    char *what, *applies_to, *source;
    double low, high, floor;
};

/* All bands, in the file's order. */
const struct band *bands_all(size_t *count);
/* The band of that figure for the first of the keys (NULL-terminated) that has one, or NULL. */
const struct band *band_find(const char *what, const char *const *keys);

/* Where a figure lies. */
enum place { PLACE_UNKNOWN, PLACE_BELOW_FLOOR, PLACE_BELOW, PLACE_WITHIN, PLACE_ABOVE };

/* A main figure of a device, held against its roof and its band. */
struct normal {
    const char *device; /* the report's */
    char *name;
    struct estimate value;
    const char *unit;
    double roof; /* NAN: none is known */
    const char *roof_source;
    double share;            /* of the roof */
    const struct band *band; /* NULL: none is known */
    bool absolute;           /* the band bounds the value itself, and less is better */
    enum place place;
};

/* The usable headline row of pinned copies of that role, or NULL. */
const struct measurement *headline_copy(const struct report *r, const char *device,
                                        const char *role);
/* The main figures of a report that analysis_derive has seen; returns how many, *normals is the
 * caller's to free with normals_free. */
size_t normals_of(const struct report *r, struct normal **normals);
void normals_free(struct normal *normals, size_t count);

#endif
