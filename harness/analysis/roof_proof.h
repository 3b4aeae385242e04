/* Whether a device's roofs describe it: a kernel that walks along them must keep to them. */
#ifndef ANALYSIS_ROOF_PROOF_H
#define ANALYSIS_ROOF_PROOF_H

#include "harness/analysis/roofline.h"

struct roof_proof {
    const struct measurement *worst; /* the row farthest from what the roofs allow */
    double flop_per_byte, allowed;   /* of that row; FLOP/s by min(P, intensity x BW) */
    double least, most;              /* flop per byte of all rows */
    double share_least;              /* the smallest part of what is allowed */
    bool holds;                      /* METHOD 10: within 10 %, near the ridge 15 % below; or
                                      * the intervals reach so far */
};

/* False where a roof or the walk is missing.  BW is that of reads, which the walk consists of. */
bool roof_proof_of(const struct report *r, const char *device, struct roof_proof *out);

#endif
