/* The host's FMA chains against the recurrence they promise, lane by lane and bit by bit. */
#include "kernels/fma.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned chain_counts[] = {1, 2, 4, 8, FMA_CHAINS_MAX};
enum { BLOCKS = 5, STEPS = 77 };

static struct fma_args args_for(enum fma_simd simd, enum fma_precision p, unsigned chains)
{
    struct fma_args a = {.a = 0.99, .b = 0.01, .precision = p, .simd = simd, .chains = chains};

    a.steps = STEPS;
    a.lanes = fma_host_lanes(simd, p);
    a.blocks = BLOCKS;
    a.out = malloc(BLOCKS * a.lanes * fma_element_bytes(p));
    memset(a.out, 0xFF, BLOCKS * a.lanes * fma_element_bytes(p));
    return a;
}

static void execute(const struct fma_args *a, unsigned workers)
{
    for (unsigned w = 0; w < workers; w++)
        cr_assert_eq(kernel_fma.host(a, w, workers), 0);
}

/* The contract in the arithmetic of the format; counts the flops it took. */
static float expected_fp32(const struct fma_args *a, unsigned lane, double *flops)
{
    float sum = 0;

    for (unsigned j = 0; j < a->chains; j++) {
        float x = (float)(lane % 32 * 16 + j) / 512;
        for (unsigned step = 0; step < a->steps; step++, *flops += 2)
            x = fmaf(x, (float)a->a, (float)a->b);
        sum += x;
    }
    return sum;
}

static double expected_fp64(const struct fma_args *a, unsigned lane, double *flops)
{
    double sum = 0;

    for (unsigned j = 0; j < a->chains; j++) {
        double x = (lane % 32 * 16 + j) / 512.0;
        for (unsigned step = 0; step < a->steps; step++, *flops += 2)
            x = fma(x, a->a, a->b);
        sum += x;
    }
    return sum;
}

/* Elements of `a` that differ from the recurrence. */
static unsigned differing(const struct fma_args *a, double *flops)
{
    unsigned count = 0;

    for (unsigned i = 0; i < a->blocks * a->lanes; i++)
        if (a->precision == FMA_FP64)
            count += ((double *)a->out)[i] != expected_fp64(a, i % a->lanes, flops);
        else
            count += ((float *)a->out)[i] != expected_fp32(a, i % a->lanes, flops);
    return count;
}

static void compare_variant(enum fma_simd simd, enum fma_precision p)
{
    for (size_t i = 0; i < sizeof chain_counts / sizeof *chain_counts; i++) {
        struct fma_args a = args_for(simd, p, chain_counts[i]);
        double flops = 0;

        execute(&a, 3);
        unsigned wrong = differing(&a, &flops);
        /* The baseline may round the product before the sum. */
        if (simd != FMA_BASELINE)
            cr_expect_eq(wrong, 0, "%s, %u chains: %u lanes differ", fma_simd_names[simd], a.chains,
                         wrong);
        cr_expect_lt(fma_worst_error(&a, a.out), p == FMA_FP64 ? 1e-14 : 1e-6);
        cr_expect_eq(flops, fma_flops(&a));
        free(a.out);
    }
}

Test(fma, every_variant_that_this_processor_has)
{
    for (enum fma_simd simd = FMA_BASELINE; simd < FMA_SIMDS; simd++)
        if (fma_host_has(simd)) {
            compare_variant(simd, FMA_FP32);
            compare_variant(simd, FMA_FP64);
        }
}

Test(fma, widest_is_one_that_this_processor_has)
{
    const enum fma_simd widest = fma_host_widest();

    cr_expect(fma_host_has(FMA_BASELINE));
    cr_expect(fma_host_has(widest));
    for (enum fma_simd wider = widest + 1; wider < FMA_SIMDS; wider++)
        cr_expect_not(fma_host_has(wider));
    cr_expect_eq(fma_host_lanes(widest, FMA_FP32), 2 * fma_host_lanes(widest, FMA_FP64));
}

Test(fma, worst_error_sees_a_missing_step_a_wrong_lane_and_nan)
{
    struct fma_args a = args_for(fma_host_widest(), FMA_FP32, 4);
    float *out = a.out, right;

    execute(&a, 1);
    cr_expect_lt(fma_worst_error(&a, out), 1e-6);
    right = out[a.lanes];
    out[a.lanes] = NAN;
    cr_expect(isnan(fma_worst_error(&a, out)));
    out[a.lanes] = out[a.lanes + 1];
    cr_expect_gt(fma_worst_error(&a, out), 1e-4);
    out[a.lanes] = right;
    a.steps--;
    cr_expect_gt(fma_worst_error(&a, out), 1e-4);
    free(a.out);
}

Test(fma, reference_of_a_long_chain_is_its_fixed_point)
{
    struct fma_args a = {.a = 0.99, .b = 0.01, .precision = FMA_FP64, .chains = 8};

    a.steps = 1u << 30;
    cr_expect_float_eq(fma_reference(&a, 3), 8.0, 1e-12);
    a.steps = 0;
    cr_expect_float_eq(fma_reference(&a, 3), (8 * 48 + 28) / 512.0, 1e-15);
}
