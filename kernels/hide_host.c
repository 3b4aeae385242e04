/* The reference for kernels/hide.h, and the judgement on where its blocks ran. */
#include "kernels/fill.h"
#include "kernels/hide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cuda_body hide_cuda;
cuda_plan hide_plan;

const struct kernel kernel_hide = {
    .name = "hide",
    .cuda = KERNEL_CUDA(hide_cuda),
    .plan = KERNEL_CUDA(hide_plan),
};

unsigned hide_threads(unsigned warps)
{
    return warps * 32 < HIDE_THREADS ? warps * 32 : HIDE_THREADS;
}

size_t hide_shared_bytes(size_t per_sm, size_t reserved_per_block, size_t most_per_block,
                         unsigned blocks)
{
    const size_t share = per_sm / blocks;
    const size_t bytes = share > reserved_per_block ? (share - reserved_per_block) / 128 * 128 : 0;

    return bytes < most_per_block ? bytes : most_per_block;
}

static int by_sm(const void *left, const void *right)
{
    const struct hide_mark *a = left, *b = right;

    return (a->sm > b->sm) - (a->sm < b->sm);
}

/* Did the blocks of one SM all run at the moment when the last of them began? */
static int overlap(const struct hide_mark *marks, size_t count)
{
    uint64_t last_start = 0, first_end = UINT64_MAX;

    for (size_t i = 0; i < count; i++) {
        last_start = marks[i].start > last_start ? marks[i].start : last_start;
        first_end = marks[i].end < first_end ? marks[i].end : first_end;
    }
    return last_start < first_end;
}

unsigned hide_misplaced(const struct hide_mark *marks, size_t blocks, unsigned sms, unsigned per_sm)
{
    struct hide_mark *sorted = malloc((blocks ? blocks : 1) * sizeof *sorted);
    unsigned right = 0, seen = 0;

    if (!sorted)
        return sms;
    memcpy(sorted, marks, blocks * sizeof *sorted);
    qsort(sorted, blocks, sizeof *sorted, by_sm);
    for (size_t i = 0, end; i < blocks; i = end, seen++) {
        for (end = i + 1; end < blocks && sorted[end].sm == sorted[i].sm;)
            end++;
        right += end - i == per_sm && overlap(sorted + i, per_sm);
    }
    free(sorted);
    return (seen > sms ? seen : sms) - right;
}

float hide_load_expected(const struct hide_args *args, uint64_t seed, size_t thread)
{
    const size_t step = (size_t)args->blocks * args->threads;
    const size_t accesses = (size_t)args->trips * args->ilp;
    float sum = 0, v[4];

    for (size_t n = 0; n < accesses; n++) {
        const size_t i = thread + n * step;

        for (unsigned w = 0; w < args->access_bytes / 4; w++)
            v[w] = fill_positive(seed, i * (args->access_bytes / 4) + w);
        sum += args->access_bytes == 4 ? v[0] : (v[0] + v[1]) + (v[2] + v[3]);
    }
    return sum;
}

float hide_fma_input(unsigned lane, unsigned chain)
{
    return (float)(lane * HIDE_ILP_MAX + chain);
}

float hide_fma_expected(const struct hide_args *args, unsigned lane)
{
    const unsigned long steps = (unsigned long)args->trips * HIDE_FMA_TRIP / args->ilp;
    float sum = 0;

    for (unsigned j = 0; j < args->ilp; j++) {
        float x = hide_fma_input(lane, j);

        for (unsigned long n = 0; n < steps; n++)
            x = fmaf(x, args->a, args->b);
        sum += x;
    }
    return sum;
}
