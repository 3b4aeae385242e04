/* Residency by NVIDIA's own calculator; it knows how registers and shared memory are rounded up
 * (registers: 256 to a warp, warps to a quarter of an SM). */
#include "tests/virtual_card/resources.h"

#include "tests/virtual_card/fail.h"

#include <algorithm>
#include <cuda_occupancy.h>
#include <string.h>

static const struct kernel_resources table[] = {
#include "kernel_resources.inc"
};

const struct kernel_resources *resources_of(const char *kernel)
{
    for (const struct kernel_resources &r : table)
        if (strcmp(r.name, kernel) == 0)
            return &r;
    virtual_fail("kernel %s: ptxas said nothing of it", kernel);
}

static struct cudaOccDeviceProp properties_of(const struct card *c)
{
    struct cudaOccDeviceProp p;

    p.computeMajor = (int)c->capability_major;
    p.computeMinor = (int)c->capability_minor;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = (int)c->threads_per_sm;
    p.regsPerBlock = p.regsPerMultiprocessor = (int)c->registers_per_sm;
    p.warpSize = 32;
    p.sharedMemPerBlock = (size_t)c->shared_bytes_per_block;
    p.sharedMemPerMultiprocessor = (size_t)c->shared_bytes_per_sm;
    p.numSms = (int)c->sms;
    p.sharedMemPerBlockOptin = (size_t)c->shared_bytes_per_block_optin;
    p.reservedSharedMemPerBlock = (size_t)c->shared_bytes_reserved;
    return p;
}

int resources_resident(const struct card *card, const char *kernel, unsigned threads,
                       size_t dynamic_bytes)
{
    const struct kernel_resources *r = resources_of(kernel);
    const struct cudaOccDeviceProp properties = properties_of(card);
    const struct cudaOccDeviceState state;
    struct cudaOccFuncAttributes f;
    struct cudaOccResult result;

    f.maxThreadsPerBlock = 1024;
    f.numRegs = r->registers;
    f.sharedSizeBytes = r->shared_bytes;
    f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    f.maxDynamicSharedSizeBytes = dynamic_bytes;
    f.numBlockBarriers = 1;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &f, &state, (int)threads,
                                                dynamic_bytes) != CUDA_OCC_SUCCESS)
        virtual_fail("this toolkit does not know the occupancy of compute capability %d.%d",
                     properties.computeMajor, properties.computeMinor);
    return std::min(result.activeBlocksPerMultiprocessor, (int)card->blocks_per_sm);
}
