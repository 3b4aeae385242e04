/* A card as a device.  Needs one (real, or the tests' virtual card under the program); skipped
 * without. */
#include "harness/device/device.h"
#include "kernels/chase.h"
#include "kernels/fill.h"
#include "kernels/instrument.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct device card, second;
static const struct device_ops *cuda;

/* The first kind that is not the host. */
static int cards(void)
{
    cuda = device_kinds[0]->count != device_host.count ? device_kinds[0] : NULL;
    return cuda ? cuda->count(NULL) : 0;
}

static void open_card(void)
{
    if (cards() == 0 && !getenv("RIDGE_VIRTUAL_CARD"))
        cr_skip_test("no card");
    cr_assert_gt(cards(), 0, "the virtual card is asked for, and is not there");
    cr_assert_eq(device_open(&card, cuda, 0), 0, "%s", text_chars(&card.error));
}

static void close_card(void)
{
    if (card.ops)
        device_close(&card);
}

static void expect_ok(int failed)
{
    cr_assert_eq(failed, 0, "%s", text_chars(&card.error));
}

static struct run_times run(const struct kernel *k, const void *args, unsigned times,
                            enum timed_by how)
{
    struct run_times out;

    expect_ok(card.ops->run(&card, k, args, times, how, &out));
    return out;
}

TestSuite(card, .init = open_card, .fini = close_card);

Test(card, facts_are_plausible)
{
    const struct facts *f = &card.facts;

    cr_assert_not_null(card.name);
    cr_assert_eq(strlen(card.uuid), strlen("GPU-00000000-0000-0000-0000-000000000000"));
    cr_assert_not_null(f->capability);
    cr_assert_not_null(f->code);
    cr_assert_geq(f->units, 1);
    cr_assert_eq(f->warp_lanes, 32);
    cr_assert_gt(f->memory_bytes, 1e7);
    cr_assert_leq(f->memory_free_bytes, f->memory_bytes);
    cr_assert_gt(f->clock_max_hz, 1e6);
    cr_assert_gt(f->last_level_cache_bytes, 1e5);
    cr_assert_geq(f->shared_bytes_per_unit, f->shared_bytes_per_block);
    cr_assert(isnan(f->sockets));
}

Test(card, memory_of_every_kind_takes_a_copy)
{
    const uint32_t sent[4] = {1, 2, 3, 0xFFFFFFFFu};
    uint32_t back[4];

    for (int kind = 0; kind < MEMORY_KINDS; kind++) {
        void *memory = card.ops->alloc(&card, (enum memory)kind, 4 << 20);

        cr_assert_not_null(memory, "%s: %s", memory_names[kind], text_chars(&card.error));
        memset(back, 0, sizeof back);
        expect_ok(card.ops->copy(&card, memory, sent, sizeof sent));
        expect_ok(card.ops->copy(&card, back, memory, sizeof back));
        cr_assert_eq(memcmp(sent, back, sizeof sent), 0, "%s", memory_names[kind]);
        card.ops->free(&card, (enum memory)kind, memory);
    }
}

Test(card, more_memory_than_there_is_is_refused_with_numbers)
{
    const struct kernel *k = &kernel_empty;

    cr_assert_null(card.ops->alloc(&card, MEMORY_DEVICE, (size_t)1 << 50));
    cr_assert(card.refused);
    cr_assert_not_null(strstr(text_chars(&card.error), "free"), "%s", text_chars(&card.error));
    cr_assert_null(card.ops->alloc(&card, MEMORY_PINNED, (size_t)1 << 50));
    cr_assert(card.refused);
    cr_assert_not(card.lost);
    run(k, NULL, 1, TIMED_BY_EVENTS);
}

Test(card, a_kernel_runs_and_its_answer_is_there)
{
    const size_t count = 100003;
    uint32_t *there = card.ops->alloc(&card, MEMORY_DEVICE, count * sizeof *there);
    uint32_t *here = malloc(count * sizeof *here);
    const struct fill_args args = {.out = there, .count = count, .seed = 9, .kind = FILL_BITS};

    for (int how = 0; how <= TIMED_BY_CALL; how++) {
        const struct run_times out = run(&kernel_fill, &args, 3, (enum timed_by)how);

        cr_assert_gt(out.seconds, 0, "%s", timed_by_names[how]);
        cr_assert_lt(out.seconds, 1, "%s", timed_by_names[how]);
    }
    expect_ok(card.ops->copy(&card, here, there, count * sizeof *here));
    for (size_t i = 0; i < count; i += 997)
        cr_assert_eq(here[i], fill_bits(9, i));
    free(here);
    card.ops->free(&card, MEMORY_DEVICE, there);
}

Test(card, more_executions_than_fit_behind_the_gate)
{
    const double few = run(&kernel_empty, NULL, 100, TIMED_BY_EVENTS).seconds;
    const double many = run(&kernel_empty, NULL, 1000, TIMED_BY_EVENTS).seconds;

    cr_assert_gt(many / few, 5);
    cr_assert_lt(many / few, 20);
}

Test(card, heating_lasts_as_long_as_asked_and_shows_the_clock)
{
    const struct heat_args args = {.nanoseconds = 20000000, .blocks = (unsigned)card.facts.units};
    const struct run_times out = run(&kernel_heat, &args, 1, TIMED_BY_EVENTS);

    cr_assert_gt(out.seconds, 0.019);
    cr_assert_lt(out.seconds, 0.05);
    cr_assert_gt(out.sm_clock_hz, 1e6);
    cr_assert_lt(out.sm_clock_hz, 1.02 * card.facts.clock_max_hz);
    cr_assert_eq(out.telemetry.sm_clock_hz, out.sm_clock_hz);
}

Test(card, warming_ends_and_is_left_out_when_not_idle)
{
    double begun = card.ops->now(&card), first, again;

    expect_ok(card.ops->warm(&card));
    first = card.ops->now(&card) - begun;
    expect_ok(card.ops->warm(&card));
    again = card.ops->now(&card) - begun - first;
    cr_assert_gt(first, 0.25);
    cr_assert_lt(again, 0.1);
}

Test(card, ticks_of_a_kernel_become_seconds)
{
    const unsigned nodes_log2 = 8;
    uint32_t *next = card.ops->alloc(&card, MEMORY_DEVICE, CHASE_NODE_BYTES << nodes_log2);
    uint32_t *cursor = card.ops->alloc(&card, MEMORY_DEVICE, sizeof *cursor);
    long long *ticks = card.ops->alloc(&card, MEMORY_DEVICE, sizeof *ticks);
    const struct chase_link_args link = {.next = next, .nodes_log2 = nodes_log2};
    const struct chase_args walk = {
        .ticks = ticks, .next = next, .cursor = cursor, .steps = 10 * CHASE_UNROLL};
    const uint32_t start = 0;

    expect_ok(card.ops->copy(&card, cursor, &start, sizeof start));
    run(&kernel_chase_link, &link, 1, TIMED_BY_HOST);
    const struct run_times out = run(&kernel_chase, &walk, 3, TIMED_BY_KERNEL);
    cr_assert_gt(out.ticks, 3 * walk.steps);
    cr_assert_gt(out.sm_clock_hz, 1e6, "a clock is known however short the walk");
    cr_assert_float_eq(out.seconds, (double)out.ticks / out.sm_clock_hz, 1e-12);
    card.ops->free(&card, MEMORY_DEVICE, next);
    card.ops->free(&card, MEMORY_DEVICE, cursor);
    card.ops->free(&card, MEMORY_DEVICE, ticks);
}

/* What NVML cannot tell is unknown; the virtual card's can tell all of this. */
Test(card, telemetry_is_known_or_unknown_and_never_nothing)
{
    struct telemetry t;
    bool all_known;

    card.ops->sense(&card, &t);
    cr_assert(!(t.power_watts <= 0) && !(t.sm_clock_hz <= 0) && !(t.link_generation < 1));
    cr_assert(isnan(t.utilisation) || (t.utilisation >= 0 && t.utilisation <= 1));
    all_known = !isnan(t.power_watts) && !isnan(t.power_limit_watts) &&
                !isnan(t.temperature_celsius) && !isnan(t.nvml_sm_clock_hz) &&
                !isnan(t.memory_clock_hz) && !isnan(t.link_generation) && !isnan(t.link_width) &&
                !isnan(t.event_reasons);
    cr_assert(all_known || !getenv("RIDGE_VIRTUAL_CARD"));
}

Test(card, long_work_is_sensed_while_it_runs)
{
    const struct heat_args args = {.nanoseconds = 100000000, .blocks = (unsigned)card.facts.units};
    const struct run_times out = run(&kernel_heat, &args, 1, TIMED_BY_EVENTS);

    cr_assert(!isnan(out.telemetry.power_watts) || !getenv("RIDGE_VIRTUAL_CARD"));
}

Test(card, environment_names_the_software)
{
    struct report report;
    const struct environment *e = &report.environment;

    report_init(&report);
    device_describe_environment(&report.environment);
    cr_assert_not_null(e->cuda_runtime);
    cr_assert_eq(e->virtual_card, getenv("RIDGE_VIRTUAL_CARD") ? FLAG_YES : FLAG_NO);
    cr_assert_eq(e->cublas == NULL, e->cublas_path == NULL);
    if (e->virtual_card == FLAG_YES)
        cr_assert_not_null(e->cublas_path);
    report_free(&report);
}

/* Two streams, of which each fills an array of its own. */
static int fill_both(const void *args, void *const *streams)
{
    const struct fill_args *both = args;
    int code = kernel_fill.cuda(&both[0], &streams[0]);

    return code ? code : kernel_fill.cuda(&both[1], &streams[1]);
}

Test(card, two_streams_have_their_own_times)
{
    const size_t count = 1 << 20;
    char *memory = card.ops->alloc(&card, MEMORY_DEVICE, 8 * count);
    const struct fill_args args[2] = {
        {.out = memory, .count = count, .kind = FILL_BITS},
        {.out = memory + 4 * count, .count = count, .kind = FILL_BITS},
    };
    const struct kernel k = {
        .name = "fill both", .cuda = fill_both, .streams = 2, .priority = {0, -1}};
    const struct run_times out = run(&k, args, 4, TIMED_BY_EVENTS);

    for (int i = 0; i < 2; i++) {
        cr_assert_geq(out.stream_start[i], 0);
        cr_assert_gt(out.stream_end[i], out.stream_start[i]);
        cr_assert_leq(out.stream_end[i], out.seconds + 1e-6);
    }
    cr_assert(isnan(out.stream_end[2]));
    card.ops->free(&card, MEMORY_DEVICE, memory);
}

static int fail_always(const void *args, void *const *streams)
{
    (void)args;
    (void)streams;
    return 9; /* cudaErrorInvalidConfiguration */
}

static int fail_for_good(const void *args, void *const *streams)
{
    (void)args;
    (void)streams;
    return 700; /* cudaErrorIllegalAddress */
}

Test(card, a_passing_error_is_told_and_forgotten)
{
    const struct kernel k = {.name = "broken", .cuda = fail_always};
    struct run_times out;

    cr_assert_eq(card.ops->run(&card, &k, NULL, 1, TIMED_BY_EVENTS, &out), -1);
    cr_assert_not_null(strstr(text_chars(&card.error), "broken failed: "));
    cr_assert_not_null(strstr(text_chars(&card.error), "cudaErrorInvalidConfiguration"));
    cr_assert_not(card.lost);
    run(&kernel_empty, NULL, 1, TIMED_BY_EVENTS);
}

Test(card, a_lasting_error_ends_the_device)
{
    const struct kernel k = {.name = "broken", .cuda = fail_for_good};
    struct run_times out;

    cr_assert_eq(card.ops->run(&card, &k, NULL, 1, TIMED_BY_HOST, &out), -1);
    cr_assert(card.lost);
    cr_assert_eq(card.ops->run(&card, &kernel_empty, NULL, 1, TIMED_BY_EVENTS, &out), -1);
    cr_assert_not_null(strstr(text_chars(&card.error), "given up: broken failed"));
}

Test(card, a_kernel_of_the_host_alone_is_refused)
{
    const struct kernel k = {.name = "sorting"};
    struct run_times out;

    cr_assert_eq(card.ops->run(&card, &k, NULL, 1, TIMED_BY_EVENTS, &out), -1);
    cr_assert_str_eq(text_chars(&card.error), "there is no sorting for cards");
}

Test(card, cards_know_their_peers)
{
    if (cards() < 2)
        cr_skip_test("only one card");
    cr_assert_eq(device_open(&second, cuda, 1), 0);
    cr_assert_neq(strcmp(card.uuid, second.uuid), 0);
    if (card.ops->connect(&card, &second) != 0)
        cr_assert_not_null(strstr(text_chars(&card.error), "no direct access"));
    device_close(&second);
}
