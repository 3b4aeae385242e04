/* What an error of the CUDA runtime means to somebody who wants to measure. */
#include "harness/device/cuda_state.h"
#include "harness/device/system.h"

#include "harness/base/version.h"

#include <dlfcn.h>
#include <stdlib.h>

/* Adds what a sentence in the table cannot say. */
typedef void explain(struct text *out, const struct device *d);

struct meaning {
    int code;
    bool lasts;     /* every further call in this process fails too */
    const char *id; /* by which `ridge check --explain` knows it; NULL: driver_id() */
    const char *sentence;
    explain *more;
};

static void add_version(struct text *out, int version)
{
    text_addf(out, "%d.%d", version / 1000, version % 1000 / 10);
}

static char *driver_version(void)
{
    char *version = device_read_line("/sys/module/nvidia/version");

    return version ? version : xstrdup("(of unknown version)");
}

/* The library's own number for the newest CUDA it serves is 0 when there is no driver at all. */
static void explain_driver(struct text *out, const struct device *d)
{
    int served = 0, needed = CUDART_VERSION;
    char *driver;

    (void)d;
    cudaDriverGetVersion(&served);
    cudaRuntimeGetVersion(&needed);
    if (served > 0) {
        driver = driver_version();
        text_addf(out, "driver %s supports CUDA ", driver);
        add_version(out, served);
        text_add(out, "; this build needs ");
        add_version(out, needed);
        free(driver);
    } else if (system_in_container()) {
        text_add(out, "no NVIDIA driver: this container was started without a GPU (--gpus all, or "
                      "the runtime class)");
    } else {
        text_add(out, "no NVIDIA driver");
    }
}

static const char *driver_id(void)
{
    int served = 0;

    cudaDriverGetVersion(&served);
    if (served > 0)
        return "DRIVER_TOO_OLD";
    return system_in_container() ? "CONTAINER_WITHOUT_GPU" : "NO_DRIVER";
}

static void add_driver_library(struct text *out, const struct device *d)
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *call = library ? dlsym(library, "cuInit") : NULL;
    Dl_info info;

    (void)d;
    if (call && dladdr(call, &info))
        text_addf(out, ": %s", info.dli_fname);
    if (library)
        dlclose(library);
}

static void add_visible_devices(struct text *out, const struct device *d)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");

    (void)d;
    if (visible)
        text_addf(out, ": CUDA_VISIBLE_DEVICES=%s", visible);
    else
        text_add(out, "; where MIG is on, no instance exists");
}

static void add_architectures(struct text *out, const struct device *d)
{
    text_addf(out, "; it holds machine code for: %s", version_architectures);
    if (d && d->facts.capability)
        text_addf(out,
                  "; the card has compute capability %s: rebuild with "
                  "-DRIDGE_CUDA_ARCHITECTURES=all",
                  d->facts.capability);
}

static void add_driver_version(struct text *out, const struct device *d)
{
    char *version = driver_version();

    (void)d;
    text_addf(out, "; the loaded module is %s", version);
    free(version);
}

static void add_compute_mode(struct text *out, const struct device *d)
{
    if (d && d->facts.compute_mode)
        text_addf(out, " (compute mode %s)", d->facts.compute_mode);
}

#define MPS "the MPS daemon or server cannot be reached, or its limit of clients is reached"
static const struct meaning meanings[] = {
    {3, false, "INIT_FAILED",
     "initialisation failed: is the module nvidia-uvm loaded? (nvidia-modprobe -u)", NULL},
    {34, false, "STUB_LIBRARY", "the toolkit's stub of libcuda was loaded, fix the library path",
     add_driver_library},
    {35, false, NULL, "", explain_driver},
    {36, false, NULL, "", explain_driver},
    {46, false, "EXCLUSIVE_MODE",
     "another process, perhaps invisible from here, holds the card: stop it or use MPS",
     add_compute_mode},
    {98, false, "NO_KERNEL_IMAGE", "this build has no such kernel for the card", add_architectures},
    {100, false, "NO_CARD_VISIBLE", "the driver is loaded, but no card is visible",
     add_visible_devices},
    {101, false, "NO_CARD_VISIBLE", "the driver is loaded, but no such card is visible",
     add_visible_devices},
    {200, false, "NO_KERNEL_IMAGE", "this build's kernels do not suit the card", add_architectures},
    {209, false, "NO_KERNEL_IMAGE", "this build has no kernels for the card", add_architectures},
    {214, true, "DEVICE_ENDED", "the card's memory had an error that could not be corrected (ECC)",
     NULL},
    {220, true, "DEVICE_ENDED", "NVLink had an error that could not be corrected", NULL},
    {221, false, "PTX_REFUSED", "the driver's compiler library is missing", NULL},
    {222, false, "PTX_REFUSED", "this build's PTX is newer than the driver can compile",
     add_driver_version},
    {223, false, "PTX_REFUSED",
     "compiling from PTX is disabled by the environment (CUDA_DISABLE_PTX_JIT)", NULL},
    {304, false, "NO_PERMISSION",
     "the card's device files are closed to this process: permissions or the control "
     "group",
     NULL},
    {700, true, "DEVICE_ENDED", "a kernel touched memory that is not its own", NULL},
    {702, true, "DEVICE_ENDED", "the system's watchdog ended a kernel: the card drives a display",
     NULL},
    {709, true, "DEVICE_ENDED", "the context was destroyed", NULL},
    {710, true, "DEVICE_ENDED", "a kernel's assertion failed", NULL},
    {714, true, "DEVICE_ENDED", "a kernel's stack was corrupted", NULL},
    {715, true, "DEVICE_ENDED", "a kernel met an illegal instruction", NULL},
    {716, true, "DEVICE_ENDED", "a kernel met a misaligned address", NULL},
    {717, true, "DEVICE_ENDED", "a kernel used an address of the wrong kind", NULL},
    {718, true, "DEVICE_ENDED", "a kernel's program counter went astray", NULL},
    {719, true, "DEVICE_ENDED", "a kernel failed", NULL},
    {801, false, "NO_REGISTERING",
     "not supported here: confidential computing, or memory shared with the host", NULL},
    {802, false, "FABRIC_NOT_READY",
     "NVSwitch is not initialised: is the Fabric Manager running, in the driver's "
     "version?",
     add_driver_version},
    {803, false, "DRIVER_MISMATCH",
     "the driver's files and its loaded module differ in version: reload or reboot",
     add_driver_version},
    {804, false, "COMPAT_LIBRARY",
     "the forward-compatibility libcuda was loaded on a card that does not allow it",
     add_driver_library},
    {805, false, "MPS_UNREACHABLE", MPS, NULL},
    {806, false, "MPS_UNREACHABLE", MPS, NULL},
    {807, false, "MPS_UNREACHABLE", MPS, NULL},
    {808, false, "MPS_UNREACHABLE", MPS, NULL},
    {809, false, "MPS_UNREACHABLE", MPS, NULL},
    {810, true, "MPS_UNREACHABLE", "the MPS client was terminated", NULL},
    {999, true, "INIT_FAILED",
     "the driver does not say what failed: is the module nvidia-uvm loaded? "
     "(nvidia-modprobe -u)",
     NULL},
};

static const struct meaning *meaning_of_code(int code)
{
    for (const struct meaning *m = meanings; m < meanings + COUNT_OF(meanings); m++)
        if (m->code == code)
            return m;
    return NULL;
}

void cuda_explain(struct text *out, int code, const struct device *d)
{
    const struct meaning *m = meaning_of_code(code);

    if (code >= KERNEL_LIBRARY_FAILED) {
        text_addf(out, "cuBLAS refused it (status %d)", code - KERNEL_LIBRARY_FAILED);
        return;
    }
    if (m) {
        text_add(out, m->sentence);
        if (m->more)
            m->more(out, d);
    } else {
        text_add(out, cudaGetErrorString((cudaError_t)code));
    }
    text_addf(out, " (%s, %d", cudaGetErrorName((cudaError_t)code), code);
    if (m)
        text_addf(out, "; %s", m->id ? m->id : driver_id());
    text_add(out, ")");
}

bool cuda_error_lasts(int code)
{
    const struct meaning *m = meaning_of_code(code);

    return m && m->lasts;
}
