/* The result model: all of a run and its circumstances, as plain structs.
 * Unknown numbers are NAN, unknown strings NULL, unknown flags FLAG_UNKNOWN.  SI units throughout.
 * Strings and arrays are owned by the struct that holds them; report_free frees everything. */
#ifndef REPORT_MODEL_H
#define REPORT_MODEL_H

#include "harness/base/text.h"
#include "harness/report/samples.h"

#include <stdbool.h>
#include <stddef.h>

struct json_t; /* jansson's; members that this version does not know, kept for writing */

enum flag { FLAG_UNKNOWN = -1, FLAG_NO = 0, FLAG_YES = 1 };

/* What wrote the file. */
struct provenance {
    char *version, *commit, *plan, *toolkit;
    struct strings arguments, architectures;
};

struct environment {
    enum flag virtual_card; /* "virtual": the CUDA runtime in the process is the tests' stand-in */
    char *os, *kernel, *cpu, *driver, *cuda_runtime, *cublas, *cublas_path;
    enum flag container, hypervisor, wsl;
    char *machine; /* host name without domain */
    /* What the process's variables ask of the CUDA runtime. */
    double mps_thread_percent; /* of the SMs that it may use; 100 where nothing limits them */
    enum flag launch_blocking, profiled;
    struct json_t *unknown;
};

/* What is known about a device before anything is measured. */
struct facts {
    double units; /* SMs, or cores that may be used */
    double memory_bytes, memory_free_bytes, last_level_cache_bytes;
    double l1_cache_bytes, l2_cache_bytes; /* of one core of a host */
    double clock_max_hz;                   /* the rated maximum as the device reports it */
    double memory_clock_hz;                /* as reported: half the data rate on most cards */
    double bus_bits;
    double peak_memory_bytes_per_second; /* 2 x memory clock x bus width / 8 (METHOD 1.5) */
    /* cards */
    char *capability; /* "9.0" */
    double warp_lanes, threads_per_unit, blocks_per_unit, registers_per_unit;
    double shared_bytes_per_unit, shared_bytes_per_block, shared_bytes_reserved;
    double copy_engines, host_numa_node;
    double link_generation_max, link_generation_max_host, link_width_max;
    double power_limit_watts, power_limit_default_watts;
    enum flag ecc, mig, integrated, display_timeout, pageable_access, tcc, unified_addressing;
    char *pci_id, *code, *compute_mode; /* code: "machine code sm_90" or "compiled from PTX" */
    double processes;                   /* other processes that hold the card */
    enum flag coherent_link, confidential, vgpu, vgpu_licensed, persistence;
    enum flag thread_near; /* the thread that drives the card runs on its NUMA node */
    char *vbios;
    double link_upstream_bytes_per_second; /* of the narrowest link above the card's own */
    char *link_upstream_bridge;            /* whose that is */
    double slowdown_celsius;               /* where the card protects itself */
    /* before anything of ours ran on it */
    double link_generation_idle, pstate_idle, utilisation_before;
    double pcie_replays, ecc_uncorrected; /* counted so far */
    double power_cap_seconds, sw_thermal_seconds, hw_thermal_seconds, power_brake_seconds;
    char *iommu; /* how it treats the card: "identity" (as if there were none), "DMA" */
    char *xids;  /* Xid numbers of the kernel's log during the run: "13 79" */
    enum flag remap_pending, remap_failed; /* rows of memory to be replaced */
    /* the host */
    double threads_per_core, numa_nodes, sockets, huge_page_bytes;
    double machine_units, cpu_quota;                   /* cores there are; that may be used */
    double memory_installed_bytes, memory_limit_bytes; /* of the machine; of the control group */
    char *simd, *governor; /* widest vector set in use: "avx512", "avx2", "baseline" */
    struct json_t *unknown;
};

struct device_record {
    char *id, *kind, *name, *uuid; /* "cuda0", "cuda" */
    char *unusable;                /* why it could not be opened or was given up; NULL: fine */
    struct facts facts;
    struct json_t *unknown;
};

struct experiment_record {
    char *name, *summary;
    struct json_t *unknown;
};

/* A coordinate or circumstance of a measurement: a word or, where word is NULL, a number. */
struct parameter {
    char *name, *word;
    double number;
};
struct parameters {
    struct parameter *items;
    size_t count;
};

enum row_status { ROW_OK, ROW_SKIPPED, ROW_INVALID, ROW_FAILED, ROW_WRONG, ROW_STATUSES };
extern const char *const row_status_names[ROW_STATUSES]; /* "ok", "skipped", ... */

/* How time becomes a value.  By unit: "B/s": work.bytes / t; "FLOP/s": work.flops / t;
 * "s": t / work.operations; "1/s": work.operations / t. */
struct metric {
    const char *name, *unit; /* owned by the report that was read, static when measured */
    bool more_is_better;
};
extern const struct metric metric_bandwidth; /* "bandwidth", "B/s", true */
extern const struct metric metric_flops;     /* "throughput", "FLOP/s", true */
extern const struct metric metric_time;      /* "time", "s", false */
extern const struct metric metric_latency;   /* "latency", "s", false */

/* Declared work of one execution.  NAN where it has no meaning; operations: what "time" is divided
 * by. */
struct work {
    double bytes, flops, operations;
};

/* The state of the device while it measured: medians over the row's samples. */
struct telemetry {
    double sm_clock_hz; /* from the card's own timers where it has them, else NVML; host: cpufreq */
    double nvml_sm_clock_hz, memory_clock_hz, power_watts, power_limit_watts, temperature_celsius;
    double link_generation, link_width;
    double event_reasons;                 /* NVML's bit mask, all samples or-ed */
    double utilisation;                   /* 0..1 */
    double pstate, margin_celsius;        /* performance state; degrees left to the slowdown */
    double pcie_replays, ecc_uncorrected; /* counted so far */
    /* for how long the clock was held back so far, by reason */
    double power_cap_seconds, sw_thermal_seconds, hw_thermal_seconds, power_brake_seconds;
    double host_span_seconds;         /* of a sample timed by events, by the host's clock */
    double others_share, steal_share; /* host: of the CPU time that its cores have */
    struct json_t *unknown;
};
extern const struct telemetry telemetry_unknown; /* all NAN */

/* One reading of a row's time line. */
struct reading {
    double at_seconds, value; /* since the start of the row; the metric's value */
    struct telemetry state;
};

struct measurement {
    char *experiment, *device, *peer, *role;
    struct parameters parameters;
    enum row_status status;
    char *reason;          /* why it is not ok; NULL */
    struct strings doubts; /* "noisy", "short", "spread", "throttled", "clock_drift", ... */
    struct metric metric;
    struct work work;
    struct summary value; /* derived from seconds by measurement_derive */
    double repetitions;   /* executions in one sample */
    double *seconds;      /* of one execution, a sample each, in order of time */
    size_t samples;
    char *timed_by, *check;   /* "events", "host", ...; "ok", "wrong", "none" */
    double rechecks_wrong;    /* of the three after a wrong answer; NAN: none were made */
    enum flag rechecks_alike; /* all that were wrong were so in the same place */
    bool headline;            /* one of the rows that a summary shows */
    struct telemetry telemetry;
    struct reading *timeline;
    size_t readings;
    struct json_t *unknown;
};

/* What several measurements together say: a fit, a knee, a cost. */
struct figure {
    char *experiment, *device, *role, *name;
    struct parameters parameters;
    struct estimate value;
    char *unit;
    struct json_t *unknown;
};

/* A ceiling.  source: "measured", "datasheet", "device" (computed from what the device says). */
struct roof {
    char *device, *kind, *name, *source; /* kind: "memory", "compute" */
    struct estimate value;
    char *unit;
};

struct ridge_point {
    char *device, *compute, *memory, *source; /* names of the two roofs */
    struct estimate flop_per_byte;
};

/* How bad a finding is; a later one outweighs an earlier one. */
enum severity { SEVERITY_NOTE, SEVERITY_DEGRADED, SEVERITY_INVALID, SEVERITY_FAULT, SEVERITIES };
extern const char *const severity_names[SEVERITIES]; /* "note", "degraded", "invalid", "fault" */

/* A verdict: what is wrong with a device or with some of its rows, and what to do. */
struct finding {
    char *id; /* of its rule, "LINK_SLOW" */
    enum severity severity;
    char *device, *sentence, *fix; /* device NULL: the run as a whole; fix NULL: nothing to do */
    struct parameters evidence;    /* what the rule looked at */
    double *measurements;          /* the rows it concerns, by their place in the report */
    size_t measurement_count;
};

struct report {
    double schema_version; /* of the file that was read; this ridge's own when measured */
    bool complete;
    struct provenance ridge;
    char *started; /* RFC 3339, UTC */
    double seconds;
    struct environment environment;
    struct experiment_record *experiments;
    size_t experiment_count;
    struct device_record *devices;
    size_t device_count;
    struct measurement *measurements;
    size_t measurement_count;
    struct figure *figures;
    size_t figure_count;
    struct roof *roofs; /* derived by analysis, never read from a file */
    size_t roof_count;
    struct ridge_point *ridge_points;
    size_t ridge_point_count;
    struct finding *findings; /* derived, too: worst first */
    size_t finding_count;
    struct strings words;   /* that the metrics of a report that was read point to */
    struct json_t *unknown; /* further members of the file */
};

/* Everything unknown, nothing in it. */
void report_init(struct report *r);
void report_free(struct report *r);
void facts_init(struct facts *f);
void facts_free(struct facts *f);
void facts_copy(struct facts *to, const struct facts *from); /* to is overwritten, not freed */

/* Each adds an empty element (everything unknown) and returns it; valid until the next is added. */
struct device_record *report_add_device(struct report *r);
struct experiment_record *report_add_experiment(struct report *r);
struct measurement *report_add_measurement(struct report *r);
struct figure *report_add_figure(struct report *r);
struct roof *report_add_roof(struct report *r);
struct ridge_point *report_add_ridge_point(struct report *r);
struct finding *report_add_finding(struct report *r);
void report_clear_derived(struct report *r); /* drops roofs, ridge points and findings */
void report_clear_findings(struct report *r);

const struct device_record *report_device(const struct report *r, const char *id); /* or NULL */
/* Drops the records of all other devices; their rows stay, and belong to none. */
void report_keep_device(struct report *r, const char *id);

void parameters_set_number(struct parameters *p, const char *name, double number);
void parameters_set_word(struct parameters *p, const char *name, const char *word);
/* NAN, NULL where there is none of that name and type. */
double parameters_number(const struct parameters *p, const char *name);
const char *parameters_word(const struct parameters *p, const char *name);
/* The value is in `word` for "operation=triad" style conditions; a number is compared as a number.
 */
bool parameters_match(const struct parameters *p, const char *name, const char *value);

/* One sample's value by the metric's rule; NAN where the work it needs is unknown. */
double metric_value(const struct metric *m, const struct work *w, double seconds);
/* Fills value from seconds, metric and work.  A row that is not ok or invalid gets none. */
void measurement_derive(struct measurement *m);
/* ok, with a value: may be used in roofs, comparisons and medians. */
bool measurement_usable(const struct measurement *m);

/* First usable measurement of a device and role for which all conditions hold, or NULL.
 * conditions: NULL-terminated list of "name", "value" pairs (arrays of 2n + 1), may be NULL. */
const struct measurement *report_find(const struct report *r, const char *device, const char *role,
                                      const char *const *conditions);
const struct figure *report_figure(const struct report *r, const char *device, const char *role,
                                   const char *name, const char *const *conditions);

#endif
