/* The memory experiment from end to end: on a modelled card, where answers can be spoilt, and on
 * the host with little memory. */
#include "kernels/stream.h"
#include "tests/bench/model_card.h"

#include <criterion/criterion.h>
#include <math.h>

extern const struct experiment experiment_memory;

static const double rate = 1e12;

/* The one-shot variant and the bypass are a quarter faster. */
static double seconds_of(const struct kernel *k, const void *args, enum timed_by how)
{
    const struct stream_args *a = args;
    const bool faster = a->variant == STREAM_ONE_SHOT || a->variant == STREAM_BYPASS;

    (void)how;
    if (k < kernel_stream || k >= kernel_stream + STREAM_OPERATIONS)
        return 1e-6;
    return stream_arrays(a->operation) * 4.0 * (double)a->count / (faster ? 1.25 * rate : rate);
}

static bool is_copy_in_one_shot(const struct kernel *k, const void *args)
{
    const struct stream_args *a = args;

    return k == &kernel_stream[STREAM_COPY] && a->variant == STREAM_ONE_SHOT;
}

static bool is_read_in_one_shot(const struct kernel *k, const void *args)
{
    const struct stream_args *a = args;

    return k == &kernel_stream[STREAM_READ] && a->variant == STREAM_ONE_SHOT;
}

static struct model card(void)
{
    return (struct model){.kind = "cuda", .memory_bytes = 32 << 20, .seconds = seconds_of};
}

static void need_cuda(void)
{
    if (!kernel_stream[0].cuda)
        cr_skip_test("a build without CUDA has no kernels for cards");
}

Test(memory, every_operation_and_variant_of_a_card)
{
    const struct model m = card();
    struct report r;

    need_cuda();
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(r.measurement_count, 2 * STREAM_OPERATIONS);
    cr_expect_eq(model_rows(&r, ROW_OK), 2 * STREAM_OPERATIONS);
    for (size_t i = 0; i < r.measurement_count; i++) {
        const struct measurement *row = &r.measurements[i];

        cr_expect_str_eq(row->role, "memory_bandwidth");
        cr_expect_str_eq(row->check, "ok");
        cr_expect_str_eq(row->timed_by, "events");
        cr_expect_eq(parameters_number(&row->parameters, "bytes"), 2 << 20);
    }
    report_free(&r);
}

Test(memory, more_time_asks_the_library_too)
{
    struct model m = card();
    struct report r;

    need_cuda();
    m.plan = PLAN_STANDARD;
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(model_rows(&r, ROW_OK), 2 * STREAM_OPERATIONS + 2);
    for (size_t i = 0; i < r.measurement_count; i++)
        if (parameters_match(&r.measurements[i].parameters, "variant", "library"))
            cr_expect_eq(r.measurements[i].headline,
                         parameters_match(&r.measurements[i].parameters, "operation", "copy"));
    report_free(&r);
}

Test(memory, counts_bytes_and_flops)
{
    const struct model m = card();
    const char *const triad[] = {"operation", "triad", "variant", "grid_stride", NULL};
    const struct measurement *row;
    struct report r;

    need_cuda();
    model_run(&m, &experiment_memory, &r);
    cr_assert(row = report_find(&r, "cuda", "memory_bandwidth", triad));
    cr_expect_eq(row->work.bytes, 3 * (2 << 20));
    cr_expect_eq(row->work.flops, 2 * (2 << 20) / 4);
    cr_expect_float_eq(row->value.median / rate, 1, 0.01);
    cr_expect(row->headline);
    report_free(&r);
}

Test(memory, the_better_variant_is_the_figure)
{
    const struct model m = card();
    const char *const add[] = {"operation", "add", NULL};
    const struct figure *f;
    struct report r;

    need_cuda();
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(r.figure_count, STREAM_OPERATIONS);
    cr_assert(f = report_figure(&r, "cuda", "memory_bandwidth", "best", add));
    cr_expect_float_eq(f->value.value / rate, 1.25, 0.01);
    cr_expect_str_eq(parameters_word(&f->parameters, "variant"), "one_shot");
    cr_expect_str_eq(f->unit, "B/s");
    report_free(&r);
}

/* The answer that another variant left behind must not pass for its own. */
static void is_found_out(bool (*idle)(const struct kernel *k, const void *args),
                         const char *operation)
{
    const char *const left[] = {"operation", operation, "variant", "grid_stride", NULL};
    struct model m = card();
    struct report r;

    need_cuda();
    m.idle = idle;
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(model_rows(&r, ROW_WRONG), 1);
    cr_expect_eq(model_rows(&r, ROW_OK), 2 * STREAM_OPERATIONS - 1);
    for (size_t i = 0; i < r.measurement_count; i++)
        if (r.measurements[i].status == ROW_WRONG) {
            cr_expect_eq(r.measurements[i].samples, 0);
            cr_expect_str_eq(r.measurements[i].check, "wrong");
        }
    cr_expect(report_find(&r, "cuda", "memory_bandwidth", left));
    report_free(&r);
}

Test(memory, a_copy_that_does_nothing_is_wrong)
{
    is_found_out(is_copy_in_one_shot, "copy");
}

Test(memory, a_read_that_does_nothing_is_wrong)
{
    is_found_out(is_read_in_one_shot, "read");
}

Test(memory, no_room_is_a_reason)
{
    struct model m = card();
    struct report r;

    m.memory_bytes = 1 << 20;
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(model_rows(&r, ROW_SKIPPED), 2 * STREAM_OPERATIONS);
    cr_expect_eq(r.figure_count, 0);
    report_free(&r);
}

Test(memory, the_hosts_quick_plan_keeps_to_the_main_operations)
{
    struct model m = card();
    struct report r;

    m.kind = "host";
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(model_rows(&r, ROW_OK), 6);
    cr_expect_eq(r.figure_count, 3);
    report_free(&r);
    m.plan = PLAN_STANDARD;
    model_run(&m, &experiment_memory, &r);
    cr_expect_eq(model_rows(&r, ROW_OK), 2 * STREAM_OPERATIONS + 2);
    report_free(&r);
}

Test(memory, on_this_host)
{
    const struct experiment *const list[] = {&experiment_memory, NULL};
    struct device host, *devices[] = {&host};
    struct runner runner = {.devices = devices, .device_count = 1, .experiments = list};
    struct report r;

    report_init(&r);
    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    host.facts.memory_free_bytes = 24 << 20;
    cr_assert_eq(runner_run(&runner, &r), 0);
    cr_expect_eq(r.measurement_count, 6);
    cr_expect_eq(model_rows(&r, ROW_OK) + model_rows(&r, ROW_SKIPPED), 6);
    cr_expect_geq(model_rows(&r, ROW_OK), 3, "headline rows are never left out");
    cr_expect_eq(r.figure_count, 3);
    device_close(&host);
    report_free(&r);
}
