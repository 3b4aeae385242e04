/* The card's body of kernels/branch.h.  The multiply-adds are kept one by one: arms that the
 * compiler could shorten, merge or predicate away would leave nothing to diverge (METHOD 13). */
#include "kernels/branch.h"
#include "kernels/ptx.h"

#define FULL_BLOCKS __launch_bounds__(BRANCH_THREADS)

template <int STEPS> static __device__ __forceinline__ void steps_kept(float &x, float a, float b)
{
#pragma unroll
    for (int n = 0; n < STEPS; n++)
        fma_kept(x, a, b);
}

/* A condition that is the same for the whole block would be no divergence: the mask meets the lane.
 */
static __device__ __forceinline__ bool lane_in(uint32_t mask)
{
    return (mask >> (threadIdx.x & 31)) & 1;
}

template <int FIRST, int SECOND>
static __device__ __forceinline__ void arms(const float *in, float *out, uint32_t mask, float a,
                                            float b, int trips)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool first = lane_in(mask);
    float x = in[i];

#pragma unroll 1
    for (int t = 0; t < trips; t++) {
        if (first)
            steps_kept<FIRST>(x, a, b);
        else
            steps_kept<SECOND>(x, b, a);
        __syncwarp();
    }
    out[i] = x;
}

template <int STEPS>
static __device__ __forceinline__ void ladder(const float *in, float *out, const uint8_t *path,
                                              float a, float b, int paths, int trips)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = path[i];
    float x[4];

#pragma unroll
    for (int j = 0; j < 4; j++)
        x[j] = in[i] + (float)j;
#pragma unroll 1
    for (int t = 0; t < trips; t++)
#pragma unroll 1
        for (int q = 0; q < paths; q++) {
            if (mine == q) {
#pragma unroll
                for (int n = 0; n < STEPS; n++)
                    fma_kept(x[n % 4], a, b);
            }
            __syncwarp();
        }
    out[i] = (x[0] + x[1]) + (x[2] + x[3]);
}

extern "C" __global__ void FULL_BLOCKS branch_straight(const float *in, float *out, float a,
                                                       float b, int trips)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];

#pragma unroll 1
    for (int t = 0; t < trips; t++)
        steps_kept<64>(x, a, b);
    out[i] = x;
}

extern "C" __global__ void FULL_BLOCKS branch_arms_64_64(const float *in, float *out, uint32_t mask,
                                                         float a, float b, int trips)
{
    arms<64, 64>(in, out, mask, a, b, trips);
}

extern "C" __global__ void FULL_BLOCKS branch_arms_256_64(const float *in, float *out,
                                                          uint32_t mask, float a, float b,
                                                          int trips)
{
    arms<256, 64>(in, out, mask, a, b, trips);
}

extern "C" __global__ void FULL_BLOCKS branch_select(const float *in, float *out, uint32_t mask,
                                                     float a, float b, int trips)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool first = lane_in(mask);
    float x = in[i];

#pragma unroll 1
    for (int t = 0; t < trips; t++) {
        float y = x;

        steps_kept<64>(x, a, b);
        steps_kept<64>(y, b, a);
        x = first ? x : y;
    }
    out[i] = x;
}

extern "C" __global__ void FULL_BLOCKS branch_ladder_64(const float *in, float *out,
                                                        const uint8_t *path, float a, float b,
                                                        int paths, int trips)
{
    ladder<64>(in, out, path, a, b, paths, trips);
}

extern "C" __global__ void FULL_BLOCKS branch_ladder_256(const float *in, float *out,
                                                         const uint8_t *path, float a, float b,
                                                         int paths, int trips)
{
    ladder<256>(in, out, path, a, b, paths, trips);
}

static const void *const entries[BRANCH_KINDS] = {
    (const void *)branch_straight,    (const void *)branch_arms_64_64,
    (const void *)branch_arms_256_64, (const void *)branch_select,
    (const void *)branch_ladder_64,   (const void *)branch_ladder_256,
};

static int launch(const struct branch_args *args, void **parameters, void *stream)
{
    return cudaLaunchKernel(entries[args->kind], dim3(args->blocks), dim3(BRANCH_THREADS),
                            parameters, 0, (cudaStream_t)stream);
}

extern "C" int branch_cuda(const void *arguments, void *const *streams)
{
    struct branch_args v = *(const struct branch_args *)arguments;
    void *straight[] = {&v.in, &v.out, &v.a, &v.b, &v.trips};
    void *arms[] = {&v.in, &v.out, &v.mask, &v.a, &v.b, &v.trips};
    void *ladder[] = {&v.in, &v.out, &v.path, &v.a, &v.b, &v.paths, &v.trips};

    switch (v.kind) {
    case BRANCH_STRAIGHT:
        return launch(&v, straight, streams[0]);
    case BRANCH_LADDER_64:
    case BRANCH_LADDER_256:
        return launch(&v, ladder, streams[0]);
    default:
        return launch(&v, arms, streams[0]);
    }
}

/* All kinds get the same grid, so that their times compare: the one that fits the largest of them.
 */
extern "C" int branch_plan(void *arguments)
{
    struct branch_args *args = (struct branch_args *)arguments;
    int device, sms, resident, fewest = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (!error)
        error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    for (int k = 0; k < BRANCH_KINDS && !error; k++) {
        error =
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, entries[k], BRANCH_THREADS, 0);
        fewest = k == 0 || resident < fewest ? resident : fewest;
    }
    if (!error)
        args->blocks = (unsigned)(sms * fewest);
    return error;
}
