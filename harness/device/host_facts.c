/* What hwloc and the system's files say about the host. */
#include "harness/device/host_facts.h"

#include "harness/device/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned quota_of(unsigned cores)
{
    const double fed = cgroup_cpus();

    if (!(fed < cores))
        return cores;
    return fed < 1 ? 1 : (unsigned)fed;
}

static hwloc_obj_type_t core_type(hwloc_topology_t topology)
{
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

void host_restrict(hwloc_topology_t topology)
{
    hwloc_cpuset_t usable = hwloc_bitmap_alloc_full();

    if (hwloc_get_cpubind(topology, usable, HWLOC_CPUBIND_THREAD) == 0)
        hwloc_topology_restrict(topology, usable, 0);
    hwloc_bitmap_free(usable);
}

hwloc_cpuset_t *host_cores(hwloc_topology_t topology, unsigned *count)
{
    const hwloc_obj_type_t type = core_type(topology);
    const unsigned all = (unsigned)hwloc_get_nbobjs_by_type(topology, type);
    hwloc_cpuset_t *cores = xcalloc(all, sizeof *cores);

    *count = quota_of(all);
    for (unsigned i = 0; i < *count; i++) {
        cores[i] = hwloc_bitmap_dup(hwloc_get_obj_by_type(topology, type, i)->cpuset);
        hwloc_bitmap_singlify(cores[i]);
    }
    return cores;
}

void host_cores_free(hwloc_cpuset_t *cores, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        hwloc_bitmap_free(cores[i]);
    free(cores);
}

static double last_level_cache_bytes(hwloc_topology_t topology)
{
    double bytes = 0;

    for (int type = HWLOC_OBJ_L5CACHE; type >= HWLOC_OBJ_L1CACHE && bytes <= 0; type--) {
        hwloc_obj_t cache = NULL;

        while ((cache = hwloc_get_next_obj_by_type(topology, (hwloc_obj_type_t)type, cache)))
            bytes += (double)cache->attr->cache.size;
    }
    return bytes > 0 ? bytes : NAN;
}

/* Of one core; unknown where cores share it. */
static double own_cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    hwloc_obj_t cache = hwloc_get_next_obj_by_type(topology, type, NULL);
    const int cores =
        cache ? hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, core_type(topology))
              : 0;

    return cores == 1 && cache->attr->cache.size > 0 ? (double)cache->attr->cache.size : NAN;
}

static double count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(topology, type);

    return count > 0 ? count : NAN;
}

/* The size that MADV_HUGEPAGE gives; unknown where the system never gives it. */
static double huge_page_bytes(void)
{
    char *when = device_read_line("/sys/kernel/mm/transparent_hugepage/enabled");
    const bool given = when && !strstr(when, "[never]");

    free(when);
    return given ? system_number("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size") : NAN;
}

static const char *simd_in_use(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return "avx512";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "avx2";
#endif
    return "baseline";
}

/* Of the machine, whatever this process may use. */
static double installed_bytes(void)
{
    char *total = system_field("/proc/meminfo", "MemTotal");
    const double kibibytes = total ? strtod(total, NULL) : NAN;

    free(total);
    return kibibytes > 0 ? 1024 * kibibytes : NAN;
}

void host_facts_fill(struct facts *f, hwloc_topology_t topology, unsigned cores)
{
    const char *const frequency = "/sys/devices/system/cpu/cpu0/cpufreq";
    char *limit = xasprintf("%s/cpuinfo_max_freq", frequency);
    char *governor = xasprintf("%s/scaling_governor", frequency);

    f->units = cores;
    f->memory_bytes = system_memory_bytes();
    f->memory_free_bytes = system_memory_available_bytes();
    f->last_level_cache_bytes = last_level_cache_bytes(topology);
    f->l1_cache_bytes = own_cache_bytes(topology, HWLOC_OBJ_L1CACHE);
    f->l2_cache_bytes = own_cache_bytes(topology, HWLOC_OBJ_L2CACHE);
    f->clock_max_hz = 1e3 * system_number(limit);
    f->governor = device_read_line(governor);
    f->threads_per_core =
        count_of(topology, HWLOC_OBJ_PU) / count_of(topology, core_type(topology));
    f->machine_units = (double)sysconf(_SC_NPROCESSORS_ONLN) / f->threads_per_core;
    f->cpu_quota = cgroup_cpus();
    f->memory_installed_bytes = installed_bytes();
    f->memory_limit_bytes = cgroup_memory_limit_bytes();
    f->numa_nodes = count_of(topology, HWLOC_OBJ_NUMANODE);
    f->sockets = count_of(topology, HWLOC_OBJ_PACKAGE);
    f->huge_page_bytes = huge_page_bytes();
    f->simd = xstrdup(simd_in_use());
    free(limit);
    free(governor);
}

void host_sense_cpu(unsigned cpu, struct telemetry *out)
{
    char *path = xasprintf("/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", cpu);

    out->sm_clock_hz = 1e3 * system_number(path);
    free(path);
}
