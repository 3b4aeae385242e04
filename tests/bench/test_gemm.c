/* The matrix products: what is asked of which device, that a wrong answer is seen, and what is
 * concluded. */
#include "kernels/gemm.h"
#include "tests/bench/fake_card.h"
#include "tests/bench/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct experiment experiment_gemm;

/* The card multiplies by the host's library when asked to, perhaps spoiling something. */
static struct {
    bool multiply;        /* false: only its time passes */
    bool rounds_to_tf32;  /* as a library would that ignores "strict" */
    bool shifts_by_a_row; /* every entry is another one's */
    const char *refusal;
    double flops_per_second;
} blas;

static float *rounded(const float *in, size_t count)
{
    float *out = malloc(count * sizeof *out);

    for (size_t i = 0; i < count; i++) {
        uint32_t bits = (fill_float_bits(in[i]) + 0x1000) & ~(uint32_t)0x1FFF;
        memcpy(&out[i], &bits, sizeof bits);
    }
    return out;
}

static void multiply_in_tf32(const struct gemm_args *a)
{
    struct gemm_args narrow = *a;
    float *x = rounded(a->a, a->m * a->k), *y = rounded(a->b, a->k * a->n);

    narrow.a = x;
    narrow.b = y;
    kernel_gemm.host(&narrow, 0, 1);
    free(x);
    free(y);
}

static void multiply(const struct gemm_args *a)
{
    struct gemm_args shifted = *a;
    const size_t row = a->n * sizeof(float);

    shifted.c = (char *)a->c + (blas.shifts_by_a_row ? row : 0);
    shifted.m -= blas.shifts_by_a_row;
    gemm_host_plan(&shifted);
    if (blas.rounds_to_tf32)
        multiply_in_tf32(&shifted);
    else
        kernel_gemm.host(&shifted, 0, 1);
}

static void body(const struct kernel *k, const void *args)
{
    if (k == &kernel_fill)
        kernel_fill.host(args, 0, 1);
    else if (blas.multiply)
        multiply(args);
}

static void plan(const struct kernel *k, void *args)
{
    struct gemm_args *a = args;

    cr_assert_eq(k, &kernel_gemm);
    cr_assert(a->workspace);
    snprintf(a->algorithm, sizeof a->algorithm, "tuned");
    snprintf(a->refusal, sizeof a->refusal, "%s", blas.refusal ? blas.refusal : "");
}

static int run(struct device *d, const struct kernel *k, const void *args, unsigned times,
               enum timed_by how, struct run_times *out)
{
    (void)d, (void)how;
    body(k, args);
    out->seconds = k == &kernel_gemm ? times * gemm_flops(args) / blas.flops_per_second : times;
    return 0;
}

static struct fake_card card;
static struct device_ops ops;

/* As fast as makes a product of 2048 too long for the quick plan. */
static void open_card(const char *capability, bool host)
{
    memset(&blas, 0, sizeof blas);
    blas.flops_per_second = 50e9;
    fake_card_open(&card, body, plan, host);
    ops = *card.device.ops;
    ops.run = run;
    card.device.ops = &ops;
    card.store.device_limit = (size_t)512 << 20;
    card.device.facts.capability = capability ? xstrdup(capability) : NULL;
}

static int prepare(enum gemm_type type, double size)
{
    return fake_card_prepare(&card, &experiment_gemm, type, size);
}

Test(gemm, row_of_a_card)
{
    open_card("8.0", false);
    cr_assert_eq(prepare(GEMM_FP16_ACC16, 1024), 0);
    cr_expect_str_eq(card.trial.role, "gemm");
    cr_expect_str_eq(parameters_word(&card.row.parameters, "precision"), "fp16");
    cr_expect_str_eq(parameters_word(&card.row.parameters, "accumulate"), "fp16");
    cr_expect_str_eq(parameters_word(&card.row.parameters, "algorithm"), "tuned");
    cr_expect_eq(parameters_number(&card.row.parameters, "k"), 1024);
    cr_expect_eq(card.trial.work.flops, 2.0 * 1024 * 1024 * 1024);
    cr_expect_eq(card.trial.work.bytes, 3.0 * 2 * 1024 * 1024);
    cr_expect(card.trial.headline);
    fake_card_close(&card);
}

Test(gemm, what_older_cards_lack_is_skipped_once)
{
    open_card("7.5", false);
    cr_expect_eq(prepare(GEMM_BF16, 1024), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect(strstr(card.row.reason, "8.0"));
    cr_expect_eq(prepare(GEMM_BF16, 2048), -1);
    cr_expect(card.trial.omitted);
    cr_expect_eq(prepare(GEMM_TF32, 1024), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect_eq(prepare(GEMM_FP16, 1024), 0);
    fake_card_close(&card);
}

Test(gemm, missing_library_is_the_reason)
{
    open_card("9.0", false);
    blas.refusal = "libcublasLt.so.13 not found";
    cr_expect_eq(prepare(GEMM_FP32, 256), -1);
    cr_expect(card.trial.omitted);
    cr_expect_eq(prepare(GEMM_FP32, 1024), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect_str_eq(card.row.reason, blas.refusal);
    cr_expect_eq(prepare(GEMM_FP32, 2048), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}

Test(gemm, sizes_stop_where_time_does)
{
    open_card("9.0", false);
    cr_expect_eq(prepare(GEMM_FP32, 1024), 0);
    cr_expect(card.trial.headline);
    cr_expect_eq(prepare(GEMM_FP32, 2048), -1);
    cr_expect(card.trial.omitted);
    cr_expect_eq(prepare(GEMM_FP32, 512), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}

Test(gemm, sizes_stop_where_memory_does)
{
    open_card("9.0", false);
    blas.flops_per_second = 1e15;
    cr_expect_eq(prepare(GEMM_FP32, 2048), 0);
    cr_expect(card.trial.headline);
    cr_expect_eq(prepare(GEMM_FP32, 4096), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect(strstr(card.row.reason, "512 MiB may be allocated"));
    fake_card_close(&card);
}

Test(gemm, slow_device_gets_small_matrices)
{
    open_card("9.0", false);
    blas.flops_per_second = 2e9;
    cr_expect_eq(prepare(GEMM_FP32, 256), 0);
    cr_expect_not(card.trial.headline);
    cr_expect_eq(prepare(GEMM_FP32, 512), 0);
    cr_expect(card.trial.headline);
    cr_expect_eq(prepare(GEMM_FP32, 1024), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}

Test(gemm, no_memory_at_all_is_one_row)
{
    open_card("9.0", false);
    card.store.device_limit = 1 << 20;
    cr_expect_eq(prepare(GEMM_FP64, 1024), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect_eq(prepare(GEMM_FP64, 256), -1);
    cr_expect(card.trial.omitted);
    fake_card_close(&card);
}

Test(gemm, operands_are_rotated_while_they_fit_in_the_cache)
{
    open_card("9.0", false);
    blas.flops_per_second = 1e15;
    card.device.facts.last_level_cache_bytes = 20 << 20;
    cr_assert_eq(prepare(GEMM_FP16, 1024), 0);
    cr_expect_eq(((struct gemm_args *)card.trial.args)->sets, 4); /* that there is room for */
    cr_assert_eq(prepare(GEMM_FP16, 2048), 0);
    cr_expect_eq(((struct gemm_args *)card.trial.args)->sets, 1);
    fake_card_close(&card);
}

Test(gemm, host_is_asked_for_what_it_has)
{
    open_card(NULL, true);
    cr_expect_eq(prepare(GEMM_TF32, 256), -1);
    cr_expect(card.trial.omitted);
    cr_expect_eq(prepare(GEMM_TF32, 1024), -1);
    cr_expect_eq(card.row.status, ROW_SKIPPED);
    cr_expect(card.row.reason);
    if (prepare(GEMM_FP32, 1024) == 0)
        cr_expect_eq(card.trial.timed_by, TIMED_BY_HOST);
    else
        cr_expect_eq(card.row.status, ROW_SKIPPED);
    fake_card_close(&card);
}

/* Prepares with `spoil` set and checks; skips the test where the host cannot multiply. */
static int check(enum gemm_type type, bool *spoil)
{
    struct gemm_args probe = {.type = GEMM_FP32, .m = 8, .n = 8, .k = 8, .sets = 1};

    gemm_host_plan(&probe);
    if (probe.refusal[0])
        cr_skip_test("a build without oneDNN");
    open_card("8.0", false);
    cr_assert_eq(prepare(type, 1024), 0);
    blas.multiply = true;
    if (spoil)
        *spoil = true;
    return experiment_gemm.check(&card.trial);
}

Test(gemm, right_product_passes)
{
    cr_expect_eq(check(GEMM_FP32, NULL), 0);
    fake_card_close(&card);
}

Test(gemm, tf32_behind_strict_fp32_is_wrong)
{
    cr_expect_eq(check(GEMM_FP32, &blas.rounds_to_tf32), -1);
    cr_expect_eq(card.row.status, ROW_WRONG);
    fake_card_close(&card);
}

Test(gemm, entries_in_another_place_are_wrong)
{
    cr_expect_eq(check(GEMM_FP32, &blas.shifts_by_a_row), -1);
    cr_expect_eq(card.row.status, ROW_WRONG);
    fake_card_close(&card);
}

Test(gemm, result_that_was_not_written_is_wrong)
{
    open_card("8.0", false);
    cr_assert_eq(prepare(GEMM_BF16, 1024), 0);
    cr_expect_eq(experiment_gemm.check(&card.trial), -1);
    cr_expect_eq(card.row.status, ROW_WRONG);
    fake_card_close(&card);
}

static void add_row(struct report *r, const char *precision, const char *accumulate, double size,
                    double flops_per_second)
{
    struct measurement *m =
        rows_add(r, "gemm", 1e-2, metric_flops, (struct work){1e6, 1e-2 * flops_per_second, NAN});

    parameters_set_word(&m->parameters, "precision", precision);
    parameters_set_word(&m->parameters, "accumulate", accumulate);
    parameters_set_number(&m->parameters, "m", size);
    parameters_set_number(&m->parameters, "n", size);
    parameters_set_number(&m->parameters, "k", size);
}

Test(gemm, concludes_the_best_of_each_format)
{
    const char *const acc32[] = {"precision", "fp16", "accumulate", "fp32", NULL};
    const char *const acc16[] = {"precision", "fp16", "accumulate", "fp16", NULL};
    const char *const bf16[] = {"precision", "bf16", NULL};
    struct facts facts;
    struct report r;

    facts_init(&facts);
    report_init(&r);
    add_row(&r, "fp16", "fp32", 4096, 700e12);
    add_row(&r, "fp16", "fp32", 8192, 650e12);
    add_row(&r, "fp16", "fp16", 8192, 750e12);
    rows_conclude(&r, &experiment_gemm, &facts);
    cr_expect_float_eq(rows_figure(&r, "gemm", "best", acc32), 700e12, 1e11);
    cr_expect_float_eq(rows_figure(&r, "gemm", "best", acc16), 750e12, 1e11);
    cr_expect(isnan(rows_figure(&r, "gemm", "best", bf16)));
    const struct figure *f = report_figure(&r, "cuda0", "gemm", "best", acc32);
    cr_expect_eq(parameters_number(&f->parameters, "n"), 4096);
    cr_expect_lt(f->value.low, f->value.value);
    report_free(&r);
    facts_free(&facts);
}
