/* What NVML says of a card's state while it works. */
#include "harness/device/cuda_state.h"

#include <math.h>
#include <time.h>

static const double sense_interval_seconds = 0.02;

double cuda_now(struct device *d)
{
    struct timespec t;

    (void)d;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double read_value(const struct cuda *c, nvml_reads *call, double scale)
{
    unsigned value;

    return call && call(c->nvml_device, &value) == NVML_OK ? scale * value : NAN;
}

static double read_kind(const struct cuda *c, nvml_reads_of *call, int kind, double scale)
{
    unsigned value;

    return call && call(c->nvml_device, kind, &value) == NVML_OK ? scale * value : NAN;
}

static double read_reasons(const struct cuda *c)
{
    unsigned long long mask;
    nvml_reads_mask *call = c->nvml->event_reasons;

    return call && call(c->nvml_device, &mask) == NVML_OK ? (double)mask : NAN;
}

static double read_utilisation(const struct cuda *c)
{
    unsigned percent[2];

    if (!c->nvml->utilisation || c->nvml->utilisation(c->nvml_device, percent) != NVML_OK)
        return NAN;
    return percent[0] / 100.0;
}

/* Cards since Hopper say how many degrees are left; of older ones it is a difference. */
static double read_margin(const struct cuda *c, double celsius)
{
    struct nvml_margin margin = {.version = sizeof margin | 1 << 24};

    if (c->nvml->margin && c->nvml->margin(c->nvml_device, &margin) == NVML_OK)
        return margin.degrees;
    return cuda_slowdown_celsius(c) - celsius;
}

/* NVML's fields count nanoseconds. */
void cuda_held_back(const struct cuda *c, struct telemetry *out)
{
    struct nvml_field asked[] = {{.field = 74}, {.field = 269}, {.field = 270}, {.field = 271}};
    double *const to[] = {&out->power_cap_seconds, &out->sw_thermal_seconds,
                          &out->hw_thermal_seconds, &out->power_brake_seconds};

    if (!c->nvml->fields || c->nvml->fields(c->nvml_device, COUNT_OF(asked), asked) != NVML_OK)
        return;
    for (size_t i = 0; i < COUNT_OF(asked); i++)
        if (asked[i].status == NVML_OK && asked[i].type == NVML_TYPE_COUNT)
            *to[i] = 1e-9 * (double)asked[i].value.count;
}

void cuda_sense(struct device *d, struct telemetry *out)
{
    const struct cuda *c = d->state;
    const struct nvml *nvml = c->nvml;

    *out = telemetry_unknown;
    if (!nvml || d->lost)
        return;
    out->nvml_sm_clock_hz = read_kind(c, nvml->clock_mhz, NVML_CLOCK_SM, 1e6);
    out->sm_clock_hz = out->nvml_sm_clock_hz;
    out->memory_clock_hz = read_kind(c, nvml->clock_mhz, NVML_CLOCK_MEMORY, 1e6);
    out->power_watts = read_value(c, nvml->power_milliwatts, 1e-3);
    out->power_limit_watts = read_value(c, nvml->power_limit_enforced, 1e-3);
    out->temperature_celsius = read_kind(c, nvml->temperature, NVML_TEMPERATURE_GPU, 1);
    out->link_generation = read_value(c, nvml->link_generation, 1);
    out->link_width = read_value(c, nvml->link_width, 1);
    out->event_reasons = read_reasons(c);
    out->pstate = read_value(c, nvml->pstate, 1);
    out->margin_celsius = read_margin(c, out->temperature_celsius);
    out->pcie_replays = read_value(c, nvml->pcie_replays, 1);
    out->ecc_uncorrected = cuda_ecc_uncorrected(c);
    out->utilisation = read_utilisation(c);
    cuda_held_back(c, out);
}

/* The newest reading counts, but no reason is forgotten. */
static void add_reading(struct telemetry *to, const struct telemetry *reading)
{
    const double before = to->event_reasons;

    *to = *reading;
    if (!isnan(before))
        to->event_reasons = isnan(reading->event_reasons)
                                ? before
                                : (double)((uint64_t)before | (uint64_t)reading->event_reasons);
}

void cuda_sense_if_due(struct device *d, struct telemetry *out)
{
    struct cuda *c = d->state;
    const double now = cuda_now(d);
    struct telemetry reading;

    if (now - c->sensed_at < sense_interval_seconds)
        return;
    cuda_sense(d, &reading);
    add_reading(out, &reading);
    c->sensed_at = cuda_now(d);
}
