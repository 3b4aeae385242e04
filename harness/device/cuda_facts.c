/* What is known about a card before anything is measured (METHOD 1.4), and about its software. */
#include "harness/device/cuda_state.h"
#include "harness/device/system.h"

#include <math.h>
#include <stdlib.h>

static double attribute(const struct device *d, enum cudaDeviceAttr which)
{
    const struct cuda *c = d->state;
    int value;

    if (cudaDeviceGetAttribute(&value, which, c->index) == cudaSuccess)
        return value;
    cudaGetLastError();
    return NAN;
}

/* Of these 0 means that the driver does not know. */
static double positive_attribute(const struct device *d, enum cudaDeviceAttr which, double scale)
{
    const double value = attribute(d, which);

    return value > 0 ? scale * value : NAN;
}

static enum flag flag_attribute(const struct device *d, enum cudaDeviceAttr which)
{
    const double value = attribute(d, which);

    return isnan(value) ? FLAG_UNKNOWN : value != 0 ? FLAG_YES : FLAG_NO;
}

static double pci_number(const struct cuda *c, const char *file)
{
    char *path = c->pci_folder ? xasprintf("%s/%s", c->pci_folder, file) : NULL;
    const double number = path ? system_number(path) : NAN;

    free(path);
    return number;
}

static double nvml_value(const struct cuda *c, nvml_reads *call)
{
    unsigned value;

    return call && call(c->nvml_device, &value) == NVML_OK ? value : NAN;
}

/* Generations by the transfer rate of a lane, which is what sysfs shows. */
static double generation_of_rate(double gigatransfers)
{
    static const double rates[] = {2.5, 5, 8, 16, 32, 64};

    for (size_t i = 0; i < COUNT_OF(rates); i++)
        if (gigatransfers == rates[i])
            return (double)i + 1;
    return NAN;
}

static double known_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static void fill_link(struct facts *f, const struct cuda *c)
{
    if (c->nvml) {
        f->link_generation_max = nvml_value(c, c->nvml->link_generation_max_card);
        f->link_generation_max_host = nvml_value(c, c->nvml->link_generation_max);
        f->link_width_max = nvml_value(c, c->nvml->link_width_max);
    }
    f->link_generation_max =
        known_or(f->link_generation_max, generation_of_rate(pci_number(c, "max_link_speed")));
    f->link_width_max = known_or(f->link_width_max, pci_number(c, "max_link_width"));
}

static void fill_nvml(struct facts *f, const struct cuda *c)
{
    const struct nvml *nvml = c->nvml;
    unsigned now, pending, processes = 0;
    int code;

    if (!nvml)
        return;
    f->power_limit_watts = 1e-3 * nvml_value(c, nvml->power_limit_enforced);
    f->power_limit_default_watts = 1e-3 * nvml_value(c, nvml->power_limit_default);
    if (nvml->mig && nvml->mig(c->nvml_device, &now, &pending) == NVML_OK)
        f->mig = now ? FLAG_YES : FLAG_NO;
    if (!nvml->processes)
        return;
    code = nvml->processes(c->nvml_device, &processes, NULL);
    if (code == NVML_OK || code == NVML_MORE_ROOM_NEEDED)
        f->processes = processes;
}

static char *uuid_text(const cudaUUID_t *uuid)
{
    struct text t = TEXT_EMPTY;

    text_add(&t, "GPU-");
    for (unsigned i = 0; i < 16; i++)
        text_addf(&t, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                  (unsigned char)uuid->bytes[i]);
    return text_take(&t);
}

/* A slice of a card (MIG) has a UUID of its own. */
static void find_telemetry(struct device *d)
{
    struct cuda *c = d->state;
    const struct nvml *nvml = libraries_nvml(NULL);
    char *slice = xasprintf("MIG-%s", d->uuid + 4);

    if (nvml && nvml->device_by_uuid(d->uuid, &c->nvml_device) == NVML_OK) {
        c->nvml = nvml;
    } else if (nvml && nvml->device_by_uuid(slice, &c->nvml_device) == NVML_OK) {
        c->nvml = nvml;
        free(d->uuid);
        d->uuid = xstrdup(slice);
        d->facts.mig = FLAG_YES;
    }
    free(slice);
}

static void find_pci(struct device *d)
{
    struct cuda *c = d->state;
    char id[32], *path, *list;

    if (cudaDeviceGetPCIBusId(id, sizeof id, c->index) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    for (char *at = id; *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'F' ? *at - 'A' + 'a' : *at);
    d->facts.pci_id = xstrdup(id);
    c->pci_folder = xasprintf("/sys/bus/pci/devices/%s", id);
    path = xasprintf("%s/local_cpulist", c->pci_folder);
    list = device_read_line(path);
    c->near_known = list && place_parse(list, &c->near);
    free(list);
    free(path);
}

void cuda_facts_before_context(struct device *d, const struct cudaDeviceProp *properties)
{
    struct cuda *c = d->state;
    const double node_of_host = (find_pci(d), pci_number(c, "numa_node"));

    d->name = xstrdup(properties->name);
    d->uuid = uuid_text(&properties->uuid);
    d->facts.capability = xasprintf("%d.%d", properties->major, properties->minor);
    d->facts.host_numa_node = node_of_host >= 0 ? node_of_host : NAN;
    find_telemetry(d);
    fill_nvml(&d->facts, c);
    cuda_conditions_fill(&d->facts, c);
    fill_link(&d->facts, c);
}

static void fill_rates(struct facts *f, const struct device *d)
{
    f->clock_max_hz = positive_attribute(d, cudaDevAttrClockRate, 1e3);
    f->memory_clock_hz = positive_attribute(d, cudaDevAttrMemoryClockRate, 1e3);
    f->bus_bits = positive_attribute(d, cudaDevAttrGlobalMemoryBusWidth, 1);
    f->peak_memory_bytes_per_second = 2 * f->memory_clock_hz * f->bus_bits / 8;
}

static void fill_units(struct facts *f, const struct device *d)
{
    f->units = positive_attribute(d, cudaDevAttrMultiProcessorCount, 1);
    f->warp_lanes = positive_attribute(d, cudaDevAttrWarpSize, 1);
    f->threads_per_unit = positive_attribute(d, cudaDevAttrMaxThreadsPerMultiProcessor, 1);
    f->blocks_per_unit = positive_attribute(d, cudaDevAttrMaxBlocksPerMultiprocessor, 1);
    f->registers_per_unit = positive_attribute(d, cudaDevAttrMaxRegistersPerMultiprocessor, 1);
    f->shared_bytes_per_unit =
        positive_attribute(d, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1);
    f->shared_bytes_per_block = positive_attribute(d, cudaDevAttrMaxSharedMemoryPerBlockOptin, 1);
    f->shared_bytes_reserved = attribute(d, cudaDevAttrReservedSharedMemoryPerBlock);
    f->last_level_cache_bytes = positive_attribute(d, cudaDevAttrL2CacheSize, 1);
    f->copy_engines = attribute(d, cudaDevAttrAsyncEngineCount);
}

static void fill_flags(struct facts *f, const struct device *d)
{
    static const char *const modes[] = {"default", "exclusive_thread", "prohibited",
                                        "exclusive_process"};
    const double mode = attribute(d, cudaDevAttrComputeMode);

    f->ecc = flag_attribute(d, cudaDevAttrEccEnabled);
    f->integrated = flag_attribute(d, cudaDevAttrIntegrated);
    f->display_timeout = flag_attribute(d, cudaDevAttrKernelExecTimeout);
    f->pageable_access = flag_attribute(d, cudaDevAttrPageableMemoryAccess);
    f->coherent_link = flag_attribute(d, cudaDevAttrPageableMemoryAccessUsesHostPageTables);
    if (f->integrated == FLAG_YES)
        f->coherent_link = FLAG_NO; /* one memory, no link */
    f->tcc = flag_attribute(d, cudaDevAttrTccDriver);
    f->unified_addressing = flag_attribute(d, cudaDevAttrUnifiedAddressing);
    if (mode >= 0 && mode < (double)COUNT_OF(modes))
        f->compute_mode = xstrdup(modes[(int)mode]);
}

int cuda_facts_fill(struct device *d)
{
    struct facts *f = &d->facts;
    size_t left, all;
    int machine_code = 0, ptx = 0;

    fill_rates(f, d);
    fill_units(f, d);
    fill_flags(f, d);
    if (cuda_check(d, cudaMemGetInfo(&left, &all), "asking for the size of memory"))
        return -1;
    f->memory_bytes = (double)all;
    f->memory_free_bytes = (double)left;
    if (cuda_check(d, instrument_load(&machine_code, &ptx), "loading kernels"))
        return -1;
    /* Each architecture's machine code is made from its own PTX. */
    f->code = machine_code == ptx ? xasprintf("machine code sm_%d", machine_code)
                                  : xstrdup("compiled from PTX");
    return 0;
}

static char *nvml_driver_version(void)
{
    const struct nvml *nvml = libraries_nvml(NULL);
    char version[96];

    if (!nvml || !nvml->driver_version || nvml->driver_version(version, sizeof version) != NVML_OK)
        return NULL;
    return xstrdup(version);
}

void cuda_describe(struct environment *e)
{
    int version = 0, devices = 0;
    const struct cublas *blas;

    cuda_describe_process(e);
    e->driver = device_read_line("/sys/module/nvidia/version");
    if (!e->driver)
        e->driver = nvml_driver_version();
    if (cudaRuntimeGetVersion(&version) == cudaSuccess && version > 0)
        e->cuda_runtime = xasprintf("%d.%d", version / 1000, version % 1000 / 10);
    /* Half a gigabyte of library is not opened where no card can use it. */
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        cudaGetLastError();
        return;
    }
    blas = libraries_cublas(NULL);
    if (blas) {
        const size_t number = blas->cublasLtGetVersion();

        e->cublas = xasprintf("%zu.%zu.%zu", number / 10000, number / 100 % 100, number % 100);
        e->cublas_path = xstrdup(libraries_cublas_path());
    }
}
