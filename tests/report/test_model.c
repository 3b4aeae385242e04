/* The model in memory: nothing forgotten by its tables, unknown is unknown, found by conditions. */
#include "harness/report/fields.h"
#include "tests/report/example.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static size_t size_of_kind(const struct field *f)
{
    static const size_t sizes[] = {
        [FIELD_NUMBER] = sizeof(double),
        [FIELD_COUNT] = sizeof(size_t),
        [FIELD_BOOL] = sizeof(bool),
        [FIELD_FLAG] = sizeof(enum flag),
        [FIELD_STATUS] = sizeof(enum row_status),
        [FIELD_TEXT] = sizeof(char *),
        [FIELD_WORD] = sizeof(char *),
        [FIELD_STRINGS] = sizeof(struct strings),
        [FIELD_NUMBERS] = sizeof(double *),
        [FIELD_PARAMETERS] = sizeof(struct parameters),
        [FIELD_LIST] = sizeof(void *),
        [FIELD_SCHEMA] = 0,
        [FIELD_UNKNOWN] = sizeof(void *),
    };
    return f->kind == FIELD_STRUCT ? f->layout->size : sizes[f->kind];
}

/* Bytes of the struct that no field speaks of. */
static size_t bytes_without_field(const struct layout *l)
{
    char *covered = xcalloc(l->size, 1);
    size_t left = 0;

    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        memset(covered + f->offset, 1, size_of_kind(f));
        if (f->kind == FIELD_LIST || f->kind == FIELD_NUMBERS) {
            memset(covered + f->count_offset, 1, sizeof(size_t));
        }
    }
    for (size_t i = 0; i < l->size; i++) {
        left += !covered[i];
    }
    free(covered);
    return left;
}

/* What may be left is padding, and the words of a report. */
Test(model, tables_forget_no_member)
{
    cr_assert_eq(bytes_without_field(&layout_facts), 4);
    cr_assert_eq(bytes_without_field(&layout_telemetry), 0);
    cr_assert_eq(bytes_without_field(&layout_device), 0);
    cr_assert_eq(bytes_without_field(&layout_experiment), 0);
    cr_assert_eq(bytes_without_field(&layout_figure), 0);
    cr_assert_eq(bytes_without_field(&layout_roof), 0);
    cr_assert_eq(bytes_without_field(&layout_ridge_point), 0);
    cr_assert_eq(bytes_without_field(&layout_measurement), 4 + 3);
    cr_assert_eq(bytes_without_field(&layout_report), 7 + sizeof(struct strings));
}

static void nothing_below_is_forgotten(const struct layout *l)
{
    cr_assert_leq(bytes_without_field(l), 11 + (l == &layout_report) * sizeof(struct strings));
    for (size_t i = 0; i < l->count; i++) {
        if (l->fields[i].layout != NULL) {
            nothing_below_is_forgotten(l->fields[i].layout);
        }
    }
}

Test(model, tables_below_forget_no_member)
{
    nothing_below_is_forgotten(&layout_report);
}

Test(model, new_elements_are_unknown)
{
    struct report r;

    report_init(&r);
    const struct measurement *m = report_add_measurement(&r);
    const struct device_record *d = report_add_device(&r);
    cr_assert_eq(r.schema_version, 1);
    cr_assert(isnan(r.seconds));
    cr_assert_eq(r.environment.virtual_card, FLAG_UNKNOWN);
    cr_assert(isnan(m->value.median) && isnan(m->work.bytes) && isnan(m->telemetry.power_watts));
    cr_assert_null(m->seconds);
    cr_assert(isnan(d->facts.units));
    cr_assert_eq(d->facts.ecc, FLAG_UNKNOWN);
    cr_assert_null(d->facts.code);
    report_free(&r);
    cr_assert_eq(r.measurement_count, 0);
}

Test(model, many_elements_keep_their_contents)
{
    struct report r;

    report_init(&r);
    for (int i = 0; i < 1000; i++) {
        report_add_figure(&r)->name = xasprintf("%d", i);
    }
    cr_assert_eq(r.figure_count, 1000);
    cr_assert_str_eq(r.figures[0].name, "0");
    cr_assert_str_eq(r.figures[512].name, "512");
    report_free(&r);
}

Test(model, full_report_is_freed_twice_without_harm)
{
    struct report r;

    example_fill(&r);
    report_clear_derived(&r);
    cr_assert_eq(r.roof_count, 0);
    report_add_roof(&r)->name = xstrdup("again");
    report_free(&r);
    report_free(&r);
}

Test(model, facts_are_copied_deeply)
{
    struct facts from, to;

    facts_init(&from);
    from.units = 132;
    from.capability = xstrdup("9.0");
    from.ecc = FLAG_YES;
    facts_copy(&to, &from);
    facts_free(&from);
    cr_assert_eq(to.units, 132);
    cr_assert_str_eq(to.capability, "9.0");
    cr_assert_eq(to.ecc, FLAG_YES);
    cr_assert_null(to.code);
    facts_free(&to);
}

Test(model, parameters)
{
    struct report r;

    report_init(&r);
    struct parameters *p = &report_add_figure(&r)->parameters;
    parameters_set_word(p, "operation", "copy");
    parameters_set_word(p, "operation", "triad");
    parameters_set_word(p, "operation", parameters_word(p, "operation"));
    parameters_set_number(p, "bytes", 1 << 20);
    cr_assert_eq(p->count, 2);
    cr_assert_str_eq(parameters_word(p, "operation"), "triad");
    cr_assert(isnan(parameters_number(p, "operation")));
    cr_assert_eq(parameters_number(p, "bytes"), 1 << 20);
    cr_assert_null(parameters_word(p, "bytes"));
    cr_assert_null(parameters_word(p, "memory"));
    cr_assert(parameters_match(p, "operation", "triad"));
    cr_assert(parameters_match(p, "bytes", "1048576"));
    cr_assert(parameters_match(p, "bytes", "1.048576e6"));
    cr_assert_not(parameters_match(p, "bytes", "1048576 B"));
    cr_assert_not(parameters_match(p, "bytes", ""));
    cr_assert_not(parameters_match(p, "operation", "copy"));
    cr_assert_not(parameters_match(p, "memory", "pinned"));
    parameters_set_number(p, "operation", 3);
    cr_assert_null(parameters_word(p, "operation"));
    report_free(&r);
}

Test(model, value_by_unit)
{
    const struct work w = {.bytes = 3e9, .flops = 8e9, .operations = 4};
    const struct work none = {NAN, NAN, NAN};
    const struct metric per_second = {"launches", "1/s", true}, later = {"later", "B/J", true};

    cr_assert_eq(metric_value(&metric_bandwidth, &w, 0.5), 6e9);
    cr_assert_eq(metric_value(&metric_flops, &w, 0.5), 16e9);
    cr_assert_eq(metric_value(&metric_time, &w, 0.5), 0.125);
    cr_assert_eq(metric_value(&metric_latency, &w, 0.5), 0.125);
    cr_assert_eq(metric_value(&per_second, &w, 0.5), 8);
    cr_assert(isnan(metric_value(&later, &w, 0.5)));
    cr_assert(isnan(metric_value(&metric_bandwidth, &none, 0.5)));
    cr_assert(isnan(metric_value(&metric_bandwidth, &w, 0)));
    cr_assert(isnan(metric_value(&(struct metric){0}, &w, 1)));
}

static struct measurement *add_row(struct report *r, const char *operation, double seconds)
{
    struct measurement *m = report_add_measurement(r);

    m->device = xstrdup("host");
    m->role = xstrdup("memory_bandwidth");
    m->metric = metric_bandwidth;
    m->work = (struct work){1e9, NAN, NAN};
    m->samples = 7;
    m->seconds = xcalloc(m->samples, sizeof *m->seconds);
    for (size_t i = 0; i < m->samples; i++) {
        m->seconds[i] = seconds;
    }
    parameters_set_word(&m->parameters, "operation", operation);
    measurement_derive(m);
    return m;
}

Test(model, derived_value_is_the_median_of_rates)
{
    struct report r;

    report_init(&r);
    struct measurement *m = add_row(&r, "triad", 0.5);
    m->seconds[0] = 0.1;
    m->seconds[1] = 10;
    measurement_derive(m);
    cr_assert_eq(m->value.median, 2e9);
    cr_assert_eq(m->value.max, 1e10);
    cr_assert_eq(m->value.n, 7);
    report_free(&r);
}

Test(model, only_measured_rows_have_a_value)
{
    static const bool has_value[] = {
        [ROW_OK] = true,      [ROW_SKIPPED] = false, [ROW_INVALID] = true,
        [ROW_FAILED] = false, [ROW_WRONG] = false,
    };

    for (unsigned status = 0; status < ROW_STATUSES; status++) {
        struct report r;
        report_init(&r);
        struct measurement *m = add_row(&r, "triad", 0.5);
        m->status = (enum row_status)status;
        measurement_derive(m);
        cr_assert_eq(!isnan(m->value.median), has_value[status], "%s", row_status_names[status]);
        cr_assert_eq(measurement_usable(m), status == ROW_OK);
        report_free(&r);
    }
}

Test(model, rows_are_found_by_conditions)
{
    static const char *const triad[] = {"operation", "triad", NULL};
    static const char *const add[] = {"operation", "add", NULL};
    struct report r;

    report_init(&r);
    report_add_measurement(&r); /* says nothing, matches nothing */
    add_row(&r, "triad", 0.5)->status = ROW_INVALID;
    add_row(&r, "copy", 0.25);
    add_row(&r, "triad", 0.5);
    cr_assert_eq(report_find(&r, "host", "memory_bandwidth", NULL), &r.measurements[2]);
    cr_assert_eq(report_find(&r, "host", "memory_bandwidth", triad), &r.measurements[3]);
    cr_assert_null(report_find(&r, "host", "memory_bandwidth", add));
    cr_assert_null(report_find(&r, "cuda0", "memory_bandwidth", triad));
    cr_assert_null(report_find(&r, "host", "gemm", NULL));
    report_free(&r);
}

Test(model, figures_and_devices_are_found)
{
    static const char *const pinned[] = {"memory", "pinned", NULL};
    struct report r;

    report_init(&r);
    report_add_device(&r);
    report_add_device(&r)->id = xstrdup("cuda0");
    struct figure *f = report_add_figure(&r);
    f->device = xstrdup("cuda0");
    f->role = xstrdup("host_to_device");
    f->name = xstrdup("rate");
    parameters_set_word(&f->parameters, "memory", "pinned");
    cr_assert_eq(report_device(&r, "cuda0"), &r.devices[1]);
    cr_assert_null(report_device(&r, "cuda1"));
    cr_assert_eq(report_figure(&r, "cuda0", "host_to_device", "rate", pinned), f);
    cr_assert_null(report_figure(&r, "cuda0", "host_to_device", "startup_seconds", pinned));
    report_free(&r);
}
