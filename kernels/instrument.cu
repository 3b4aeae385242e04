/* The card's bodies of kernels/instrument.h.  Every loop is bounded by a count as well as by the
 * timer, so that a timer that stands still cannot hold the card. */
#include "kernels/instrument.h"
#include "kernels/ptx.h"

extern "C" __global__ void instrument_gate_wait(struct instrument_panel *panel,
                                                uint64_t nanoseconds)
{
    const uint64_t start = global_timer();

    for (uint32_t tries = 1u << 26; tries > 0; tries--) {
        if (load_kept(&panel->open))
            return;
        if (global_timer() - start > nanoseconds)
            break;
    }
    panel->expired = 1;
}

extern "C" __global__ void instrument_clock_read(struct clock_reading *out,
                                                 const struct clock_reading *since,
                                                 uint64_t nanoseconds)
{
    const uint32_t sm = sm_id();

    if (sm >= INSTRUMENT_SMS_MAX)
        return;
    if (nanoseconds) {
        const uint64_t start = since[sm].timer_ns;

        for (uint32_t tries = 1u << 20; tries > 0; tries--)
            if (global_timer() - start >= nanoseconds)
                break;
    }
    out[sm].timer_ns = global_timer();
    out[sm].ticks = sm_ticks();
}

extern "C" __global__ void instrument_timer_steps(uint64_t *least_step)
{
    const uint64_t start = global_timer(), enough = 2000000;
    uint64_t last = start, least = 0;

    for (uint32_t tries = 1u << 18; tries > 0 && last - start < enough; tries--) {
        const uint64_t now = global_timer(), step = now - last;

        if (step && (!least || step < least))
            least = step;
        last = now;
    }
    *least_step = least;
}

extern "C" __global__ void __launch_bounds__(256) instrument_heat(uint64_t nanoseconds)
{
    const uint64_t start = global_timer();
    float x[8] = {0, 1, 2, 3, 4, 5, 6, 7};

    for (uint32_t tries = 1u << 26; tries > 0 && global_timer() - start < nanoseconds; tries--)
#pragma unroll
        for (int i = 0; i < 512; i++)
            fma_kept(x[i % 8], 0.999f, 0.001f);
}

extern "C" __global__ void instrument_empty(void)
{
}

static int launch(const void *function, unsigned blocks, unsigned threads, void **parameters,
                  void *stream)
{
    return cudaLaunchKernel(function, dim3(blocks), dim3(threads), parameters, 0,
                            (cudaStream_t)stream);
}

extern "C" int instrument_gate(struct instrument_panel *panel, uint64_t nanoseconds, void *stream)
{
    void *parameters[] = {&panel, &nanoseconds};

    return launch((const void *)instrument_gate_wait, 1, 1, parameters, stream);
}

static int read_clocks(struct clock_reading *out, struct clock_reading *since, unsigned sms,
                       uint64_t nanoseconds, void *stream)
{
    void *parameters[] = {&out, &since, &nanoseconds};

    return launch((const void *)instrument_clock_read, sms, 1, parameters, stream);
}

extern "C" int instrument_clock_before(struct instrument_panel *panel, unsigned sms, void *stream)
{
    return read_clocks(panel->before, NULL, sms, 0, stream);
}

extern "C" int instrument_clock_after(struct instrument_panel *panel, unsigned sms,
                                      uint64_t nanoseconds, void *stream)
{
    return read_clocks(panel->after, panel->before, sms, nanoseconds, stream);
}

extern "C" int instrument_timer_step(struct instrument_panel *panel, void *stream)
{
    uint64_t *out = &panel->timer_step_ns;
    void *parameters[] = {&out};

    return launch((const void *)instrument_timer_steps, 1, 1, parameters, stream);
}

extern "C" int instrument_load(int *machine_code, int *ptx)
{
    const void *const functions[] = {
        (const void *)instrument_gate_wait,   (const void *)instrument_clock_read,
        (const void *)instrument_timer_steps, (const void *)instrument_heat,
        (const void *)instrument_empty,
    };
    struct cudaFuncAttributes attributes = {};

    for (const void *function : functions) {
        const cudaError_t failed = cudaFuncGetAttributes(&attributes, function);

        if (failed)
            return failed;
    }
    *machine_code = attributes.binaryVersion;
    *ptx = attributes.ptxVersion;
    return cudaSuccess;
}

extern "C" int heat_cuda(const void *args, void *const *streams)
{
    struct heat_args a = *(const struct heat_args *)args;
    void *parameters[] = {&a.nanoseconds};

    return launch((const void *)instrument_heat, a.blocks, 256, parameters, streams[0]);
}

extern "C" int empty_cuda(const void *, void *const *streams)
{
    return launch((const void *)instrument_empty, 1, 1, NULL, streams[0]);
}
