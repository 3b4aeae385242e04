/* The tables of members, in the order in which a file holds them. */
#include "harness/report/fields.h"

#define KIND_OF(owner, member)                                                                     \
    _Generic(((struct owner *)0)->member,                                                          \
        double: FIELD_NUMBER,                                                                      \
        size_t: FIELD_COUNT,                                                                       \
        bool: FIELD_BOOL,                                                                          \
        enum flag: FIELD_FLAG,                                                                     \
        enum row_status: FIELD_STATUS,                                                             \
        enum severity: FIELD_SEVERITY,                                                             \
        char *: FIELD_TEXT,                                                                        \
        const char *: FIELD_WORD,                                                                  \
        struct strings: FIELD_STRINGS,                                                             \
        struct parameters: FIELD_PARAMETERS,                                                       \
        struct json_t *: FIELD_UNKNOWN)

#define NAMED(owner, member, in_file)                                                              \
    .name = (in_file), .kind = KIND_OF(owner, member), .offset = offsetof(struct owner, member)
#define MEMBER(owner, member)  NAMED(owner, member, #member)
#define UNKNOWN(owner, member) NAMED(owner, member, NULL)
#define STRUCT(owner, member, of)                                                                  \
    .name = #member, .kind = FIELD_STRUCT, .offset = offsetof(struct owner, member), .layout = (of)
#define LIST(owner, member, counted_by, of)                                                        \
    .name = #member, .kind = FIELD_LIST, .offset = offsetof(struct owner, member),                 \
    .count_offset = offsetof(struct owner, counted_by), .layout = (of)
#define LAYOUT(owner, table)                                                                       \
    {                                                                                              \
        .fields = (table), .count = COUNT_OF(table), .size = sizeof(struct owner)                  \
    }

static const struct field provenance_fields[] = {
    {MEMBER(provenance, version)},       {MEMBER(provenance, commit)},
    {MEMBER(provenance, plan)},          {MEMBER(provenance, toolkit)},
    {MEMBER(provenance, architectures)}, {MEMBER(provenance, arguments)},
};
static const struct layout layout_provenance = LAYOUT(provenance, provenance_fields);

static const struct field environment_fields[] = {
    {NAMED(environment, virtual_card, "virtual")},
    {MEMBER(environment, os)},
    {MEMBER(environment, kernel)},
    {MEMBER(environment, cpu)},
    {MEMBER(environment, driver)},
    {MEMBER(environment, cuda_runtime)},
    {MEMBER(environment, cublas)},
    {MEMBER(environment, cublas_path)},
    {MEMBER(environment, container)},
    {MEMBER(environment, hypervisor)},
    {MEMBER(environment, wsl)},
    {MEMBER(environment, machine)},
    {MEMBER(environment, mps_thread_percent)},
    {MEMBER(environment, launch_blocking)},
    {MEMBER(environment, profiled)},
    {UNKNOWN(environment, unknown)},
};
static const struct layout layout_environment = LAYOUT(environment, environment_fields);

static const struct field facts_fields[] = {
    {MEMBER(facts, units)},
    {MEMBER(facts, memory_bytes)},
    {MEMBER(facts, memory_free_bytes)},
    {MEMBER(facts, last_level_cache_bytes)},
    {MEMBER(facts, l1_cache_bytes)},
    {MEMBER(facts, l2_cache_bytes)},
    {MEMBER(facts, clock_max_hz)},
    {MEMBER(facts, memory_clock_hz)},
    {MEMBER(facts, bus_bits)},
    {MEMBER(facts, peak_memory_bytes_per_second)},
    {MEMBER(facts, capability)},
    {MEMBER(facts, warp_lanes)},
    {MEMBER(facts, threads_per_unit)},
    {MEMBER(facts, blocks_per_unit)},
    {MEMBER(facts, registers_per_unit)},
    {MEMBER(facts, shared_bytes_per_unit)},
    {MEMBER(facts, shared_bytes_per_block)},
    {MEMBER(facts, shared_bytes_reserved)},
    {MEMBER(facts, copy_engines)},
    {MEMBER(facts, host_numa_node)},
    {MEMBER(facts, link_generation_max)},
    {MEMBER(facts, link_generation_max_host)},
    {MEMBER(facts, link_width_max)},
    {MEMBER(facts, power_limit_watts)},
    {MEMBER(facts, power_limit_default_watts)},
    {MEMBER(facts, ecc)},
    {MEMBER(facts, mig)},
    {MEMBER(facts, integrated)},
    {MEMBER(facts, display_timeout)},
    {MEMBER(facts, pageable_access)},
    {MEMBER(facts, tcc)},
    {MEMBER(facts, unified_addressing)},
    {MEMBER(facts, pci_id)},
    {MEMBER(facts, code)},
    {MEMBER(facts, compute_mode)},
    {MEMBER(facts, processes)},
    {MEMBER(facts, coherent_link)},
    {MEMBER(facts, confidential)},
    {MEMBER(facts, vgpu)},
    {MEMBER(facts, vgpu_licensed)},
    {MEMBER(facts, persistence)},
    {MEMBER(facts, thread_near)},
    {MEMBER(facts, vbios)},
    {MEMBER(facts, link_upstream_bytes_per_second)},
    {MEMBER(facts, link_upstream_bridge)},
    {MEMBER(facts, slowdown_celsius)},
    {MEMBER(facts, link_generation_idle)},
    {MEMBER(facts, pstate_idle)},
    {MEMBER(facts, utilisation_before)},
    {MEMBER(facts, pcie_replays)},
    {MEMBER(facts, ecc_uncorrected)},
    {MEMBER(facts, power_cap_seconds)},
    {MEMBER(facts, sw_thermal_seconds)},
    {MEMBER(facts, hw_thermal_seconds)},
    {MEMBER(facts, power_brake_seconds)},
    {MEMBER(facts, iommu)},
    {MEMBER(facts, xids)},
    {MEMBER(facts, remap_pending)},
    {MEMBER(facts, remap_failed)},
    {MEMBER(facts, threads_per_core)},
    {MEMBER(facts, numa_nodes)},
    {MEMBER(facts, sockets)},
    {MEMBER(facts, huge_page_bytes)},
    {MEMBER(facts, machine_units)},
    {MEMBER(facts, cpu_quota)},
    {MEMBER(facts, memory_installed_bytes)},
    {MEMBER(facts, memory_limit_bytes)},
    {MEMBER(facts, simd)},
    {MEMBER(facts, governor)},
    {UNKNOWN(facts, unknown)},
};
const struct layout layout_facts = LAYOUT(facts, facts_fields);

static const struct field device_fields[] = {
    {MEMBER(device_record, id), .needed = true},
    {MEMBER(device_record, kind), .needed = true},
    {MEMBER(device_record, name)},
    {MEMBER(device_record, uuid)},
    {MEMBER(device_record, unusable)},
    {STRUCT(device_record, facts, &layout_facts)},
    {UNKNOWN(device_record, unknown)},
};
const struct layout layout_device = LAYOUT(device_record, device_fields);

static const struct field experiment_fields[] = {
    {MEMBER(experiment_record, name), .needed = true},
    {MEMBER(experiment_record, summary)},
    {UNKNOWN(experiment_record, unknown)},
};
const struct layout layout_experiment = LAYOUT(experiment_record, experiment_fields);

static const struct field metric_fields[] = {
    {MEMBER(metric, name)},
    {MEMBER(metric, unit)},
    {MEMBER(metric, more_is_better)},
};
static const struct layout layout_metric = LAYOUT(metric, metric_fields);

static const struct field work_fields[] = {
    {MEMBER(work, bytes)},
    {MEMBER(work, flops)},
    {MEMBER(work, operations)},
};
static const struct layout layout_work = LAYOUT(work, work_fields);

static const struct field summary_fields[] = {
    {MEMBER(summary, median)}, {MEMBER(summary, ci_low)}, {MEMBER(summary, ci_high)},
    {MEMBER(summary, min)},    {MEMBER(summary, p25)},    {MEMBER(summary, p75)},
    {MEMBER(summary, max)},    {MEMBER(summary, n)},
};
static const struct layout layout_summary = LAYOUT(summary, summary_fields);

static const struct field telemetry_fields[] = {
    {MEMBER(telemetry, sm_clock_hz)},
    {MEMBER(telemetry, nvml_sm_clock_hz)},
    {MEMBER(telemetry, memory_clock_hz)},
    {MEMBER(telemetry, power_watts)},
    {MEMBER(telemetry, power_limit_watts)},
    {MEMBER(telemetry, temperature_celsius)},
    {MEMBER(telemetry, link_generation)},
    {MEMBER(telemetry, link_width)},
    {MEMBER(telemetry, event_reasons)},
    {MEMBER(telemetry, utilisation)},
    {MEMBER(telemetry, pstate)},
    {MEMBER(telemetry, margin_celsius)},
    {MEMBER(telemetry, pcie_replays)},
    {MEMBER(telemetry, ecc_uncorrected)},
    {MEMBER(telemetry, power_cap_seconds)},
    {MEMBER(telemetry, sw_thermal_seconds)},
    {MEMBER(telemetry, hw_thermal_seconds)},
    {MEMBER(telemetry, power_brake_seconds)},
    {MEMBER(telemetry, host_span_seconds)},
    {MEMBER(telemetry, others_share)},
    {MEMBER(telemetry, steal_share)},
    {UNKNOWN(telemetry, unknown)},
};
const struct layout layout_telemetry = LAYOUT(telemetry, telemetry_fields);

static const struct field reading_fields[] = {
    {MEMBER(reading, at_seconds)},
    {MEMBER(reading, value)},
    {.kind = FIELD_STRUCT, .offset = offsetof(struct reading, state), .layout = &layout_telemetry},
    {UNKNOWN(reading, state.unknown)},
};
static const struct layout layout_reading = LAYOUT(reading, reading_fields);

static const struct field measurement_fields[] = {
    {MEMBER(measurement, experiment), .needed = true},
    {MEMBER(measurement, device), .needed = true},
    {MEMBER(measurement, peer)},
    {MEMBER(measurement, role), .needed = true},
    {MEMBER(measurement, parameters)},
    {MEMBER(measurement, status), .needed = true},
    {MEMBER(measurement, reason)},
    {MEMBER(measurement, doubts)},
    {MEMBER(measurement, headline)},
    {STRUCT(measurement, metric, &layout_metric), .nullable = true},
    {STRUCT(measurement, work, &layout_work)},
    {STRUCT(measurement, value, &layout_summary), .nullable = true},
    {MEMBER(measurement, repetitions)},
    {.name = "seconds",
     .kind = FIELD_NUMBERS,
     .offset = offsetof(struct measurement, seconds),
     .count_offset = offsetof(struct measurement, samples)},
    {MEMBER(measurement, timed_by)},
    {MEMBER(measurement, check)},
    {MEMBER(measurement, rechecks_wrong)},
    {MEMBER(measurement, rechecks_alike)},
    {STRUCT(measurement, telemetry, &layout_telemetry)},
    {LIST(measurement, timeline, readings, &layout_reading), .nullable = true},
    {UNKNOWN(measurement, unknown)},
};
const struct layout layout_measurement = LAYOUT(measurement, measurement_fields);

static const struct field figure_fields[] = {
    {MEMBER(figure, experiment), .needed = true},
    {MEMBER(figure, device), .needed = true},
    {MEMBER(figure, role), .needed = true},
    {MEMBER(figure, name), .needed = true},
    {MEMBER(figure, parameters)},
    {NAMED(figure, value.value, "value")},
    {NAMED(figure, value.low, "ci_low")},
    {NAMED(figure, value.high, "ci_high")},
    {MEMBER(figure, unit)},
    {UNKNOWN(figure, unknown)},
};
const struct layout layout_figure = LAYOUT(figure, figure_fields);

static const struct field roof_fields[] = {
    {MEMBER(roof, device)},
    {MEMBER(roof, kind)},
    {MEMBER(roof, name)},
    {MEMBER(roof, source)},
    {NAMED(roof, value.value, "value")},
    {NAMED(roof, value.low, "ci_low")},
    {NAMED(roof, value.high, "ci_high")},
    {MEMBER(roof, unit)},
};
const struct layout layout_roof = LAYOUT(roof, roof_fields);

static const struct field ridge_point_fields[] = {
    {MEMBER(ridge_point, device)},
    {MEMBER(ridge_point, compute)},
    {MEMBER(ridge_point, memory)},
    {MEMBER(ridge_point, source)},
    {NAMED(ridge_point, flop_per_byte.value, "flop_per_byte")},
    {NAMED(ridge_point, flop_per_byte.low, "ci_low")},
    {NAMED(ridge_point, flop_per_byte.high, "ci_high")},
};
const struct layout layout_ridge_point = LAYOUT(ridge_point, ridge_point_fields);

static const struct field finding_fields[] = {
    {MEMBER(finding, id)},
    {MEMBER(finding, severity)},
    {MEMBER(finding, device)},
    {MEMBER(finding, sentence)},
    {MEMBER(finding, fix)},
    {MEMBER(finding, evidence)},
    {.name = "measurements",
     .kind = FIELD_NUMBERS,
     .offset = offsetof(struct finding, measurements),
     .count_offset = offsetof(struct finding, measurement_count)},
};
const struct layout layout_finding = LAYOUT(finding, finding_fields);

static const struct field report_fields[] = {
    {.name = "schema", .kind = FIELD_SCHEMA},
    {MEMBER(report, schema_version), .needed = true},
    {MEMBER(report, complete)},
    {STRUCT(report, ridge, &layout_provenance)},
    {MEMBER(report, started)},
    {MEMBER(report, seconds)},
    {STRUCT(report, environment, &layout_environment)},
    {LIST(report, experiments, experiment_count, &layout_experiment)},
    {LIST(report, devices, device_count, &layout_device)},
    {LIST(report, measurements, measurement_count, &layout_measurement)},
    {LIST(report, figures, figure_count, &layout_figure)},
    {LIST(report, roofs, roof_count, &layout_roof), .derived = true},
    {LIST(report, ridge_points, ridge_point_count, &layout_ridge_point), .derived = true},
    {LIST(report, findings, finding_count, &layout_finding), .derived = true},
    {UNKNOWN(report, unknown)},
};
const struct layout layout_report = LAYOUT(report, report_fields);
