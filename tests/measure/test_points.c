/* Axes and their points. */
#include "harness/measure/points.h"

#include <criterion/criterion.h>

static const char *const kinds[] = {"pinned", "pageable", NULL};
static const double sizes[] = {3, 5, 8};

static const struct experiment mixed = {
    .name = "mixed",
    .axis = {{.name = "memory", .names = kinds},
             {.name = "size", .numbers = sizes, .count = 3},
             {.name = "bytes", .first = 1024, .last = 8192, .factor = 2}}};

Test(points, every_combination_with_the_last_axis_fastest)
{
    struct points p;
    double at[AXES_MAX];

    points_of(&p, &mixed, PLAN_STANDARD);
    cr_assert_eq(p.count, 2 * 3 * 4);
    points_at(&p, 1, at);
    cr_expect(at[0] == 0 && at[1] == 3 && at[2] == 2048);
    points_at(&p, p.count - 1, at);
    cr_expect(at[0] == 1 && at[1] == 8 && at[2] == 8192);
    points_free(&p);
}

Test(points, no_axis_is_one_point)
{
    const struct experiment e = {.name = "single"};
    struct points p;

    points_of(&p, &e, PLAN_STANDARD);
    cr_expect_eq(p.count, 1);
    points_free(&p);
}

Test(points, a_range_keeps_its_last_value_in_spite_of_rounding)
{
    const struct experiment e = {.axis = {{.name = "x", .first = 0, .last = 1, .step = 0.1},
                                          {.name = "y", .first = 1, .last = 10, .factor = 1.1}}};
    struct points p;

    points_of(&p, &e, PLAN_STANDARD);
    cr_expect_eq(p.length[0], 11);
    cr_expect_eq(p.length[1], 25, "1.1^24 is 9.85, got %zu", p.length[1]);
    points_free(&p);
}

Test(points, quick_thins_and_keeps_both_ends)
{
    const struct experiment e = {
        .axis = {{.name = "lanes", .first = 0, .last = 32, .step = 1, .quick_every = 5}}};
    const double expected[] = {0, 5, 10, 15, 20, 25, 30, 32};
    struct points p;

    points_of(&p, &e, PLAN_QUICK);
    cr_assert_eq(p.count, COUNT_OF(expected));
    cr_expect_arr_eq(p.values[0], expected, sizeof expected);
    points_free(&p);
    points_of(&p, &e, PLAN_THOROUGH);
    cr_expect_eq(p.count, 33);
    points_free(&p);
}

Test(points, ends_matter_most_then_the_middle)
{
    const struct experiment e = {.axis = {{.name = "memory", .names = kinds},
                                          {.name = "x", .first = 0, .last = 8, .step = 1}}};
    const unsigned expected[] = {0, 3, 2, 3, 1, 3, 2, 3, 0};
    struct points p;

    points_of(&p, &e, PLAN_STANDARD);
    for (size_t i = 0; i < p.count; i++)
        cr_expect_eq(points_rank(&p, i), expected[i % 9], "point %zu has rank %u", i,
                     points_rank(&p, i));
    points_free(&p);
}
