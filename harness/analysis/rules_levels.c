/* Rules about levels: figures that are possible, and lower than they should be. */
#include "harness/analysis/rules.h"

#include <math.h>
#include <string.h>

static enum limit memory_floor(const struct verdict *v)
{
    if (need(v, INPUT_MEMORY_IS_GDDR) == 0)
        return LIMIT_MEMORY_HBM;
    return need(v, INPUT_ECC) == 1 ? LIMIT_MEMORY_GDDR_ECC : LIMIT_MEMORY_GDDR;
}

static const char *better_stream(const struct verdict *v)
{
    return need(v, INPUT_READ_RATE) >= need(v, INPUT_TRIAD_RATE) ? "Reading" : "Triad";
}

/* Against what the memory's clock allowed; a slow clock is another rule's. */
static void memory_low(struct verdict *v)
{
    const double best = fmax(need(v, INPUT_READ_RATE), need(v, INPUT_TRIAD_RATE));
    const double clocks = need(v, INPUT_READ_MEMORY_CLOCK) / need(v, INPUT_MEMORY_CLOCK_RATED);
    const double roof = need(v, INPUT_MEMORY_ROOF) * fmin(1, clocks);
    const double floor = limit(v, memory_floor(v));

    if (best < floor * roof)
        found(v, "{w} at {B/s} is {%} of {B/s}; {%} and more is usual for {w}.", better_stream(v),
              best, best / roof, roof, floor, need(v, INPUT_MEMORY_IS_GDDR) == 1 ? "GDDR" : "HBM");
}

static void memory_very_low(struct verdict *v)
{
    const double best = fmax(need(v, INPUT_READ_RATE), need(v, INPUT_TRIAD_RATE));
    const double roof = need(v, INPUT_MEMORY_ROOF);

    if (best < limit(v, LIMIT_MEMORY_VERY_LOW) * roof)
        found(v, "{w} at {B/s} is {%} of the rated {B/s}.", better_stream(v), best, best / roof,
              roof);
}

static bool is_fp32_headline(const struct scene *s)
{
    return s->row->headline && parameters_match(&s->row->parameters, "precision", "fp32");
}

/* FP64 has no band of its own; nothing is said of it. */
static bool is_tensor_headline(const struct scene *s)
{
    static const char *const formats[] = {"tf32", "fp16", "bf16", "fp8"};
    bool tensor = false;

    for (size_t i = 0; i < COUNT_OF(formats); i++)
        tensor |= parameters_match(&s->row->parameters, "precision", formats[i]);
    return tensor && s->row->headline;
}

static void say_gemm_low(struct verdict *v, double floor)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_FLOPS_ROOF);

    if (rate < floor * roof)
        found(v,
              "{FLOP/s} at {Hz} is {%} of what the units can do at that clock ({FLOP/s}); {%} and "
              "more is usual: library, shape or choice of kernel.",
              rate, need(v, INPUT_SM_CLOCK), rate / roof, roof, floor);
}

static void gemm_low_tensor(struct verdict *v)
{
    say_gemm_low(v, limit(v, LIMIT_GEMM_TENSOR));
}

static void gemm_low_fp32(struct verdict *v)
{
    say_gemm_low(v, limit(v, LIMIT_GEMM_FP32));
}

static bool is_halved(const struct scene *s)
{
    const char *name = s->device->name;

    return is_tensor_headline(s) && name != NULL && strstr(name, "GeForce") != NULL &&
           parameters_match(&s->row->parameters, "accumulate", "fp32");
}

static void half_rate(struct verdict *v)
{
    found(v, "GeForce cards do this at half rate by design: compare {FLOP/s} with {FLOP/s}.",
          need(v, INPUT_VALUE), need(v, INPUT_FLOPS_ROOF));
}

static void emulated_fp32(struct verdict *v)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_FLOPS_ROOF);

    if (need(v, INPUT_MAY_EMULATE) == 1 && rate > limit(v, LIMIT_ROOF_FLOPS) * roof)
        found(v,
              "{FLOP/s} is above the {FLOP/s} of the FP32 units: the library computes FP32 from "
              "narrower formats.",
              rate, roof);
}

static void roofs_disagree(struct verdict *v)
{
    const double computed = need(v, INPUT_MEMORY_ROOF_COMPUTED);
    const double promised = need(v, INPUT_MEMORY_ROOF_DATASHEET);

    if (fabs(computed / promised - 1) > limit(v, LIMIT_ROOFS_APART))
        found(v,
              "Clock and width of the memory mean {B/s}, the datasheet says {B/s}: the "
              "datasheet's is used.",
              computed, promised);
}

static void claim_mismatch(struct verdict *v)
{
    const double size = need(v, INPUT_MEMORY_SIZE), sold = need(v, INPUT_EXPECTED_MEMORY);

    if (size < limit(v, LIMIT_MEMORY_CLAIM) * sold)
        found(v, "Sold with {B} of memory; the device has {B}.", sold, size);
}

#define GEMM .scope = EACH_ROW, .device = "cuda", .roles = "gemm"
static const struct rule rules[] = {
    {.id = "MEMORY_LOW",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_READ_RATE, INPUT_TRIAD_RATE, INPUT_MEMORY_ROOF, INPUT_READ_MEMORY_CLOCK,
               INPUT_MEMORY_CLOCK_RATED, INPUT_ECC, INPUT_MEMORY_IS_GDDR},
     .judge = memory_low,
     .limits = {LIMIT_MEMORY_HBM, LIMIT_MEMORY_GDDR, LIMIT_MEMORY_GDDR_ECC},
     .when = "the better of reading and triad is below the floor of its kind of memory",
     .fix = "Look at the memory clock, ECC, other processes, and the same card's peers.",
     .source = "RRZE gpu-benches, BabelStream, DCGM's comments"},
    {.id = "MEMORY_VERY_LOW",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_READ_RATE, INPUT_TRIAD_RATE, INPUT_MEMORY_ROOF},
     .judge = memory_very_low,
     .limits = {LIMIT_MEMORY_VERY_LOW},
     .when = "the better of reading and triad is below half of the rated roof",
     .fix = "Look at the memory clock, other processes, and the driver's log.",
     .source = "ours"},
    {.id = "GEMM_LOW",
     .severity = SEVERITY_DEGRADED,
     GEMM,
     .concerns = is_tensor_headline,
     .needs = {INPUT_VALUE, INPUT_FLOPS_ROOF, INPUT_SM_CLOCK},
     .judge = gemm_low_tensor,
     .limits = {LIMIT_GEMM_TENSOR},
     .when = "the headline product on tensor units is slow for its clock",
     .fix = "Try another cuBLAS, and a larger shape.",
     .source = "ml-engineering's MAMF tables, crowd-sourced torch tables"},
    {.id = "GEMM_LOW",
     .severity = SEVERITY_DEGRADED,
     GEMM,
     .concerns = is_fp32_headline,
     .needs = {INPUT_VALUE, INPUT_FLOPS_ROOF, INPUT_SM_CLOCK},
     .judge = gemm_low_fp32,
     .limits = {LIMIT_GEMM_FP32},
     .when = "the headline product in FP32 is slow for its clock",
     .fix = "Try another cuBLAS, and a larger shape.",
     .source = "crowd-sourced torch tables"},
    {.id = "HALF_RATE",
     .severity = SEVERITY_NOTE,
     GEMM,
     .concerns = is_halved,
     .needs = {INPUT_VALUE, INPUT_FLOPS_ROOF},
     .judge = half_rate,
     .when = "a GeForce card accumulates in FP32 on tensor units",
     .fix = "FP16 accumulation runs at full rate.",
     .source = "NVIDIA's architecture papers of GeForce cards"},
    {.id = "EMULATED_FP32",
     .severity = SEVERITY_NOTE,
     GEMM,
     .concerns = is_fp32_headline,
     .needs = {INPUT_VALUE, INPUT_FLOPS_ROOF, INPUT_MAY_EMULATE},
     .judge = emulated_fp32,
     .limits = {LIMIT_ROOF_FLOPS},
     .when = "FP32 products exceed their units' roof on a card whose library may emulate them",
     .fix = "Compare it with emulated figures only.",
     .source = "cuBLAS manual, emulation from compute capability 10.0"},
    {.id = "ROOF_DISAGREES",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_MEMORY_ROOF_COMPUTED, INPUT_MEMORY_ROOF_DATASHEET},
     .judge = roofs_disagree,
     .limits = {LIMIT_ROOFS_APART},
     .when = "the memory roof that follows from the card's registers is not the datasheet's",
     .source = "METHOD 1.5 lists cards whose registers mislead"},
    {.id = "CLAIM_MISMATCH",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_MEMORY_SIZE, INPUT_EXPECTED_MEMORY},
     .judge = claim_mismatch,
     .limits = {LIMIT_MEMORY_CLAIM},
     .when = "the card has less memory than --expect-memory",
     .fix = "Look at the card's name, SMs and bus: it may be another model.",
     .source = "the user's expectation"},
};
const struct rules rules_levels = {rules, COUNT_OF(rules)};
