/* A program that proves the stand-in runtime before ridge is there: a barrier, shared memory, a
 * shuffle, a gate, events, repetition and memory; by name, a subject or a planted mistake. */
#include "kernels/instrument.h"
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

#include <string.h>

extern "C" __global__ void trial_reverse(const float *in, float *out)
{
    SHARED(float, tile, 256);
    const unsigned first = blockIdx.x * 256;

    tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    out[first + threadIdx.x] =
        tile[255 - threadIdx.x] + __shfl_xor_sync(0xFFFFFFFFu, 1000.0f * threadIdx.x, 1);
}

extern "C" __global__ void trial_chains(float *out, float a, float b, int trips)
{
    float x[4] = {1.f * threadIdx.x, 2.f, 3.f, 4.f};

#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < 64; n++)
            fma_kept(x[n % 4], a, b);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[0] + x[1] + x[2] + x[3];
}

#ifdef __CUDACC__
static float host_in[1024], host_out[1024];

static int reverse(cudaStream_t s)
{
    float *in, *out;
    MUST(cudaMalloc((void **)&in, sizeof host_in));
    MUST(cudaMalloc((void **)&out, sizeof host_out));
    for (int i = 0; i < 1024; i++)
        host_in[i] = (float)i;
    MUST(cudaMemcpy(in, host_in, sizeof host_in, cudaMemcpyDefault));
    trial_reverse<<<4, 256, 0, s>>>(in, out);
    MUST(cudaGetLastError());
    MUST(cudaStreamSynchronize(s));
    MUST(cudaMemcpy(host_out, out, sizeof host_out, cudaMemcpyDefault));
    for (int i = 0; i < 1024; i++) {
        const float wanted =
            (float)(i / 256 * 256 + 255 - i % 256) + 1000.f * (float)((i % 256) ^ 1);
        if (host_out[i] != wanted) {
            printf("reverse: %d is %g, not %g\n", i, host_out[i], wanted);
            return 1;
        }
    }
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    return 0;
}

/* Time of so many launches behind the gate. */
static int gated(cudaStream_t s, struct instrument_panel *panel, float *out, int times, float *ms)
{
    cudaEvent_t begin, end;
    float a = 0.999f, b = 1e-3f;
    int trips = 100;
    void *arguments[] = {&out, &a, &b, &trips};
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    panel->open = 0;
    panel->expired = 0;
    MUST((cudaError_t)instrument_gate(panel, 1000000000, s));
    MUST(cudaEventRecord(begin, s));
    for (int i = 0; i < times; i++)
        MUST(cudaLaunchKernel((const void *)trial_chains, dim3(16), dim3(256), arguments, 0, s));
    MUST(cudaEventRecord(end, s));
    if (cudaEventQuery(end) != cudaErrorNotReady) {
        printf("the gate was open\n");
        return 1;
    }
    *(volatile uint32_t *)&panel->open = 1;
    while (cudaEventQuery(end) == cudaErrorNotReady)
        ;
    MUST(cudaEventElapsedTime(ms, begin, end));
    if (panel->expired) {
        printf("the gate gave up\n");
        return 1;
    }
    MUST(cudaEventDestroy(begin));
    MUST(cudaEventDestroy(end));
    return 0;
}

static int run_subject(const char *name)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } subjects[] = {{"residency", trial_residency},
                    {"together", trial_together},
                    {"moods", trial_moods},
                    {"calls", trial_calls}};

    for (const auto &subject : subjects)
        if (!strcmp(subject.name, name))
            return subject.run();
    return -1;
}

int main(int argc, char **argv)
{
    const int done = argc > 1 ? run_subject(argv[1]) : -1;

    if (argc > 1)
        return done < 0 ? trial_plant(argv[1]) : done;

    cudaStream_t s;
    struct instrument_panel *panel;
    float *out, one, many;
    int count;
    void *much;
    MUST(cudaGetDeviceCount(&count));
    MUST(cudaSetDevice(0));
    MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaHostAlloc((void **)&panel, sizeof *panel, cudaHostAllocMapped));
    MUST(cudaMalloc((void **)&out, 16 * 256 * sizeof *out));
    if (cudaMalloc(&much, (size_t)1 << 50) != cudaErrorMemoryAllocation ||
        cudaGetLastError() != cudaErrorMemoryAllocation)
        return 1;
    const double begun = now();
    if (reverse(s) || gated(s, panel, out, 1, &one) || gated(s, panel, out, 100, &many))
        return 1;
    printf("1 launch %.4f ms, 100 launches %.4f ms, host saw %.4f ms\n", one, many,
           1e3 * (now() - begun));
    MUST((cudaError_t)kernel_empty.cuda(NULL, (void **)&s));
    MUST(cudaStreamSynchronize(s));
    MUST(cudaFree(out));
    MUST(cudaFreeHost(panel));
    MUST(cudaStreamDestroy(s));
    return many < 99 * one || many > 101 * one;
}
#endif
