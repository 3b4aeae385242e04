/* Comparing on the host: every worker its share, from the last element to the first. */
#include "kernels/compare.h"
#include "kernels/share.h"

static int compare_host(const void *args, unsigned worker, unsigned workers)
{
    const struct compare_args *a = args;
    struct share share = share_of(a->count * sizeof(float), worker, workers);
    struct compare_part part = {0, 0};

    for (size_t i = share.end / sizeof(float); i-- > share.first / sizeof(float);)
        compare_element(a, i, &part);
    a->parts[worker] = part;
    for (size_t i = workers; worker == 0 && i < COMPARE_PARTS; i++)
        a->parts[i] = (struct compare_part){0, 0};
    return 0;
}

struct compare_part compare_total(const struct compare_part *parts)
{
    struct compare_part total = {0, 0};

    for (size_t i = 0; i < COMPARE_PARTS; i++) {
        total.different += parts[i].different;
        total.expected += parts[i].expected;
    }
    return total;
}

const struct kernel kernel_compare = {
    .name = "compare",
    .host = compare_host,
    .cuda = KERNEL_CUDA(compare_cuda),
};
