/* Sentences: each present with its figures, and each honest where the expected effect is absent. */
#include "harness/analysis/meaning.h"
#include "harness/analysis/roofline.h"
#include "harness/analysis/say.h"
#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct report r;

static void begin(void)
{
    report_init(&r);
    sample_card(&r);
    sample_host(&r);
}

static void end(void)
{
    report_free(&r);
}

TestSuite(meaning, .init = begin, .fini = end);

static struct figure *figure(const char *device, const char *role, const char *name, double value)
{
    return sample_figure(&r, device, role, name, value, "");
}

static void pinned(const char *name, double value)
{
    parameters_set_word(&figure("cuda0", "host_to_device", name, value)->parameters, "memory",
                        "pinned");
}

static void pageable(double rate)
{
    parameters_set_word(&figure("cuda0", "host_to_device", "rate", rate)->parameters, "memory",
                        "pageable");
}

/* What is said about the role must hold these words. */
static void expect_said(const char *device, const char *role, const char *words)
{
    struct text t = TEXT_EMPTY;

    analysis_derive(&r);
    meaning_of(&t, &r, device, role);
    cr_expect(words[0] == '\0' ? t.length == 0 : strstr(text_chars(&t), words) != NULL,
              "'%s' is not in: %s", words, text_chars(&t));
    cr_expect_null(strstr(text_chars(&t), "nan"));
    cr_expect_null(strchr(text_chars(&t), '{'));
    text_free(&t);
}

Test(say, figures_stand_where_their_units_do)
{
    struct text t = TEXT_EMPTY;

    say(&t, "{w} does {B/s}, {%} of it {n} times.", "It", 2.5e9, 0.974, 31.7);
    say(&t, "{%} {} {s}", 0.031, 2.04, NAN);
    cr_expect_str_eq(text_chars(&t), "It does 2.50 GB/s, 97 % of it 32 times. 3.1 % 2.04 -");
    text_free(&t);
}

static void overlap(const char *name, const char *memory, double pieces, double value)
{
    struct figure *f = figure("cuda0", "overlap", name, value);

    parameters_set_word(&f->parameters, "memory", memory);
    parameters_set_number(&f->parameters, "pieces", pieces);
}

Test(meaning, overlap_is_that_of_the_best_number_of_pieces)
{
    overlap("saved", "pinned", 2, 0.5);
    overlap("saved", "pinned", 8, 0.9);
    overlap("speedup", "pinned", 2, 1.5);
    overlap("speedup", "pinned", 8, 2.5);
    expect_said("cuda0", "overlap", "in 8 pieces on three streams is 2.50 times as fast");
    overlap("saved", "pageable", 8, 0.05);
    expect_said("cuda0", "overlap", "Pageable memory gains nothing");
}

Test(meaning, overlap_that_is_none_is_said)
{
    overlap("saved", "pinned", 8, 0.1);
    overlap("speedup", "pinned", 8, 1.05);
    expect_said("cuda0", "overlap", "The expected overlap did not appear");
}

static void cache(const char *device, const char *level, double rate)
{
    struct figure *f = sample_figure(&r, device, "cache_bandwidth", "rate", rate, "B/s");

    parameters_set_word(&f->parameters, "level", level);
}

Test(meaning, caches_are_held_against_memory)
{
    struct measurement *m = sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 2e12);

    parameters_set_word(&m->parameters, "operation", "read");
    cache("cuda0", "L2", 5e12);
    cache("host", "L1", 4e11);
    expect_said("cuda0", "cache_bandwidth", "L2 read: 5.00 TB/s, 2.50 times what memory delivers.");
    expect_said("host", "cache_bandwidth", "L1 read: 400 GB/s.");
}

Test(meaning, a_cache_that_is_no_faster_than_memory_is_said)
{
    struct measurement *m = sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 2e12);

    parameters_set_word(&m->parameters, "operation", "read");
    cache("cuda0", "L2", 2.1e12);
    expect_said("cuda0", "cache_bandwidth", "the expected cache did not appear");
}

Test(meaning, nothing_is_said_without_figures)
{
    static const char *const roles[] = {
        "host_to_device",  "bidirectional",  "host_memcpy",    "memory_bandwidth",
        "cache_bandwidth", "memory_latency", "latency_hiding", "gemm",
        "vector_peak",     "divergence",     "device_to_host", "a role of a later ridge"};

    for (size_t i = 0; i < COUNT_OF(roles); i++) {
        expect_said("cuda0", roles[i], "");
        expect_said("host", roles[i], "");
        expect_said("no such device", roles[i], "");
    }
}

Test(meaning, split_warps_pay_twice)
{
    figure("cuda0", "divergence", "ratio_at_half", 2.04);
    expect_said("cuda0", "divergence", "pays for both: 2.04 times");
}

Test(meaning, split_warps_that_do_not_pay)
{
    figure("cuda0", "divergence", "ratio_at_half", 1.2);
    expect_said("cuda0", "divergence", "The expected factor of two did not appear");
    expect_said("cuda0", "divergence", "1.20 times");
}

Test(meaning, most_paths_count)
{
    parameters_set_number(&figure("cuda0", "divergence", "ratio_of_paths", 8.1)->parameters,
                          "paths", 8);
    parameters_set_number(&figure("cuda0", "divergence", "ratio_of_paths", 20)->parameters, "paths",
                          32);
    figure("cuda0", "divergence", "ratio_by_warp", 1.4);
    expect_said("cuda0", "divergence", "32 paths in one warp cost 20.0 times one path, not the 32");
    expect_said("cuda0", "divergence", "should pay nothing, but here took 1.40 times");
}

Test(meaning, the_host_pays_for_guesses)
{
    figure("host", "divergence", "ratio_shuffled", 3.4);
    figure("host", "divergence", "seconds_per_misprediction", 5.2e-9);
    expect_said("host", "divergence", "3.40 times as long");
    expect_said("host", "divergence", "Each wrong guess costs 5.20 ns");
}

Test(meaning, the_host_that_guesses_right)
{
    figure("host", "divergence", "ratio_shuffled", 1.02);
    expect_said("host", "divergence", "The expected cost of wrong guesses did not appear");
}

Test(meaning, a_copy_is_counted_in_reads)
{
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 1.85e12)->parameters,
        "operation", "read");
    pinned("rate", 25e9);
    pinned("startup_seconds", 1e-5);
    pinned("half_rate_bytes", 250e3);
    pageable(10e9);
    expect_said("cuda0", "host_to_device", "as long as reading it 74 times");
    expect_said("cuda0", "host_to_device", "2.50 times slower");
    expect_said("cuda0", "host_to_device", "10.0 us before the first byte");
}

Test(meaning, pageable_memory_that_costs_nothing)
{
    pinned("rate", 25e9);
    pageable(24e9);
    expect_said("cuda0", "host_to_device", "did not appear here");
}

Test(meaning, both_directions)
{
    figure("cuda0", "bidirectional", "both_over_one", 1.1);
    expect_said("cuda0", "bidirectional", "did not appear");
}

Test(meaning, share_of_the_datasheet)
{
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 1.85e12)->parameters,
        "operation", "read");
    expect_said("cuda0", "memory_bandwidth", "delivers 91 % of the 2.04 TB/s that its datasheet");
}

Test(meaning, more_than_memory_can_do)
{
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 3e12)->parameters,
        "operation", "read");
    expect_said("cuda0", "memory_bandwidth", "More than is possible");
}

Test(meaning, latency_is_what_must_be_under_way)
{
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, 2e12)->parameters,
        "operation", "read");
    figure("cuda0", "memory_latency", "latency", 4e-7);
    expect_said("cuda0", "memory_latency", "waits 400 ns for memory");
    expect_said("cuda0", "memory_latency", "781 KiB in that time (7.23 KiB for each SM)");
}

static void knee(const char *operation, double ilp, double access_bytes, double warps)
{
    struct figure *f = figure("cuda0", "latency_hiding", "knee_warps", warps);

    parameters_set_word(&f->parameters, "operation", operation);
    parameters_set_number(&f->parameters, "ilp", ilp);
    if (!isnan(access_bytes))
        parameters_set_number(&f->parameters, "access_bytes", access_bytes);
}

Test(meaning, warps_for_independent_work)
{
    knee("load", 4, 16, 4);
    knee("load", 2, 4, 24);
    knee("load", 4, 4, 12);
    knee("load", 1, 4, 48);
    knee("fma", 1, NAN, 16);
    knee("fma", 4, NAN, 16);
    expect_said("cuda0", "latency_hiding",
                "90 % of memory's rate takes 48 warps an SM at 1 a thread, 12 at 4.");
    expect_said("cuda0", "latency_hiding",
                "The expected exchange of warps for independent chains did not appear");
}

Test(meaning, chains_of_the_host)
{
    figure("host", "latency_hiding", "gain", 10.9);
    figure("host", "latency_hiding", "knee_chains", 10);
    expect_said("host", "latency_hiding", "10 independent chains loads 10.9 times");
}

static void gemm(const char *precision, double n, double rate)
{
    struct measurement *m = sample_row(&r, "cuda0", "gemm", metric_flops, rate);

    parameters_set_word(&m->parameters, "precision", precision);
    parameters_set_number(&m->parameters, "n", n);
}

Test(meaning, type_and_size_decide)
{
    gemm("fp32", 4096, 1.8e13);
    gemm("bf16", 1024, 0.9e14);
    gemm("bf16", 4096, 2.4e14);
    gemm("bf16", 8192, 2.52e14);
    expect_said("cuda0", "gemm", "BF16 GEMM does 252 TFLOP/s, 14.0 times what FP32 does");
    expect_said("cuda0", "gemm", "square matrices of 4096 or more");
}

Test(meaning, doubles_and_clock)
{
    struct figure *f = figure("cuda0", "vector_peak", "best", 1.9e13);

    parameters_set_word(&f->parameters, "precision", "fp32");
    parameters_set_word(&figure("cuda0", "vector_peak", "best", 6e11)->parameters, "precision",
                        "fp64");
    parameters_set_word(&figure("cuda0", "vector_peak", "share_of_clock_peak", 1.5)->parameters,
                        "precision", "fp32");
    expect_said("cuda0", "vector_peak", "FP64 is 31.7 times slower");
    expect_said("cuda0", "vector_peak", "More than is possible");
}

Test(meaning, copies_without_a_fit)
{
    parameters_set_number(
        &sample_row(&r, "host", "host_memcpy", metric_bandwidth, 11e9)->parameters, "bytes", 1024);
    expect_said("host", "host_memcpy", "One core copies memory at 11.0 GB/s");
}
