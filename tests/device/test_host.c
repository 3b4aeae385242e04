/* The host as a device: who is called how often, where memory lies, what is known. */
#include "harness/device/device.h"

#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 1024 };

struct calls {
    atomic_uint of_worker[WORKERS_MAX], workers, wrong;
    atomic_int bound; /* CPUs that the last caller may run on */
};

static int count_call(const void *args, unsigned worker, unsigned workers)
{
    struct calls *calls = *(struct calls *const *)args;
    cpu_set_t here;

    if (worker >= workers || workers > WORKERS_MAX)
        return 1;
    atomic_store(&calls->workers, workers);
    atomic_fetch_add(&calls->of_worker[worker], 1);
    sched_getaffinity(0, sizeof here, &here);
    atomic_store(&calls->bound, CPU_COUNT(&here));
    return 0;
}

static int fail_in_worker_0(const void *args, unsigned worker, unsigned workers)
{
    (void)args;
    (void)workers;
    return worker == 0 ? 7 : 0;
}

static struct device host;
static struct calls calls;
static struct calls *const args = &calls;

static void open_host(void)
{
    cr_assert_eq(device_open(&host, &device_host, 0), 0, "%s", text_chars(&host.error));
}

static void close_host(void)
{
    device_close(&host);
}

static struct run_times run(const struct kernel *k, unsigned times)
{
    struct run_times out;

    cr_assert_eq(host.ops->run(&host, k, &args, times, TIMED_BY_HOST, &out), 0);
    return out;
}

TestSuite(host, .init = open_host, .fini = close_host);

Test(host, every_worker_does_its_share_once_per_execution)
{
    const struct kernel k = {.name = "count", .host = count_call};
    const struct run_times out = run(&k, 13);

    cr_assert_eq(atomic_load(&calls.workers), (unsigned)host.facts.units);
    for (unsigned i = 0; i < (unsigned)host.facts.units; i++)
        cr_assert_eq(atomic_load(&calls.of_worker[i]), 13u, "worker %u", i);
    cr_assert_eq(atomic_load(&calls.bound), 1);
    cr_assert_gt(out.seconds, 0);
    cr_assert(isnan(out.stream_start[0]));
    cr_assert_eq(out.ticks, 0u);
}

Test(host, runs_again_and_again)
{
    const struct kernel k = {.name = "count", .host = count_call};

    for (int i = 0; i < 500; i++)
        run(&k, 1);
    for (unsigned i = 0; i < (unsigned)host.facts.units; i++)
        cr_assert_eq(atomic_load(&calls.of_worker[i]), 500u);
}

Test(host, one_core_is_worker_0_of_1_and_bound)
{
    const struct kernel k = {.name = "count", .host = count_call, .host_threads = HOST_ONE_CORE};

    run(&k, 5);
    cr_assert_eq(atomic_load(&calls.workers), 1u);
    cr_assert_eq(atomic_load(&calls.of_worker[0]), 5u);
    cr_assert_eq(atomic_load(&calls.of_worker[1]), 0u);
    cr_assert_eq(atomic_load(&calls.bound), 1);
}

Test(host, own_threads_are_unbound)
{
    const struct kernel k = {.name = "count", .host = count_call, .host_threads = HOST_OWN_THREADS};
    cpu_set_t mine;

    sched_getaffinity(0, sizeof mine, &mine);
    run(&k, 3);
    cr_assert_eq(atomic_load(&calls.workers), 1u);
    cr_assert_eq(atomic_load(&calls.of_worker[0]), 3u);
    cr_assert_eq(atomic_load(&calls.bound), CPU_COUNT(&mine));
}

Test(host, a_code_becomes_a_sentence)
{
    const struct kernel k = {.name = "broken", .host = fail_in_worker_0};
    struct run_times out;

    cr_assert_eq(host.ops->run(&host, &k, &args, 2, TIMED_BY_HOST, &out), -1);
    cr_assert_str_eq(text_chars(&host.error), "broken failed on the host with code 7");
}

Test(host, a_kernel_without_a_host_half_is_refused)
{
    const struct kernel k = {.name = "warps"};
    struct run_times out;

    cr_assert_eq(host.ops->run(&host, &k, &args, 1, TIMED_BY_HOST, &out), -1);
    cr_assert(isnan(out.seconds));
    cr_assert(isnan(out.telemetry.power_watts));
}

Test(host, respects_the_affinity_it_was_given)
{
    cpu_set_t all, one;
    int cpu = 0;

    close_host();
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET((size_t)cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    /* in a program of its own, for the affinity at its start is what counts */
    const pid_t child = fork();
    if (child == 0) {
        sched_setaffinity(0, sizeof one, &one);
        _exit(device_open(&host, &device_host, 0) == 0 && host.facts.units == 1 ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    open_host();
}

Test(host, memory_is_aligned_to_huge_pages_and_writable)
{
    const size_t bytes = 3 << 20;

    for (enum memory kind = MEMORY_DEVICE; kind <= MEMORY_PAGEABLE; kind++) {
        char *memory = host.ops->alloc(&host, kind, bytes);

        cr_assert_not_null(memory);
        cr_assert_eq((uintptr_t)memory % (2 << 20), 0u);
        memset(memory, 0xFF, bytes);
        host.ops->free(&host, kind, memory);
    }
}

Test(host, copies)
{
    char *memory = host.ops->alloc(&host, MEMORY_DEVICE, 8), back[8];

    cr_assert_eq(host.ops->copy(&host, memory, "1234567", 8), 0);
    cr_assert_eq(host.ops->copy(&host, back, memory, 8), 0);
    cr_assert_str_eq(back, "1234567");
    host.ops->free(&host, MEMORY_DEVICE, memory);
}

Test(host, more_memory_than_there_is_is_refused_with_numbers)
{
    cr_assert_null(host.ops->alloc(&host, MEMORY_DEVICE, (size_t)1 << 50));
    cr_assert(host.refused);
    cr_assert_not_null(strstr(text_chars(&host.error), "available"));
    cr_assert_not_null(strstr(text_chars(&host.error), "of host memory asked for"));
}

Test(host, transfer_memory_is_not_the_hosts)
{
    cr_assert_null(host.ops->alloc(&host, MEMORY_PINNED, 4096));
    cr_assert_not(host.refused);
    cr_assert_not_null(strstr(text_chars(&host.error), "pinned"));
}

Test(host, facts_are_plausible)
{
    const struct facts *f = &host.facts;

    cr_assert_not_null(host.name);
    cr_assert_geq(f->units, 1);
    cr_assert_leq(f->units, (double)sysconf(_SC_NPROCESSORS_ONLN));
    cr_assert_gt(f->memory_bytes, 64e6);
    cr_assert_leq(f->memory_free_bytes, f->memory_bytes);
    cr_assert(!(f->last_level_cache_bytes < 16e3));
    cr_assert(!(f->l1_cache_bytes < 4e3));
    cr_assert(!(f->l2_cache_bytes < f->l1_cache_bytes));
    cr_assert(!(f->clock_max_hz < 100e6));
    cr_assert_geq(f->threads_per_core, 1);
    cr_assert_not_null(f->simd);
    cr_assert(isnan(f->peak_memory_bytes_per_second));
    cr_assert_null(f->capability);
}

Test(host, clock_goes_forward_and_warming_ends)
{
    const double before = host.ops->now(&host);

    cr_assert_eq(host.ops->warm(&host), 0);
    cr_assert_gt(host.ops->now(&host), before);
}
