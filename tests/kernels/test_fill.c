/* Reproducible data: shares, kinds, rounding; and the comparison that recomputes them. */
#include "kernels/compare.h"
#include "kernels/share.h"
#include "tests/kernels/shares.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

Test(share, boundaries_are_lines_and_cover_the_array_once)
{
    static const size_t sizes[] = {0, 1, 63, 64, 65, 4096, 1000003};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned workers = 1; workers <= 9; workers++) {
            size_t end = 0;

            for (unsigned w = 0; w < workers; w++) {
                const struct share share = share_of(sizes[s], w, workers);

                cr_assert_eq(share.first, end);
                cr_assert_leq(share.first, share.end);
                cr_assert(share.end % SHARE_LINE_BYTES == 0 || w + 1 == workers);
                cr_assert_leq(share.end - share.first, sizes[s] / workers + 2 * SHARE_LINE_BYTES);
                end = share.end;
            }
            cr_assert_eq(end, sizes[s]);
        }
}

static const enum fill_kind kinds[] = {FILL_BITS,        FILL_POSITIVE,    FILL_SIGNED_FP32,
                                       FILL_SIGNED_FP64, FILL_SIGNED_FP16, FILL_SIGNED_BF16,
                                       FILL_CONSTANT};

/* Every share writes what one worker writes, and nothing beyond the end. */
static void shares_agree(enum fill_kind kind, size_t count)
{
    const size_t bytes = count * fill_element_bytes(kind);
    unsigned char *one = malloc(bytes + 8), *many = malloc(bytes + 8);
    struct fill_args args = {one, count, 7, kind};

    memset(one, 0xA5, bytes + 8);
    cr_assert_eq(execute_shares(&kernel_fill, &args, 1), 0);
    args.out = many;
    for (unsigned workers = 2; workers <= SHARES_MOST; workers++) {
        memset(many, 0xA5, bytes + 8);
        cr_assert_eq(execute_shares(&kernel_fill, &args, workers), 0);
        cr_assert_arr_eq(one, many, bytes + 8);
    }
    cr_assert_eq(many[bytes], 0xA5);
    free(one);
    free(many);
}

Test(fill, every_kind_in_shares)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t count = 0; count < 200; count += 33)
            shares_agree(kinds[k], count);
}

Test(fill, ranges_and_means)
{
    enum { N = 100000 };
    double positive = 0, fp32 = 0, fp64 = 0;

    for (size_t i = 0; i < N; i++) {
        const float p = fill_positive(5, i), s = fill_signed(5, i);
        const double d = fill_signed_fp64(5, i);

        cr_assert(p >= 0.5f && p <= 1.5f);
        cr_assert(s >= -1 && s < 1 && d >= -1 && d < 1);
        cr_assert_float_eq(d, (double)s, 0x1p-22);
        positive += (double)p;
        fp32 += (double)s;
        fp64 += d;
    }
    cr_expect_float_eq(positive / N, 1.0, 0.01);
    cr_expect_float_eq(fp32 / N, 0.0, 0.02);
    cr_expect_float_eq(fp64 / N, 0.0, 0.02);
}

Test(fill, seeds_differ)
{
    size_t same = 0;

    for (size_t i = 0; i < 1000; i++)
        same += fill_bits(1, i) == fill_bits(2, i);
    cr_expect_leq(same, 1);
}

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double magnitude =
        exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);

    return bits & 0x8000 ? -magnitude : magnitude;
}

static double bfloat16_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

/* No neighbour of the rounded number is nearer, and an even one wins a tie. */
static void nearest(double x, uint16_t bits, double (*value)(uint16_t))
{
    const double off = fabs(value(bits) - x);

    for (int step = -1; step <= 1; step += 2) {
        const uint16_t neighbour = (uint16_t)(bits + step);
        const double other = fabs(value(neighbour) - x);

        if ((bits & 0x7FFF) == 0 && step < 0)
            continue; /* below zero the bits go on with the other sign's largest */
        cr_assert(off < other || (off == other && !(bits & 1)), "%a rounds to %a", x, value(bits));
    }
}

Test(fill, rounds_to_nearest_even)
{
    static const float special[] = {0.0f,        1.0f,       -1.0f,     0x1p-14f, 0x1.ffcp-15f,
                                    0x1.002p0f,  0x1.006p0f, 0x1p-24f,  0x1p-25f, 0x1.8p-24f,
                                    -0x1.006p0f, 0x1.01p0f,  0x1.03p0f, -0x1p-23f};

    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        nearest((double)special[i], fill_fp16_of(special[i]), half_value);
        nearest((double)special[i], fill_bf16_of(special[i]), bfloat16_value);
    }
    for (size_t i = 0; i < 20000; i++) {
        const float x = fill_signed(9, i) * (i % 2 ? 1.0f : 0x1p-13f);

        nearest((double)x, fill_fp16_of(x), half_value);
        nearest((double)x, fill_bf16_of(x), bfloat16_value);
    }
}

/* ---- compare ---- */

enum { COUNT = 1003 };

static struct compare_part compare(struct compare_args *args, unsigned workers)
{
    struct compare_part *parts = malloc(COMPARE_PARTS * sizeof *parts), total;

    memset(parts, 0xFF, COMPARE_PARTS * sizeof *parts);
    args->parts = parts;
    cr_assert_eq(execute_shares(&kernel_compare, args, workers), 0);
    total = compare_total(parts);
    free(parts);
    return total;
}

Test(compare, counts_what_differs)
{
    float *found = malloc(COUNT * sizeof *found);
    const struct fill_args fill = {found, COUNT, 4, FILL_POSITIVE};
    struct compare_args args = {.found = found, .count = COUNT, .scale_b = 1, .seed_b = 4};
    double sum = 0;

    execute_shares(&kernel_fill, &fill, 1);
    for (size_t i = 0; i < COUNT; i++)
        sum += (double)found[i];
    for (unsigned workers = 1; workers <= SHARES_MOST; workers++) {
        const struct compare_part total = compare(&args, workers);

        cr_expect_eq(total.different, 0);
        cr_expect_float_eq(total.expected, sum, 1e-9 * sum);
    }
    found[0] = nextafterf(found[0], 2);
    found[500] = NAN;
    found[COUNT - 1] = 0;
    for (unsigned workers = 1; workers <= SHARES_MOST; workers++)
        cr_expect_eq(compare(&args, workers).different, 3);
    free(found);
}

Test(compare, begins_where_told)
{
    float found[64];
    const struct fill_args fill = {found, 64, 4, FILL_POSITIVE};
    struct compare_args args = {
        .found = found + 10, .count = 54, .first = 10, .scale_b = 1, .seed_b = 4};

    execute_shares(&kernel_fill, &fill, 1);
    cr_expect_eq(compare(&args, 2).different, 0);
    args.first = 9;
    cr_expect_eq(compare(&args, 2).different, 54);
}
