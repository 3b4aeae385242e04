/* What a matrix product must be: single entries in double, from the operands as they were rounded,
 * and the error that each format allows. */
#include "kernels/gemm_reference.h"

#include <math.h>
#include <string.h>

/* Errors (METHOD 6): the rounding of k running sums, each about sqrt(k) times a product, gathers to
 * about norms x epsilon / 4, and ten times that in an entry whose sum strays far; what each operand
 * or the result loses to its format gathers to about norms x epsilon / sqrt(k).  The factors before
 * epsilon leave at least six standard deviations. */
const struct gemm_format gemm_formats[GEMM_TYPES] = {
    [GEMM_FP32] = {"fp32", "fp32", 4, 4, FILL_SIGNED_FP32, 0, 6 * 0x1p-24, 0},
    [GEMM_TF32] = {"tf32", "fp32", 4, 4, FILL_SIGNED_FP32, 80, 6 * 0x1p-24, 8 * 0x1p-11},
    [GEMM_FP16] = {"fp16", "fp32", 2, 2, FILL_SIGNED_FP16, 0, 6 * 0x1p-24, 8 * 0x1p-11},
    [GEMM_FP16_ACC16] = {"fp16", "fp16", 2, 2, FILL_SIGNED_FP16, 0, 4 * 0x1p-11, 8 * 0x1p-11},
    [GEMM_BF16] = {"bf16", "fp32", 2, 2, FILL_SIGNED_BF16, 80, 6 * 0x1p-24, 8 * 0x1p-8},
    [GEMM_FP64] = {"fp64", "fp64", 8, 8, FILL_SIGNED_FP64, 0, 4 * 0x1p-53, 0},
    [GEMM_INT8] = {"int8", "int32", 1, 4, FILL_BITS, 75, 0, 0},
};

double gemm_flops(const struct gemm_args *a)
{
    return 2.0 * (double)a->m * (double)a->n * (double)a->k;
}

double gemm_bytes(const struct gemm_args *a)
{
    const struct gemm_format *f = &gemm_formats[a->type];

    return (double)(a->m * a->k + a->k * a->n) * (double)f->in_bytes +
           (double)(a->m * a->n) * (double)f->out_bytes;
}

static double fp16_to_double(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude;

    if (exponent == 31)
        magnitude = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(fraction, -24);
    else
        magnitude = ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -magnitude : magnitude;
}

static double bf16_to_double(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float value;

    memcpy(&value, &wide, sizeof value);
    return (double)value;
}

static double fp32_to_double(const void *element)
{
    float value;

    memcpy(&value, element, sizeof value);
    return (double)value;
}

double gemm_decode(enum gemm_type type, const void *element)
{
    uint16_t half;
    int32_t integer;
    double wide;

    memcpy(&half, element, sizeof half);
    switch (type) {
    case GEMM_FP16:
    case GEMM_FP16_ACC16:
        return fp16_to_double(half);
    case GEMM_BF16:
        return bf16_to_double(half);
    case GEMM_FP64:
        memcpy(&wide, element, sizeof wide);
        return wide;
    case GEMM_INT8:
        memcpy(&integer, element, sizeof integer);
        return integer;
    default:
        return fp32_to_double(element);
    }
}

/* Element `index` of an operand, as the library reads it. */
static double operand(enum gemm_type type, uint64_t seed, size_t index)
{
    switch (type) {
    case GEMM_FP16:
    case GEMM_FP16_ACC16:
        return fp16_to_double(fill_fp16_of(fill_signed(seed, index)));
    case GEMM_BF16:
        return bf16_to_double(fill_bf16_of(fill_signed(seed, index)));
    case GEMM_FP64:
        return fill_signed_fp64(seed, index);
    case GEMM_INT8:
        return (int8_t)(fill_bits(seed, index / 4) >> index % 4 * 8);
    default:
        return (double)fill_signed(seed, index);
    }
}

struct gemm_entry gemm_reference(const struct gemm_args *a, uint64_t seed_a, uint64_t seed_b,
                                 unsigned set, size_t row, size_t column)
{
    const size_t first_a = (set * a->m + row) * a->k, first_b = (set * a->n + column) * a->k;
    double sum = 0, squares_a = 0, squares_b = 0;

    for (size_t l = 0; l < a->k; l++) {
        const double x = operand(a->type, seed_a, first_a + l);
        const double y = operand(a->type, seed_b, first_b + l);

        sum += x * y;
        squares_a += x * x;
        squares_b += y * y;
    }
    return (struct gemm_entry){sum, sqrt(squares_a * squares_b)};
}

double gemm_bound(const struct gemm_args *a, const struct gemm_entry *e)
{
    const struct gemm_format *f = &gemm_formats[a->type];

    return e->norms * (f->sum_error + f->element_error / sqrt((double)a->k));
}
