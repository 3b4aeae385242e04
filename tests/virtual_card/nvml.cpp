/* A stand-in for NVML: the card's state as its file says.  The driver's own header is not needed;
 * the prototypes are those that harness/device/libraries.h declares. */
#include "tests/virtual_card/card.h"
#include "tests/virtual_card/fail.h"

#include <set>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define API extern "C" __attribute__((visibility("default")))

enum status { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0, THRESHOLD_SLOWDOWN = 1 };

static void think(void)
{
    if (card_fault("nvml_slow"))
        card_spend(2e-3);
}

#define ENTER(name)                                                                                \
    think();                                                                                       \
    if (const int ordered = card_call(#name))                                                      \
    return ordered

enum { POWER_CAP = 0x4 }; /* a reason for a lower clock */

using handle = const struct card *;

API int nvmlInit_v2(void)
{
    ENTER(nvmlInit_v2);
    return SUCCESS;
}

API int nvmlShutdown(void)
{
    ENTER(nvmlShutdown);
    return SUCCESS;
}

API const char *nvmlErrorString(int code)
{
    return code == SUCCESS ? "Success" : code == NOT_SUPPORTED ? "Not Supported" : "Not Found";
}

API int nvmlSystemGetDriverVersion(char *text, unsigned room)
{
    ENTER(nvmlSystemGetDriverVersion);
    snprintf(text, room, "%s", card_at(0)->driver);
    return SUCCESS;
}

API int nvmlDeviceGetHandleByUUID(const char *uuid, handle *out)
{
    ENTER(nvmlDeviceGetHandleByUUID);
    for (int i = 0; i < card_count(); i++)
        if (strncmp(uuid, card_at(i)->mig != 0 ? "MIG-" : "GPU-", 4) == 0 &&
            strcmp(card_at(i)->uuid, uuid + 4) == 0) {
            *out = card_at(card_fault("cards_swapped") ? card_count() - 1 - i : i);
            return SUCCESS;
        }
    return NOT_FOUND;
}

/* A fact as an unsigned number. */
static int give(double value, double scale, unsigned *out)
{
    *out = (unsigned)(value * scale + 0.5);
    return SUCCESS;
}

API int nvmlDeviceGetClockInfo(handle card, int kind, unsigned *mhz)
{
    ENTER(nvmlDeviceGetClockInfo);
    if (kind != CLOCK_SM && kind != CLOCK_MEMORY)
        VIRTUAL_UNKNOWN("clock", kind);
    return give(kind == CLOCK_SM ? card_clock_hz(card) : card->memory_clock_now_hz, 1e-6, mhz);
}

API int nvmlDeviceGetTemperature(handle card, int kind, unsigned *celsius)
{
    ENTER(nvmlDeviceGetTemperature);
    if (kind != TEMPERATURE_GPU)
        VIRTUAL_UNKNOWN("sensor", kind);
    return give(card->temperature_celsius, 1, celsius);
}

API int nvmlDeviceGetPowerUsage(handle card, unsigned *milliwatts)
{
    ENTER(nvmlDeviceGetPowerUsage);
    return give(card_power_watts(card), 1e3, milliwatts);
}

API int nvmlDeviceGetEnforcedPowerLimit(handle card, unsigned *milliwatts)
{
    ENTER(nvmlDeviceGetEnforcedPowerLimit);
    return give(card->power_limit_watts, 1e3, milliwatts);
}

API int nvmlDeviceGetPowerManagementDefaultLimit(handle card, unsigned *milliwatts)
{
    ENTER(nvmlDeviceGetPowerManagementDefaultLimit);
    return give(card->power_limit_default_watts, 1e3, milliwatts);
}

API int nvmlDeviceGetCurrentClocksEventReasons(handle card, unsigned long long *mask)
{
    ENTER(nvmlDeviceGetCurrentClocksEventReasons);
    *mask = (unsigned long long)card->event_reasons | (card_capped(card) ? POWER_CAP : 0);
    return SUCCESS;
}

API int nvmlDeviceGetCurrPcieLinkGeneration(handle card, unsigned *generation)
{
    ENTER(nvmlDeviceGetCurrPcieLinkGeneration);
    return give(card_link_awake(card) ? card->link_generation : card->link_generation_idle, 1,
                generation);
}

API int nvmlDeviceGetCurrPcieLinkWidth(handle card, unsigned *width)
{
    ENTER(nvmlDeviceGetCurrPcieLinkWidth);
    return give(card->link_width, 1, width);
}

API int nvmlDeviceGetMaxPcieLinkGeneration(handle card, unsigned *generation)
{
    ENTER(nvmlDeviceGetMaxPcieLinkGeneration);
    return give(card->link_generation_max_host, 1, generation);
}

API int nvmlDeviceGetMaxPcieLinkWidth(handle card, unsigned *width)
{
    ENTER(nvmlDeviceGetMaxPcieLinkWidth);
    return give(card->link_width_max, 1, width);
}

API int nvmlDeviceGetGpuMaxPcieLinkGeneration(handle card, unsigned *generation)
{
    ENTER(nvmlDeviceGetGpuMaxPcieLinkGeneration);
    return give(card->link_generation_max, 1, generation);
}

API int nvmlDeviceGetUtilizationRates(handle card, unsigned *percent)
{
    ENTER(nvmlDeviceGetUtilizationRates);
    percent[0] = percent[1] = card_working(card) ? 100 : (unsigned)card->utilisation_idle;
    return SUCCESS;
}

API int nvmlDeviceGetComputeRunningProcesses_v3(handle card, unsigned *count, void *)
{
    ENTER(nvmlDeviceGetComputeRunningProcesses_v3);
    *count = (unsigned)card->processes;
    return SUCCESS;
}

API int nvmlDeviceGetMigMode(handle card, unsigned *now, unsigned *pending)
{
    ENTER(nvmlDeviceGetMigMode);
    *now = *pending = card->mig != 0;
    return card->mig != 0 ? SUCCESS : NOT_SUPPORTED;
}

API int nvmlDeviceGetPerformanceState(handle card, unsigned *state)
{
    ENTER(nvmlDeviceGetPerformanceState);
    return give(card->pstate, 1, state);
}

API int nvmlDeviceGetPersistenceMode(handle card, unsigned *on)
{
    ENTER(nvmlDeviceGetPersistenceMode);
    return give(card->persistence, 1, on);
}

API int nvmlDeviceGetVirtualizationMode(handle card, unsigned *mode)
{
    ENTER(nvmlDeviceGetVirtualizationMode);
    *mode = card->vgpu != 0 ? 2 : 0; /* of a guest; none: the card is the machine's own */
    return SUCCESS;
}

/* A counter stands at 0 when it is first read, and then at this. */
static double since_first(handle card, double card::*counter)
{
    static auto &known = *new std::set<const double *>;

    return known.insert(&(card->*counter)).second ? 0 : card->*counter;
}

API int nvmlDeviceGetPcieReplayCounter(handle card, unsigned *count)
{
    ENTER(nvmlDeviceGetPcieReplayCounter);
    return give(since_first(card, &card::pcie_replays), 1, count);
}

API int nvmlDeviceGetTemperatureThreshold(handle card, int kind, unsigned *celsius)
{
    ENTER(nvmlDeviceGetTemperatureThreshold);
    if (kind != THRESHOLD_SLOWDOWN)
        VIRTUAL_UNKNOWN("threshold", kind);
    return give(card->slowdown_celsius, 1, celsius);
}

/* The struct's version is its size and, in the highest byte, its number. */
struct margin {
    unsigned version;
    int degrees;
};

API int nvmlDeviceGetMarginTemperature(handle card, struct margin *margin)
{
    ENTER(nvmlDeviceGetMarginTemperature);
    if (margin->version != (sizeof *margin | 1 << 24))
        VIRTUAL_UNKNOWN("version", margin->version);
    margin->degrees = (int)(card->slowdown_celsius - card->temperature_celsius);
    return SUCCESS;
}

API int nvmlDeviceGetTotalEccErrors(handle card, int, int, unsigned long long *count)
{
    ENTER(nvmlDeviceGetTotalEccErrors);
    *count = (unsigned long long)since_first(card, &card::ecc_errors);
    return card->ecc != 0 ? SUCCESS : NOT_SUPPORTED;
}

API int nvmlDeviceGetRemappedRows(handle card, unsigned *corrected, unsigned *uncorrected,
                                  unsigned *pending, unsigned *failed)
{
    ENTER(nvmlDeviceGetRemappedRows);
    *corrected = *uncorrected = 0;
    *pending = card->remap_pending != 0;
    *failed = card->remap_failed != 0;
    return SUCCESS;
}

struct confidential {
    unsigned environment, feature, developer_tools;
};

API int nvmlSystemGetConfComputeState(struct confidential *state)
{
    ENTER(nvmlSystemGetConfComputeState);
    *state = {0, card_at(0)->confidential != 0, 0};
    return card_at(0)->confidential != 0 ? SUCCESS : NOT_SUPPORTED;
}

API int nvmlDeviceGetVbiosVersion(handle, char *text, unsigned room)
{
    ENTER(nvmlDeviceGetVbiosVersion);
    snprintf(text, room, "00.00.00.00.00");
    return SUCCESS;
}

struct licences {
    int supported;
    unsigned count;
    struct {
        unsigned code, licensed;
        char info[128], product[128];
        unsigned enabled, expiry[4];
    } items[3];
};

API int nvmlDeviceGetGridLicensableFeatures_v4(handle card, struct licences *out)
{
    ENTER(nvmlDeviceGetGridLicensableFeatures_v4);
    memset(out, 0, sizeof *out);
    out->supported = card->vgpu != 0;
    out->count = card->vgpu != 0;
    out->items[0].enabled = 1;
    out->items[0].licensed = card->licensed != 0;
    return SUCCESS;
}

struct field {
    unsigned number, scope;
    long long timestamp, latency;
    int type, status;
    unsigned long long count;
};

/* The card's. */
static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For how long a reason has held the clock back: a share of the card's time. */
API int nvmlDeviceGetFieldValues(handle card, int count, struct field *fields)
{
    static const struct {
        unsigned number, reason;
    } known[] = {{74, 0x4}, {269, 0x20}, {270, 0x40}, {271, 0x80}};

    ENTER(nvmlDeviceGetFieldValues);
    for (struct field *f = fields; f < fields + count; f++) {
        f->status = NOT_SUPPORTED;
        for (const auto &k : known)
            if (k.number == f->number) {
                const bool holds = ((unsigned)card->event_reasons & k.reason) != 0;

                f->type = 3; /* unsigned long long, nanoseconds */
                f->status = SUCCESS;
                f->count =
                    holds ? (unsigned long long)(1e9 * card->held_back_share * seconds()) : 0;
            }
    }
    return SUCCESS;
}
