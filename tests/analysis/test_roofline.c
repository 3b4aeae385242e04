/* Roofs, ridge points and points: what is measured, and what is promised by whom. */
#include "harness/analysis/roofline.h"
#include "sample.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct report r;

static void begin(void)
{
    report_init(&r);
}

static void end(void)
{
    report_free(&r);
}

TestSuite(roofline, .init = begin, .fini = end);

static void bandwidth(const char *operation, double value)
{
    parameters_set_word(
        &sample_row(&r, "cuda0", "memory_bandwidth", metric_bandwidth, value)->parameters,
        "operation", operation);
}

static struct measurement *gemm(const char *precision, const char *accumulate, double value)
{
    struct measurement *m = sample_row(&r, "cuda0", "gemm", metric_flops, value);

    parameters_set_word(&m->parameters, "precision", precision);
    parameters_set_word(&m->parameters, "accumulate", accumulate);
    return m;
}

static double roof(const char *kind, const char *name, const char *source)
{
    const struct roof *found = report_roof(&r, "cuda0", kind, name, source);

    return found == NULL ? NAN : found->value.value;
}

static void expect_near(double value, double wanted)
{
    cr_expect(fabs(value / wanted - 1) < 1e-9, "%.12g is not %.12g", value, wanted);
}

Test(roofline, memory_is_the_best_of_read_copy_and_triad)
{
    sample_card(&r);
    bandwidth("copy", 1.7e12);
    bandwidth("triad", 1.8e12);
    bandwidth("write", 1.95e12);
    bandwidth("read", 1.75e12);
    analysis_derive(&r);
    expect_near(roof("memory", "DRAM triad", "measured"), 1.8e12);
    cr_expect_str_eq(report_memory_roof(&r, "cuda0", "measured")->name, "DRAM triad");
    cr_expect(isnan(roof("memory", "DRAM copy", "measured")));
}

Test(roofline, every_precision_has_its_best_row)
{
    sample_card(&r);
    gemm("fp16", "fp32", 2.4e14);
    gemm("fp16", "fp32", 2.5e14);
    gemm("fp16", "fp16", 2.6e14);
    gemm("int8", "int32", 5e14);
    gemm("tf32", "fp32", 1.3e14)->status = ROW_INVALID;
    analysis_derive(&r);
    expect_near(roof("compute", "FP16 GEMM", "measured"), 2.5e14);
    expect_near(roof("compute", "FP16 GEMM (FP16 accumulate)", "measured"), 2.6e14);
    expect_near(roof("compute", "INT8 GEMM", "measured"), 5e14);
    cr_expect(isnan(roof("compute", "TF32 GEMM", "measured")));
    cr_expect_str_eq(report_fastest(&r, "cuda0")->name, "INT8 GEMM");
}

Test(roofline, ridge_point_is_their_ratio_with_its_interval)
{
    const struct ridge_point *p;
    struct measurement *m;

    sample_card(&r);
    bandwidth("read", 2e12);
    m = gemm("bf16", "fp32", 2.6e14);
    m->value.ci_low = 2.6e14 * 0.97;
    m->value.ci_high = 2.6e14 * 1.03;
    r.measurements[0].value.ci_low = 2e12 * 0.96;
    r.measurements[0].value.ci_high = 2e12 * 1.04;
    analysis_derive(&r);
    p = report_ridge_point(&r, "cuda0", "BF16 GEMM", "measured");
    expect_near(p->flop_per_byte.value, 130);
    /* 3 % and 4 % in quadrature are 5 %. */
    cr_expect_float_eq(p->flop_per_byte.low, 130 * 0.95, 130 * 0.003);
    cr_expect_float_eq(p->flop_per_byte.high, 130 * 1.05, 130 * 0.003);
    expect_near(report_ridge_point(&r, "cuda0", "BF16 tensor", "datasheet")->flop_per_byte.value,
                312e12 / 2039e9);
}

Test(roofline, deriving_twice_changes_nothing)
{
    size_t roofs, points;

    sample_card(&r);
    bandwidth("read", 2e12);
    gemm("bf16", "fp32", 2.6e14);
    analysis_derive(&r);
    roofs = r.roof_count;
    points = r.ridge_point_count;
    analysis_derive(&r);
    cr_expect_eq(r.roof_count, roofs);
    cr_expect_eq(r.ridge_point_count, points);
}

Test(roofline, held_against_the_datasheet_first)
{
    sample_card(&r);
    bandwidth("read", 1.9e12);
    gemm("fp32", "fp32", 1.8e13);
    gemm("fp16", "fp16", 2.6e14);
    analysis_derive(&r);
    expect_near(roof_promise(&r, report_memory_roof(&r, "cuda0", "measured"))->value.value, 2039e9);
    cr_expect_str_eq(
        roof_promise(&r, report_roof(&r, "cuda0", "compute", "FP32 GEMM", "measured"))->name,
        "FP32 FMA");
    cr_expect(roof_is_weak(
        &r, report_roof(&r, "cuda0", "compute", "FP16 tensor (FP16 accumulate)", "datasheet")));
    cr_expect_not(roof_is_weak(&r, report_memory_roof(&r, "cuda0", "datasheet")));
}

Test(roofline, without_a_datasheet_the_device_speaks)
{
    struct device_record *d = sample_card(&r);

    free(d->name);
    d->name = xstrdup("NVIDIA Something New");
    bandwidth("read", 1.9e12);
    gemm("fp16", "fp32", 2.6e14);
    analysis_derive(&r);
    expect_near(roof_promise(&r, report_memory_roof(&r, "cuda0", "measured"))->value.value,
                2 * 1.593e9 * 5120 / 8);
    expect_near(roof("compute", "FP32 FMA", "device"), 108 * 64 * 2 * 1.41e9);
    expect_near(roof("compute", "FP64 FMA", "device"), 108 * 32 * 2 * 1.41e9);
    cr_expect_null(roof_promise(&r, report_roof(&r, "cuda0", "compute", "FP16 GEMM", "measured")));
}

/* A device of this name, capability, bus and clock alone; what it promises of memory. */
static double device_promise(const char *name, const char *capability, double bus, double clock)
{
    struct device_record *d = sample_card(&r);
    double promise;

    free(d->name);
    free(d->facts.capability);
    d->name = xstrdup(name);
    d->facts.capability = xstrdup(capability);
    d->facts.bus_bits = bus;
    d->facts.memory_clock_hz = clock;
    analysis_derive(&r);
    promise = roof("memory", "DRAM", "device");
    report_free(&r);
    report_init(&r);
    return promise;
}

Test(roofline, traps_of_clock_times_bus)
{
    expect_near(device_promise("NVIDIA H200", "9.0", 6144, 3.201e9), 2 * 3.201e9 * 6016 / 8);
    expect_near(device_promise("NVIDIA GB10", "12.1", 256, 8.533e9), 8.533e9 * 256 / 8);
    cr_expect(isnan(device_promise("Orin", "8.7", 256, 6.12e8)));
    cr_expect(isnan(device_promise("NVIDIA Thor", "11.0", 0, 0)));
    cr_expect(isnan(device_promise("NVIDIA A100", "8.0", NAN, 1.5e9)));
}

Test(roofline, a_slice_promises_nothing)
{
    sample_card(&r)->facts.mig = FLAG_YES;
    analysis_derive(&r);
    cr_expect(isnan(roof("memory", "DRAM", "device")));
}

Test(roofline, link_by_the_slower_end)
{
    struct device_record *d = sample_card(&r);
    struct figure *f = sample_figure(&r, "cuda0", "host_to_device", "rate", 25e9, "B/s");

    parameters_set_word(&f->parameters, "memory", "pinned");
    d->facts.link_generation_max = 5;
    d->facts.link_generation_max_host = 4;
    d->facts.link_width_max = 16;
    analysis_derive(&r);
    expect_near(roof("link", "host to device", "measured"), 25e9);
    expect_near(roof("link", "PCIe", "device"), 16e9 * 16 * 128 / 130 / 8);
}

/* A roof beside memory's: no ridge point divides by it. */
Test(roofline, caches_by_their_figures)
{
    struct figure *f = sample_figure(&r, "cuda0", "cache_bandwidth", "rate", 5e12, "B/s");

    parameters_set_word(&f->parameters, "level", "L2");
    sample_card(&r);
    bandwidth("read", 2e12);
    gemm("bf16", "fp32", 2.6e14);
    analysis_derive(&r);
    expect_near(roof("cache", "L2 read", "measured"), 5e12);
    expect_near(report_ridge_point(&r, "cuda0", "BF16 GEMM", "measured")->flop_per_byte.value, 130);
}

Test(roofline, points_of_gemm_triad_and_registers)
{
    struct roofline_point *points;
    size_t count;

    sample_card(&r);
    bandwidth("triad", 1.8e12);
    bandwidth("copy", 1.8e12);
    gemm("fp32", "fp32", 1.8e13);
    parameters_set_word(&sample_row(&r, "cuda0", "vector_peak", metric_flops, 1.9e13)->parameters,
                        "precision", "fp32");
    analysis_derive(&r);
    count = roofline_points(&r, "cuda0", &points);
    cr_assert_eq(count, 3);
    cr_expect_str_eq(points[0].label, "triad");
    expect_near(points[0].flop_per_byte, 2.0 / 12);
    expect_near(points[0].flop_per_second, 1.8e12 / 6);
    expect_near(points[1].flop_per_second, 1.8e13);
    cr_expect(isinf(points[2].flop_per_byte));
    roofline_points_free(points, count);
}

Test(roofline, nothing_measured_gives_nothing)
{
    struct roofline_point *points;

    sample_host(&r);
    analysis_derive(&r);
    cr_expect_eq(r.roof_count, 0);
    cr_expect_eq(r.ridge_point_count, 0);
    cr_expect_eq(roofline_points(&r, "host", &points), 0);
    roofline_points_free(points, 0);
}

Test(roofline, the_sentence)
{
    struct text t = TEXT_EMPTY;

    sample_card(&r);
    bandwidth("read", 2e12);
    gemm("bf16", "fp32", 2.6e14);
    analysis_derive(&r);
    ridge_point_sentence(&t, &r, report_ridge_point(&r, "cuda0", "BF16 GEMM", "measured"));
    cr_expect_str_eq(text_chars(&t),
                     "On cuda0 (NVIDIA A100-SXM4-80GB) a kernel needs 130 flops for every byte it "
                     "reads from memory before arithmetic, not memory, limits it (BF16 GEMM over "
                     "DRAM read).");
    text_free(&t);
}

/* A short run fits no line: the largest copy stands in. */
Test(roofline, link_without_a_fit)
{
    for (int k = 0; k < 3; k++) {
        struct measurement *m =
            sample_row(&r, "cuda0", "host_to_device", metric_bandwidth, (k + 1) * 8e9);

        parameters_set_word(&m->parameters, "memory", "pinned");
        parameters_set_number(&m->parameters, "bytes", 1 << (k + 20));
    }
    sample_card(&r);
    analysis_derive(&r);
    expect_near(roof("link", "host to device", "measured"), 24e9);
}
