/* The transfer experiment from end to end over a modelled link, and on the host. */
#include "kernels/copy.h"
#include "tests/bench/model_card.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

extern const struct experiment experiment_transfer;

/* t(n) = startup + n / rate of the modelled link. */
static const struct link {
    double startup, rate;
} in = {10e-6, 25e9}, out = {12e-6, 24e9}, pageable = {30e-6, 6e9}, within = {1e-7, 12e9};
static const double loaded_share = 0.8; /* of a direction's rate while the other one is busy */

static double slowness = 1;

static double one_way(const struct link *l, double bytes)
{
    return slowness * (l->startup + bytes / l->rate);
}

static double seconds_of(const struct kernel *k, const void *args, enum timed_by how)
{
    const struct copy_args *a = args;
    const struct link *l = a->to_device ? &in : &out;

    if (k == &kernel_copy_memcpy)
        return one_way(&within, (double)a->bytes);
    if (k == &kernel_copy_synchronous)
        return one_way(&pageable, (double)a->bytes);
    if (k == &kernel_copy_async)
        return one_way(l, (double)a->bytes);
    if (k == &kernel_copy_both)
        return (double)a->bytes / (loaded_share * out.rate);
    if (k == &kernel_copy_loaded && how == TIMED_BY_CALL)
        return (double)a->bytes / (loaded_share * l->rate);
    return 1e-6;
}

static bool is_copy_to_host(const struct kernel *k, const void *args)
{
    return k == &kernel_copy_async && !((const struct copy_args *)args)->to_device;
}

static struct model card(void)
{
    return (struct model){
        .kind = "cuda", .memory_bytes = 64 << 20, .copy_engines = 2, .seconds = seconds_of};
}

static void run_card(struct model m, struct report *r)
{
    if (!kernel_copy_async.cuda)
        cr_skip_test("a build without CUDA has no kernels for cards");
    model_run(&m, &experiment_transfer, r);
}

static double figure(const struct report *r, const char *role, const char *name, const char *memory)
{
    const char *const conditions[] = {"memory", memory, NULL};
    const struct figure *f =
        report_figure(r, r->devices[0].id, role, name, memory ? conditions : NULL);

    return f ? f->value.value : NAN;
}

static void fit_is(const struct report *r, const char *role, const char *memory,
                   const struct link *l)
{
    const double startup = figure(r, role, "startup_seconds", memory);
    const double rate = figure(r, role, "rate", memory);
    const double half = figure(r, role, "half_rate_bytes", memory);

    cr_expect_float_eq(startup / l->startup, 1, 0.02, "%s %s: %g s", role, memory, startup);
    cr_expect_float_eq(rate / l->rate, 1, 0.02, "%s %s: %g B/s", role, memory, rate);
    cr_expect_float_eq(half / (l->startup * l->rate), 1, 0.04, "%s %s: %g B", role, memory, half);
}

Test(transfer, fits_recover_startup_and_rate)
{
    struct report r;

    run_card(card(), &r);
    fit_is(&r, "host_to_device", "pinned", &in);
    fit_is(&r, "device_to_host", "pinned", &out);
    fit_is(&r, "host_to_device", "pageable", &pageable);
    fit_is(&r, "device_to_host", "pageable", &pageable);
    cr_expect_float_eq(figure(&r, "host_memcpy", "rate", NULL) / within.rate, 1, 0.02);
    report_free(&r);
}

Test(transfer, intervals_hold_the_figure)
{
    struct report r;

    run_card(card(), &r);
    cr_assert_gt(r.figure_count, 0);
    for (size_t i = 0; i < r.figure_count; i++) {
        const struct estimate *e = &r.figures[i].value;

        cr_expect_leq(e->low, e->value);
        cr_expect_geq(e->high, e->value);
    }
    report_free(&r);
}

Test(transfer, every_row_is_checked_and_described)
{
    struct report r;

    run_card(card(), &r);
    cr_expect_eq(model_rows(&r, ROW_OK), r.measurement_count);
    for (size_t i = 0; i < r.measurement_count; i++) {
        const struct measurement *m = &r.measurements[i];
        const double bytes = parameters_number(&m->parameters, "bytes");

        cr_expect_str_eq(m->check, "ok");
        cr_expect(bytes >= 1024 && bytes <= 4 << 20);
        cr_expect(!parameters_word(&m->parameters, "path"));
        cr_expect(!strcmp(m->role, "host_memcpy") || parameters_word(&m->parameters, "memory"));
    }
    report_free(&r);
}

Test(transfer, both_ways)
{
    const char *const sum[] = {"direction", "sum", NULL}, *const leg[] = {"direction",
                                                                          "device_to_host", NULL};
    const struct measurement *row;
    struct report r;

    run_card(card(), &r);
    cr_assert(row = report_find(&r, "cuda", "bidirectional", sum));
    cr_expect_float_eq(row->value.median / (2 * loaded_share * out.rate), 1, 0.01);
    cr_assert(row = report_find(&r, "cuda", "bidirectional", leg));
    cr_expect_float_eq(row->value.median / (loaded_share * out.rate), 1, 0.01);
    cr_expect_eq(row->repetitions, 1);
    cr_expect_float_eq(figure(&r, "bidirectional", "both_over_one", NULL),
                       2 * loaded_share * out.rate / in.rate, 0.1);
    report_free(&r);
}

Test(transfer, one_copy_engine_is_a_reason)
{
    struct model m = card();
    struct report r;

    m.copy_engines = 1;
    run_card(m, &r);
    cr_expect_eq(model_rows(&r, ROW_SKIPPED), 3);
    cr_expect(isnan(figure(&r, "bidirectional", "both_over_one", NULL)));
    report_free(&r);
}

Test(transfer, refused_pinned_memory_costs_only_its_rows)
{
    struct model m = card();
    struct report r;

    m.refuse_pinned = true;
    run_card(m, &r);
    for (size_t i = 0; i < r.measurement_count; i++) {
        const struct measurement *row = &r.measurements[i];
        const bool pinned = parameters_match(&row->parameters, "memory", "pinned");

        cr_expect_eq(row->status, pinned ? ROW_SKIPPED : ROW_OK);
        cr_expect(!pinned || strstr(row->reason, "no pinned memory"));
    }
    fit_is(&r, "host_to_device", "pageable", &pageable);
    report_free(&r);
}

Test(transfer, data_that_did_not_arrive_are_wrong)
{
    struct model m = card();
    struct report r;

    m.idle = is_copy_to_host;
    run_card(m, &r);
    for (size_t i = 0; i < r.measurement_count; i++) {
        const struct measurement *row = &r.measurements[i];
        const bool spoilt = !strcmp(row->role, "device_to_host") &&
                            parameters_match(&row->parameters, "memory", "pinned");

        cr_expect_eq(row->status, spoilt ? ROW_WRONG : ROW_OK);
    }
    cr_expect(isnan(figure(&r, "device_to_host", "rate", "pinned")));
    report_free(&r);
}

Test(transfer, all_sizes_in_the_thorough_plan)
{
    size_t sizes = 0, headlines = 0;
    struct model m = card();
    struct report r;

    m.plan = PLAN_THOROUGH;
    m.memory_bytes = 16 << 20;
    run_card(m, &r);
    for (size_t i = 0; i < r.measurement_count; i++)
        if (!strcmp(r.measurements[i].role, "host_memcpy")) {
            sizes++;
            headlines += r.measurements[i].headline;
        }
    cr_expect_eq(sizes, 11); /* 1 KiB to 1 MiB, which is all that the memory allows */
    cr_expect_eq(headlines, 1);
    report_free(&r);
}

Test(transfer, a_slow_link_gets_copies_that_are_in_time)
{
    const char *const direction[] = {NULL};
    struct report r;

    slowness = 60;
    run_card(card(), &r);
    cr_expect_eq(model_rows(&r, ROW_OK), r.measurement_count);
    for (size_t i = 0; i < r.measurement_count; i++)
        cr_expect_leq(parameters_number(&r.measurements[i].parameters, "bytes"), 2 << 20);
    cr_assert(report_find(&r, "cuda", "host_to_device", direction));
    report_free(&r);
}

Test(transfer, the_host_has_no_link)
{
    struct model m = card();
    struct report r;

    m.kind = "host";
    model_run(&m, &experiment_transfer, &r);
    cr_expect_eq(model_rows(&r, ROW_SKIPPED), 3);
    for (size_t i = 0; i < r.measurement_count; i++)
        cr_expect_eq(r.measurements[i].status,
                     strcmp(r.measurements[i].role, "host_memcpy") ? ROW_SKIPPED : ROW_OK);
    cr_expect_eq(r.figure_count, 1);
    report_free(&r);
}

Test(transfer, on_this_host)
{
    const struct experiment *const list[] = {&experiment_transfer, NULL};
    struct device host, *devices[] = {&host};
    struct runner runner = {.devices = devices, .device_count = 1, .experiments = list};
    struct report r;

    report_init(&r);
    cr_assert_eq(device_open(&host, &device_host, 0), 0);
    host.facts.memory_free_bytes = 64 << 20;
    cr_assert_eq(runner_run(&runner, &r), 0);
    cr_expect_eq(model_rows(&r, ROW_FAILED) + model_rows(&r, ROW_WRONG), 0);
    cr_expect_geq(model_rows(&r, ROW_OK), 1);
    device_close(&host);
    report_free(&r);
}
