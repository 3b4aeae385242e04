/* Kernels that are wrong, which the stand-in must not let pass; some only with sanitizers. */
#include "kernels/ptx.h"
#include "tests/virtual_card/trial.h"

enum { FLOATS = 32 };

extern "C" __global__ void trial_beyond(float *out, int count)
{
    for (int i = threadIdx.x; i <= count; i += blockDim.x)
        out[i] = 1;
}

extern "C" __global__ void trial_lonely_barrier(float *out)
{
    SHARED(float, tile, FLOATS);

    tile[threadIdx.x % FLOATS] = 1;
    if (threadIdx.x < 16)
        __syncthreads();
    __syncwarp();
    out[threadIdx.x] = tile[0];
}

extern "C" __global__ void trial_shared_beyond(float *out, int ahead)
{
    SHARED(float, tile, FLOATS);

    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[(int)threadIdx.x + ahead];
}

extern "C" __global__ void trial_dynamic_beyond(float *out, int ahead)
{
    SHARED_DYNAMIC(float, tile);

    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[(int)threadIdx.x + ahead];
}

extern "C" __global__ void trial_overflow(float *out, int a)
{
    out[threadIdx.x] = (float)(a + a);
}

extern "C" __global__ void trial_shift(float *out, int bits)
{
    out[threadIdx.x] = (float)(1u << bits);
}

extern "C" __global__ void trial_misaligned(float *out, int ahead)
{
    const float4 v = *(const float4 *)(out + ahead);

    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

#ifdef __CUDACC__
#include <string.h>

int trial_plant(const char *mistake)
{
    static const struct {
        const char *name;
        void (*kernel)(float *, int);
        int argument;
    } wrong[] = {{"beyond", trial_beyond, FLOATS},
                 {"shared_beyond", trial_shared_beyond, 1},
                 {"dynamic_beyond", trial_dynamic_beyond, 1},
                 {"overflow", trial_overflow, 0x7FFFFFFF},
                 {"shift", trial_shift, 40},
                 {"misaligned", trial_misaligned, 1}};
    float *out;
    int value;

    MUST(cudaMalloc((void **)&out, FLOATS * sizeof *out));
    for (const auto &w : wrong)
        if (!strcmp(w.name, mistake))
            w.kernel<<<1, FLOATS, FLOATS * sizeof *out>>>(out, w.argument);
    if (!strcmp(mistake, "lonely_barrier"))
        trial_lonely_barrier<<<1, FLOATS>>>(out);
    if (!strcmp(mistake, "unknown"))
        MUST(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    MUST(cudaDeviceSynchronize());
    printf("overlooked\n");
    return 0;
}
#endif
