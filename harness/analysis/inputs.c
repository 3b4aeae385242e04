/* The table of inputs: where each stands in a report, and what it cannot have meant. */
#include "harness/analysis/inputs.h"

#include <math.h>
#include <string.h>

#define INPUTS_NAME(name, word, unit) [INPUT_##name] = word,
#define INPUTS_UNIT(name, word, unit) [INPUT_##name] = unit,
const char *const input_names[INPUT_COUNT] = {INPUTS(INPUTS_NAME)};
const char *const input_units[INPUT_COUNT] = {INPUTS(INPUTS_UNIT)};

enum origin {
    FROM_FUNCTION,
    FROM_FACT,
    FROM_FACT_FLAG,
    FROM_STATE,
    FROM_PROCESS,
    FROM_PROCESS_FLAG
};

/* Outside least..most a sensor reports its own trouble: 0 W, 255 degrees, all ones. */
static const struct source {
    enum origin origin;
    size_t offset;
    double least, most;
    input_function *get;
} sources[INPUT_COUNT] = {
#define FACT(member, least, most)                                                                  \
    {                                                                                              \
        FROM_FACT, offsetof(struct facts, member), least, most, NULL                               \
    }
#define FACT_FLAG(member)                                                                          \
    {                                                                                              \
        FROM_FACT_FLAG, offsetof(struct facts, member), 0, 1, NULL                                 \
    }
#define STATE(member, least, most)                                                                 \
    {                                                                                              \
        FROM_STATE, offsetof(struct telemetry, member), least, most, NULL                          \
    }
#define PROCESS(member, least, most)                                                               \
    {                                                                                              \
        FROM_PROCESS, offsetof(struct environment, member), least, most, NULL                      \
    }
#define PROCESS_FLAG(member)                                                                       \
    {                                                                                              \
        FROM_PROCESS_FLAG, offsetof(struct environment, member), 0, 1, NULL                        \
    }
#define FUNCTION(get)                                                                              \
    {                                                                                              \
        FROM_FUNCTION, 0, -INFINITY, INFINITY, get                                                 \
    }
    [INPUT_UNITS] = FACT(units, 1, 1e5),
    [INPUT_CLOCK_MAX] = FACT(clock_max_hz, 1e7, 1e11),
    [INPUT_CACHE] = FACT(last_level_cache_bytes, 1, 1e12),
    [INPUT_MEMORY_SIZE] = FACT(memory_bytes, 1, 1e15),
    [INPUT_MEMORY_CLOCK_RATED] = FACT(memory_clock_hz, 1e7, 1e11),
    [INPUT_MEMORY_ROOF] = FUNCTION(input_memory_roof),
    [INPUT_MEMORY_ROOF_COMPUTED] = FUNCTION(input_memory_roof_computed),
    [INPUT_MEMORY_ROOF_DATASHEET] = FUNCTION(input_memory_roof_datasheet),
    [INPUT_MEMORY_IS_GDDR] = FUNCTION(input_memory_is_gddr),
    [INPUT_ECC] = FACT_FLAG(ecc),
    [INPUT_MIG] = FACT_FLAG(mig),
    [INPUT_INTEGRATED] = FACT_FLAG(integrated),
    [INPUT_COHERENT] = FUNCTION(input_coherent),
    [INPUT_CONFIDENTIAL] = FUNCTION(input_confidential),
    [INPUT_VGPU] = FACT_FLAG(vgpu),
    [INPUT_VGPU_LICENSED] = FACT_FLAG(vgpu_licensed),
    [INPUT_DISPLAY_TIMEOUT] = FACT_FLAG(display_timeout),
    [INPUT_PERSISTENCE] = FACT_FLAG(persistence),
    [INPUT_FROM_PTX] = FUNCTION(input_from_ptx),
    [INPUT_PROCESSES] = FACT(processes, 0, 1e6),
    [INPUT_UTILISATION_BEFORE] = FACT(utilisation_before, 0, 1),
    [INPUT_POWER_LIMIT] = FACT(power_limit_watts, 1, 5000),
    [INPUT_POWER_LIMIT_DEFAULT] = FACT(power_limit_default_watts, 1, 5000),
    [INPUT_SLOWDOWN] = FACT(slowdown_celsius, 1, 200),
    [INPUT_REMAP_PENDING] = FACT_FLAG(remap_pending),
    [INPUT_REMAP_FAILED] = FACT_FLAG(remap_failed),
    [INPUT_REPLAYS] = FUNCTION(input_replays),
    [INPUT_ECC_ERRORS_IN_RUN] = FUNCTION(input_ecc_errors),
    [INPUT_SW_THERMAL_IN_RUN] = FUNCTION(input_sw_thermal),
    [INPUT_HW_THERMAL_IN_RUN] = FUNCTION(input_hw_thermal),
    [INPUT_POWER_BRAKE_IN_RUN] = FUNCTION(input_power_brake),
    [INPUT_XID] = FUNCTION(input_xid),
    [INPUT_XID_PROGRAM] = FUNCTION(input_xid_program),
    [INPUT_RUN_SECONDS] = FUNCTION(input_run_seconds),
    [INPUT_LINK_GEN_IDLE] = FACT(link_generation_idle, 1, 8),
    [INPUT_PSTATE_IDLE] = FACT(pstate_idle, 0, 15),
    [INPUT_LINK_GEN_CARD] = FACT(link_generation_max, 1, 8),
    [INPUT_LINK_GEN_HOST] = FACT(link_generation_max_host, 1, 8),
    [INPUT_LINK_WIDTH_MAX] = FACT(link_width_max, 1, 32),
    [INPUT_LINK_ROOF_MOST] = FUNCTION(input_link_roof_most),
    [INPUT_UPSTREAM] = FACT(link_upstream_bytes_per_second, 1, 1e13),
    [INPUT_NEAR] = FACT_FLAG(thread_near),
    [INPUT_NODE] = FACT(host_numa_node, 0, 1e5),
    [INPUT_GUEST] = PROCESS_FLAG(hypervisor),
    [INPUT_WSL] = PROCESS_FLAG(wsl),
    [INPUT_MPS_PERCENT] = PROCESS(mps_thread_percent, 0, 100),
    [INPUT_LAUNCH_BLOCKING] = PROCESS_FLAG(launch_blocking),
    [INPUT_PROFILED] = PROCESS_FLAG(profiled),
    [INPUT_EXPECTED_GEN] = FUNCTION(input_expected_gen),
    [INPUT_EXPECTED_WIDTH] = FUNCTION(input_expected_width),
    [INPUT_EXPECTED_POWER] = FUNCTION(input_expected_power),
    [INPUT_EXPECTED_MEMORY] = FUNCTION(input_expected_memory),
    [INPUT_LINK_EXPECTED] = FUNCTION(input_link_expected),
    [INPUT_POWER_EXPECTED] = FUNCTION(input_power_expected),
    [INPUT_VALUE] = FUNCTION(input_value),
    [INPUT_FOOTPRINT] = FUNCTION(input_footprint),
    [INPUT_COPY_BYTES] = FUNCTION(input_copy_bytes),
    [INPUT_LENGTH] = FUNCTION(input_length),
    [INPUT_EVENT_SPAN] = FUNCTION(input_event_span),
    [INPUT_HOST_SPAN] = STATE(host_span_seconds, 1e-9, 1e6),
    [INPUT_LAUNCH_COST] = FUNCTION(input_launch_cost),
    [INPUT_SM_CLOCK] = STATE(sm_clock_hz, 1e6, 1e11),
    [INPUT_MEMORY_CLOCK] = STATE(memory_clock_hz, 1e6, 1e11),
    [INPUT_POWER] = FUNCTION(input_power),
    [INPUT_LIMIT_NOW] = STATE(power_limit_watts, 1, 5000),
    [INPUT_TEMPERATURE] = STATE(temperature_celsius, -60, 200),
    [INPUT_MARGIN] = STATE(margin_celsius, -100, 200),
    [INPUT_PSTATE] = STATE(pstate, 0, 15),
    [INPUT_BUSY] = STATE(utilisation, 0, 1),
    [INPUT_REASONS] = STATE(event_reasons, 0, 9e15),
    [INPUT_LINK_GEN] = STATE(link_generation, 1, 8),
    [INPUT_LINK_WIDTH] = STATE(link_width, 1, 32),
    [INPUT_LINK_ROOF] = FUNCTION(input_link_roof),
    [INPUT_FLOPS_ROOF] = FUNCTION(input_flops_roof),
    [INPUT_EMULATED] = FUNCTION(input_emulated),
    [INPUT_MAY_EMULATE] = FUNCTION(input_may_emulate),
    [INPUT_ONE_WAY] = FUNCTION(input_one_way),
    [INPUT_RELATIVE_MAD] = FUNCTION(input_relative_mad),
    [INPUT_LOW_MODE] = FUNCTION(input_low_mode),
    [INPUT_HIGH_MODE] = FUNCTION(input_high_mode),
    [INPUT_OTHERS_SHARE] = STATE(others_share, 0, 1),
    [INPUT_STEAL_SHARE] = STATE(steal_share, 0, 1),
    [INPUT_RECHECKS_WRONG] = FUNCTION(input_rechecks_wrong),
    [INPUT_RECHECKS_ALIKE] = FUNCTION(input_rechecks_alike),
    [INPUT_SERIES_LENGTH] = FUNCTION(input_series_length),
    [INPUT_FIRST_VALUE] = FUNCTION(input_first_value),
    [INPUT_LAST_VALUE] = FUNCTION(input_last_value),
    [INPUT_FIRST_CLOCK] = FUNCTION(input_first_clock),
    [INPUT_LAST_CLOCK] = FUNCTION(input_last_clock),
    [INPUT_CAP_SHARE] = FUNCTION(input_cap_share),
    [INPUT_SLOWDOWNS_RUNNING] = FUNCTION(input_slowdowns_running),
    [INPUT_READ_RATE] = FUNCTION(input_read_rate),
    [INPUT_TRIAD_RATE] = FUNCTION(input_triad_rate),
    [INPUT_READ_MEMORY_CLOCK] = FUNCTION(input_read_memory_clock),
    [INPUT_DOWNLOAD_RATE] = FUNCTION(input_download_rate),
    [INPUT_SMALL_COPY_RATE] = FUNCTION(input_small_copy_rate),
    [INPUT_LARGE_COPY_RATE] = FUNCTION(input_large_copy_rate),
    [INPUT_FIGURE] = FUNCTION(input_figure),
    [INPUT_FIGURE_LOW] = FUNCTION(input_figure_low),
    [INPUT_FIGURE_HIGH] = FUNCTION(input_figure_high),
    [INPUT_PEERS] = FUNCTION(input_peers),
    [INPUT_PEER_MEDIAN] = FUNCTION(input_peer_median),
    [INPUT_PEER_Z] = FUNCTION(input_peer_z),
    [INPUT_BASELINE] = FUNCTION(input_baseline),
    [INPUT_BASELINE_LOW] = FUNCTION(input_baseline_low),
    [INPUT_BASELINE_HIGH] = FUNCTION(input_baseline_high),
    [INPUT_CONDITIONS_ALIKE] = FUNCTION(input_conditions_alike),
    [INPUT_PEERS_ALIKE] = FUNCTION(input_peers_alike),
    [INPUT_PEER_CELSIUS] = FUNCTION(input_peer_celsius),
    [INPUT_NODES] = FUNCTION(input_nodes),
    [INPUT_NODE_BEST] = FUNCTION(input_node_best),
    [INPUT_NODES_MEDIAN] = FUNCTION(input_nodes_median),
    [INPUT_NODES_MAD] = FUNCTION(input_nodes_mad),
    [INPUT_NODES_LOW] = FUNCTION(input_nodes_low),
    [INPUT_NODES_HIGH] = FUNCTION(input_nodes_high),
    [INPUT_RUNS] = FUNCTION(input_runs),
    [INPUT_RUNS_SPREAD] = FUNCTION(input_runs_spread),
    [INPUT_CUBLAS_ALIKE] = FUNCTION(input_cublas_alike),
    [INPUT_MACHINE_UNITS] = FACT(machine_units, 1, 1e5),
    [INPUT_CPU_QUOTA] = FACT(cpu_quota, 0, 1e5),
    [INPUT_MEMORY_INSTALLED] = FACT(memory_installed_bytes, 1, 1e16),
    [INPUT_MEMORY_LIMIT] = FACT(memory_limit_bytes, 1, 1e16),
    [INPUT_POWERSAVE] = FUNCTION(input_powersave),
};

static double number_at(const void *base, size_t offset)
{
    double number;

    memcpy(&number, (const char *)base + offset, sizeof number);
    return number;
}

static double flag_at(const void *base, size_t offset)
{
    enum flag flag;

    memcpy(&flag, (const char *)base + offset, sizeof flag);
    return flag == FLAG_UNKNOWN ? NAN : flag;
}

static double raw(const struct source *from, const struct scene *s)
{
    switch (from->origin) {
    case FROM_FACT:
        return number_at(&s->device->facts, from->offset);
    case FROM_FACT_FLAG:
        return flag_at(&s->device->facts, from->offset);
    case FROM_STATE:
        return s->row == NULL ? NAN : number_at(&s->row->telemetry, from->offset);
    case FROM_PROCESS:
        return number_at(&s->report->environment, from->offset);
    case FROM_PROCESS_FLAG:
        return flag_at(&s->report->environment, from->offset);
    default:
        return from->get(s);
    }
}

double input_get(enum input which, const struct scene *s)
{
    const struct source *from = &sources[which];
    const double value = raw(from, s);

    return isfinite(value) && value >= from->least && value <= from->most ? value : NAN;
}

bool same_word(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}
