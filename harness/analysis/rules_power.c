/* Rules about clocks, power and heat. */
#include "harness/analysis/rules.h"

#include <math.h>
#include <string.h>

/* NVML's clock event reasons. */
enum {
    REASON_APPLICATION = 0x2,
    REASON_POWER_CAP = 0x4,
    REASON_SW_THERMAL = 0x20,
    REASON_HW_THERMAL = 0x40,
    REASON_POWER_BRAKE = 0x80,
    REASONS_HOLDING = 0x4 | 0x8 | 0x10 | 0x20 | 0x40 | 0x80
};

static bool has_reason(const struct verdict *v, unsigned long long bits)
{
    return ((unsigned long long)need(v, INPUT_REASONS) & bits) != 0;
}

static void mem_clock_low(struct verdict *v)
{
    const double now = need(v, INPUT_MEMORY_CLOCK), rated = need(v, INPUT_MEMORY_CLOCK_RATED);

    if (now < limit(v, LIMIT_MEMORY_CLOCK) * rated)
        found(v, "The memory ran at {Hz} of {Hz}.", now, rated);
}

static void mem_clock_locked(struct verdict *v)
{
    const double now = need(v, INPUT_MEMORY_CLOCK), rated = need(v, INPUT_MEMORY_CLOCK_RATED);

    if (now < limit(v, LIMIT_MEMORY_CLOCK_P0) * rated && need(v, INPUT_PSTATE) == 0)
        found(v, "The memory ran at {Hz} of {Hz} in the highest performance state.", now, rated);
}

/* Slow although neither power nor heat leaves it no choice. */
static bool is_held(const struct verdict *v)
{
    return need(v, INPUT_SM_CLOCK) < limit(v, LIMIT_SM_CLOCK) * need(v, INPUT_CLOCK_MAX) &&
           !has_reason(v, REASONS_HOLDING) &&
           need(v, INPUT_POWER) < limit(v, LIMIT_POWER_FREE) * need(v, INPUT_LIMIT_NOW) &&
           need(v, INPUT_MARGIN) > limit(v, LIMIT_MARGIN_FREE);
}

static void sm_clock_held(struct verdict *v)
{
    if (is_held(v) && !has_reason(v, REASON_APPLICATION))
        found(v,
              "The SMs ran at {Hz} of {Hz} and no reason was given: the clock is locked, or held "
              "by the board's controller.",
              need(v, INPUT_SM_CLOCK), need(v, INPUT_CLOCK_MAX));
}

static void application_clocks(struct verdict *v)
{
    if (is_held(v) && has_reason(v, REASON_APPLICATION))
        found(v, "The SMs ran at {Hz} of {Hz}: application clocks are set.",
              need(v, INPUT_SM_CLOCK), need(v, INPUT_CLOCK_MAX));
}

static void limit_lowered(struct verdict *v)
{
    const double now = need(v, INPUT_POWER_LIMIT), usual = need(v, INPUT_POWER_LIMIT_DEFAULT);

    if (now < limit(v, LIMIT_LIMIT_LOWERED) * usual)
        found(v,
              "The card may draw {W}, by default {W}: arithmetic will be slower, bandwidth will "
              "not.",
              now, usual);
}

static void power_unexpected(struct verdict *v)
{
    const double now = need(v, INPUT_POWER_LIMIT), wanted = need(v, INPUT_EXPECTED_POWER);

    if (now < limit(v, LIMIT_LIMIT_LOWERED) * wanted)
        found(v, "The card may draw {W}, {W} was expected.", now, wanted);
}

static void cap_normal(struct verdict *v)
{
    const double power = need(v, INPUT_POWER), most = need(v, INPUT_LIMIT_NOW);

    if (need(v, INPUT_CAP_SHARE) >= limit(v, LIMIT_CAP_SHARE) &&
        power >= limit(v, LIMIT_CAP_POWER) * most)
        found(v, "GEMM runs at its power limit ({W} of {W}): {Hz} sustained is expected.", power,
              most, need(v, INPUT_SM_CLOCK));
}

static void cap_early(struct verdict *v)
{
    const double power = need(v, INPUT_POWER), most = need(v, INPUT_LIMIT_NOW);

    if (need(v, INPUT_SERIES_LENGTH) >= limit(v, LIMIT_CAP_SECONDS) &&
        need(v, INPUT_CAP_SHARE) >= limit(v, LIMIT_CAP_EARLY_SHARE) &&
        power < limit(v, LIMIT_CAP_EARLY_POWER) * most)
        found(v,
              "The power cap holds at {W} though the limit is {W}: board, cable or host imposes "
              "{%}.",
              power, most, power / most);
}

static void power_brake(struct verdict *v)
{
    if (has_reason(v, REASON_POWER_BRAKE))
        found(v, "An external power brake slowed the card to {Hz} of {Hz}.",
              need(v, INPUT_SM_CLOCK), need(v, INPUT_CLOCK_MAX));
}

static void power_brake_counted(struct verdict *v)
{
    const double held = need(v, INPUT_POWER_BRAKE_IN_RUN);

    if (held > 0)
        found(v, "An external power brake held the card back for {s} of the run; 0 is right.",
              held);
}

static void hw_slowdown(struct verdict *v)
{
    const double running = need(v, INPUT_SLOWDOWNS_RUNNING);

    if (running >= limit(v, LIMIT_SLOWDOWNS))
        found(v,
              "The hardware slowed itself down in {n} readings in a row, neither for heat nor "
              "for a power brake; 0 is right.",
              running);
}

static void hw_thermal(struct verdict *v)
{
    if (has_reason(v, REASON_HW_THERMAL))
        found(v, "The hardware held itself back by heat, at {n} °C and {Hz} of {Hz}.",
              need(v, INPUT_TEMPERATURE), need(v, INPUT_SM_CLOCK), need(v, INPUT_CLOCK_MAX));
}

static void hw_thermal_counted(struct verdict *v)
{
    const double held = need(v, INPUT_HW_THERMAL_IN_RUN);

    if (held > 0)
        found(v, "The hardware held itself back by heat for {s} of the run; 0 is right.", held);
}

static void sw_thermal_counted(struct verdict *v)
{
    const double held = need(v, INPUT_SW_THERMAL_IN_RUN) / need(v, INPUT_RUN_SECONDS);

    if (held >= limit(v, LIMIT_HELD_BY_HEAT))
        found(v, "The driver held the card back by heat for {%} of the run; below {%} is usual.",
              held, limit(v, LIMIT_HELD_BY_HEAT));
}

static void sw_thermal(struct verdict *v)
{
    if (has_reason(v, REASON_SW_THERMAL))
        found(v, "The driver held the card back by heat, at {n} °C and {Hz} of {Hz}.",
              need(v, INPUT_TEMPERATURE), need(v, INPUT_SM_CLOCK), need(v, INPUT_CLOCK_MAX));
}

static void hot(struct verdict *v)
{
    const double margin = need(v, INPUT_MARGIN);

    if (margin <= limit(v, LIMIT_HOT))
        found(v, "{n} degrees were left to the slowdown; more than {n} is usual.", margin,
              limit(v, LIMIT_HOT));
}

static void heat_limit_odd(struct verdict *v)
{
    const double slowdown = need(v, INPUT_SLOWDOWN);

    if (slowdown < limit(v, LIMIT_SLOWDOWN_LOW))
        found(v, "The card slows down at {n} °C, others at {n} and more: the host's setting?",
              slowdown, limit(v, LIMIT_SLOWDOWN_LOW));
}

static void busy_cold(struct verdict *v)
{
    const double power = need(v, INPUT_POWER), most = need(v, INPUT_LIMIT_NOW);

    if (need(v, INPUT_BUSY) > limit(v, LIMIT_COLD_BUSY) &&
        power < limit(v, LIMIT_COLD_POWER) * most &&
        need(v, INPUT_SM_CLOCK) >= limit(v, LIMIT_SM_CLOCK) * need(v, INPUT_CLOCK_MAX) &&
        need(v, INPUT_VALUE) < limit(v, LIMIT_COLD_RATE) * need(v, INPUT_FLOPS_ROOF))
        found(v, "Busy at {W} of {W} and {FLOP/s} of {FLOP/s}: stalled, not loaded.", power, most,
              need(v, INPUT_VALUE), need(v, INPUT_FLOPS_ROOF));
}

#define HELD                                                                                       \
    .scope = EACH_ROW, .device = "cuda", .concerns = is_headline,                                  \
    .needs = {INPUT_SM_CLOCK, INPUT_CLOCK_MAX, INPUT_REASONS,                                      \
              INPUT_POWER,    INPUT_LIMIT_NOW, INPUT_MARGIN},                                      \
    .limits = {LIMIT_SM_CLOCK, LIMIT_POWER_FREE, LIMIT_MARGIN_FREE}
#define EACH_HEADLINE .scope = EACH_ROW, .device = "cuda", .concerns = is_headline
static const struct rule rules[] = {
    {.id = "MEM_CLOCK_LOW",
     .severity = SEVERITY_NOTE,
     EACH_HEADLINE,
     .needs = {INPUT_MEMORY_CLOCK, INPUT_MEMORY_CLOCK_RATED},
     .judge = mem_clock_low,
     .limits = {LIMIT_MEMORY_CLOCK},
     .when = "the memory's clock is below the rated one under load",
     .fix = "In P2 that is the driver's policy on GeForce; elsewhere try `nvidia-smi -rmc`.",
     .source = "NVML's memory clock"},
    {.id = "MEM_CLOCK_LOCKED",
     .severity = SEVERITY_DEGRADED,
     EACH_HEADLINE,
     .needs = {INPUT_MEMORY_CLOCK, INPUT_MEMORY_CLOCK_RATED, INPUT_PSTATE},
     .judge = mem_clock_locked,
     .limits = {LIMIT_MEMORY_CLOCK_P0},
     .when = "the memory's clock is low although the card is in P0",
     .fix = "`nvidia-smi -rmc` (a lock can cost speed even at the full value).",
     .source = "NVML's memory clock and performance state"},
    {.id = "SM_CLOCK_HELD",
     .severity = SEVERITY_DEGRADED,
     HELD,
     .judge = sm_clock_held,
     .when = "the SM clock is low, and neither a reason, power nor heat explains it",
     .fix = "`nvidia-smi -rgc`.",
     .source = "a locked clock shows no reason: B200 at 1597 of 1965 MHz"},
    {.id = "APPLICATION_CLOCKS",
     .severity = SEVERITY_NOTE,
     HELD,
     .judge = application_clocks,
     .when = "the SM clock is low and the driver names application clocks",
     .fix = "`nvidia-smi -rac`.",
     .source = "NVML's clock event reasons"},
    {.id = "LIMIT_LOWERED",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_POWER_LIMIT, INPUT_POWER_LIMIT_DEFAULT},
     .unless = {INPUT_POWER_EXPECTED},
     .judge = limit_lowered,
     .limits = {LIMIT_LIMIT_LOWERED},
     .when = "the power limit is below the default one",
     .fix = "`nvidia-smi -pl` with the default, or say --expect-power if it is meant so.",
     .source = "NVML's power limits"},
    {.id = "POWER_UNEXPECTED",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_POWER_LIMIT, INPUT_EXPECTED_POWER},
     .judge = power_unexpected,
     .limits = {LIMIT_LIMIT_LOWERED},
     .when = "the power limit is below --expect-power",
     .fix = "`nvidia-smi -pl` with what is expected.",
     .source = "the user's expectation"},
    {.id = "CAP_NORMAL",
     .severity = SEVERITY_NOTE,
     EACH_HEADLINE,
     .roles = "gemm sustained",
     .needs = {INPUT_CAP_SHARE, INPUT_POWER, INPUT_LIMIT_NOW, INPUT_SM_CLOCK},
     .judge = cap_normal,
     .limits = {LIMIT_CAP_SHARE, LIMIT_CAP_POWER},
     .when = "matrix products reach the power limit",
     .source = "NVML's clock event reasons"},
    {.id = "CAP_EARLY",
     .severity = SEVERITY_FAULT,
     EACH_HEADLINE,
     .roles = "gemm sustained",
     .needs = {INPUT_CAP_SHARE, INPUT_POWER, INPUT_LIMIT_NOW, INPUT_SERIES_LENGTH},
     .judge = cap_early,
     .limits = {LIMIT_CAP_EARLY_SHARE, LIMIT_CAP_EARLY_POWER, LIMIT_CAP_SECONDS},
     .when = "the power cap is active far below the power limit",
     .fix = "Check power cables, the supply's mode, and the management controller's cap.",
     .source = "NVML's clock event reasons"},
    {.id = "POWER_BRAKE",
     .severity = SEVERITY_FAULT,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_REASONS, INPUT_SM_CLOCK, INPUT_CLOCK_MAX},
     .judge = power_brake,
     .when = "the power brake's bit was seen",
     .fix = "Check cables and supply, and whether the server's firmware knows the card.",
     .source = "NVML's clock event reasons"},
    {.id = "POWER_BRAKE",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_POWER_BRAKE_IN_RUN},
     .judge = power_brake_counted,
     .when = "the power brake's counter moved during the run",
     .fix = "Check cables and supply, and whether the server's firmware knows the card.",
     .source = "NVML's counters of clock event reasons"},
    {.id = "HW_SLOWDOWN",
     .severity = SEVERITY_FAULT,
     EACH_HEADLINE,
     .needs = {INPUT_SLOWDOWNS_RUNNING},
     .judge = hw_slowdown,
     .limits = {LIMIT_SLOWDOWNS},
     .when = "the slowdown's bit stays without heat or power brake",
     .fix = "Check power cables and supply.",
     .source = "NVML's clock event reasons"},
    {.id = "HW_THERMAL",
     .severity = SEVERITY_FAULT,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_REASONS, INPUT_TEMPERATURE, INPUT_SM_CLOCK, INPUT_CLOCK_MAX},
     .judge = hw_thermal,
     .when = "the hardware's thermal bit was seen",
     .fix = "Look at airflow, fans, and the cards beside it.",
     .source = "NVML's clock event reasons"},
    {.id = "SW_THERMAL",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_ROW,
     .device = "cuda",
     .needs = {INPUT_REASONS, INPUT_TEMPERATURE, INPUT_SM_CLOCK, INPUT_CLOCK_MAX},
     .judge = sw_thermal,
     .when = "the driver's thermal bit was seen",
     .fix = "Look at airflow, fans, and the cards beside it.",
     .source = "NVML's clock event reasons"},
    {.id = "HW_THERMAL",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_HW_THERMAL_IN_RUN},
     .judge = hw_thermal_counted,
     .when = "the hardware's thermal counter moved during the run",
     .fix = "Look at airflow, fans, and the cards beside it.",
     .source = "NVML's counters of clock event reasons"},
    {.id = "SW_THERMAL",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_SW_THERMAL_IN_RUN, INPUT_RUN_SECONDS},
     .judge = sw_thermal_counted,
     .limits = {LIMIT_HELD_BY_HEAT},
     .when = "the driver's thermal counter moved for a part of the run",
     .fix = "Look at airflow, fans, and the cards beside it.",
     .source = "NVML's counters of clock event reasons"},
    {.id = "HOT",
     .severity = SEVERITY_NOTE,
     EACH_HEADLINE,
     .needs = {INPUT_MARGIN},
     .judge = hot,
     .limits = {LIMIT_HOT},
     .when = "few degrees are left to the slowdown",
     .fix = "Look at airflow and fans.",
     .source = "NVML's temperature and thresholds"},
    {.id = "HEAT_LIMIT_ODD",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_SLOWDOWN},
     .judge = heat_limit_odd,
     .limits = {LIMIT_SLOWDOWN_LOW},
     .when = "the card slows down at an unusually low temperature",
     .source = "NVML's thresholds; Hopper and later report degrees left, and are not judged"},
    {.id = "BUSY_COLD",
     .severity = SEVERITY_FAULT,
     EACH_HEADLINE,
     .roles = "gemm sustained",
     .needs = {INPUT_BUSY, INPUT_POWER, INPUT_LIMIT_NOW, INPUT_SM_CLOCK, INPUT_CLOCK_MAX,
               INPUT_VALUE, INPUT_FLOPS_ROOF},
     .judge = busy_cold,
     .limits = {LIMIT_COLD_BUSY, LIMIT_COLD_POWER, LIMIT_SM_CLOCK, LIMIT_COLD_RATE},
     .when = "a busy card at full clock draws little and does little",
     .fix = "Reseat the card's power.",
     .source = "ours"},
};
const struct rules rules_power = {rules, COUNT_OF(rules)};
