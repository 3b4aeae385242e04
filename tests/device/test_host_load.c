/* CPU time of others and of the hypervisor, from made-up counts. */
#include "harness/base/text.h"
#include "harness/device/host_load.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char root[] = "/tmp/ridge-load-XXXXXX";

/* Counts in hundredths: of CPU 0 busy and stolen, and a CPU that is not ours. */
static void set_counts(unsigned busy, unsigned stolen)
{
    struct text stat = TEXT_EMPTY;
    char *path = xasprintf("%s/proc/stat", root);

    text_addf(&stat,
              "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 %u 0 0 5 5 0 0 %u 0 0\n"
              "cpu1 77777 0 0 5 5 0 0 88888 0 0\nintr 1 2\n",
              busy, stolen);
    cr_assert_eq(text_write_file(&stat, path), 0);
    text_free(&stat);
    free(path);
}

static void make_root(void)
{
    char *proc;

    cr_assert_not_null(mkdtemp(root));
    proc = xasprintf("%s/proc", root);
    cr_assert_eq(mkdir(proc, 0700), 0);
    free(proc);
    setenv("RIDGE_ROOT", root, 1);
}

static void drop_root(void)
{
    char *stat = xasprintf("%s/proc/stat", root), *proc = xasprintf("%s/proc", root);

    unlink(stat);
    rmdir(proc);
    rmdir(root);
    free(stat);
    free(proc);
}

TestSuite(host_load, .init = make_root, .fini = drop_root);

/* Looks again as if `seconds` had passed since the last look. */
static struct telemetry look_after(struct host_load *load, double seconds)
{
    struct telemetry t = telemetry_unknown;
    hwloc_cpuset_t cpu0 = hwloc_bitmap_alloc();

    hwloc_bitmap_set(cpu0, 0);
    if (load->at > 0)
        load->at -= seconds;
    host_load_sense(load, &cpu0, 1, &t);
    hwloc_bitmap_free(cpu0);
    return t;
}

Test(host_load, is_the_difference_of_two_looks)
{
    struct host_load load = {0};
    struct telemetry t;

    set_counts(100, 10);
    t = look_after(&load, 0);
    cr_expect(isnan(t.others_share) && isnan(t.steal_share));
    set_counts(600, 60); /* 5 s and half a second of 10 s */
    t = look_after(&load, 10);
    cr_expect_float_eq(t.others_share, 0.5, 0.05);
    cr_expect_float_eq(t.steal_share, 0.05, 0.005);
}

Test(host_load, stays_until_half_a_second_has_passed)
{
    struct host_load load = {0};
    struct telemetry t;

    set_counts(0, 0);
    look_after(&load, 0);
    set_counts(500, 0);
    look_after(&load, 10);
    set_counts(9000, 0);
    t = look_after(&load, 0.1);
    cr_expect_float_eq(t.others_share, 0.5, 0.05);
}

/* What counts less than we used ourselves is nobody else's. */
Test(host_load, is_never_negative_and_never_above_one)
{
    struct host_load load = {0};

    set_counts(100, 0);
    look_after(&load, 0);
    load.own -= 100;
    cr_expect_eq(look_after(&load, 10).others_share, 0);
    set_counts(99999, 0);
    cr_expect_eq(look_after(&load, 10).others_share, 1);
}

Test(host_load, is_unknown_where_the_system_does_not_count)
{
    struct host_load load = {0};

    cr_expect(isnan(look_after(&load, 0).others_share));
    cr_expect(isnan(look_after(&load, 10).steal_share));
}
