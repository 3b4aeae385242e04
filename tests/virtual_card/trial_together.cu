/* Two streams at once: what they share is shared, what they do not is not. */
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

enum { PIECE = 1 << 20, ROOMY_BYTES = 48 * 1024 };

/* Each block reads all of `in`, eight vectors at a time. */
extern "C" __global__ void trial_read(const float4 *in, int count, float *out)
{
    float sum = 0;

    for (int i = threadIdx.x; i < count; i += 8 * blockDim.x) {
        float4 v[8];

#pragma unroll
        for (int n = 0; n < 8; n++)
            v[n] = in[i + n * blockDim.x];
#pragma unroll
        for (int n = 0; n < 8; n++)
            sum += (v[n].x + v[n].y) + (v[n].z + v[n].w);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* One chain of FMAs a thread: four warps of them leave half of an SM of tiny idle. */
extern "C" __global__ void trial_chain(float *out, float a, float b, int trips)
{
    float x = (float)threadIdx.x;

#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < 64; n++)
            fma_kept(x, a, b);
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

#ifdef __CUDACC__
struct work {
    const char *name;
    int (*enqueue)(unsigned which, cudaStream_t s);
};

static char *device[2], *pinned[2];
static float *sums[2];
static unsigned places, roomy_places; /* for blocks of trial_chain, on all SMs */

static int copy_to(unsigned which, cudaStream_t s)
{
    return cudaMemcpyAsync(device[which], pinned[which], PIECE, cudaMemcpyHostToDevice, s);
}

static int copy_from(unsigned which, cudaStream_t s)
{
    return cudaMemcpyAsync(pinned[which], device[which], PIECE, cudaMemcpyDeviceToHost, s);
}

static int read(unsigned which, cudaStream_t s)
{
    trial_read<<<2, 256, 0, s>>>((const float4 *)device[which], PIECE / 16, sums[which]);
    return cudaGetLastError();
}

static int chain(unsigned which, cudaStream_t s, unsigned blocks, size_t shared_bytes)
{
    trial_chain<<<blocks, 32, shared_bytes, s>>>(sums[which], 0.999f, 1e-3f, 100);
    return cudaGetLastError();
}

static int one_block(unsigned which, cudaStream_t s)
{
    return chain(which, s, 1, 0);
}

static int half_rate(unsigned which, cudaStream_t s)
{
    return chain(which, s, places / 4, 0);
}

static int full_rate(unsigned which, cudaStream_t s)
{
    return chain(which, s, places / 2, 0);
}

static int roomy(unsigned which, cudaStream_t s)
{
    return chain(which, s, roomy_places, ROOMY_BYTES);
}

/* Seconds of one or two pieces of work that become ready together, on a stream each. */
static int timed(const struct work *work, unsigned count, double *seconds)
{
    cudaStream_t s[2];
    double begun;

    for (unsigned i = 0; i < 2; i++)
        MUST(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    begun = now();
    for (unsigned i = 0; i < count; i++)
        MUST((cudaError_t)work[i].enqueue(i, s[i]));
    MUST(cudaDeviceSynchronize());
    *seconds = now() - begun;
    for (unsigned i = 0; i < 2; i++)
        MUST(cudaStreamDestroy(s[i]));
    return 0;
}

/* Both at once take `parts` times as long as the longer one alone. */
static int expect(struct work first, struct work second, double parts)
{
    const struct work both[2] = {first, second};
    double alone[2], together;

    if (timed(&first, 1, &alone[0]) || timed(&second, 1, &alone[1]) || timed(both, 2, &together))
        return 1;

    const double longer = alone[0] > alone[1] ? alone[0] : alone[1];
    const bool right = together > 0.97 * parts * longer && together < 1.03 * parts * longer;

    printf("%s %.3f ms, %s %.3f ms, together %.3f ms: %.2f of the longer, should be %.2f\n",
           first.name, 1e3 * alone[0], second.name, 1e3 * alone[1], 1e3 * together,
           together / longer, parts);
    return !right;
}

static int prepare(void)
{
    struct cudaDeviceProp p;
    int resident;

    MUST(cudaGetDeviceProperties(&p, 0));
    MUST(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)trial_chain, 32, 0));
    places = (unsigned)(resident * p.multiProcessorCount);
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, (const void *)trial_chain, 32,
                                                       ROOMY_BYTES));
    roomy_places = (unsigned)(resident * p.multiProcessorCount);
    for (int i = 0; i < 2; i++) {
        MUST(cudaMalloc((void **)&device[i], PIECE));
        MUST(cudaMemset(device[i], 0, PIECE));
        MUST(cudaMalloc((void **)&sums[i], (places * 32 + 512) * sizeof(float)));
        MUST(cudaHostAlloc((void **)&pinned[i], PIECE, cudaHostAllocDefault));
    }
    return 0;
}

int trial_together(void)
{
    const struct work to = {"copy to the card", copy_to}, from = {"copy from it", copy_from};
    const struct work reads = {"kernel that reads", read}, one = {"one block", one_block};
    const struct work some = {"FMAs of half the rate", half_rate};
    const struct work full = {"FMAs of the full rate", full_rate};
    const struct work large = {"blocks that fill the shared memory", roomy};
    struct cudaDeviceProp p;
    int wrong = prepare();

    MUST(cudaGetDeviceProperties(&p, 0));
    wrong |= expect(to, to, 2);
    wrong |= expect(to, from, p.asyncEngineCount > 1 ? 1 : 2);
    wrong |= expect(to, full, 1);
    wrong |= expect(reads, reads, 2);
    wrong |= expect(one, one, 1);
    wrong |= expect(some, some, 1);
    wrong |= expect(full, full, 2);
    wrong |= expect(large, large, 2);
    for (int i = 0; i < 2; i++) {
        MUST(cudaFree(device[i]));
        MUST(cudaFree(sums[i]));
        MUST(cudaFreeHost(pinned[i]));
    }
    return wrong;
}
#endif
