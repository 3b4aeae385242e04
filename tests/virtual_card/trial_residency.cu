/* How many blocks an SM holds: of a kernel with many registers, and of one with much shared memory.
 */
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

enum { WIDE = 64, ROOMY_FLOATS = 12 * 1024 };

extern "C" __global__ void trial_wide(float *out, float a, float b, int trips)
{
    float x[WIDE], sum = 0;

    for (int n = 0; n < WIDE; n++)
        x[n] = (float)(n + (int)threadIdx.x);
#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < WIDE; n++)
            fma_kept(x[n], a, b);
    for (int n = 0; n < WIDE; n++)
        sum += x[n];
    out[threadIdx.x] = sum;
}

/* 48 KiB of shared memory; each thread one chain. */
extern "C" __global__ void trial_roomy(float *out, float a, float b, int trips)
{
    SHARED(float, tile, ROOMY_FLOATS);
    float x = (float)threadIdx.x;

    tile[threadIdx.x] = x;
#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < WIDE; n++)
            fma_kept(x, a, b);
    out[threadIdx.x] = x + tile[threadIdx.x];
}

#ifdef __CUDACC__
static int show(const char *name, const void *kernel)
{
    struct cudaFuncAttributes f;
    int blocks;

    MUST(cudaFuncGetAttributes(&f, kernel));
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
    printf("%s %d registers %zu bytes %d blocks\n", name, f.numRegs, f.sharedSizeBytes, blocks);
    return 0;
}

/* Seconds of one launch of so many blocks of a warp. */
static int timed(float *out, unsigned blocks, double *seconds)
{
    const double begun = now();

    trial_roomy<<<blocks, 32>>>(out, 0.999f, 1e-3f, 1000);
    MUST(cudaDeviceSynchronize());
    *seconds = now() - begun;
    return 0;
}

/* Blocks that an SM does not hold wait for those that it holds. */
static int waits(void)
{
    struct cudaDeviceProp p;
    float *out;
    int resident;
    double one, two;

    MUST(cudaGetDeviceProperties(&p, 0));
    MUST(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)trial_roomy, 32, 0));
    MUST(cudaMalloc((void **)&out, 32 * sizeof *out));

    const unsigned wave = (unsigned)(resident * p.multiProcessorCount);

    if (timed(out, wave, &one) || timed(out, wave + 1, &two))
        return 1;
    MUST(cudaFree(out));
    printf("%u blocks %.4f ms, one more %.4f ms\n", wave, 1e3 * one, 1e3 * two);
    return two < 1.98 * one || two > 2.02 * one;
}

int trial_residency(void)
{
    return show("trial_wide", (const void *)trial_wide) ||
           show("trial_roomy", (const void *)trial_roomy) || waits();
}
#endif
