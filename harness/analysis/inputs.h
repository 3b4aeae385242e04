/* What rules look at: every input has a name, a unit and one way to get it.  Unknown is NAN, and
 * so is what a sensor cannot have meant. */
#ifndef ANALYSIS_INPUTS_H
#define ANALYSIS_INPUTS_H

#include "harness/analysis/findings.h"

/* What one rule is applied to. */
struct scene {
    const struct report *report;
    const struct device_record *device;
    const struct measurement *row; /* NULL: a rule about the device or a figure */
    const struct figure *figure;   /* NULL: a rule about the device or a row */
    const struct circumstances *given;
};

/* NAME, how it is written in evidence, its unit ("flag": 0 or 1). */
#define INPUTS(INPUT)                                                                              \
    /* the card */                                                                                 \
    INPUT(UNITS, "units", "")                                                                      \
    INPUT(CLOCK_MAX, "clock_max_hz", "Hz")                                                         \
    INPUT(CACHE, "last_level_cache_bytes", "B")                                                    \
    INPUT(MEMORY_SIZE, "memory_bytes", "B")                                                        \
    INPUT(MEMORY_CLOCK_RATED, "memory_clock_hz", "Hz")                                             \
    INPUT(MEMORY_ROOF, "memory_roof", "B/s")                                                       \
    INPUT(MEMORY_ROOF_COMPUTED, "memory_roof_computed", "B/s")                                     \
    INPUT(MEMORY_ROOF_DATASHEET, "memory_roof_datasheet", "B/s")                                   \
    INPUT(MEMORY_IS_GDDR, "memory_is_gddr", "flag")                                                \
    INPUT(ECC, "ecc", "flag")                                                                      \
    INPUT(MIG, "mig", "flag")                                                                      \
    INPUT(INTEGRATED, "integrated", "flag")                                                        \
    INPUT(COHERENT, "coherent_link", "flag")                                                       \
    INPUT(CONFIDENTIAL, "confidential", "flag")                                                    \
    INPUT(VGPU, "vgpu", "flag")                                                                    \
    INPUT(VGPU_LICENSED, "vgpu_licensed", "flag")                                                  \
    INPUT(DISPLAY_TIMEOUT, "display_timeout", "flag")                                              \
    INPUT(PERSISTENCE, "persistence", "flag")                                                      \
    INPUT(FROM_PTX, "code_from_ptx", "flag")                                                       \
    INPUT(PROCESSES, "processes", "")                                                              \
    INPUT(UTILISATION_BEFORE, "utilisation_before", "%")                                           \
    INPUT(POWER_LIMIT, "power_limit_watts", "W")                                                   \
    INPUT(POWER_LIMIT_DEFAULT, "power_limit_default_watts", "W")                                   \
    INPUT(SLOWDOWN, "slowdown_celsius", "°C")                                                      \
    INPUT(REMAP_PENDING, "remap_pending", "flag")                                                  \
    INPUT(REMAP_FAILED, "remap_failed", "flag")                                                    \
    INPUT(REPLAYS, "pcie_replays_in_run", "")                                                      \
    INPUT(ECC_ERRORS_IN_RUN, "ecc_uncorrected_in_run", "")                                         \
    INPUT(SW_THERMAL_IN_RUN, "sw_thermal_seconds_in_run", "s")                                     \
    INPUT(HW_THERMAL_IN_RUN, "hw_thermal_seconds_in_run", "s")                                     \
    INPUT(POWER_BRAKE_IN_RUN, "power_brake_seconds_in_run", "s")                                   \
    INPUT(XID, "xid", "")                                                                          \
    INPUT(XID_PROGRAM, "xid_of_a_program", "")                                                     \
    INPUT(RUN_SECONDS, "run_seconds", "s")                                                         \
    /* its link */                                                                                 \
    INPUT(LINK_GEN_IDLE, "link_generation_idle", "")                                               \
    INPUT(PSTATE_IDLE, "pstate_idle", "")                                                          \
    INPUT(LINK_GEN_CARD, "link_generation_max", "")                                                \
    INPUT(LINK_GEN_HOST, "link_generation_max_host", "")                                           \
    INPUT(LINK_WIDTH_MAX, "link_width_max", "")                                                    \
    INPUT(LINK_ROOF_MOST, "link_roof_at_most", "B/s")                                              \
    INPUT(UPSTREAM, "link_upstream_bytes_per_second", "B/s")                                       \
    INPUT(NEAR, "thread_near", "flag")                                                             \
    INPUT(NODE, "host_numa_node", "")                                                              \
    /* the process */                                                                              \
    INPUT(GUEST, "hypervisor", "flag")                                                             \
    INPUT(WSL, "wsl", "flag")                                                                      \
    INPUT(MPS_PERCENT, "mps_thread_percent", "")                                                   \
    INPUT(LAUNCH_BLOCKING, "launch_blocking", "flag")                                              \
    INPUT(PROFILED, "profiled", "flag")                                                            \
    /* what is expected of the card */                                                             \
    INPUT(EXPECTED_GEN, "expected_link_generation", "")                                            \
    INPUT(EXPECTED_WIDTH, "expected_link_width", "")                                               \
    INPUT(EXPECTED_POWER, "expected_power_watts", "W")                                             \
    INPUT(EXPECTED_MEMORY, "expected_memory_bytes", "B")                                           \
    INPUT(LINK_EXPECTED, "link_expected", "flag")                                                  \
    INPUT(POWER_EXPECTED, "power_expected", "flag")                                                \
    /* a row */                                                                                    \
    INPUT(VALUE, "value", "")                                                                      \
    INPUT(FOOTPRINT, "footprint_bytes", "B")                                                       \
    INPUT(COPY_BYTES, "bytes", "B")                                                                \
    INPUT(LENGTH, "seconds", "s")                                                                  \
    INPUT(EVENT_SPAN, "event_span_seconds", "s")                                                   \
    INPUT(HOST_SPAN, "host_span_seconds", "s")                                                     \
    INPUT(LAUNCH_COST, "launch_seconds", "s")                                                      \
    INPUT(SM_CLOCK, "sm_clock_hz", "Hz")                                                           \
    INPUT(MEMORY_CLOCK, "memory_clock_now_hz", "Hz")                                               \
    INPUT(POWER, "power_watts", "W")                                                               \
    INPUT(LIMIT_NOW, "power_limit_now_watts", "W")                                                 \
    INPUT(TEMPERATURE, "temperature_celsius", "°C")                                                \
    INPUT(MARGIN, "margin_celsius", "°C")                                                          \
    INPUT(PSTATE, "pstate", "")                                                                    \
    INPUT(BUSY, "utilisation", "%")                                                                \
    INPUT(REASONS, "event_reasons", "")                                                            \
    INPUT(LINK_GEN, "link_generation", "")                                                         \
    INPUT(LINK_WIDTH, "link_width", "")                                                            \
    INPUT(LINK_ROOF, "link_roof", "B/s")                                                           \
    INPUT(FLOPS_ROOF, "flops_roof_at_clock", "FLOP/s")                                             \
    INPUT(EMULATED, "emulated", "flag")                                                            \
    INPUT(MAY_EMULATE, "may_emulate", "flag")                                                      \
    INPUT(ONE_WAY, "one_way_rate", "B/s")                                                          \
    INPUT(RELATIVE_MAD, "relative_mad", "%")                                                       \
    INPUT(LOW_MODE, "low_mode", "")                                                                \
    INPUT(HIGH_MODE, "high_mode", "")                                                              \
    INPUT(OTHERS_SHARE, "others_share", "%")                                                       \
    INPUT(STEAL_SHARE, "steal_share", "%")                                                         \
    /* a row's time line: known only where it is complete */                                       \
    INPUT(RECHECKS_WRONG, "rechecks_wrong", "")                                                    \
    INPUT(RECHECKS_ALIKE, "rechecks_alike", "flag")                                                \
    INPUT(SERIES_LENGTH, "series_seconds", "s")                                                    \
    INPUT(FIRST_VALUE, "first_third_value", "")                                                    \
    INPUT(LAST_VALUE, "last_third_value", "")                                                      \
    INPUT(FIRST_CLOCK, "first_third_clock_hz", "Hz")                                               \
    INPUT(LAST_CLOCK, "last_third_clock_hz", "Hz")                                                 \
    INPUT(CAP_SHARE, "share_of_power_cap", "%")                                                    \
    INPUT(SLOWDOWNS_RUNNING, "hw_slowdowns_running", "")                                           \
    /* figures of the device */                                                                    \
    INPUT(READ_RATE, "read_rate", "B/s")                                                           \
    INPUT(TRIAD_RATE, "triad_rate", "B/s")                                                         \
    INPUT(READ_MEMORY_CLOCK, "read_memory_clock_hz", "Hz")                                         \
    INPUT(DOWNLOAD_RATE, "pinned_download_rate", "B/s")                                            \
    INPUT(SMALL_COPY_RATE, "rate_at_256_mib", "B/s")                                               \
    INPUT(LARGE_COPY_RATE, "rate_at_1_gib", "B/s")                                                 \
    /* a figure, and the same of others */                                                         \
    INPUT(FIGURE, "figure", "")                                                                    \
    INPUT(FIGURE_LOW, "figure_low", "")                                                            \
    INPUT(FIGURE_HIGH, "figure_high", "")                                                          \
    INPUT(PEERS, "peers", "")                                                                      \
    INPUT(PEER_MEDIAN, "median_of_peers", "")                                                      \
    INPUT(PEER_Z, "z", "")                                                                         \
    INPUT(BASELINE, "baseline", "")                                                                \
    INPUT(BASELINE_LOW, "baseline_low", "")                                                        \
    INPUT(BASELINE_HIGH, "baseline_high", "")                                                      \
    INPUT(CONDITIONS_ALIKE, "conditions_alike", "flag")                                            \
    INPUT(PEERS_ALIKE, "peers_alike", "flag")                                                      \
    INPUT(PEER_CELSIUS, "median_celsius_of_peers", "°C")                                           \
    INPUT(NODES, "nodes", "")                                                                      \
    INPUT(NODE_BEST, "best_pass_of_node", "")                                                      \
    INPUT(NODES_MEDIAN, "median_of_nodes", "")                                                     \
    INPUT(NODES_MAD, "mad_of_nodes", "")                                                           \
    INPUT(NODES_LOW, "low_mode_of_nodes", "")                                                      \
    INPUT(NODES_HIGH, "high_mode_of_nodes", "")                                                    \
    INPUT(RUNS, "runs", "")                                                                        \
    INPUT(RUNS_SPREAD, "spread_of_runs", "%")                                                      \
    INPUT(CUBLAS_ALIKE, "cublas_alike", "flag")                                                    \
    /* the host */                                                                                 \
    INPUT(MACHINE_UNITS, "machine_units", "")                                                      \
    INPUT(CPU_QUOTA, "cpu_quota", "")                                                              \
    INPUT(MEMORY_INSTALLED, "memory_installed_bytes", "B")                                         \
    INPUT(MEMORY_LIMIT, "memory_limit_bytes", "B")                                                 \
    INPUT(POWERSAVE, "governor_powersave", "flag")

#define INPUTS_CONSTANT(name, word, unit) INPUT_##name,
enum input { INPUT_NONE, INPUTS(INPUTS_CONSTANT) INPUT_COUNT };

extern const char *const input_names[INPUT_COUNT], *const input_units[INPUT_COUNT];

double input_get(enum input which, const struct scene *s);

/* inputs_*.c: the functions behind the table in inputs.c. */
typedef double input_function(const struct scene *s);
input_function input_memory_roof, input_memory_roof_computed, input_memory_roof_datasheet,
    input_memory_is_gddr, input_coherent, input_confidential, input_from_ptx, input_replays,
    input_ecc_errors, input_link_roof_most, input_powersave, input_sw_thermal, input_hw_thermal,
    input_power_brake, input_xid, input_xid_program, input_run_seconds;
input_function input_event_span, input_rechecks_wrong, input_rechecks_alike, input_value,
    input_footprint, input_copy_bytes, input_length, input_launch_cost, input_power,
    input_link_roof, input_flops_roof, input_emulated, input_may_emulate, input_one_way,
    input_relative_mad, input_low_mode, input_high_mode;
input_function input_series_length, input_first_value, input_last_value, input_first_clock,
    input_last_clock, input_cap_share, input_slowdowns_running;
input_function input_read_rate, input_triad_rate, input_read_memory_clock, input_download_rate,
    input_small_copy_rate, input_large_copy_rate;
input_function input_figure, input_figure_low, input_figure_high, input_peers, input_peer_median,
    input_peer_z, input_baseline, input_baseline_low, input_baseline_high, input_conditions_alike,
    input_peers_alike;
input_function input_peer_celsius, input_nodes, input_node_best, input_nodes_median,
    input_nodes_mad, input_nodes_low, input_nodes_high, input_runs, input_runs_spread,
    input_cublas_alike;
input_function input_expected_gen, input_expected_width, input_expected_power,
    input_expected_memory, input_link_expected, input_power_expected;

/* Whether the words are the same and both known. */
bool same_word(const char *a, const char *b);

/* The same card in another report, by its UUID, the host by its name; NULL: not there. */
const struct device_record *device_like(const struct report *r, const struct device_record *asked);
/* The figure of a device that answers the same question; NULL: none. */
const struct figure *figure_like(const struct report *r, const char *device,
                                 const struct figure *asked);

/* The nodes of a fleet that hold cards of the scene's model.  A node counts as its worst card, and
 * passes of a node count as its best: an outlier shows in all of them. */
enum { NODES_MAX = 1024 };
struct fleet {
    double values[NODES_MAX]; /* of the scene's figure */
    const struct report *nodes[NODES_MAX];
    size_t count; /* 0: alone, or not all is known of each */
    double own;   /* of this report's node */
};
/* Fills the fleet that the scene is judged in. */
void fleet_of(struct fleet *f, const struct scene *s);

#endif
