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

/* The ends of an interval; without one, the value itself. */
static double low_end(struct estimate e)
{
    return isnan(e.low) ? e.value : e.low;
}

static double high_end(struct estimate e)
{
    return isnan(e.high) ? e.value : e.high;
}

/* What the roofs allow at an intensity. */
static struct estimate allowed_at(double flop_per_byte, struct estimate peak, struct estimate read)
{
    return (struct estimate){fmin(peak.value, flop_per_byte * read.value),
                             fmin(low_end(peak), flop_per_byte * low_end(read)),
                             fmin(high_end(peak), flop_per_byte * high_end(read))};
}

/* How far the row is from what is allowed, as a part of what is tolerated; as near as both
 * intervals permit. */
static double distance(struct estimate found, struct estimate allowed, bool near_knee)
{
    const double most = high_end(found) / allowed.low, least = low_end(found) / allowed.high;

    if (most < 1)
        return (1 - most) / (near_knee ? tolerance_at_knee : tolerance);
    return least > 1 ? (least - 1) / tolerance : 0;
}

bool roof_proof_of(const struct report *r, const char *device, struct roof_proof *out)
{
    const struct roof *compute = report_roof(r, device, "compute", "FP32 FMA", "measured");
    const struct measurement *read = best_read(r, device);
    double farthest = -1, ridge;

    *out = (struct roof_proof){NULL, NAN, NAN, INFINITY, -INFINITY, INFINITY, false};
    if (compute == NULL || read == NULL)
        return false;
    ridge = compute->value.value / read->value.median;
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];
        const double at = m->work.flops / m->work.bytes;
        const struct estimate allowed = allowed_at(at, compute->value, estimate_of(&read->value));
        const double share = m->value.median / allowed.value;
        const bool near_knee = at > ridge / knee && at < ridge * knee;
        const double far = distance(estimate_of(&m->value), allowed, near_knee);

        if (!measurement_usable(m) || m->role == NULL || strcmp(m->device, device) != 0 ||
            strcmp(m->role, "intensity") != 0 || !isfinite(share))
            continue;
        out->least = fmin(out->least, at);
        out->most = fmax(out->most, at);
        out->share_least = fmin(out->share_least, share);
        if (far > farthest) {
            farthest = far;
            out->worst = m;
            out->flop_per_byte = at;
            out->allowed = allowed.value;
        }
    }
    out->holds = farthest >= 0 && farthest <= 1;
    return out->worst != NULL;
}
