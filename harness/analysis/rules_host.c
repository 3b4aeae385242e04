/* Rules about the host, and about what else runs on it. */
#include "harness/analysis/rules.h"

#include <math.h>

static void host_busy(struct verdict *v)
{
    const double share = need(v, INPUT_OTHERS_SHARE);

    if (share > limit(v, LIMIT_OTHERS))
        found(v, "Others took {%} of the cores' time; below {%} is quiet.", share,
              limit(v, LIMIT_OTHERS));
}

static void host_steal(struct verdict *v)
{
    const double share = need(v, INPUT_STEAL_SHARE);

    if (share > limit(v, LIMIT_STEAL))
        found(v, "The hypervisor took {%} of the time; below {%} is quiet.", share,
              limit(v, LIMIT_STEAL));
}

static void cpu_quota(struct verdict *v)
{
    const double quota = need(v, INPUT_CPU_QUOTA), all = need(v, INPUT_MACHINE_UNITS);

    if (quota < all)
        found(v, "This control group may use {} of {n} cores.", quota, all);
}

static void memory_limit(struct verdict *v)
{
    const double most = need(v, INPUT_MEMORY_LIMIT), all = need(v, INPUT_MEMORY_INSTALLED);

    if (most < all)
        found(v, "This control group may use {B} of the machine's {B}.", most, all);
}

static void cpu_governor(struct verdict *v)
{
    if (need(v, INPUT_POWERSAVE) == 1)
        found(v, "The frequency governor is \"powersave\": rows of the host and launches suffer.");
}

static void cpu_clock_low(struct verdict *v)
{
    const double now = need(v, INPUT_SM_CLOCK), most = need(v, INPUT_CLOCK_MAX);

    if (now < limit(v, LIMIT_CPU_CLOCK) * most)
        found(v, "The cores ran at {Hz} of {Hz} under load.", now, most);
}

#define HEADLINE .scope = EACH_ROW, .device = "host", .concerns = is_headline
static const struct rule rules[] = {
    {.id = "HOST_BUSY",
     .severity = SEVERITY_DEGRADED,
     HEADLINE,
     .needs = {INPUT_OTHERS_SHARE},
     .judge = host_busy,
     .limits = {LIMIT_OTHERS},
     .when = "other processes run on the cores that measure",
     .fix = "Measure when the machine is idle; the rows stay, with wider intervals.",
     .source = "the kernel's counts of CPU time"},
    {.id = "HOST_STEAL",
     .severity = SEVERITY_DEGRADED,
     HEADLINE,
     .needs = {INPUT_STEAL_SHARE},
     .judge = host_steal,
     .limits = {LIMIT_STEAL},
     .when = "the hypervisor gives the cores to others",
     .fix = "Measure on a machine of its own.",
     .source = "the kernel's counts of CPU time"},
    {.id = "CPU_QUOTA",
     .device = "host",
     .needs = {INPUT_CPU_QUOTA, INPUT_MACHINE_UNITS},
     .judge = cpu_quota,
     .when = "a control group limits CPU time",
     .source = "cgroup cpu.max"},
    {.id = "MEMORY_LIMIT",
     .device = "host",
     .needs = {INPUT_MEMORY_LIMIT, INPUT_MEMORY_INSTALLED},
     .judge = memory_limit,
     .when = "a control group limits memory",
     .source = "cgroup memory.max"},
    {.id = "CPU_GOVERNOR",
     .device = "host",
     .needs = {INPUT_POWERSAVE},
     .judge = cpu_governor,
     .when = "the frequency governor saves power",
     .fix = "Use the governor \"performance\" while measuring.",
     .source = "cpufreq's scaling_governor"},
    {.id = "CPU_CLOCK_LOW",
     HEADLINE,
     .needs = {INPUT_SM_CLOCK, INPUT_CLOCK_MAX},
     .judge = cpu_clock_low,
     .limits = {LIMIT_CPU_CLOCK},
     .when = "the cores' clock is low under load",
     .source = "cpufreq's scaling_cur_freq"},
};
const struct rules rules_host = {rules, COUNT_OF(rules)};
