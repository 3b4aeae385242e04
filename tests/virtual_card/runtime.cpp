/* The runtime: cards, versions, errors. */
#include "tests/virtual_card/runtime.h"

#include "tests/virtual_card/faults.h"
#include "tests/virtual_card/tally.h"

#include <map>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

std::recursive_mutex runtime_lock;

static thread_local int chosen;
static thread_local cudaError_t last_error;

int runtime_card(void)
{
    return chosen;
}

void runtime_choose(int card)
{
    chosen = card;
}

cudaError_t runtime_error(cudaError_t error)
{
    last_error = error;
    return error;
}

cudaError_t runtime_refuses(void)
{
    if (card_fault("no_device"))
        return cudaErrorNoDevice;
    return card_fault("old_driver") ? cudaErrorInsufficientDriver : cudaSuccess;
}

static cudaError_t lasting;

cudaError_t runtime_lasting(void)
{
    return lasting;
}

/* An error that lasts is the answer to everything after it. */
cudaError_t runtime_begin(const char *name)
{
    const cudaError_t refused = runtime_refuses();
    const cudaError_t ordered = (cudaError_t)card_call(name);

    if (refused)
        return refused;
    if (!lasting && fault_lasts(ordered))
        lasting = ordered;
    return lasting ? lasting : ordered;
}

/* How ridge sees that the runtime in its process is no real one. */
API const int ridge_virtual_card = 1;

/* What is left at the end, and what was called, for tests that ask. */
static __attribute__((destructor)) void write_log(void)
{
    const char *path = getenv("RIDGE_VIRTUAL_LOG");
    FILE *log = path ? fopen(path, "w") : nullptr;

    if (!log)
        return;
    fprintf(log, "allocations left: %zu\n", memory_count());
    fprintf(log, "streams left: %zu\nevents left: %zu\n", queue_streams_left(),
            queue_events_left());
    faults_log(log);
    launch_log(log);
    tally_log(log);
    fclose(log);
}

static bool is_card(int device)
{
    return device >= 0 && device < card_count();
}

API cudaError_t cudaGetDeviceCount(int *count)
{
    std::lock_guard<std::recursive_mutex> lock(runtime_lock);
    const cudaError_t refused = runtime_begin("cudaGetDeviceCount");

    *count = refused ? 0 : card_count();
    return refused ? runtime_error(refused) : cudaSuccess;
}

API cudaError_t cudaSetDevice(int device)
{
    ENTER(cudaSetDevice);
    if (!is_card(device))
        return runtime_error(cudaErrorInvalidDevice);
    runtime_choose(device);
    return cudaSuccess;
}

API cudaError_t cudaGetDevice(int *device)
{
    ENTER(cudaGetDevice);
    *device = chosen;
    return cudaSuccess;
}

API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    ENTER(cudaSetDeviceFlags);
    if (flags & ~(cudaDeviceScheduleMask | cudaDeviceMapHost))
        VIRTUAL_UNKNOWN("flags", flags);
    return cudaSuccess;
}

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    ENTER(cudaDeviceCanAccessPeer);
    if (!is_card(device) || !is_card(peer))
        return runtime_error(cudaErrorInvalidDevice);
    *can = device != peer;
    return cudaSuccess;
}

API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    static std::map<std::pair<int, int>, bool> enabled;

    ENTER(cudaDeviceEnablePeerAccess);
    if (!is_card(peer) || peer == chosen || flags)
        return runtime_error(cudaErrorInvalidValue);
    if (enabled[{chosen, peer}])
        return runtime_error(cudaErrorPeerAccessAlreadyEnabled);
    enabled[{chosen, peer}] = true;
    return cudaSuccess;
}

API cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;

    last_error = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

API cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (const int ordered = card_call("cudaRuntimeGetVersion"))
        return runtime_error((cudaError_t)ordered);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

API cudaError_t cudaDriverGetVersion(int *version)
{
    if (const int ordered = card_call("cudaDriverGetVersion"))
        return runtime_error((cudaError_t)ordered);
    *version = card_fault("old_driver") ? 11040 : (int)card_at(0)->driver_version;
    return cudaSuccess;
}

API cudaError_t cudaDeviceGetPCIBusId(char *id, int room, int device)
{
    ENTER(cudaDeviceGetPCIBusId);
    if (!is_card(device))
        return runtime_error(cudaErrorInvalidDevice);
    snprintf(id, (size_t)room, "%s", card_at(device)->pci_bus_id);
    return cudaSuccess;
}

API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    ENTER(cudaCtxResetPersistingL2Cache);
    return cudaSuccess;
}

static void parse_uuid(const char *text, char *bytes)
{
    unsigned value;

    for (int i = 0; i < 16; i++) {
        text += *text == '-';
        sscanf(text, "%2x", &value);
        bytes[i] = (char)value;
        text += 2;
    }
}

static void parse_bus_id(const char *text, struct cudaDeviceProp *p)
{
    sscanf(text, "%x:%x:%x", (unsigned *)&p->pciDomainID, (unsigned *)&p->pciBusID,
           (unsigned *)&p->pciDeviceID);
}

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    ENTER(cudaGetDeviceProperties);
    if (!is_card(device))
        return runtime_error(cudaErrorInvalidDevice);

    const struct card *c = card_at(device);

    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", c->name);
    parse_uuid(c->uuid, p->uuid.bytes);
    parse_bus_id(c->pci_bus_id, p);
    p->totalGlobalMem = (size_t)c->memory_bytes;
    p->sharedMemPerBlock = (size_t)c->shared_bytes_per_block;
    p->sharedMemPerBlockOptin = (size_t)c->shared_bytes_per_block_optin;
    p->sharedMemPerMultiprocessor = (size_t)c->shared_bytes_per_sm;
    p->reservedSharedMemPerBlock = (size_t)c->shared_bytes_reserved;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)c->registers_per_sm;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = (int)c->threads_per_sm;
    p->maxBlocksPerMultiProcessor = (int)c->blocks_per_sm;
    p->major = (int)c->capability_major;
    p->minor = (int)c->capability_minor;
    p->multiProcessorCount = (int)c->sms;
    p->asyncEngineCount = (int)c->copy_engines;
    p->ECCEnabled = (int)c->ecc;
    p->memoryBusWidth = (int)c->bus_bits;
    p->l2CacheSize = (int)c->l2_bytes;
    p->unifiedAddressing = p->canMapHostMemory = p->concurrentKernels = 1;
    p->hostNumaId = -1;
    return cudaSuccess;
}

static const struct {
    enum cudaDeviceAttr attribute;
    double card::*member;
    double scale;
} attributes[] = {
    {cudaDevAttrMultiProcessorCount, &card::sms, 1},
    {cudaDevAttrClockRate, &card::clock_max_hz, 1e-3},
    {cudaDevAttrMemoryClockRate, &card::memory_clock_hz, 1e-3},
    {cudaDevAttrGlobalMemoryBusWidth, &card::bus_bits, 1},
    {cudaDevAttrL2CacheSize, &card::l2_bytes, 1},
    {cudaDevAttrMaxThreadsPerMultiProcessor, &card::threads_per_sm, 1},
    {cudaDevAttrMaxBlocksPerMultiprocessor, &card::blocks_per_sm, 1},
    {cudaDevAttrMaxRegistersPerMultiprocessor, &card::registers_per_sm, 1},
    {cudaDevAttrMaxRegistersPerBlock, &card::registers_per_sm, 1},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &card::shared_bytes_per_sm, 1},
    {cudaDevAttrMaxSharedMemoryPerBlock, &card::shared_bytes_per_block, 1},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, &card::shared_bytes_per_block_optin, 1},
    {cudaDevAttrReservedSharedMemoryPerBlock, &card::shared_bytes_reserved, 1},
    {cudaDevAttrComputeCapabilityMajor, &card::capability_major, 1},
    {cudaDevAttrComputeCapabilityMinor, &card::capability_minor, 1},
    {cudaDevAttrAsyncEngineCount, &card::copy_engines, 1},
    {cudaDevAttrEccEnabled, &card::ecc, 1},
    {cudaDevAttrComputeMode, &card::compute_mode, 1},
};

static const struct {
    enum cudaDeviceAttr attribute;
    int value;
} constants[] = {
    {cudaDevAttrWarpSize, 32},
    {cudaDevAttrMaxThreadsPerBlock, 1024},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrTccDriver, 0},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    {cudaDevAttrConcurrentKernels, 1},
    {cudaDevAttrPageableMemoryAccess, 0},
    {cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0},
    {cudaDevAttrHostNativeAtomicSupported, 0},
    {cudaDevAttrConcurrentManagedAccess, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrHostNumaId, -1},
    {cudaDevAttrCooperativeLaunch, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrStreamPrioritiesSupported, 1},
};

API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    ENTER(cudaDeviceGetAttribute);
    if (!is_card(device))
        return runtime_error(cudaErrorInvalidDevice);
    for (const auto &a : attributes)
        if (a.attribute == attribute) {
            *value = (int)(card_at(device)->*a.member * a.scale + 0.5);
            return cudaSuccess;
        }
    for (const auto &c : constants)
        if (c.attribute == attribute) {
            *value = c.value;
            return cudaSuccess;
        }
    VIRTUAL_UNKNOWN("attribute", attribute);
}

static const struct {
    cudaError_t error;
    const char *name, *sentence;
} errors[] = {
#define ERROR(code, sentence)                                                                      \
    {                                                                                              \
        code, #code, sentence                                                                      \
    }
    ERROR(cudaSuccess, "no error"),
    ERROR(cudaErrorInvalidValue, "invalid argument"),
    ERROR(cudaErrorMemoryAllocation, "out of memory"),
    ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ERROR(cudaErrorInsufficientDriver,
          "CUDA driver version is insufficient for CUDA runtime version"),
    ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    ERROR(cudaErrorNoKernelImageForDevice,
          "no kernel image is available for execution on the device"),
    ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ERROR(cudaErrorNotReady, "device not ready"),
    ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is "
                                                "already mapped"),
    ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    ERROR(cudaErrorUnknown, "unknown error"),
};

API const char *cudaGetErrorName(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.name;
    return "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t error)
{
    for (const auto &e : errors)
        if (e.error == error)
            return e.sentence;
    return "unrecognized error code";
}
