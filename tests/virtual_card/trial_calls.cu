/* What kernels may ask of the engine, what is executed again, and products of which a few elements
 * are read. */
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

enum { THREADS = 64, ANSWERS = 13, HALF = 16 };

/* `answers`: ANSWERS numbers for each thread. */
extern "C" __global__ void trial_ask(int *answers, int *sum)
{
    SHARED_DYNAMIC(int, dynamic);
    SHARED(int, fixed, THREADS);
    const int t = threadIdx.x, lane = t % 32;
    const unsigned all = 0xFFFFFFFFu;
    int *mine = answers + (blockIdx.x * THREADS + t) * ANSWERS;
    const long long ticks = clock64();
    const uint64_t time = global_timer();

    mine[0] = __shfl_sync(all, t, 5);
    mine[1] = __shfl_up_sync(all, t, 3);
    mine[2] = __shfl_down_sync(all, t, 4, HALF);
    mine[3] = __shfl_xor_sync(all, t, 1);
    mine[4] = (int)__ballot_sync(all, lane % 3 == 0);
    mine[5] = (__any_sync(all, lane == 31) ? 1 : 0) + (__all_sync(all, lane >= 0) ? 2 : 0) +
              (__any_sync(all, lane > 31) ? 4 : 0);
    mine[6] = __syncthreads_count(t % 5 == 0);
    mine[7] = (__syncthreads_or(t == 63) ? 1 : 0) + (__syncthreads_and(t >= 0) ? 2 : 0) +
              (__syncthreads_and(t > 0) ? 4 : 0);
    dynamic[t] = 3 * t;
    __syncthreads();
    mine[8] = dynamic[THREADS - 1 - t];
    fixed[t] = 2 * t;
    __syncwarp();
    mine[9] = fixed[t ^ 1];
    mine[10] = clock64() > ticks;
    mine[11] = global_timer() >= time;
    mine[12] = (int)sm_id();
    atomicAdd(sum, 1);
}

extern "C" __global__ void trial_add(const float *in, float *out, float more)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = in[i] + more;
}

#ifdef __CUDACC__
#include <stdlib.h>
#include <vector>

enum { BLOCKS = 6, ADDED = 1024, SIZE = 2048 };

static int wanted(int answer, int block, int t, int sms)
{
    const int warp = t / 32 * 32, lane = t % 32;
    const int all[ANSWERS] = {warp + 5,
                              lane < 3 ? t : t - 3,
                              lane % HALF + 4 < HALF ? t + 4 : t,
                              t ^ 1,
                              0x49249249,
                              3,
                              13,
                              3,
                              3 * (THREADS - 1 - t),
                              2 * (t ^ 1),
                              1,
                              1,
                              block % sms};

    return all[answer];
}

static int asks(void)
{
    static int answers[BLOCKS][THREADS][ANSWERS];
    struct cudaDeviceProp p;
    int *device, *device_sum, sum = 0;

    MUST(cudaGetDeviceProperties(&p, 0));
    MUST(cudaMalloc((void **)&device, sizeof answers));
    MUST(cudaMalloc((void **)&device_sum, sizeof sum));
    MUST(cudaMemset(device_sum, 0, sizeof sum));
    trial_ask<<<BLOCKS, THREADS, THREADS * sizeof(int)>>>(device, device_sum);
    MUST(cudaMemcpy(answers, device, sizeof answers, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost));
    MUST(cudaFree(device));
    MUST(cudaFree(device_sum));
    for (int b = 0; b < BLOCKS; b++)
        for (int t = 0; t < THREADS; t++)
            for (int a = 0; a < ANSWERS; a++)
                if (answers[b][t][a] != wanted(a, b, t, p.multiProcessorCount)) {
                    printf("block %d, thread %d: answer %d is %d, not %d\n", b, t, a,
                           answers[b][t][a], wanted(a, b, t, p.multiProcessorCount));
                    return 1;
                }
    printf("%d threads counted\n", sum);
    return sum != BLOCKS * THREADS;
}

/* Ten launches that are alike; the same after the input changed. */
static int again(void)
{
    float host[ADDED], *in, *out;

    MUST(cudaMalloc((void **)&in, sizeof host));
    MUST(cudaMalloc((void **)&out, sizeof host));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < ADDED; i++)
            host[i] = (float)(i + 1000 * round);
        MUST(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
        for (int i = 0; i < 10; i++)
            trial_add<<<ADDED / 256, 256>>>(in, out, 1);
        MUST(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < ADDED; i++)
            if (host[i] != (float)(i + 1000 * round + 1)) {
                printf("round %d: element %d is %g\n", round, i, host[i]);
                return 1;
            }
    }
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    return 0;
}

static double value_of(int matrix, int i)
{
    return (double)((i * 7 + matrix) % 11 - 5);
}

/* A product that the host would need minutes for; element (row, column) by column. */
static int product(void)
{
    std::vector<float> host((size_t)SIZE * SIZE);
    float *m[3], found;

    for (int i = 0; i < 3; i++) {
        MUST(cudaMalloc((void **)&m[i], host.size() * sizeof found));
        for (size_t e = 0; i < 2 && e < host.size(); e++)
            host[e] = (float)value_of(i, (int)e);
        MUST(cudaMemcpy(m[i], host.data(), host.size() * sizeof found, cudaMemcpyHostToDevice));
    }
    if (trial_multiply(SIZE, m[0], m[1], m[2], nullptr))
        return 1;
    for (int at = 0; at < SIZE * SIZE; at += SIZE * SIZE / 7) {
        double sum = 0;

        for (int k = 0; k < SIZE; k++)
            sum += value_of(0, at % SIZE + k * SIZE) * value_of(1, k + at / SIZE * SIZE);
        MUST(cudaMemcpy(&found, m[2] + at, sizeof found, cudaMemcpyDeviceToHost));
        if (found != (float)sum) {
            printf("element %d of the product is %g, not %g\n", at, found, sum);
            return 1;
        }
    }
    for (float *matrix : m)
        MUST(cudaFree(matrix));
    return 0;
}

int trial_calls(void)
{
    if (asks() || again() || product())
        return 1;
    printf("all calls are right\n");
    return 0;
}
#endif
