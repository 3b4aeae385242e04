/* What the card's mood does to durations, said in numbers (one line for each subject) for
 * test_model.py to judge. */
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

enum { TIMES = 64 };

/* One chain of FMAs: as long as the clock is slow. */
extern "C" __global__ void trial_pace(float *out, float a, float b, int trips)
{
    float x = (float)threadIdx.x;

#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll
        for (int n = 0; n < 64; n++)
            fma_kept(x, a, b);
    *out = x;
}

extern "C" __global__ void trial_times(unsigned long long *out)
{
    for (int i = 0; i < TIMES; i++)
        out[i] = global_timer();
}

#ifdef __CUDACC__
#include <vector>

enum { CLOCK_LAUNCHES = 60, NOISE_LAUNCHES = 2000, COPIES = 12, COPY_BYTES = 400000, SIZE = 256 };

static cudaStream_t stream;
static float *sum;

static int pace(int trips)
{
    trial_pace<<<1, 1, 0, stream>>>(sum, 0.999f, 1e-3f, trips);
    return cudaGetLastError();
}

/* Milliseconds of each of `count` executions, back to back. */
template <class Enqueue> static int durations(const char *subject, int count, Enqueue enqueue)
{
    std::vector<cudaEvent_t> marks(count + 1);

    printf("%s", subject);
    for (cudaEvent_t &mark : marks)
        MUST(cudaEventCreate(&mark));
    MUST(cudaEventRecord(marks[0], stream));
    for (int i = 0; i < count; i++) {
        MUST((cudaError_t)enqueue());
        MUST(cudaEventRecord(marks[i + 1], stream));
    }
    MUST(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; i++) {
        float milliseconds;

        MUST(cudaEventElapsedTime(&milliseconds, marks[i], marks[i + 1]));
        printf(" %.6g", milliseconds);
    }
    for (cudaEvent_t mark : marks)
        MUST(cudaEventDestroy(mark));
    printf("\n");
    return 0;
}

static int timer(void)
{
    unsigned long long *device, times[TIMES];

    MUST(cudaMalloc((void **)&device, sizeof times));
    trial_times<<<1, 1, 0, stream>>>(device);
    MUST(cudaMemcpyAsync(times, device, sizeof times, cudaMemcpyDeviceToHost, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaFree(device));
    printf("timer");
    for (unsigned long long t : times)
        printf(" %llu", t);
    printf("\n");
    return 0;
}

/* Copies, a pause in which the link falls asleep, copies. */
static int link(void)
{
    char *device, *host;
    const auto copy = [&] {
        return cudaMemcpyAsync(device, host, COPY_BYTES, cudaMemcpyHostToDevice, stream);
    };

    MUST(cudaMalloc((void **)&device, COPY_BYTES));
    MUST(cudaHostAlloc((void **)&host, COPY_BYTES, cudaHostAllocDefault));
    if (durations("link", COPIES, copy))
        return 1;
    for (const double until = now() + 0.6; now() < until;)
        MUST((cudaError_t)pace(10000));
    MUST(cudaStreamSynchronize(stream));
    if (durations("link_again", COPIES, copy))
        return 1;
    MUST(cudaFree(device));
    MUST(cudaFreeHost(host));
    return 0;
}

/* Products of operands that are all zero, and of ones that are not alike. */
static int power(void)
{
    std::vector<float> values((size_t)SIZE * SIZE);
    const size_t bytes = values.size() * sizeof(float);
    float *m[3];

    for (float *&matrix : m)
        MUST(cudaMalloc((void **)&matrix, bytes));
    for (const char *subject : {"power_zeros", "power_random"}) {
        for (int i = 0; i < 2; i++)
            MUST(cudaMemcpy(m[i], values.data(), bytes, cudaMemcpyHostToDevice));
        if (durations(subject, 3, [&] { return trial_multiply(SIZE, m[0], m[1], m[2], stream); }))
            return 1;
        for (size_t i = 0; i < values.size(); i++)
            values[i] = (float)(i * 2654435761u % 1000) / 1000;
    }
    for (float *matrix : m)
        MUST(cudaFree(matrix));
    return 0;
}

int trial_moods(void)
{
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaMalloc((void **)&sum, sizeof *sum));
    if (durations("clock", CLOCK_LAUNCHES, [] { return pace(1000); }) ||
        durations("noise", NOISE_LAUNCHES, [] { return pace(1000); }) || timer() || link() ||
        power())
        return 1;
    MUST(cudaFree(sum));
    MUST(cudaStreamDestroy(stream));
    return 0;
}
#endif
