/* kernels/intensity.h gives every element of every worker its FMAs and adds all of them up. */
#include "kernels/intensity.h"
#include "tests/kernels/shares.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

TestSuite(intensity);

Test(intensity, every_element_has_its_fmas)
{
    enum { COUNT = 7 * INTENSITY_BLOCK };
    float *in = aligned_alloc(64, COUNT * sizeof *in), sums[SHARES_MOST] = {0};
    struct intensity_args args = {
        .in = in, .count = COUNT, .a = 0.75f, .b = 0.5f, .sums = sums, .sum_count = SHARES_MOST};

    for (size_t i = 0; i < COUNT; i++)
        in[i] = (float)(i % 1000) / 1000;
    for (args.fmas = 1; args.fmas <= INTENSITY_FMAS_MOST; args.fmas *= 4) {
        double right = 0, found = 0;

        for (size_t i = 0; i < COUNT; i++) {
            double x = (double)in[i];

            for (unsigned n = 0; n < args.fmas; n++)
                x = x * 0.75 + 0.5;
            right += x;
        }
        cr_assert_eq(execute_shares(&kernel_intensity, &args, SHARES_MOST), 0);
        for (size_t w = 0; w < SHARES_MOST; w++)
            found += (double)sums[w];
        cr_expect_float_eq(found / right, 1, 1e-6, "%u FMAs", args.fmas);
    }
    free(in);
}
