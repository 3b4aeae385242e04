/* The dlopen tables of cuBLAS and NVML, and where their files are looked for. */
#include "harness/device/libraries.h"

#include "harness/base/text.h"
#include "harness/device/device.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <glob.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct call {
    const char *name, *older_name;
    size_t offset; /* of the pointer in the table */
    bool optional;
};

/* A POSIX system's object pointers hold functions; C has no cast for it. */
static void set_pointer(void *table, size_t offset, void *symbol)
{
    memcpy((char *)table + offset, &symbol, sizeof symbol);
}

/* Fills a table from a library.  Returns NULL, or the name of the first call that it lacks. */
static const char *resolve(void *library, void *table, const struct call *calls, size_t count)
{
    for (const struct call *c = calls; c < calls + count; c++) {
        void *symbol = dlsym(library, c->name);

        if (!symbol && c->older_name)
            symbol = dlsym(library, c->older_name);
        if (!symbol && !c->optional)
            return c->name;
        set_pointer(table, c->offset, symbol);
    }
    return NULL;
}

/* A search for one library: how far it got, and what it tried. */
struct search {
    char *file; /* "libcublasLt.so.13" */
    void *library;
    struct text tried;
};

static bool try_path(struct search *s, const char *path)
{
    s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!s->library)
        text_addf(&s->tried, "%s%s", s->tried.length ? ", " : "", path);
    return s->library != NULL;
}

static bool try_folder_of(struct search *s, const char *symbol)
{
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, symbol);
    const char *slash;

    if (!address || !dladdr(address, &info) || !(slash = strrchr(info.dli_fname, '/')))
        return false;

    char *path = xasprintf("%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, s->file);
    bool found = try_path(s, path);

    free(path);
    return found;
}

static bool try_glob(struct search *s, const char *pattern)
{
    glob_t found = {0};
    bool opened = false;

    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && !opened; i++)
            opened = try_path(s, found.gl_pathv[i]);
    globfree(&found);
    return opened;
}

/* Python's NVIDIA wheels, below the folder of an interpreter's program (…/bin, or pyenv's …/shims)
 * or of the user. */
static bool try_wheels_near(struct search *s, const char *folder, size_t length)
{
    char *pattern =
        xasprintf("%.*s/../{,versions/*/}lib/python3*/{site,dist}-packages/nvidia/*/lib/%s",
                  (int)length, folder, s->file);
    bool found = try_glob(s, pattern);

    free(pattern);
    return found;
}

static bool try_wheels(struct search *s)
{
    const char *home = getenv("HOME"), *path = getenv("PATH");
    bool found = false;

    for (const char *at = path; at && *at && !found; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");

        found = length && try_wheels_near(s, at, length);
        at += length;
    }
    if (!found && home) {
        char *local = xasprintf("%s/.local/bin", home);

        found = try_wheels_near(s, local, strlen(local));
        free(local);
    }
    if (!found)
        text_add(&s->tried, ", Python's nvidia wheels");
    return found;
}

/* Beside the CUDA runtime in use; where the loader looks, the folder of the toolkit of this build
 * (RUNPATH) among them; in Python's wheels. */
static void *find_library(struct search *s)
{
    if (!try_folder_of(s, "cudaGetDeviceCount") && !try_path(s, s->file))
        try_wheels(s);
    return s->library;
}

static char *file_of_library(void *table_entry)
{
    Dl_info info;

    return dladdr(table_entry, &info) ? xstrdup(info.dli_fname) : NULL;
}

#define CUBLAS_CALL(call_name) {.name = #call_name, .offset = offsetof(struct cublas, call_name)},
static const struct call lt_calls[] = {CUBLAS_LT_CALLS(CUBLAS_CALL)};
static const struct call blas_calls[] = {CUBLAS_CALLS(CUBLAS_CALL)};

static struct {
    struct cublas calls;
    char *path, *why;
    bool asked;
} blas;

/* Opens one library and fills its part of the table.  Returns 0, or -1 with blas.why set. */
static int open_cublas_part(const char *stem, int major, const struct call *calls, size_t count)
{
    struct search s = {.file = xasprintf("%s.so.%d", stem, major)};
    const char *lacking = NULL;

    if (!find_library(&s))
        blas.why = xasprintf("%s not found (tried %s)", s.file, text_chars(&s.tried));
    else if ((lacking = resolve(s.library, &blas.calls, calls, count)))
        blas.why = xasprintf("%s has no %s", s.file, lacking);
    else if (!blas.path)
        blas.path = file_of_library(dlsym(s.library, calls[0].name));
    text_free(&s.tried);
    free(s.file);
    return blas.why ? -1 : 0;
}

const struct cublas *libraries_cublas(const char **why)
{
    if (!blas.asked) {
        int version = CUDART_VERSION;

        blas.asked = true;
        cudaRuntimeGetVersion(&version);
        if (!open_cublas_part("libcublasLt", version / 1000, lt_calls, COUNT_OF(lt_calls)))
            open_cublas_part("libcublas", version / 1000, blas_calls, COUNT_OF(blas_calls));
    }
    if (why)
        *why = blas.why;
    return blas.why ? NULL : &blas.calls;
}

const char *libraries_cublas_path(void)
{
    return blas.path;
}

#define NVML(member, symbol)                                                                       \
    {                                                                                              \
        .name = "nvml" symbol, .offset = offsetof(struct nvml, member), .optional = true           \
    }
static const struct call nvml_calls[] = {
    {.name = "nvmlInit_v2", .offset = offsetof(struct nvml, init)},
    {.name = "nvmlDeviceGetHandleByUUID", .offset = offsetof(struct nvml, device_by_uuid)},
    NVML(driver_version, "SystemGetDriverVersion"),
    NVML(error_text, "ErrorString"),
    NVML(clock_mhz, "DeviceGetClockInfo"),
    NVML(temperature, "DeviceGetTemperature"),
    NVML(power_milliwatts, "DeviceGetPowerUsage"),
    NVML(power_limit_enforced, "DeviceGetEnforcedPowerLimit"),
    NVML(power_limit_default, "DeviceGetPowerManagementDefaultLimit"),
    /* renamed with driver 535 */
    {.name = "nvmlDeviceGetCurrentClocksEventReasons",
     .older_name = "nvmlDeviceGetCurrentClocksThrottleReasons",
     .offset = offsetof(struct nvml, event_reasons),
     .optional = true},
    NVML(link_generation, "DeviceGetCurrPcieLinkGeneration"),
    NVML(link_width, "DeviceGetCurrPcieLinkWidth"),
    NVML(link_generation_max, "DeviceGetMaxPcieLinkGeneration"),
    NVML(link_width_max, "DeviceGetMaxPcieLinkWidth"),
    NVML(link_generation_max_card, "DeviceGetGpuMaxPcieLinkGeneration"),
    NVML(utilisation, "DeviceGetUtilizationRates"),
    {.name = "nvmlDeviceGetComputeRunningProcesses_v3",
     .older_name = "nvmlDeviceGetComputeRunningProcesses",
     .offset = offsetof(struct nvml, processes),
     .optional = true},
    NVML(mig, "DeviceGetMigMode"),
    NVML(pstate, "DeviceGetPerformanceState"),
    NVML(persistence, "DeviceGetPersistenceMode"),
    NVML(virtualisation, "DeviceGetVirtualizationMode"),
    NVML(pcie_replays, "DeviceGetPcieReplayCounter"),
    NVML(temperature_threshold, "DeviceGetTemperatureThreshold"),
    NVML(margin, "DeviceGetMarginTemperature"),
    NVML(ecc_errors, "DeviceGetTotalEccErrors"),
    NVML(remapped_rows, "DeviceGetRemappedRows"),
    NVML(confidential, "SystemGetConfComputeState"),
    NVML(vbios, "DeviceGetVbiosVersion"),
    NVML(licences, "DeviceGetGridLicensableFeatures_v4"),
    NVML(fields, "DeviceGetFieldValues"),
};

static struct {
    struct nvml calls;
    char *why;
    bool asked;
} nvml;

/* The numbers of the fields that ridge asks for had another meaning before. */
static void refuse_old_fields(struct nvml *calls)
{
    enum { RENUMBERED_IN = 580 };
    char version[80] = "0";

    if (!calls->driver_version || calls->driver_version(version, sizeof version) != NVML_OK ||
        strtol(version, NULL, 10) < RENUMBERED_IN)
        calls->fields = NULL;
}

static void open_nvml(void)
{
    struct search s = {.file = xstrdup("libnvidia-ml.so.1")};
    const char *lacking;
    int code;

    if (!try_path(&s, s.file) && !try_path(&s, "/usr/lib/wsl/lib/libnvidia-ml.so.1"))
        nvml.why = xasprintf("NVML not found (tried %s)", text_chars(&s.tried));
    else if ((lacking = resolve(s.library, &nvml.calls, nvml_calls, COUNT_OF(nvml_calls))))
        nvml.why = xasprintf("%s has no %s", s.file, lacking);
    else if ((code = nvml.calls.init()))
        nvml.why = xasprintf("NVML does not start: %s (%d)",
                             nvml.calls.error_text ? nvml.calls.error_text(code) : "error", code);
    else
        refuse_old_fields(&nvml.calls);
    text_free(&s.tried);
    free(s.file);
}

const struct nvml *libraries_nvml(const char **why)
{
    if (!nvml.asked) {
        nvml.asked = true;
        open_nvml();
    }
    if (why)
        *why = nvml.why;
    return nvml.why ? NULL : &nvml.calls;
}
