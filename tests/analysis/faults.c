/* The faults, and how they are injected. */
#include "faults.h"

#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 9 samples and readings a row; 0-2 and 6-8 are its first and last third. */
const struct fault faults[] = {
    {.id = "ABOVE_ROOF_LINK",
     .severity = SEVERITY_INVALID,
     .edits = {"h2d.seconds.all*0.82"},
     .inside = {"h2d.seconds.all*0.83"}},
    {.id = "ABOVE_ROOF_LINK",
     .severity = SEVERITY_INVALID,
     .edits = {"h2d.seconds.all*0.82", "h2d.telemetry.link_generation=null"},
     .inside = {"h2d.seconds.all*0.83", "h2d.telemetry.link_generation=null"}},
    {.id = "ABOVE_ROOF_MEMORY",
     .severity = SEVERITY_INVALID,
     .edits = {"read.seconds.all*0.92"},
     .inside = {"read.seconds.all*0.93"}},
    {.id = "ABOVE_ROOF_MEMORY",
     .severity = SEVERITY_INVALID,
     .edits = {"read.seconds.all*0.73", "read.telemetry.memory_clock_hz=null"},
     .inside = {"read.seconds.all*0.75", "read.telemetry.memory_clock_hz=null"}},
    {.id = "ABOVE_ROOF_FLOPS",
     .severity = SEVERITY_INVALID,
     .edits = {"bf16.seconds.all*0.78"},
     .inside = {"bf16.seconds.all*0.79"}},
    {.id = "CACHE_RESIDENT",
     .severity = SEVERITY_INVALID,
     .edits = {"read.work.bytes=167772159", "read.seconds.all*0.15625"},
     .inside = {"read.work.bytes=167772160", "read.seconds.all*0.15625"}},
    {.id = "NOT_SATURATED",
     .severity = SEVERITY_INVALID,
     .edits = {"fma.work.flops=4e8", "fma.seconds.all*0.004"},
     .inside = {"fma.work.flops=4.3e8", "fma.seconds.all*0.0043"}},
    {.id = "WRONG_ANSWER",
     .severity = SEVERITY_FAULT,
     .edits = {"read.status=\"wrong\"", "read.value=null",
               "read.reason=\"5 of 268435456 elements differ from what they must be\""},
     .inside = {"read.status=\"ok\""}},
    {.id = "PEER_WRONG",
     .severity = SEVERITY_FAULT,
     .edits = {"launch.role=\"peer\"", "launch.status=\"wrong\"", "launch.value=null",
               "launch.reason=\"1 of 2\"", "launch.peer=\"cuda1\""},
     .inside = {"launch.role=\"peer\""},
     .also = "WRONG_ANSWER"},
    {.id = "FMA_SHORT",
     .severity = SEVERITY_INVALID,
     .edits = {"figure.5.value=0.89"},
     .inside = {"figure.5.value=0.90"}},
    {.id = "OTHER_PROCESS_PRESENT",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.processes=2"},
     .inside = {"facts.processes=0"}},
    {.id = "OTHER_PROCESS",
     .severity = SEVERITY_INVALID,
     .edits = {"facts.processes=1", "facts.utilisation_before=0.06"},
     .inside = {"facts.processes=1", "facts.utilisation_before=0.05"}},
    {.id = "RAMPED",
     .severity = SEVERITY_INVALID,
     .edits = {"bf16.timeline.0-2.value*0.94", "bf16.timeline.0-2.sm_clock_hz*0.94"},
     .inside = {"bf16.timeline.0-2.value*0.955", "bf16.timeline.0-2.sm_clock_hz*0.955"}},
    {.id = "SUSTAINED_DROP",
     .severity = SEVERITY_NOTE,
     .edits = {"bf16.timeline.6-8.value*0.94", "bf16.timeline.6-8.sm_clock_hz*0.94"},
     .inside = {"bf16.timeline.6-8.value*0.955", "bf16.timeline.6-8.sm_clock_hz*0.955"}},
    {.id = "MPS_SHARE",
     .severity = SEVERITY_INVALID,
     .edits = {"env.mps_thread_percent=50"},
     .inside = {"env.mps_thread_percent=100"}},
    {.id = "BLOCKING_LAUNCHES",
     .severity = SEVERITY_INVALID,
     .edits = {"env.launch_blocking=true"}},
    {.id = "PROFILED", .severity = SEVERITY_INVALID, .edits = {"env.profiled=true"}},
    {.id = "LINK_IDLE",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.link_generation_idle=1", "facts.pstate_idle=5"},
     .inside = {"facts.link_generation_idle=1", "facts.pstate_idle=4"}},
    {.id = "LINK_BELOW_CARD",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.link_generation_max=5"},
     .inside = {"facts.link_generation_max=4"}},
    {.id = "LINK_GEN_LOW",
     .severity = SEVERITY_FAULT,
     .edits = {"h2d.telemetry.link_generation=3", "h2d.seconds.all*2"},
     .inside = {"h2d.telemetry.link_generation=3", "h2d.seconds.all*2",
                "facts.link_generation_max_host=3"}},
    {.id = "LINK_WIDTH_LOW",
     .severity = SEVERITY_DEGRADED,
     .edits = {"h2d.telemetry.link_width=8", "h2d.seconds.all*2"},
     .inside = {"facts.link_width_max=16"}},
    {.id = "LINK_UNEXPECTED",
     .severity = SEVERITY_FAULT,
     .edits = {"h2d.telemetry.link_generation=3", "h2d.seconds.all*2",
               "facts.link_generation_max=3", "mid.telemetry.link_generation=3"},
     .inside = {"h2d.telemetry.link_generation=4"},
     .also = "ABOVE_ROOF_LINK",
     .link = 4},
    {.id = "LINK_SLOW",
     .severity = SEVERITY_DEGRADED,
     .edits = {"h2d.seconds.all*1.19"},
     .inside = {"h2d.seconds.all*1.17"}},
    {.id = "LINK_VERY_SLOW",
     .severity = SEVERITY_FAULT,
     .edits = {"h2d.seconds.all*1.66"},
     .inside = {"h2d.seconds.all*1.64"}},
    {.id = "PAGEABLE",
     .severity = SEVERITY_NOTE,
     .edits = {"pageable.seconds.all*1.1"},
     .inside = {"pageable.headline=false"}},
    {.id = "BIDIR_UNEVEN",
     .severity = SEVERITY_DEGRADED,
     .edits = {"leg.seconds.all*1.11"},
     .inside = {"leg.seconds.all*1.09"}},
    {.id = "SIZE_ROLLOFF",
     .severity = SEVERITY_NOTE,
     .edits = {"mid.seconds.all*0.9", "large.seconds.all*1.06"},
     .inside = {"mid.seconds.all*0.9", "large.seconds.all*1.05"}},
    {.id = "SPILLED",
     .severity = SEVERITY_FAULT,
     .edits = {"figure.2.value=2.1e10"},
     .inside = {"figure.2.value=2e10"}},
    {.id = "PCIE_REPLAYS", .severity = SEVERITY_NOTE, .edits = {"h2d.telemetry.pcie_replays=4"}},
    {.id = "PCIE_REPLAY_STORM",
     .severity = SEVERITY_FAULT,
     .edits = {"h2d.telemetry.pcie_replays=84"},
     .inside = {"h2d.telemetry.pcie_replays=83"}},
    {.id = "CONFIDENTIAL", .severity = SEVERITY_NOTE, .edits = {"facts.confidential=true"}},
    {.id = "MIG_SLICE", .severity = SEVERITY_NOTE, .edits = {"facts.mig=true"}},
    {.id = "VGPU", .severity = SEVERITY_NOTE, .edits = {"facts.vgpu=true"}},
    {.id = "VGPU_UNLICENSED",
     .severity = SEVERITY_FAULT,
     .edits = {"facts.vgpu=true", "facts.vgpu_licensed=false"},
     .inside = {"facts.vgpu=true", "facts.vgpu_licensed=true"}},
    {.id = "WSL", .severity = SEVERITY_NOTE, .edits = {"env.wsl=true"}},
    {.id = "INTEGRATED", .severity = SEVERITY_NOTE, .edits = {"facts.integrated=true"}},
    {.id = "COHERENT_LINK",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.coherent_link=true", "facts.capability=\"9.0\""},
     .also = "GEMM_LOW FMA_SHORT"},
    {.id = "ECC_INLINE",
     .severity = SEVERITY_NOTE,
     .edits = {"devices.0.name=\"NVIDIA A10\"", "facts.units=72", "facts.memory_bytes=24146608128",
               "facts.capability=\"8.6\""},
     .inside = {"devices.0.name=\"NVIDIA A10\"", "facts.units=72", "facts.memory_bytes=24146608128",
                "facts.capability=\"8.6\"", "facts.ecc=false"},
     .also = "ABOVE_ROOF_MEMORY ABOVE_ROOF_FLOPS"},
    {.id = "DISPLAY", .severity = SEVERITY_NOTE, .edits = {"facts.display_timeout=true"}},
    {.id = "PERSISTENCE_OFF", .severity = SEVERITY_NOTE, .edits = {"facts.persistence=false"}},
    {.id = "JIT_CODE", .severity = SEVERITY_NOTE, .edits = {"facts.code=\"compiled from PTX\""}},
    {.id = "SPECIAL_DATA", .severity = SEVERITY_NOTE, .edits = {"bf16.parameters.data=\"zeros\""}},
    {.id = "NOISY",
     .severity = SEVERITY_NOTE,
     .edits = {"read.seconds.0-3*1.03", "read.seconds.4-5*0.97"},
     .inside = {"read.seconds.0-3*1.01", "read.seconds.4-5*0.99"}},
    {.id = "TWO_MODES",
     .severity = SEVERITY_NOTE,
     .edits = {"read.seconds.0-3*1.06"},
     .inside = {"read.seconds.0-3*1.01"}},
    {.id = "MEM_CLOCK_LOW",
     .severity = SEVERITY_NOTE,
     .edits = {"triad.telemetry.memory_clock_hz=1.57e9"},
     .inside = {"triad.telemetry.memory_clock_hz=1.58e9"}},
    {.id = "MEM_CLOCK_LOCKED",
     .severity = SEVERITY_DEGRADED,
     .edits = {"triad.telemetry.memory_clock_hz=1.51e9"},
     .inside = {"triad.telemetry.memory_clock_hz=1.52e9"}},
    {.id = "SM_CLOCK_HELD",
     .severity = SEVERITY_DEGRADED,
     .edits = {"triad.telemetry.sm_clock_hz=1.26e9"},
     .inside = {"triad.telemetry.sm_clock_hz=1.27e9"}},
    {.id = "APPLICATION_CLOCKS",
     .severity = SEVERITY_NOTE,
     .edits = {"triad.telemetry.sm_clock_hz=1.26e9", "triad.telemetry.event_reasons=2"},
     .inside = {"triad.telemetry.sm_clock_hz=1.27e9", "triad.telemetry.event_reasons=2"}},
    {.id = "LIMIT_LOWERED",
     .severity = SEVERITY_DEGRADED,
     .edits = {"facts.power_limit_watts=391"},
     .inside = {"facts.power_limit_watts=392"}},
    {.id = "POWER_UNEXPECTED",
     .severity = SEVERITY_FAULT,
     .edits = {"facts.power_limit_watts=391"},
     .inside = {"facts.power_limit_watts=392"},
     .power = 400},
    {.id = "CAP_NORMAL",
     .severity = SEVERITY_NOTE,
     .edits = {"bf16.telemetry.power_watts=381", "bf16.timeline.0-1.event_reasons=4"},
     .inside = {"bf16.telemetry.power_watts=381", "bf16.timeline.0-0.event_reasons=4"}},
    {.id = "CAP_EARLY",
     .severity = SEVERITY_FAULT,
     .edits = {"bf16.telemetry.power_watts=339", "bf16.timeline.0-4.event_reasons=4"},
     .inside = {"bf16.telemetry.power_watts=341", "bf16.timeline.0-4.event_reasons=4"}},
    {.id = "POWER_BRAKE",
     .severity = SEVERITY_FAULT,
     .edits = {"bf16.telemetry.event_reasons=136"},
     .inside = {"bf16.telemetry.event_reasons=256"}},
    {.id = "HW_SLOWDOWN",
     .severity = SEVERITY_FAULT,
     .edits = {"bf16.timeline.3-4.event_reasons=8"},
     .inside = {"bf16.timeline.3-3.event_reasons=8"}},
    {.id = "HW_THERMAL", .severity = SEVERITY_FAULT, .edits = {"bf16.telemetry.event_reasons=64"}},
    {.id = "SW_THERMAL",
     .severity = SEVERITY_DEGRADED,
     .edits = {"bf16.telemetry.event_reasons=32"}},
    {.id = "HOT",
     .severity = SEVERITY_NOTE,
     .edits = {"bf16.telemetry.margin_celsius=5"},
     .inside = {"bf16.telemetry.margin_celsius=6"}},
    {.id = "HEAT_LIMIT_ODD",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.slowdown_celsius=74"},
     .inside = {"facts.slowdown_celsius=75"}},
    {.id = "BUSY_COLD",
     .severity = SEVERITY_FAULT,
     .edits = {"bf16.telemetry.power_watts=159", "bf16.seconds.all*1.61"},
     .inside = {"bf16.telemetry.power_watts=161", "bf16.seconds.all*1.61"},
     .also = "GEMM_LOW"},
    {.id = "ECC_ERRORS", .severity = SEVERITY_FAULT, .edits = {"read.telemetry.ecc_uncorrected=1"}},
    {.id = "REMAP_FAILED", .severity = SEVERITY_FAULT, .edits = {"facts.remap_failed=true"}},
    {.id = "REMAP_PENDING", .severity = SEVERITY_DEGRADED, .edits = {"facts.remap_pending=true"}},
    {.id = "MEMORY_LOW",
     .severity = SEVERITY_DEGRADED,
     .edits = {"figure.2.value=1.52e12", "figure.3.value=1.52e12"},
     .inside = {"figure.2.value=1.53e12", "figure.3.value=1.52e12"}},
    {.id = "MEMORY_VERY_LOW",
     .severity = SEVERITY_FAULT,
     .edits = {"figure.2.value=1.01e12", "figure.3.value=1.01e12"},
     .inside = {"figure.2.value=1.01e12", "figure.3.value=1.02e12"},
     .also = "MEMORY_LOW"},
    {.id = "GEMM_LOW",
     .severity = SEVERITY_DEGRADED,
     .edits = {"bf16.seconds.all*1.34"},
     .inside = {"bf16.seconds.all*1.33"}},
    {.id = "GEMM_LOW",
     .severity = SEVERITY_DEGRADED,
     .edits = {"fp32.seconds.all*2.1"},
     .inside = {"fp32.seconds.all*2.09"}},
    {.id = "HALF_RATE",
     .severity = SEVERITY_NOTE,
     .edits = {"devices.0.name=\"NVIDIA GeForce RTX 3090\""},
     .also = "ABOVE_ROOF_FLOPS"},
    {.id = "ROOF_DISAGREES",
     .severity = SEVERITY_NOTE,
     .edits = {"facts.memory_clock_hz=1.7e9"},
     .inside = {"facts.memory_clock_hz=1.65e9"},
     .also = "MEM_CLOCK_LOCKED"},
    {.id = "CLAIM_MISMATCH",
     .severity = SEVERITY_FAULT,
     .edits = {"facts.memory_bytes=75591424409"},
     .inside = {"facts.memory_bytes=75591424410"},
     .memory_gib = 80},
    {.id = "HOST_BUSY",
     .severity = SEVERITY_DEGRADED,
     .edits = {"cpu.telemetry.others_share=0.101"},
     .inside = {"cpu.telemetry.others_share=0.1"}},
    {.id = "HOST_STEAL",
     .severity = SEVERITY_DEGRADED,
     .edits = {"cpu.telemetry.steal_share=0.021"},
     .inside = {"cpu.telemetry.steal_share=0.02"}},
    {.id = "CPU_QUOTA",
     .severity = SEVERITY_NOTE,
     .edits = {"host.cpu_quota=7.5"},
     .inside = {"host.cpu_quota=8"}},
    {.id = "MEMORY_LIMIT",
     .severity = SEVERITY_NOTE,
     .edits = {"host.memory_limit_bytes=1e10"},
     .inside = {"host.memory_limit_bytes=6.4e10"}},
    {.id = "CPU_GOVERNOR", .severity = SEVERITY_NOTE, .edits = {"host.governor=\"powersave\""}},
    {.id = "CPU_CLOCK_LOW",
     .severity = SEVERITY_NOTE,
     .edits = {"cpu.telemetry.sm_clock_hz=2.79e9"},
     .inside = {"cpu.telemetry.sm_clock_hz=2.81e9"}},
    {.id = "BELOW_BASELINE",
     .severity = SEVERITY_DEGRADED,
     .edits = {"figure.4.value=2.37e14", "figure.4.ci_high=2.38e14"},
     .inside = {"figure.4.value=2.38e14", "figure.4.ci_high=2.39e14"},
     .against_itself = true},
    {.id = "BELOW_BASELINE",
     .severity = SEVERITY_FAULT,
     .edits = {"figure.4.value=1.87e14", "figure.4.ci_high=1.88e14"},
     .inside = {"figure.4.value=1.87e14", "figure.4.ci_high=2.48e14"},
     .against_itself = true},
    {.id = "BASELINE_UNLIKE",
     .severity = SEVERITY_NOTE,
     .edits = {"figure.4.value=2.37e14", "figure.4.ci_high=2.38e14", "env.driver=\"570.1\""},
     .inside = {"figure.4.value=2.37e14", "figure.4.ci_high=2.38e14"},
     .against_itself = true},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_DEGRADED,
     .edits = {"figure.4.value=2.24e14"},
     .inside = {"figure.4.value=2.26e14"},
     .peers = 2},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_FAULT,
     .edits = {"figure.4.value=1.87e14"},
     .inside = {"figure.4.value=2.26e14"},
     .peers = 2},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_DEGRADED,
     .edits = {"figure.4.value=2.37e14"},
     .inside = {"figure.4.value=2.38e14"},
     .peers = 7},
    {.id = "PEER_OUTLIER",
     .severity = SEVERITY_NOTE,
     .edits = {"figure.4.value=2.24e14"},
     .inside = {"figure.4.value=2.26e14"},
     .peers = 1},
    {.id = "PEERS_DIFFER",
     .severity = SEVERITY_DEGRADED,
     .edits = {"devices.2.facts.ecc=false"},
     .inside = {"devices.2.facts.ecc=true"},
     .peers = 2},
};
const unsigned fault_count = COUNT_OF(faults);

/* ---- injecting ---- */

static const char *const rows[] = {"h2d", "d2h", "pageable", "read",  "triad", "bf16",  "fp32",
                                   "fma", "leg", "mid",      "large", "cpu",   "launch"};
static const struct {
    const char *name, *path;
} places[] = {{"facts", "devices.0.facts"},
              {"host", "devices.1.facts"},
              {"env", "environment"},
              {"figure", "figures"}};

static char *full_path(const char *path)
{
    const size_t length = strcspn(path, ".");

    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i]) == length && strncmp(rows[i], path, length) == 0)
            return xasprintf("measurements.%zu%s", i, path + length);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (strlen(places[i].name) == length && strncmp(places[i].name, path, length) == 0)
            return xasprintf("%s%s", places[i].path, path + length);
    return xstrdup(path);
}

struct change {
    json_t *value; /* NULL: multiply by factor */
    double factor;
};

static json_t *changed(const struct change *c, json_t *old)
{
    return c->value != NULL ? json_incref(c->value) : json_real(json_number_value(old) * c->factor);
}

static void change_at(json_t *at, char *path, const struct change *c);

static void change_list(json_t *list, const char *step, char *rest, const struct change *c)
{
    size_t first = 0, last = json_array_size(list) - 1;

    if (strcmp(step, "all") != 0) {
        const char *dash = strchr(step, '-');

        first = strtoul(step, NULL, 10);
        last = dash != NULL ? strtoul(dash + 1, NULL, 10) : first;
    }
    cr_assert_lt(last, json_array_size(list), "%s", step);
    for (size_t i = first; i <= last; i++) {
        char *copy = xstrdup(rest);

        if (*rest == '\0')
            json_array_set_new(list, i, changed(c, json_array_get(list, i)));
        else
            change_at(json_array_get(list, i), copy, c);
        free(copy);
    }
}

static void change_at(json_t *at, char *path, const struct change *c)
{
    char *rest = path + strcspn(path, ".");

    if (*rest != '\0')
        *rest++ = '\0';
    if (json_is_array(at)) {
        change_list(at, path, rest, c);
    } else if (*rest != '\0') {
        cr_assert_not_null(json_object_get(at, path), "%s", path);
        change_at(json_object_get(at, path), rest, c);
    } else {
        json_object_set_new(at, path, changed(c, json_object_get(at, path)));
    }
}

static void edit(json_t *root, const char *words)
{
    const size_t length = strcspn(words, "=*");
    char *written = xasprintf("%.*s", (int)length, words);
    char *path = full_path(written);
    struct change c = {NULL, strtod(words + length + 1, NULL)};

    if (words[length] == '=')
        c.value = json_loads(words + length + 1, JSON_DECODE_ANY, NULL);
    cr_assert(words[length] == '*' || c.value != NULL, "%s", words);
    change_at(root, path, &c);
    json_decref(c.value);
    free(written);
    free(path);
}

/* Cards of the same model with the same figures, as cuda1 and so on. */
static void add_peers(json_t *root, unsigned peers)
{
    json_t *devices = json_object_get(root, "devices"), *figures = json_object_get(root, "figures");
    const size_t count = json_array_size(figures);

    for (unsigned i = 1; i <= peers; i++) {
        json_t *device = json_deep_copy(json_array_get(devices, 0));
        char *id = xasprintf("cuda%u", i);

        json_object_set_new(device, "id", json_string(id));
        json_array_append_new(devices, device);
        for (size_t k = 0; k < count; k++) {
            json_t *figure = json_deep_copy(json_array_get(figures, k));

            json_object_set_new(figure, "device", json_string(id));
            json_array_append_new(figures, figure);
        }
        free(id);
    }
}

json_t *fault_report(const struct fault *f, const char *const *edits)
{
    json_error_t why;
    json_t *measurement;
    size_t row;
    json_t *root = json_load_file(SOURCE_FOLDER "/tests/findings/healthy.json", 0, &why);

    cr_assert_not_null(root, "%s", why.text);
    add_peers(root, f->peers);
    json_array_foreach(json_object_get(root, "measurements"), row, measurement)
        json_object_set_new(measurement, "value", json_null()); /* follows from the samples */
    for (size_t i = 0; i < EDITS_MAX && edits[i] != NULL; i++)
        edit(root, edits[i]);
    return root;
}

void fault_judge(struct report *out, json_t *json, const struct circumstances *given)
{
    char *text = json_dumps(json, 0);
    struct text why = TEXT_EMPTY;

    cr_assert_eq(report_parse(out, text, strlen(text), "healthy.json", &why), 0, "%s",
                 text_chars(&why));
    findings_derive(out, given);
    free(text);
}

struct circumstances fault_circumstances(const struct fault *f, struct report *baseline)
{
    static const struct fault none = {0};
    struct circumstances given = circumstances_unknown;
    json_t *json;

    report_init(baseline);
    if (f->link > 0) {
        given.link_generation = f->link;
        given.link_width = 16;
    }
    if (f->power > 0)
        given.power_watts = f->power;
    if (f->memory_gib > 0)
        given.memory_bytes = f->memory_gib * 1073741824;
    if (f->against_itself) {
        json = fault_report(&none, none.edits);
        fault_judge(baseline, json, &circumstances_unknown);
        json_decref(json);
        given.baseline = baseline;
    }
    return given;
}
