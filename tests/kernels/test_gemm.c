/* The host's matrix product against a plain one, and the reference that cards are held to. */
#include "kernels/gemm_reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_A = 1, SEED_B = 2 };

static void *filled(const struct gemm_format *f, size_t elements, uint64_t seed)
{
    const size_t bytes = (elements * f->in_bytes + 7) / 8 * 8;
    struct fill_args fill = {malloc(bytes), bytes / fill_element_bytes(f->fill), seed, f->fill};

    kernel_fill.host(&fill, 0, 1);
    return fill.out;
}

/* Arguments with operands of `sets` sets and a poisoned result. */
static struct gemm_args args_for(enum gemm_type type, size_t m, size_t n, size_t k, unsigned sets)
{
    const struct gemm_format *f = &gemm_formats[type];
    struct gemm_args a = {.type = type, .m = m, .n = n, .k = k, .sets = sets};

    a.a = filled(f, sets * m * k, SEED_A);
    a.b = filled(f, sets * k * n, SEED_B);
    a.c = malloc(sets * m * n * f->out_bytes);
    memset(a.c, 0xFF, sets * m * n * f->out_bytes);
    return a;
}

static void free_args(const struct gemm_args *a)
{
    const uintptr_t operands[] = {(uintptr_t)a->a, (uintptr_t)a->b};

    free((void *)operands[0]);
    free((void *)operands[1]);
    free(a->c);
}

static double naive(const struct gemm_args *a, size_t row, size_t column)
{
    const float *x = (const float *)a->a + row * a->k, *y = (const float *)a->b + column * a->k;
    double sum = 0;

    for (size_t l = 0; l < a->k; l++)
        sum += (double)x[l] * (double)y[l];
    return sum;
}

static void compare_with_naive(size_t m, size_t n, size_t k)
{
    struct gemm_args a = args_for(GEMM_FP32, m, n, k, 1);
    unsigned wrong = 0;

    gemm_host_plan(&a);
    cr_assert_str_empty(a.refusal);
    cr_assert_eq(kernel_gemm.host(&a, 0, 1), 0);
    for (size_t i = 0; i < m * n; i++) {
        const struct gemm_entry right = gemm_reference(&a, SEED_A, SEED_B, 0, i / n, i % n);

        cr_assert_float_eq(right.value, naive(&a, i / n, i % n), 1e-12);
        wrong += !(fabs((double)((float *)a.c)[i] - right.value) <= gemm_bound(&a, &right));
    }
    cr_expect_eq(wrong, 0, "%zu x %zu x %zu: %u entries are wrong", m, n, k, wrong);
    free_args(&a);
}

/* A build without oneDNN has no product on the host. */
static bool host_multiplies(void)
{
    struct gemm_args a = {.type = GEMM_FP32, .m = 8, .n = 8, .k = 8, .sets = 1};

    gemm_host_plan(&a);
    return a.refusal[0] == '\0';
}

Test(gemm, host_agrees_with_a_plain_product_for_odd_shapes)
{
    static const size_t shapes[][3] = {{1, 1, 1},    {1, 7, 5},      {37, 53, 29},
                                       {64, 64, 64}, {129, 65, 257}, {3, 200, 1}};

    if (!host_multiplies())
        cr_skip_test("a build without oneDNN");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        compare_with_naive(shapes[i][0], shapes[i][1], shapes[i][2]);
}

Test(gemm, host_refuses_what_it_has_no_fast_path_for)
{
    struct gemm_args a = {.type = GEMM_TF32, .m = 8, .n = 8, .k = 8, .sets = 1};

    gemm_host_plan(&a);
    cr_expect_str_not_empty(a.refusal);
    a.type = GEMM_BF16;
    gemm_host_plan(&a);
    cr_expect(a.refusal[0] || a.algorithm[0]);
    a.type = GEMM_FP32;
    gemm_host_plan(&a);
    cr_expect(a.refusal[0] || strlen(a.algorithm) > 0);
}

Test(gemm, plan_is_kept_for_a_size)
{
    struct gemm_args a = {.type = GEMM_FP32, .m = 8, .n = 16, .k = 8, .sets = 1}, b = a;

    if (!host_multiplies())
        cr_skip_test("a build without oneDNN");
    gemm_host_plan(&a);
    gemm_host_plan(&b);
    cr_expect_eq(a.problem, b.problem);
    b.n = 8;
    gemm_host_plan(&b);
    cr_expect_neq(a.problem, b.problem);
}

Test(gemm, declared_work)
{
    const struct gemm_args fp16 = {.type = GEMM_FP16, .m = 3, .n = 5, .k = 7};
    const struct gemm_args int8 = {.type = GEMM_INT8, .m = 3, .n = 5, .k = 7};

    cr_expect_eq(gemm_flops(&fp16), 2 * 3 * 5 * 7);
    cr_expect_eq(gemm_bytes(&fp16), 2 * (3 * 7 + 7 * 5) + 2 * 3 * 5);
    cr_expect_eq(gemm_bytes(&int8), 3 * 7 + 7 * 5 + 4 * 3 * 5);
}

static double decoded16(enum gemm_type type, uint16_t bits)
{
    return gemm_decode(type, &bits);
}

Test(gemm, decodes_each_format)
{
    const float fp32 = 1.5f;
    const double fp64 = -2.25;
    const int32_t int32 = -7;

    cr_expect_eq(decoded16(GEMM_FP16, 0x3C00), 1);
    cr_expect_eq(decoded16(GEMM_FP16_ACC16, 0xC500), -5);
    cr_expect_eq(decoded16(GEMM_FP16, 0x0001), 0x1p-24);
    cr_expect_eq(decoded16(GEMM_FP16, 0x7C00), INFINITY);
    cr_expect(isnan(decoded16(GEMM_FP16, 0xFFFF)));
    cr_expect_eq(decoded16(GEMM_BF16, 0x3F80), 1);
    cr_expect_eq(decoded16(GEMM_BF16, 0xC0A0), -5);
    cr_expect(isnan(decoded16(GEMM_BF16, 0xFFFF)));
    cr_expect_eq(gemm_decode(GEMM_FP32, &fp32), 1.5);
    cr_expect_eq(gemm_decode(GEMM_TF32, &fp32), 1.5);
    cr_expect_eq(gemm_decode(GEMM_FP64, &fp64), -2.25);
    cr_expect_eq(gemm_decode(GEMM_INT8, &int32), -7);
}

/* The 11 significant bits that TF32 keeps, to nearest. */
static float as_tf32(float x)
{
    uint32_t bits = fill_float_bits(x);

    bits = (bits + 0x0FFF + (bits >> 13 & 1)) & ~(uint32_t)0x1FFF;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Entries, of side x side, whose error is over the bound when operands are rounded by `round` and
 * summed one after the other in FP32. */
static unsigned over_bound(enum gemm_type type, size_t side, size_t k, float (*round)(float))
{
    struct gemm_args a = args_for(type, side, side, k, 1);
    unsigned count = 0;

    for (size_t i = 0; i < side * side; i++) {
        const float *x = (const float *)a.a + i / side * k, *y = (const float *)a.b + i % side * k;
        const struct gemm_entry right = gemm_reference(&a, SEED_A, SEED_B, 0, i / side, i % side);
        float sum = 0;

        for (size_t l = 0; l < k; l++)
            sum = fmaf(round(x[l]), round(y[l]), sum);
        count += !(fabs((double)sum - right.value) <= gemm_bound(&a, &right));
    }
    free_args(&a);
    return count;
}

static float as_it_is(float x)
{
    return x;
}

Test(gemm, bound_of_strict_fp32_tells_it_from_tf32)
{
    static const size_t depths[] = {16, 1024, 4096, 16384};

    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        cr_expect_eq(over_bound(GEMM_FP32, 8, depths[i], as_it_is), 0);
        cr_expect_gt(over_bound(GEMM_FP32, 8, depths[i], as_tf32), 40);
        cr_expect_eq(over_bound(GEMM_TF32, 8, depths[i], as_tf32), 0);
    }
}

/* A library may add in any order: of very many entries, none of the plainest sum may be over. */
Test(gemm, bound_of_strict_fp32_allows_every_entry_of_a_plain_sum)
{
    cr_expect_eq(over_bound(GEMM_FP32, 200, 257, as_it_is), 0);
}

/* Whether the right entry, moved by `part` of a typical one, is within the bound. */
static bool allows(enum gemm_type type, size_t k, double part)
{
    struct gemm_args a = {.type = type, .m = 8, .n = 8, .k = k, .sets = 2};
    const struct gemm_entry right = gemm_reference(&a, SEED_A, SEED_B, 1, 3, 5);

    return fabs(part * right.norms / sqrt((double)k)) <= gemm_bound(&a, &right);
}

Test(gemm, bounds_see_an_entry_of_another_place)
{
    for (int type = 0; type < GEMM_TYPES; type++) {
        cr_expect(allows(type, 1024, 0), "type %d", type);
        cr_expect_not(allows(type, 1024, 0.5), "type %d", type);
    }
    cr_expect(allows(GEMM_FP16, 4096, 0x1p-11));
    cr_expect(allows(GEMM_BF16, 4096, 0x1p-8));
    cr_expect_not(allows(GEMM_FP16, 4096, 0x1p-7));
    cr_expect_not(allows(GEMM_INT8, 4096, 1e-6));
}

Test(gemm, reference_reads_each_format_as_it_was_filled)
{
    struct gemm_args a = args_for(GEMM_INT8, 4, 4, 12, 2);
    const int8_t *x = (const int8_t *)a.a + (4 + 2) * 12, *y = (const int8_t *)a.b + (4 + 1) * 12;
    int sum = 0;

    for (int l = 0; l < 12; l++)
        sum += x[l] * y[l];
    cr_expect_eq(gemm_reference(&a, SEED_A, SEED_B, 1, 2, 1).value, sum);
    free_args(&a);
    a = args_for(GEMM_BF16, 4, 4, 1, 1);
    cr_expect_eq(gemm_reference(&a, SEED_A, SEED_B, 0, 2, 1).value,
                 decoded16(GEMM_BF16, ((const uint16_t *)a.a)[2]) *
                     decoded16(GEMM_BF16, ((const uint16_t *)a.b)[1]));
    free_args(&a);
}
