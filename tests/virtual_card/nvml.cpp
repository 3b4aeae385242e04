/* A stand-in for NVML: the card's state as its file says.  The driver's own header is not needed;
 * the prototypes are those that harness/device/libraries.h declares. */
#include "tests/virtual_card/card.h"
#include "tests/virtual_card/fail.h"

#include <stdio.h>
#include <string.h>

#define API extern "C" __attribute__((visibility("default")))

enum status { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6 };
enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0, THRESHOLD_SLOWDOWN = 1 };

using handle = const struct card *;

API int nvmlInit_v2(void)
{
    return SUCCESS;
}

API int nvmlShutdown(void)
{
    return SUCCESS;
}

API const char *nvmlErrorString(int code)
{
    return code == SUCCESS ? "Success" : code == NOT_SUPPORTED ? "Not Supported" : "Not Found";
}

API int nvmlSystemGetDriverVersion(char *text, unsigned room)
{
    snprintf(text, room, "%s", card_at(0)->driver);
    return SUCCESS;
}

API int nvmlDeviceGetHandleByUUID(const char *uuid, handle *out)
{
    if (strncmp(uuid, "GPU-", 4) != 0)
        return NOT_FOUND;
    for (int i = 0; i < card_count(); i++)
        if (strcmp(card_at(i)->uuid, uuid + 4) == 0) {
            *out = card_at(i);
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
    if (kind != CLOCK_SM && kind != CLOCK_MEMORY)
        VIRTUAL_UNKNOWN("clock", kind);
    return give(kind == CLOCK_SM ? card->clock_hz : card->memory_clock_hz, 1e-6, mhz);
}

API int nvmlDeviceGetTemperature(handle card, int kind, unsigned *celsius)
{
    if (kind != TEMPERATURE_GPU)
        VIRTUAL_UNKNOWN("sensor", kind);
    return give(card->temperature_celsius, 1, celsius);
}

API int nvmlDeviceGetPowerUsage(handle card, unsigned *milliwatts)
{
    return give(card->power_watts, 1e3, milliwatts);
}

API int nvmlDeviceGetEnforcedPowerLimit(handle card, unsigned *milliwatts)
{
    return give(card->power_limit_watts, 1e3, milliwatts);
}

API int nvmlDeviceGetPowerManagementDefaultLimit(handle card, unsigned *milliwatts)
{
    return give(card->power_limit_watts, 1e3, milliwatts);
}

API int nvmlDeviceGetCurrentClocksEventReasons(handle card, unsigned long long *mask)
{
    *mask = (unsigned long long)card->event_reasons;
    return SUCCESS;
}

API int nvmlDeviceGetCurrPcieLinkGeneration(handle card, unsigned *generation)
{
    return give(card->link_generation, 1, generation);
}

API int nvmlDeviceGetCurrPcieLinkWidth(handle card, unsigned *width)
{
    return give(card->link_width, 1, width);
}

API int nvmlDeviceGetMaxPcieLinkGeneration(handle card, unsigned *generation)
{
    return give(card->link_generation, 1, generation);
}

API int nvmlDeviceGetMaxPcieLinkWidth(handle card, unsigned *width)
{
    return give(card->link_width, 1, width);
}

API int nvmlDeviceGetGpuMaxPcieLinkGeneration(handle card, unsigned *generation)
{
    return give(card->link_generation, 1, generation);
}

API int nvmlDeviceGetUtilizationRates(handle card, unsigned *percent)
{
    percent[0] = percent[1] = card_working(card) ? 100 : 0;
    return SUCCESS;
}

API int nvmlDeviceGetComputeRunningProcesses_v3(handle, unsigned *count, void *)
{
    *count = 0;
    return SUCCESS;
}

API int nvmlDeviceGetMigMode(handle, unsigned *, unsigned *)
{
    return NOT_SUPPORTED;
}

API int nvmlDeviceGetPerformanceState(handle, unsigned *state)
{
    *state = 0;
    return SUCCESS;
}

API int nvmlDeviceGetPersistenceMode(handle, unsigned *on)
{
    *on = 1;
    return SUCCESS;
}

API int nvmlDeviceGetVirtualizationMode(handle, unsigned *mode)
{
    *mode = 0; /* none: the card is the machine's own */
    return SUCCESS;
}

API int nvmlDeviceGetPcieReplayCounter(handle, unsigned *count)
{
    *count = 0;
    return SUCCESS;
}

API int nvmlDeviceGetTemperatureThreshold(handle card, int kind, unsigned *celsius)
{
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
    if (margin->version != (sizeof *margin | 1 << 24))
        VIRTUAL_UNKNOWN("version", margin->version);
    margin->degrees = (int)(card->slowdown_celsius - card->temperature_celsius);
    return SUCCESS;
}

API int nvmlDeviceGetTotalEccErrors(handle card, int, int, unsigned long long *count)
{
    *count = 0;
    return card->ecc != 0 ? SUCCESS : NOT_SUPPORTED;
}

API int nvmlDeviceGetRemappedRows(handle, unsigned *corrected, unsigned *uncorrected,
                                  unsigned *pending, unsigned *failed)
{
    *corrected = *uncorrected = *pending = *failed = 0;
    return SUCCESS;
}

API int nvmlSystemGetConfComputeState(void *)
{
    return NOT_SUPPORTED;
}

API int nvmlDeviceGetVbiosVersion(handle, char *text, unsigned room)
{
    snprintf(text, room, "00.00.00.00.00");
    return SUCCESS;
}
