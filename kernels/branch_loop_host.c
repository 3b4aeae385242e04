/* The CPU's body of kernels/branch_loop.h. */
#include "kernels/branch_loop.h"
#include "kernels/fill.h"
#include "kernels/share.h"

/* Factors and summands of well-known congruential generators (Numerical Recipes; Borland C). */
static const uint32_t first_factor = 1664525, first_summand = 1013904223;
static const uint32_t second_factor = 22695477, second_summand = 1;

static inline uint32_t arm(uint32_t x, uint32_t factor, uint32_t summand)
{
    for (int n = 0; n < BRANCH_LOOP_STEPS; n++) {
        x = x * factor + summand;
        /* The compiler may neither skip this nor do it in vain: the branch stays a branch. */
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

static int branch_loop_host(const void *arguments, unsigned worker, unsigned workers)
{
    const struct branch_loop_args *args = arguments;
    const struct share share = share_of(args->count, worker, workers);

    for (size_t i = share.first; i < share.end; i++) {
        const uint32_t x = args->in[i];

        if (args->rank[i] < args->below)
            args->out[i] = arm(x, first_factor, first_summand);
        else
            args->out[i] = arm(x, second_factor, second_summand);
    }
    return 0;
}

/* n steps of an affine map are one: x f^n + s (f^(n-1) + ... + 1). */
static uint32_t steps_at_once(uint32_t x, uint32_t factor, uint32_t summand)
{
    uint32_t power = 1, sum = 0;

    for (int n = 0; n < BRANCH_LOOP_STEPS; n++) {
        sum += power;
        power *= factor;
    }
    return x * power + summand * sum;
}

uint32_t branch_loop_expected(uint32_t x, bool first)
{
    return first ? steps_at_once(x, first_factor, first_summand)
                 : steps_at_once(x, second_factor, second_summand);
}

void branch_loop_ranks(uint8_t *rank, size_t count, bool shuffled)
{
    for (size_t i = 0; i < count; i++)
        rank[i] = (uint8_t)(i / (count / BRANCH_LOOP_RANKS));
    for (size_t i = count - 1; shuffled && i > 0; i--) {
        const size_t j = (uint64_t)fill_bits(count, i) * (i + 1) >> 32; /* Fisher and Yates */
        const uint8_t moved = rank[i];

        rank[i] = rank[j];
        rank[j] = moved;
    }
}

const struct kernel kernel_branch_loop = {
    .name = "branch_loop",
    .host = branch_loop_host,
    .host_threads = HOST_ONE_CORE,
};
