/* Numbers for people. */
#include "harness/base/text.h"
#include "harness/base/units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const struct {
    double value;
    const char *unit, *shown;
} cases[] = {
    {4.1e10, "B/s", "41.0 GB/s"},
    {3.35e12, "B/s", "3.35 TB/s"},
    {999.4e6, "B/s", "999 MB/s"},
    {999.6e6, "B/s", "1.00 GB/s"},
    {9.996e9, "B/s", "10.0 GB/s"},
    {99.96e9, "B/s", "100 GB/s"},
    {0, "B/s", "0 B/s"},
    {-4.1e10, "B/s", "-41.0 GB/s"},
    {7.948e14, "FLOP/s", "795 TFLOP/s"},
    {1e15, "FLOP/s", "1.00 PFLOP/s"},
    {1.98e9, "Hz", "1.98 GHz"},
    {1073741824, "B", "1 GiB"},
    {360448, "B", "352 KiB"},
    {1536, "B", "1.50 KiB"},
    {1023, "B", "1023 B"},
    {1023 * 1024.0, "B", "1023 KiB"},
    {8, "B", "8 B"},
    {0, "B", "0 B"},
    {1.234e-7, "s", "123 ns"},
    {5e-10, "s", "0.500 ns"},
    {2.5e-5, "s", "25.0 us"},
    {0.0785, "s", "78.5 ms"},
    {14.2, "s", "14.2 s"},
    {600, "s", "600 s"},
    {0, "s", "0 s"},
    {2.5e6, "1/s", "2.50 M/s"},
    {12, "1/s", "12.0 1/s"},
    {700, "W", "700 W"},
    {147.9, "FLOP/B", "148 FLOP/B"},
    {1234.5, "FLOP/B", "1234 FLOP/B"},
    {0.166666, "FLOP/B", "0.167 FLOP/B"},
    {1.984, "", "1.98"},
    {0.0123, "", "0.0123"},
    {NAN, "B/s", "-"},
    {INFINITY, "s", "-"},
};

Test(units, format)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char out[UNITS_MAX];
        cr_assert_str_eq(units_format(out, cases[i].value, cases[i].unit), cases[i].shown);
    }
}

Test(units, long_unit_does_not_overflow)
{
    char out[UNITS_MAX];

    units_format(out, 1.5, "a unit with a name as long as a sentence can become");
    cr_assert_lt(strlen(out), UNITS_MAX);
}

Test(units, scale_for_a_column)
{
    char out[UNITS_MAX];
    double scale = 0;

    cr_assert_str_eq(units_scale(out, 4.1e10, "B/s", &scale), "GB/s");
    cr_assert_eq(scale, 1e9);
    cr_assert_str_eq(units_scale(out, 1 << 20, "B", &scale), "MiB");
    cr_assert_eq(scale, 1 << 20);
    cr_assert_str_eq(units_scale(out, 3e-6, "s", &scale), "us");
    cr_assert_eq(scale, 1e-6);
    cr_assert_str_eq(units_scale(out, NAN, "s", &scale), "s");
    cr_assert_eq(scale, 1);
    cr_assert_str_eq(units_scale(out, 12, "", &scale), "");
    cr_assert_eq(scale, 1);
}
