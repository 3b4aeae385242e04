/* Under what conditions a card works, as NVML knows them before anything of ours runs on it. */
#include "harness/device/cuda_state.h"

#include "harness/device/bridges.h"
#include "harness/device/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NVML_NOT_SUPPORTED = 3, NVML_VIRTUAL_CARD = 2, NVML_THRESHOLD_SLOWDOWN = 1 };

static double value_of(const struct cuda *c, nvml_reads *call)
{
    unsigned value;

    return call && call(c->nvml_device, &value) == NVML_OK ? value : NAN;
}

static enum flag flag_of(double value)
{
    return isnan(value) ? FLAG_UNKNOWN : value != 0 ? FLAG_YES : FLAG_NO;
}

/* What a card or a driver does not have is off. */
static enum flag confidential(const struct nvml *nvml)
{
    struct nvml_confidential state = {0};
    const int code = nvml->confidential ? nvml->confidential(&state) : -1;

    if (code == NVML_NOT_SUPPORTED)
        return FLAG_NO;
    return code == NVML_OK ? flag_of(state.feature) : FLAG_UNKNOWN;
}

static enum flag virtual_card(const struct cuda *c)
{
    const double mode = value_of(c, c->nvml->virtualisation);

    return isnan(mode) ? FLAG_UNKNOWN : mode == NVML_VIRTUAL_CARD ? FLAG_YES : FLAG_NO;
}

/* Of what is switched on, any that has none makes the card slow. */
static enum flag licensed(const struct cuda *c)
{
    struct nvml_licences found = {0};
    enum flag licensed = FLAG_UNKNOWN;

    if (!c->nvml->licences || c->nvml->licences(c->nvml_device, &found) != NVML_OK ||
        !found.supported)
        return FLAG_UNKNOWN;
    for (size_t i = 0; i < found.count && i < COUNT_OF(found.items); i++)
        if (found.items[i].enabled && licensed != FLAG_NO)
            licensed = found.items[i].licensed ? FLAG_YES : FLAG_NO;
    return licensed;
}

static void fill_remapped(struct facts *f, const struct cuda *c)
{
    unsigned corrected, uncorrected, pending, failed;

    if (!c->nvml->remapped_rows || c->nvml->remapped_rows(c->nvml_device, &corrected, &uncorrected,
                                                          &pending, &failed) != NVML_OK)
        return;
    f->remap_pending = flag_of(pending);
    f->remap_failed = flag_of(failed);
}

static void fill_idle(struct facts *f, const struct cuda *c)
{
    struct telemetry held = telemetry_unknown;
    unsigned percent[2];

    cuda_held_back(c, &held);
    f->power_cap_seconds = held.power_cap_seconds;
    f->sw_thermal_seconds = held.sw_thermal_seconds;
    f->hw_thermal_seconds = held.hw_thermal_seconds;
    f->power_brake_seconds = held.power_brake_seconds;
    f->link_generation_idle = value_of(c, c->nvml->link_generation);
    f->pstate_idle = value_of(c, c->nvml->pstate);
    if (c->nvml->utilisation && c->nvml->utilisation(c->nvml_device, percent) == NVML_OK)
        f->utilisation_before = percent[0] / 100.0;
    f->pcie_replays = value_of(c, c->nvml->pcie_replays);
    f->ecc_uncorrected = cuda_ecc_uncorrected(c);
}

double cuda_ecc_uncorrected(const struct cuda *c)
{
    enum { UNCORRECTED = 1, SINCE_THE_DRIVER_WAS_LOADED = 0 };
    unsigned long long errors;

    if (!c->nvml->ecc_errors ||
        c->nvml->ecc_errors(c->nvml_device, UNCORRECTED, SINCE_THE_DRIVER_WAS_LOADED, &errors) !=
            NVML_OK)
        return NAN;
    return (double)errors;
}

double cuda_slowdown_celsius(const struct cuda *c)
{
    unsigned celsius;

    if (!c->nvml->temperature_threshold ||
        c->nvml->temperature_threshold(c->nvml_device, NVML_THRESHOLD_SLOWDOWN, &celsius) !=
            NVML_OK)
        return NAN;
    return celsius;
}

/* The thread moves beside the card where it is known which CPUs are; with one node all of them are.
 */
static enum flag thread_near(const struct cuda *c)
{
    char *nodes = device_read_line("/sys/devices/system/node/online");
    const bool one = nodes && strcmp(nodes, "0") == 0;

    free(nodes);
    return c->near_known || one ? FLAG_YES : FLAG_UNKNOWN;
}

/* What the system's files say of the card's way to the host. */
static void fill_way(struct facts *f, const char *pci_folder)
{
    char *iommu = xasprintf("%s/iommu_group/type", pci_folder);

    f->iommu = device_read_line(iommu);
    f->link_upstream_bytes_per_second = bridges_slowest(pci_folder, &f->link_upstream_bridge);
    free(iommu);
}

void cuda_conditions_fill(struct facts *f, const struct cuda *c)
{
    char vbios[64];

    f->thread_near = thread_near(c);
    if (c->pci_folder)
        fill_way(f, c->pci_folder);
    if (!c->nvml)
        return;
    f->confidential = confidential(c->nvml);
    f->vgpu = virtual_card(c);
    if (f->vgpu == FLAG_YES)
        f->vgpu_licensed = licensed(c);
    f->persistence = flag_of(value_of(c, c->nvml->persistence));
    f->slowdown_celsius = cuda_slowdown_celsius(c);
    if (c->nvml->vbios && c->nvml->vbios(c->nvml_device, vbios, sizeof vbios) == NVML_OK)
        f->vbios = xstrdup(vbios);
    fill_remapped(f, c);
    fill_idle(f, c);
}

static enum flag is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value && strcmp(value, "0") != 0 ? FLAG_YES : FLAG_NO;
}

void cuda_describe_process(struct environment *e)
{
    const char *share = getenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");

    e->mps_thread_percent = share && *share ? strtod(share, NULL) : 100;
    e->launch_blocking = is_set("CUDA_LAUNCH_BLOCKING");
    e->profiled = is_set("CUDA_INJECTION64_PATH");
}
