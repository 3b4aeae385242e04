/* What the system's files are read as; machines are recorded below tests/device/machines. */
#include "harness/device/place.h"
#include "harness/device/system.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static void on_machine(const char *name)
{
    char *root = xasprintf("%s/tests/device/machines/%s", SOURCE_FOLDER, name);

    setenv("RIDGE_ROOT", root, 1);
    free(root);
}

static void expect_text(char *value, const char *expected)
{
    cr_assert_not_null(value);
    cr_assert_str_eq(value, expected);
    free(value);
}

Test(system_files, the_prefix_is_empty_or_what_is_set)
{
    unsetenv("RIDGE_ROOT");
    cr_assert_str_eq(device_root(), "");
    setenv("RIDGE_ROOT", "/elsewhere", 1);
    cr_assert_str_eq(device_root(), "/elsewhere");
    cr_assert_null(device_read_line("/proc/cpuinfo"));
}

Test(system_files, lines_numbers_and_fields)
{
    on_machine("card");
    expect_text(device_read_line("/sys/module/nvidia/version"), "550.54.14");
    expect_text(system_field("/etc/os-release", "PRETTY_NAME"), "Ubuntu 24.04 LTS");
    expect_text(system_field("/proc/meminfo", "MemAvailable"), "8192 kB");
    cr_assert_null(system_field("/proc/meminfo", "Mem"));
    cr_assert_null(system_field("/proc/none", "MemTotal"));
    cr_assert_float_eq(system_number("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"), 3e6,
                       0);
    cr_assert(isnan(system_number("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")));
    cr_assert(isnan(system_number("/none")));
}

Test(system_files, environment_of_a_bare_machine)
{
    struct environment e = {0};

    on_machine("card");
    system_describe(&e);
    expect_text(e.os, "Ubuntu 24.04 LTS");
    expect_text(e.kernel, "6.8.0-31-generic");
    expect_text(e.cpu, "Some CPU @ 3.00GHz");
    free(e.machine);
    cr_assert_eq(e.container, FLAG_NO);
    cr_assert_eq(e.hypervisor, FLAG_NO);
    cr_assert_eq(e.wsl, FLAG_NO);
    cr_assert_eq(e.virtual_card, getenv("RIDGE_VIRTUAL_CARD") ? FLAG_YES : FLAG_NO);
}

Test(system_files, environment_inside_of_others)
{
    struct environment e = {0};

    on_machine("container2");
    system_describe(&e);
    cr_assert_null(e.os);
    cr_assert_eq(e.container, FLAG_YES);
    cr_assert_eq(e.hypervisor, FLAG_YES);
    cr_assert_eq(e.wsl, FLAG_YES);
    free(e.kernel);
    free(e.cpu);
    free(e.machine);
    on_machine("container1");
    cr_assert(system_in_container());
}

Test(limits, none_is_unknown)
{
    on_machine("card");
    cr_assert(isnan(cgroup_memory_limit_bytes()));
    cr_assert(isnan(cgroup_memory_free_bytes()));
    cr_assert(isnan(cgroup_cpus()));
    cr_assert_float_eq(system_memory_bytes(), 16384 * 1024.0, 0);
    cr_assert_float_eq(system_memory_available_bytes(), 8192 * 1024.0, 0);
}

Test(limits, version_2_counts_the_groups_above)
{
    on_machine("container2");
    cr_assert_float_eq(cgroup_memory_limit_bytes(), 4194304, 0);
    cr_assert_float_eq(cgroup_memory_free_bytes(), 4194304 - 3145728 + 1048576, 0);
    cr_assert_float_eq(cgroup_cpus(), 1.5, 1e-12);
    cr_assert_float_eq(system_memory_bytes(), 4194304, 0);
    cr_assert_float_eq(system_memory_available_bytes(), 2097152, 0);
}

Test(limits, version_1)
{
    on_machine("container1");
    cr_assert_float_eq(cgroup_memory_limit_bytes(), 2097152, 0);
    cr_assert_float_eq(cgroup_memory_free_bytes(), 2097152 - 1048576 + 4096, 0);
    cr_assert_float_eq(cgroup_cpus(), 0.5, 1e-12);
}

Test(host_facts, come_from_the_systems_files)
{
    struct device host;
    struct telemetry state;

    on_machine("card");
    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    cr_assert_str_eq(host.name, "Some CPU @ 3.00GHz");
    cr_assert_str_eq(host.facts.governor, "performance");
    cr_assert_float_eq(host.facts.clock_max_hz, 3e9, 0);
    cr_assert_float_eq(host.facts.memory_bytes, 16384 * 1024.0, 0);
    cr_assert(isnan(host.facts.huge_page_bytes));
    host.ops->sense(&host, &state);
    cr_assert(isnan(state.power_watts));
    cr_assert_null(host.ops->alloc(&host, MEMORY_DEVICE, 9 << 20));
    cr_assert(host.refused);
    device_close(&host);
}

Test(host_facts, a_quota_limits_the_workers)
{
    struct device host;

    on_machine("container1");
    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    cr_assert_eq(host.facts.units, 1);
    device_close(&host);
}

Test(places, lists_of_cpus)
{
    cpu_set_t cpus;

    cr_assert(place_parse("0-3,8,10-11", &cpus));
    cr_assert_eq(CPU_COUNT(&cpus), 7);
    cr_assert(CPU_ISSET(8, &cpus) && CPU_ISSET(11, &cpus) && !CPU_ISSET(9, &cpus));
    cr_assert_not(place_parse("", &cpus));
    cr_assert_not(place_parse("none", &cpus));
}

Test(places, near_and_back)
{
    cpu_set_t before, one, after, far;
    size_t cpu = 0;

    sched_getaffinity(0, sizeof before, &before);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    place_near(&one);
    sched_getaffinity(0, sizeof after, &after);
    cr_assert(CPU_EQUAL(&after, &one));
    place_anywhere();
    sched_getaffinity(0, sizeof after, &after);
    cr_assert(CPU_EQUAL(&after, &before));
    CPU_XOR(&far, &before, &before);
    place_near(&far);
    sched_getaffinity(0, sizeof after, &after);
    cr_assert(CPU_EQUAL(&after, &before));
}

Test(records, copy_what_is_known)
{
    struct device host;
    struct report report;
    struct device_record *record;

    unsetenv("RIDGE_ROOT");
    report_init(&report);
    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    record = report_add_device(&report);
    device_record_fill(record, &host);
    cr_assert_str_eq(record->id, "host");
    cr_assert_str_eq(record->kind, "host");
    cr_assert_null(record->uuid);
    cr_assert_eq(record->facts.units, host.facts.units);
    device_close(&host);
    report_free(&report);
}

Test(records, a_new_error_may_quote_the_old_one)
{
    struct device host;

    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    device_fail(&host, "first");
    cr_assert_eq(device_fail(&host, "second after %s", text_chars(&host.error)), -1);
    cr_assert_str_eq(text_chars(&host.error), "second after first");
    device_close(&host);
}

/* ---- the kernel's log ---- */

Test(kernel_log, the_card_s_own_messages_since_then_each_once)
{
    on_machine("card");
    expect_text(kernel_log_xids("0000:17:00.0", 0), "31 79 154");
    expect_text(kernel_log_xids("0000:17:00.0", 4), "79 154");
    expect_text(kernel_log_xids("0000:65:00.0", 4), "48");
    expect_text(kernel_log_xids("0000:18:00.0", 0), "");
}

Test(kernel_log, one_that_cannot_be_read_says_nothing)
{
    on_machine("container1");
    cr_assert_null(kernel_log_xids("0000:17:00.0", 0));
}
