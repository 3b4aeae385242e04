/* Rules about figures that cannot be right. */
#include "harness/analysis/rules.h"

#include <math.h>
#include <string.h>

static void above_roof_link(struct verdict *v)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_LINK_ROOF);

    if (rate > roof)
        found(v,
              "{B/s} is {} times what gen{n} x{n} can carry ({B/s}): the clock stopped before the "
              "copy did, two directions were added, or a unit slipped.",
              rate, rate / roof, need(v, INPUT_LINK_GEN), need(v, INPUT_LINK_WIDTH), roof);
}

static void above_most_of_link(struct verdict *v)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_LINK_ROOF_MOST);

    if (rate > roof)
        found(v,
              "{B/s} is {} times what the card's link can carry at its best, gen{n} x{n} ({B/s}): "
              "the clock stopped before the copy did, two directions were added, or a unit "
              "slipped.",
              rate, rate / roof, need(v, INPUT_LINK_GEN_CARD), need(v, INPUT_LINK_WIDTH_MAX), roof);
}

static bool is_near(double ratio, double number)
{
    return fabs(ratio / number - 1) < 0.005;
}

static const char *cause_of_excess(double ratio, double caches)
{
    if (caches < 4)
        return "The caches answered.";
    if (ratio > 1.9 && ratio < 2.1)
        return "The bytes were counted twice.";
    if (is_near(ratio, 1.024) || is_near(ratio, 1.049) || is_near(ratio, 1.074) || ratio > 7.5)
        return "A unit slipped.";
    return "Work was dropped, or its data could be compressed.";
}

static void say_above_memory(struct verdict *v, double roof)
{
    const double rate = need(v, INPUT_VALUE), footprint = need(v, INPUT_FOOTPRINT);
    const double caches = footprint / need(v, INPUT_CACHE);

    found(v, "{B/s} is {} times the memory roof of {B/s}; the buffers ({B}) are {} times the L2.",
          rate, rate / roof, roof, footprint, caches);
    found(v, cause_of_excess(rate / roof, caches));
}

/* An overclocked memory raises the roof, a slow one does not lower it. */
static void above_roof_memory(struct verdict *v)
{
    const double clocks = need(v, INPUT_MEMORY_CLOCK) / need(v, INPUT_MEMORY_CLOCK_RATED);
    const double roof = need(v, INPUT_MEMORY_ROOF) * fmax(1, clocks);

    if (need(v, INPUT_VALUE) > roof)
        say_above_memory(v, roof);
}

static void far_above_roof_memory(struct verdict *v)
{
    const double roof = need(v, INPUT_MEMORY_ROOF);

    if (need(v, INPUT_VALUE) > limit(v, LIMIT_ROOF_MEMORY) * roof)
        say_above_memory(v, roof);
}

static const char *cause_of_flops(double ratio)
{
    if (ratio > 3.5)
        return "Code was removed as dead, or nobody waited for it.";
    if (ratio > 1.8 && ratio < 2.2)
        return "An FMA was counted twice, zeros were skipped, or FP16 accumulated.";
    return "A faster format was used than the row says, or the clock was read wrong.";
}

static void above_roof_flops(struct verdict *v)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_FLOPS_ROOF);

    if (rate <= limit(v, LIMIT_ROOF_FLOPS) * roof)
        return;
    found(v, "{FLOP/s} is {} times what {n} SMs can do at {Hz} ({FLOP/s}).", rate, rate / roof,
          need(v, INPUT_UNITS), need(v, INPUT_SM_CLOCK), roof);
    found(v, cause_of_flops(rate / roof));
}

static void cache_resident(struct verdict *v)
{
    const double footprint = need(v, INPUT_FOOTPRINT), cache = need(v, INPUT_CACHE);

    if (footprint < limit(v, LIMIT_CACHE_TIMES) * cache)
        found(v, "Buffers of {B} against {B} of cache: this is cache bandwidth.", footprint, cache);
}

static void not_saturated(struct verdict *v)
{
    const double length = need(v, INPUT_LENGTH), cost = need(v, INPUT_LAUNCH_COST);

    if (length < limit(v, LIMIT_LAUNCH_SECONDS) && length < limit(v, LIMIT_LAUNCH_TIMES) * cost)
        found(v, "The kernel lasts {s}, a launch costs {s}: this measures launching.", length,
              cost);
}

static bool is_wrong(const struct scene *s)
{
    return s->row->status == ROW_WRONG;
}

static void wrong_answer(struct verdict *v)
{
    const char *reason = v->scene->row->reason;

    found(v, "The answer of {w} was wrong{w}{w}.", v->scene->row->experiment,
          reason == NULL ? "" : ": ", reason == NULL ? "" : reason);
}

/* Memory errs in its place, link and power anywhere. */
static void data_corrupt(struct verdict *v)
{
    const double wrong = need(v, INPUT_RECHECKS_WRONG), errors = known(v, INPUT_ECC_ERRORS_IN_RUN);
    const bool alike = need(v, INPUT_RECHECKS_ALIKE) == 1;

    if (wrong < limit(v, LIMIT_RECHECKS))
        return;
    found(v, "Wrong in {n} of 3 repeats, each time in {w}.", wrong,
          alike ? "the same place: memory" : "another place: link or power");
    if (errors > 0)
        found(v, "{n} uncorrected errors of memory were counted.", errors);
}

static bool is_share(const struct scene *s)
{
    return same_word(s->figure->name, "share_of_clock_peak");
}

static void fma_short(struct verdict *v)
{
    const double share = need(v, INPUT_FIGURE);

    if (share < limit(v, LIMIT_FMA_SHARE))
        found(v,
              "{%} of the issue rate at the clock that was there ({%} and more is usual): the "
              "kernel, not the card.",
              share, limit(v, LIMIT_FMA_SHARE));
}

static void other_process_present(struct verdict *v)
{
    const double processes = need(v, INPUT_PROCESSES);

    if (processes > 0)
        found(v, "{n} other process{w} held the card before the run.", processes,
              processes > 1 ? "es" : "");
}

static void other_process(struct verdict *v)
{
    const double processes = need(v, INPUT_PROCESSES), busy = need(v, INPUT_UTILISATION_BEFORE);

    if (processes > 0 && busy > limit(v, LIMIT_BUSY_BEFORE))
        found(v, "{n} other process{w} kept the card {%} busy before the run; {%} is idle.",
              processes, processes > 1 ? "es" : "", busy, limit(v, LIMIT_BUSY_BEFORE));
}

static void ramped(struct verdict *v)
{
    const double first = need(v, INPUT_FIRST_VALUE), last = need(v, INPUT_LAST_VALUE);
    const double from = need(v, INPUT_FIRST_CLOCK), to = need(v, INPUT_LAST_CLOCK);

    if (first < limit(v, LIMIT_RAMP) * last && from < limit(v, LIMIT_RAMP_CLOCK) * to)
        found(v, "The clock rose from {Hz} to {Hz} during the series, and the rate by {%}.", from,
              to, last / first - 1);
}

static void sustained_drop(struct verdict *v)
{
    const double first = need(v, INPUT_FIRST_VALUE), last = need(v, INPUT_LAST_VALUE);
    const double from = need(v, INPUT_FIRST_CLOCK), to = need(v, INPUT_LAST_CLOCK);

    if (last < limit(v, LIMIT_RAMP) * first && to < limit(v, LIMIT_RAMP_CLOCK) * from)
        found(v, "The rate fell by {%} during the series, from a burst at {Hz} to {Hz} sustained.",
              1 - last / first, from, to);
}

static void mps_share(struct verdict *v)
{
    const double share = need(v, INPUT_MPS_PERCENT);

    if (share < 100)
        found(v,
              "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE allows {n} % of the SMs; 100 is the whole card.",
              share);
}

static void blocking_launches(struct verdict *v)
{
    if (need(v, INPUT_LAUNCH_BLOCKING) == 1)
        found(v, "CUDA_LAUNCH_BLOCKING is set: every launch waits for its kernel.");
}

static void profiled(struct verdict *v)
{
    if (need(v, INPUT_PROFILED) == 1)
        found(v, "CUDA_INJECTION64_PATH is set: a profiler is part of every call.");
}

static const struct rule rules[] = {
    {.id = "ABOVE_ROOF_LINK",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "host_to_device device_to_host",
     .needs = {INPUT_VALUE, INPUT_LINK_GEN, INPUT_LINK_WIDTH, INPUT_LINK_ROOF},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED},
     .judge = above_roof_link,
     .when = "a one-way copy is faster than the lanes in use can carry",
     .fix = "Time copy and synchronise together, one direction at a time.",
     .source = "PCI Express: GT/s x lanes x line code"},
    {.id = "ABOVE_ROOF_LINK",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "host_to_device device_to_host",
     .needs = {INPUT_VALUE, INPUT_LINK_GEN_CARD, INPUT_LINK_WIDTH_MAX, INPUT_LINK_ROOF_MOST},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED},
     .judge = above_most_of_link,
     .when = "a one-way copy is faster than the card's link at its best, whatever it ran at",
     .fix = "Time copy and synchronise together, one direction at a time.",
     .source = "PCI Express: GT/s x lanes x line code"},
    {.id = "ABOVE_ROOF_MEMORY",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "memory_bandwidth",
     .needs = {INPUT_VALUE, INPUT_MEMORY_ROOF, INPUT_FOOTPRINT, INPUT_CACHE, INPUT_MEMORY_CLOCK,
               INPUT_MEMORY_CLOCK_RATED},
     .judge = above_roof_memory,
     .when = "a rate is above the memory roof at the higher of the rated and the seen clock",
     .fix = "Make the buffers larger than the caches, and check what a byte is counted as.",
     .source = "2 x memory clock x bus width / 8, or the datasheet's where they differ"},
    {.id = "ABOVE_ROOF_MEMORY",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "memory_bandwidth",
     .needs = {INPUT_VALUE, INPUT_MEMORY_ROOF, INPUT_FOOTPRINT, INPUT_CACHE},
     .judge = far_above_roof_memory,
     .limits = {LIMIT_ROOF_MEMORY},
     .when = "a rate is so far above the rated memory roof that no overclocking explains it",
     .fix = "Make the buffers larger than the caches, and check what a byte is counted as.",
     .source = "2 x memory clock x bus width / 8, or the datasheet's where they differ"},
    {.id = "ABOVE_ROOF_FLOPS",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "gemm vector_peak",
     .needs = {INPUT_VALUE, INPUT_FLOPS_ROOF, INPUT_UNITS, INPUT_SM_CLOCK},
     .unless = {INPUT_EMULATED},
     .judge = above_roof_flops,
     .limits = {LIMIT_ROOF_FLOPS},
     .when = "a rate is above what all units can do at the clock that was measured with it",
     .fix = "Check the type that was computed in, and that the answer was waited for.",
     .source = "NVIDIA's rates per clock and SM by compute capability"},
    {.id = "CACHE_RESIDENT",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "memory_bandwidth",
     .needs = {INPUT_FOOTPRINT, INPUT_CACHE},
     .judge = cache_resident,
     .limits = {LIMIT_CACHE_TIMES},
     .when = "a memory row touches too little for the caches to forget it",
     .fix = "Use at least 4 times the cache and 512 MiB.",
     .source = "STREAM's rule"},
    {.id = "NOT_SATURATED",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "memory_bandwidth gemm vector_peak",
     .concerns = is_headline,
     .needs = {INPUT_LENGTH, INPUT_LAUNCH_COST},
     .judge = not_saturated,
     .limits = {LIMIT_LAUNCH_SECONDS, LIMIT_LAUNCH_TIMES},
     .when = "one execution of a headline row lasts hardly longer than its launch",
     .fix = "Raise the size.",
     .source = "ours"},
    {.id = "WRONG_ANSWER",
     .severity = SEVERITY_FAULT,
     .scope = EACH_ROW,
     .concerns = is_wrong,
     .judge = wrong_answer,
     .when = "the check of an answer found it wrong",
     .fix = "Run it again; if it stays wrong in one place test the memory, else the link and the "
            "power supply.",
     .source = "the row's own check"},
    {.id = "DATA_CORRUPT",
     .severity = SEVERITY_FAULT,
     .scope = EACH_ROW,
     .concerns = is_wrong,
     .needs = {INPUT_RECHECKS_WRONG, INPUT_RECHECKS_ALIKE},
     .judge = data_corrupt,
     .limits = {LIMIT_RECHECKS},
     .when = "an answer stays wrong when it is computed and checked three times more",
     .fix = "Read the kernel log's Xid lines, reseat the card, test its memory.",
     .source = "the row's own check, repeated"},
    {.id = "FMA_SHORT",
     .severity = SEVERITY_INVALID,
     .scope = EACH_FIGURE,
     .device = "cuda",
     .roles = "vector_peak",
     .concerns = is_share,
     .needs = {INPUT_FIGURE},
     .judge = fma_short,
     .limits = {LIMIT_FMA_SHARE},
     .when = "chains of FMA that touch no memory stay below the issue rate at their clock",
     .fix = "Report it: the compiler made something else of the kernel.",
     .source = "ours"},
    {.id = "OTHER_PROCESS_PRESENT",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_PROCESSES},
     .judge = other_process_present,
     .when = "other processes hold the card before the run",
     .fix = "Stop them or take another card if they compute.",
     .source = "NVML's list of compute processes"},
    {.id = "OTHER_PROCESS",
     .severity = SEVERITY_INVALID,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .roles = "*",
     .needs = {INPUT_PROCESSES, INPUT_UTILISATION_BEFORE},
     .judge = other_process,
     .limits = {LIMIT_BUSY_BEFORE},
     .when = "other processes keep the card busy before the run",
     .fix = "Stop them or take another card.",
     .source = "NVML's list of compute processes and utilisation"},
    {.id = "RAMPED",
     .severity = SEVERITY_INVALID,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_FIRST_VALUE, INPUT_LAST_VALUE, INPUT_FIRST_CLOCK, INPUT_LAST_CLOCK},
     .judge = ramped,
     .limits = {LIMIT_RAMP, LIMIT_RAMP_CLOCK},
     .when = "rate and clock rise over a series",
     .fix = "Warm up longer.",
     .source = "ours"},
    {.id = "SUSTAINED_DROP",
     .severity = SEVERITY_NOTE,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_FIRST_VALUE, INPUT_LAST_VALUE, INPUT_FIRST_CLOCK, INPUT_LAST_CLOCK},
     .judge = sustained_drop,
     .limits = {LIMIT_RAMP, LIMIT_RAMP_CLOCK},
     .when = "rate and clock fall over a series",
     .fix = "Compare sustained figures with sustained ones.",
     .source = "ours"},
    {.id = "MPS_SHARE",
     .severity = SEVERITY_INVALID,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .roles = "memory_bandwidth cache_bandwidth gemm vector_peak latency_hiding launch overlap "
              "sustained intensity divergence",
     .needs = {INPUT_MPS_PERCENT},
     .judge = mps_share,
     .when = "MPS gives this process a part of the SMs",
     .fix = "Unset CUDA_MPS_ACTIVE_THREAD_PERCENTAGE.",
     .source = "NVIDIA's MPS manual"},
    {.id = "BLOCKING_LAUNCHES",
     .severity = SEVERITY_INVALID,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .roles = "launch",
     .needs = {INPUT_LAUNCH_BLOCKING},
     .judge = blocking_launches,
     .when = "CUDA_LAUNCH_BLOCKING is set",
     .fix = "Unset CUDA_LAUNCH_BLOCKING.",
     .source = "NVIDIA's CUDA programming guide"},
    {.id = "PROFILED",
     .severity = SEVERITY_INVALID,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .roles = "launch",
     .needs = {INPUT_PROFILED},
     .judge = profiled,
     .when = "a profiler is injected into the process",
     .fix = "Measure launches without the profiler.",
     .source = "NVIDIA's CUPTI manual"},
};
const struct rules rules_impossible = {rules, COUNT_OF(rules)};
