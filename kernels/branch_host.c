/* The reference for kernels/branch.h: the same recurrence, one thread at a time. */
#include "kernels/branch.h"

#include <math.h>

cuda_body branch_cuda;
cuda_plan branch_plan;

const struct kernel kernel_branch = {
    .name = "branch",
    .cuda = KERNEL_CUDA(branch_cuda),
    .plan = KERNEL_CUDA(branch_plan),
};

unsigned branch_steps(enum branch_kind kind, bool first)
{
    const bool long_arm = kind == BRANCH_LADDER_256 || (kind == BRANCH_ARMS_256_64 && first);

    return long_arm ? 256 : 64;
}

static float recurrence(float x, float a, float b, unsigned long steps)
{
    for (unsigned long n = 0; n < steps; n++)
        x = fmaf(x, a, b);
    return x;
}

float branch_expected(const struct branch_args *args, float in, bool first)
{
    const unsigned long steps = (unsigned long)args->trips * branch_steps(args->kind, first);
    float x[4];

    if (args->kind != BRANCH_LADDER_64 && args->kind != BRANCH_LADDER_256)
        return first ? recurrence(in, args->a, args->b, steps)
                     : recurrence(in, args->b, args->a, steps);
    for (int j = 0; j < 4; j++)
        x[j] = recurrence(in + (float)j, args->a, args->b, steps / 4);
    return (x[0] + x[1]) + (x[2] + x[3]);
}
