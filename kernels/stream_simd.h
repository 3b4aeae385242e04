/* The streaming loops for one width of vector; stream_host.c includes it once for each width.
 *
 * It defines before: SIMD(name), the width's own name of a function; SIMD_TARGET, the attribute
 * that selects its instructions; SIMD_BYTES of a vector; SIMD_BYPASS(p, v), a store past the
 * caches. Left undefined they are what every processor can do.  No include guard: it is to be
 * repeated. */
#include "kernels/stream.h"

#include <stdbool.h>

#ifndef SIMD
#define SIMD(name) name##_baseline
#define SIMD_TARGET
#define SIMD_BYTES 16
#endif
#ifndef SIMD_BYPASS
#define SIMD_BYPASS(p, v) (*(SIMD(vector) *)(p) = (v))
#endif
#ifndef STREAM_UNROLL
#define STREAM_UNROLL 8    /* vectors in flight; as many sums, so that additions do not wait */
#define STREAM_AHEAD  1024 /* bytes between a load and the prefetch that goes before it */
#endif

typedef float SIMD(vector) __attribute__((vector_size(SIMD_BYTES)));

enum {
    SIMD(lanes) = SIMD_BYTES / 4,
    SIMD(round) = SIMD(lanes) * STREAM_UNROLL /* floats of an array handled at once */
};

#define SIMD_AT(p)  (*(const SIMD(vector) *)(p))
#define SIMD_ALWAYS static inline SIMD_TARGET __attribute__((always_inline))

/* Asks for the lines that round `i` of p holds, STREAM_AHEAD bytes on.  A prefetch cannot fault. */
SIMD_ALWAYS void SIMD(prefetch)(const float *p)
{
    for (int k = 0; k < SIMD(round); k += 16)
        __builtin_prefetch((const char *)p + k * sizeof(float) + STREAM_AHEAD, 0, 0);
}

/* Moves whole rounds of elements i..end; returns the first one left over. */
SIMD_ALWAYS size_t SIMD(move)(const struct stream_args *a, enum stream_operation op, bool bypass,
                              size_t i, size_t end)
{
    const SIMD(vector) s = a->scalar - (SIMD(vector)){0};

    for (; i + SIMD(round) <= end; i += SIMD(round)) {
        SIMD(vector) v[STREAM_UNROLL];

        if (bypass && op != STREAM_WRITE)
            SIMD(prefetch)(a->b + i);
        if (bypass && op >= STREAM_ADD)
            SIMD(prefetch)(a->c + i);
        for (int k = 0; k < STREAM_UNROLL; k++) {
            const size_t at = i + (size_t)k * SIMD(lanes);

            v[k] = op == STREAM_WRITE   ? s
                   : op == STREAM_COPY  ? SIMD_AT(a->b + at)
                   : op == STREAM_SCALE ? s * SIMD_AT(a->b + at)
                   : op == STREAM_ADD   ? SIMD_AT(a->b + at) + SIMD_AT(a->c + at)
                                        : SIMD_AT(a->b + at) + s * SIMD_AT(a->c + at);
        }
        for (int k = 0; k < STREAM_UNROLL; k++)
            if (bypass)
                SIMD_BYPASS(a->out + i + k * SIMD(lanes), v[k]);
            else
                *(SIMD(vector) *)(a->out + i + k * SIMD(lanes)) = v[k];
    }
    return i;
}

/* Adds whole rounds of elements i..end to *sum; returns the first one left over. */
SIMD_ALWAYS size_t SIMD(add_up)(const float *b, bool bypass, size_t i, size_t end, double *sum)
{
    SIMD(vector) v[STREAM_UNROLL] = {{0}};

    for (; i + SIMD(round) <= end; i += SIMD(round)) {
        if (bypass)
            SIMD(prefetch)(b + i);
        for (int k = 0; k < STREAM_UNROLL; k++)
            v[k] += SIMD_AT(b + i + k * SIMD(lanes));
    }
    for (int k = 0; k < STREAM_UNROLL; k++)
        for (int lane = 0; lane < SIMD(lanes); lane++)
            *sum += v[k][lane];
    return i;
}

static inline SIMD_TARGET size_t SIMD(run)(const struct stream_args *a, size_t i, size_t end,
                                           double *sum)
{
    const bool bypass = a->variant == STREAM_BYPASS;

#define SIMD_CASE(op)                                                                              \
    case op:                                                                                       \
        return bypass ? SIMD(move)(a, op, true, i, end) : SIMD(move)(a, op, false, i, end)
    switch (a->operation) {
        SIMD_CASE(STREAM_WRITE);
        SIMD_CASE(STREAM_COPY);
        SIMD_CASE(STREAM_SCALE);
        SIMD_CASE(STREAM_ADD);
        SIMD_CASE(STREAM_TRIAD);
    default:
        return bypass ? SIMD(add_up)(a->b, true, i, end, sum)
                      : SIMD(add_up)(a->b, false, i, end, sum);
    }
#undef SIMD_CASE
}

#undef SIMD_AT
#undef SIMD_ALWAYS
#undef SIMD
#undef SIMD_TARGET
#undef SIMD_BYTES
#undef SIMD_BYPASS
