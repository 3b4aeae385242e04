/* Kernels by the addresses of their host-side stubs, as an nvcc-built program registers them. */
#include "tests/virtual_card/resources.h"
#include "tests/virtual_card/runtime.h"

#include <map>
#include <string.h>
#include <string>
#include <vector>

struct registered {
    std::string name;
    const struct kernel_entry *entry; /* NULL: not among the host-built kernels */
};

static std::map<const void *, struct registered> *kernels; /* made before other constructors run */
static int module;

static const struct kernel_entry *find_entry(const char *name)
{
    for (const struct kernel_entry *k = kernel_entries; k; k = k->next)
        if (strcmp(k->name, name) == 0)
            return k;
    return nullptr;
}

/* The kernel of a stub or of a handle (here the same). */
static const struct registered *find_kernel(const void *function)
{
    auto found = kernels ? kernels->find(function) : decltype(kernels->end())();

    return kernels && found != kernels->end() ? &found->second : nullptr;
}

API void **__cudaRegisterFatBinary(void *)
{
    static void *handle = &module;

    return &handle;
}

API void __cudaRegisterFatBinaryEnd(void **)
{
}

API void __cudaUnregisterFatBinary(void **)
{
}

API char __cudaInitModule(void **)
{
    return 1;
}

API void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *,
                                uint3 *, dim3 *, dim3 *, int *)
{
    if (!kernels)
        kernels = new std::map<const void *, struct registered>;
    (*kernels)[host] = {name, find_entry(name)};
}

API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    if (!find_kernel(stub))
        return cudaErrorInvalidDeviceFunction;
    *kernel = (cudaKernel_t) const_cast<void *>(stub);
    return cudaSuccess;
}

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    void *stream;
};
static auto &configurations = *new std::vector<struct configuration>;

API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, void *stream)
{
    configurations.push_back({grid, block, shared_bytes, stream});
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                           void *stream)
{
    if (configurations.empty())
        return cudaErrorMissingConfiguration;
    *grid = configurations.back().grid;
    *block = configurations.back().block;
    *shared_bytes = configurations.back().shared_bytes;
    memcpy(stream, &configurations.back().stream, sizeof(void *));
    configurations.pop_back();
    return cudaSuccess;
}

static auto &shared_limits =
    *new std::map<const void *, int>; /* opted in by cudaFuncSetAttribute */

static bool fits(const struct card *c, const struct registered *k, const void *function,
                 const dim3 &grid, const dim3 &block, size_t shared_bytes)
{
    const auto limit = shared_limits.find(function);
    const double shared_most =
        limit == shared_limits.end()
            ? c->shared_bytes_per_block - (double)resources_of(k->entry->name)->shared_bytes
            : limit->second;
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;

    return grid.x && grid.y && grid.z && grid.y < 65536 && grid.z < 65536 && grid.x < (1u << 31) &&
           threads && threads <= 1024 && block.z <= 64 && (double)shared_bytes <= shared_most;
}

/* As the runtime says it of a kernel that needs more than an SM has. */
static bool has_room(const struct card *c, const struct registered *k, const dim3 &block,
                     size_t shared_bytes)
{
    return resources_resident(c, k->entry->name, block.x * block.y * block.z, shared_bytes) > 0;
}

API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                 size_t shared_bytes, cudaStream_t handle)
{
    ENTER(cudaLaunchKernel);

    const struct registered *k = find_kernel(function);
    struct stream *s = stream_of(handle, runtime_card());

    if (!k)
        return runtime_error(cudaErrorInvalidDeviceFunction);
    if (card_fault("no_kernel_image"))
        return runtime_error(cudaErrorNoKernelImageForDevice);
    if (!s)
        return runtime_error(cudaErrorInvalidResourceHandle);
    if (!k->entry)
        virtual_fail("kernel %s was not compiled for the host", k->name.c_str());
    if (!fits(card_at(s->card), k, function, grid, block, shared_bytes))
        return runtime_error(cudaErrorInvalidConfiguration);
    if (!has_room(card_at(s->card), k, block, shared_bytes))
        return runtime_error(cudaErrorLaunchOutOfResources);

    struct launch l = {k->entry, grid, block, shared_bytes,
                       std::string(k->entry->argument_bytes, '\0')};

    k->entry->pack(arguments, &l.arguments[0]);
    clock_spend(card_at(s->card)->launch_host_seconds);
    launch_enqueue(s, &l);
    return cudaSuccess;
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                   size_t shared_bytes, cudaStream_t stream)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    ENTER(cudaFuncGetAttributes);

    const struct card *c = card_at(runtime_card());
    const int capability = (int)(c->capability_major * 10 + c->capability_minor);

    const struct registered *k = find_kernel(function);

    if (!k)
        return runtime_error(cudaErrorInvalidDeviceFunction);
    if (card_fault("no_kernel_image"))
        return runtime_error(cudaErrorNoKernelImageForDevice);
    memset(out, 0, sizeof *out);
    out->maxThreadsPerBlock = 1024;
    out->numRegs = resources_of(k->name.c_str())->registers;
    out->sharedSizeBytes = resources_of(k->name.c_str())->shared_bytes;
    out->binaryVersion = out->ptxVersion = capability;
    out->maxDynamicSharedSizeBytes = (int)c->shared_bytes_per_block;
    return cudaSuccess;
}

API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                     int value)
{
    ENTER(cudaFuncSetAttribute);
    if (!find_kernel(function))
        return runtime_error(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        VIRTUAL_UNKNOWN("attribute", attribute);
    if (value > card_at(runtime_card())->shared_bytes_per_block_optin)
        return runtime_error(cudaErrorInvalidValue);
    shared_limits[function] = value;
    return cudaSuccess;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                              int threads, size_t shared_bytes)
{
    ENTER(cudaOccupancyMaxActiveBlocksPerMultiprocessor);

    const struct registered *k = find_kernel(function);

    if (!k)
        return runtime_error(cudaErrorInvalidDeviceFunction);
    *blocks = resources_resident(card_at(runtime_card()), k->name.c_str(), (unsigned)threads,
                                 shared_bytes);
    return cudaSuccess;
}
