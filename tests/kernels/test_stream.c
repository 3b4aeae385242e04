/* The host's streams against their definition: every variant, share and tail. */
#include "kernels/compare.h"
#include "kernels/share.h"
#include "kernels/stream_simd.h" /* run_baseline, which wider processors do not use */
#include "tests/kernels/shares.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const size_t counts[] = {0, 1, 15, 16, 17, 63, 64, 127, 1000, 16384, 16385, 100003};
enum { GUARD = 16 };

/* Arrays that begin on a cache line, with a guard behind them. */
struct arrays {
    size_t count;
    float *out, *b, *c;
};

static float *array(size_t count)
{
    const size_t bytes = (count + GUARD) * sizeof(float);
    float *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

    memset(memory, 0xFF, bytes);
    return memory;
}

static struct arrays open_arrays(size_t count)
{
    struct arrays a = {count, array(count), array(count), array(count)};
    const struct fill_args b = {a.b, count, 1, FILL_POSITIVE}, c = {a.c, count, 2, FILL_POSITIVE};

    execute_shares(&kernel_fill, &b, 1);
    execute_shares(&kernel_fill, &c, 1);
    return a;
}

static void close_arrays(struct arrays *a)
{
    free(a->out);
    free(a->b);
    free(a->c);
}

static struct stream_args args_of(const struct arrays *a, enum stream_operation operation,
                                  enum stream_variant variant)
{
    return (struct stream_args){.operation = operation,
                                .variant = variant,
                                .out = a->out,
                                .b = a->b,
                                .c = a->c,
                                .count = a->count,
                                .scalar = 0.5f};
}

static float must_be(const struct stream_args *s, size_t i)
{
    switch (s->operation) {
    case STREAM_WRITE:
        return s->scalar;
    case STREAM_COPY:
        return s->b[i];
    case STREAM_SCALE:
        return s->scalar * s->b[i];
    case STREAM_ADD:
        return s->b[i] + s->c[i];
    default:
        return s->b[i] + s->scalar * s->c[i];
    }
}

static void moves_right(const struct arrays *a, enum stream_operation operation,
                        enum stream_variant variant, unsigned workers)
{
    const struct stream_args s = args_of(a, operation, variant);

    memset(a->out, 0xFF, a->count * sizeof(float));
    cr_assert_eq(execute_shares(&kernel_stream[operation], &s, workers), 0);
    for (size_t i = 0; i < a->count; i++)
        cr_assert_eq(a->out[i], must_be(&s, i), "%s, variant %d, %u workers: element %zu of %zu",
                     kernel_stream[operation].name, (int)variant, workers, i, a->count);
    for (size_t i = 0; i < GUARD; i++)
        cr_assert(isnan(a->out[a->count + i]));
}

Test(stream, moves_every_element_and_no_other)
{
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        struct arrays a = open_arrays(counts[n]);

        for (int operation = STREAM_WRITE; operation < STREAM_OPERATIONS; operation++)
            for (unsigned workers = 1; workers <= SHARES_MOST; workers++) {
                moves_right(&a, (enum stream_operation)operation, STREAM_PLAIN, workers);
                moves_right(&a, (enum stream_operation)operation, STREAM_BYPASS, workers);
            }
        close_arrays(&a);
    }
}

Test(stream, the_library_copies_and_writes_the_same)
{
    struct arrays a = open_arrays(100003);
    struct stream_args s = args_of(&a, STREAM_WRITE, STREAM_LIBRARY);

    for (unsigned workers = 1; workers <= SHARES_MOST; workers++)
        moves_right(&a, STREAM_COPY, STREAM_LIBRARY, workers);
    s.scalar = stream_bytewise();
    cr_assert_eq(execute_shares(&kernel_stream[STREAM_WRITE], &s, 2), 0);
    for (size_t i = 0; i < a.count; i++)
        cr_assert_eq(a.out[i], stream_bytewise());
    s.operation = STREAM_TRIAD;
    cr_assert_neq(execute_shares(&kernel_stream[STREAM_TRIAD], &s, 1), 0, "it has no such thing");
    close_arrays(&a);
}

static void adds_up_right(const struct arrays *a, enum stream_variant variant, unsigned workers)
{
    struct stream_args s = args_of(a, STREAM_READ, variant);
    float sums[SHARES_MOST] = {0};
    double sum = 0, must = 0;

    s.sums = sums;
    cr_assert_eq(execute_shares(&kernel_stream[STREAM_READ], &s, workers), 0);
    for (unsigned w = 0; w < workers; w++)
        cr_assert_eq(sums[w], 0, "nothing is kept unless asked for");
    s.keep = 1;
    cr_assert_eq(execute_shares(&kernel_stream[STREAM_READ], &s, workers), 0);
    for (unsigned w = 0; w < workers; w++)
        sum += (double)sums[w];
    for (size_t i = 0; i < a->count; i++)
        must += (double)a->b[i];
    cr_assert_leq(fabs(sum - must), 1e-6 * must);
}

Test(stream, reads_every_element)
{
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        struct arrays a = open_arrays(counts[n]);

        for (unsigned workers = 1; workers <= SHARES_MOST; workers++) {
            adds_up_right(&a, STREAM_PLAIN, workers);
            adds_up_right(&a, STREAM_BYPASS, workers);
        }
        close_arrays(&a);
    }
}

Test(stream, baseline_does_whole_rounds)
{
    struct arrays a = open_arrays(1000);

    for (int operation = 0; operation < STREAM_OPERATIONS; operation++) {
        const struct stream_args s = args_of(&a, (enum stream_operation)operation, STREAM_BYPASS);
        double sum = 0, must = 0;
        const size_t left = run_baseline(&s, 16, a.count, &sum);

        cr_assert(left <= a.count && left + round_baseline > a.count);
        for (size_t i = 16; i < left; i++) {
            cr_assert(operation == STREAM_READ || a.out[i] == must_be(&s, i));
            must += (double)a.b[i];
        }
        cr_assert(operation != STREAM_READ || fabs(sum - must) < 1e-4);
    }
    close_arrays(&a);
}

Test(stream, a_repetition_changes_nothing)
{
    struct arrays a = open_arrays(1000);

    moves_right(&a, STREAM_TRIAD, STREAM_PLAIN, 2);
    moves_right(&a, STREAM_TRIAD, STREAM_PLAIN, 2);
    close_arrays(&a);
}

Test(stream, compare_knows_every_operation)
{
    struct arrays a = open_arrays(1000);
    struct stream_args s = args_of(&a, STREAM_TRIAD, STREAM_BYPASS);
    struct compare_part *parts = calloc(COMPARE_PARTS, sizeof *parts);
    const struct compare_args c = {.found = a.out,
                                   .count = a.count,
                                   .scale_b = 1,
                                   .scale_c = 0.5f,
                                   .seed_b = 1,
                                   .seed_c = 2,
                                   .parts = parts};

    execute_shares(&kernel_stream[STREAM_TRIAD], &s, 1);
    execute_shares(&kernel_compare, &c, 2);
    cr_expect_eq(compare_total(parts).different, 0);
    s.operation = STREAM_ADD;
    execute_shares(&kernel_stream[STREAM_ADD], &s, 1);
    execute_shares(&kernel_compare, &c, 2);
    cr_expect_eq(compare_total(parts).different, a.count);
    free(parts);
    close_arrays(&a);
}

Test(stream, declares_its_work)
{
    static const unsigned arrays[STREAM_OPERATIONS] = {1, 1, 2, 2, 3, 3};
    static const unsigned flops[STREAM_OPERATIONS] = {1, 0, 0, 1, 1, 2};

    for (int o = 0; o < STREAM_OPERATIONS; o++) {
        cr_expect_eq(stream_arrays((enum stream_operation)o), arrays[o]);
        cr_expect_eq(stream_flops((enum stream_operation)o), flops[o]);
        cr_expect_eq(stream_granule((enum stream_operation)o) % 1024, 0);
    }
    cr_expect(!strcmp(stream_host_simd(), "avx512") || !strcmp(stream_host_simd(), "avx2") ||
              !strcmp(stream_host_simd(), "baseline"));
}
