/* The roofs of FP32 and of memory against the rows of role "intensity". */
#include "harness/analysis/roof_proof.h"

#include <math.h>
#include <string.h>

/* METHOD 10; the knee is within that factor of the ridge point. */
static const double tolerance = 0.10, tolerance_at_knee = 0.15, knee = 2;

static const struct measurement *best_read(const struct report *r, const char *device)
{
    const struct measurement *best = NULL;

    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (measurement_usable(m) && m->role != NULL && strcmp(m->device, device) == 0 &&
            strcmp(m->role, "memory_bandwidth") == 0 &&
            parameters_match(&m->parameters, "operation", "read") &&
            (best == NULL || m->value.median > best->value.median))
            best = m;
    }
    return best;
}

/* How far the row is from what is allowed, as a part of what is tolerated. */
static double distance(double share, double flop_per_byte, double ridge)
{
    const bool near = flop_per_byte > ridge / knee && flop_per_byte < ridge * knee;

    return fabs(1 - share) / (share < 1 && near ? tolerance_at_knee : tolerance);
}

bool roof_proof_of(const struct report *r, const char *device, struct roof_proof *out)
{
    const struct roof *compute = report_roof(r, device, "compute", "FP32 FMA", "measured");
    const struct measurement *read = best_read(r, device);
    double farthest = -1;

    *out = (struct roof_proof){NULL, NAN, NAN, INFINITY, -INFINITY, INFINITY, false};
    if (compute == NULL || read == NULL)
        return false;
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        const double at = m->work.flops / m->work.bytes;
        const double allowed = fmin(compute->value.value, at * read->value.median);
        const double share = m->value.median / allowed;

        if (!measurement_usable(m) || m->role == NULL || strcmp(m->device, device) != 0 ||
            strcmp(m->role, "intensity") != 0 || !isfinite(share))
            continue;
        out->least = fmin(out->least, at);
        out->most = fmax(out->most, at);
        out->share_least = fmin(out->share_least, share);
        if (distance(share, at, compute->value.value / read->value.median) > farthest) {
            farthest = distance(share, at, compute->value.value / read->value.median);
            out->worst = m;
            out->flop_per_byte = at;
            out->allowed = allowed;
        }
    }
    out->holds = farthest >= 0 && farthest <= 1;
    return out->worst != NULL;
}
