/* Every number in every format is the file's. */
#include "fixture.h"
#include "harness/analysis/csv.h"
#include "harness/base/units.h"
#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fixtures[] = {"virtual_card.json", "virtual_host.json"};

static size_t column(const struct strings *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++)
        if (strcmp(header->items[i], name) == 0)
            return i;
    cr_assert_fail("no column %s", name);
    return 0;
}

static void expect_number(const struct strings *header, const struct strings *cells,
                          const char *name, double wanted)
{
    const char *cell = cells->items[column(header, name)];

    if (isnan(wanted))
        cr_expect_str_eq(cell, "");
    else
        cr_expect_eq(strtod(cell, NULL), wanted, "%s: %s is not %.17g", name, cell, wanted);
}

static void expect_word(const struct strings *header, const struct strings *cells, const char *name,
                        const char *wanted)
{
    cr_expect_str_eq(cells->items[column(header, name)], wanted == NULL ? "" : wanted);
}

static void expect_row(const struct strings *header, const struct strings *cells,
                       const struct measurement *m)
{
    expect_word(header, cells, "experiment", m->experiment);
    expect_word(header, cells, "device", m->device);
    expect_word(header, cells, "role", m->role);
    expect_word(header, cells, "status", row_status_names[m->status]);
    expect_word(header, cells, "reason", m->reason);
    expect_word(header, cells, "unit", m->metric.unit);
    expect_word(header, cells, "virtual", "yes");
    expect_number(header, cells, "median", m->value.median);
    expect_number(header, cells, "ci_low", m->value.ci_low);
    expect_number(header, cells, "ci_high", m->value.ci_high);
    expect_number(header, cells, "min", m->value.min);
    expect_number(header, cells, "max", m->value.max);
    expect_number(header, cells, "samples", (double)m->value.n);
    expect_number(header, cells, "work_bytes", m->work.bytes);
    for (size_t i = 0; i < m->parameters.count; i++) {
        const struct parameter *p = &m->parameters.items[i];

        if (p->word != NULL)
            expect_word(header, cells, p->name, p->word);
        else
            expect_number(header, cells, p->name, p->number);
    }
}

Test(numbers, csv_holds_them_all)
{
    for (size_t f = 0; f < COUNT_OF(fixtures); f++) {
        struct strings header = {0}, none = {0};
        struct csv_reader reader;
        struct report r;
        char *csv;

        fixture_read(&r, fixtures[f]);
        csv = written_one("csv", &r);
        reader = (struct csv_reader){csv, csv + strlen(csv)};
        cr_assert_eq(csv_read_record(&reader, &header), 1);
        for (size_t i = 0; i < r.measurement_count; i++) {
            struct strings cells = {0};

            cr_assert_eq(csv_read_record(&reader, &cells), 1);
            cr_assert_eq(cells.count, header.count);
            expect_row(&header, &cells, &r.measurements[i]);
            strings_free(&cells);
        }
        cr_expect_eq(csv_read_record(&reader, &none), 0);
        strings_free(&header);
        strings_free(&none);
        free(csv);
        report_free(&r);
    }
}

Test(numbers, csv_quotes_what_needs_it)
{
    struct report r;
    char *csv;

    fixture_read(&r, "virtual_host.json");
    free(r.measurements[0].device);
    free(r.devices[0].name);
    r.measurements[0].device = xstrdup("host");
    r.devices[0].name = xstrdup("a \"fast\", new\nCPU");
    csv = written_one("csv", &r);
    cr_expect_not_null(strstr(csv, ",host,\"a \"\"fast\"\", new\nCPU\","));
    free(csv);
    report_free(&r);
}

Test(numbers, json_is_the_file_again)
{
    for (size_t f = 0; f < COUNT_OF(fixtures); f++) {
        struct report r, again;
        struct text why = TEXT_EMPTY;
        char *json;

        fixture_read(&r, fixtures[f]);
        json = written_one("json", &r);
        cr_assert_eq(report_parse(&again, json, strlen(json), "json", &why), 0, "%s",
                     text_chars(&why));
        cr_assert_eq(again.measurement_count, r.measurement_count);
        for (size_t i = 0; i < r.measurement_count; i++) {
            const double was = r.measurements[i].value.median;
            const double is = again.measurements[i].value.median;

            cr_expect(is == was || (isnan(is) && isnan(was)));
        }
        free(json);
        report_free(&again);
        report_free(&r);
    }
}

/* Each row of memory and of GEMM stands in what people read, scaled by base/units alone. */
static void expect_shown(const char *shown, const struct measurement *m)
{
    char number[UNITS_MAX], scaled[UNITS_MAX];

    units_format(scaled, m->value.median, m->metric.unit);
    snprintf(number, sizeof number, "%.*s", (int)strcspn(scaled, " "), scaled);
    cr_expect_not_null(strstr(shown, number), "%s of %s is not shown", scaled, m->role);
}

Test(numbers, people_see_those_of_the_file)
{
    static const char *const people[] = {"text", "markdown"};
    struct report r;

    fixture_read(&r, "virtual_card.json");
    for (size_t w = 0; w < COUNT_OF(people); w++) {
        char *shown = written_one(people[w], &r);

        for (size_t i = 0; i < r.measurement_count; i++)
            if (measurement_usable(&r.measurements[i]) && r.measurements[i].headline)
                expect_shown(shown, &r.measurements[i]);
        for (size_t i = 0; i < r.roof_count; i++)
            if (strcmp(r.roofs[i].source, "measured") == 0) {
                char number[UNITS_MAX];

                units_format(number, r.roofs[i].value.value, r.roofs[i].unit);
                cr_expect(strcmp(r.roofs[i].name, "device to host") == 0 ||
                              strstr(shown, number) != NULL,
                          "%s %s is not shown", r.roofs[i].name, number);
            }
        free(shown);
    }
    report_free(&r);
}

Test(numbers, json_holds_one_result)
{
    const struct view view = {0};
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[2];
    struct report a, b;

    fixture_read(&a, fixtures[0]);
    fixture_read(&b, fixtures[1]);
    list[0] = &a;
    list[1] = &b;
    cr_expect_eq(writer_named("json")->write(&out, list, 2, &view, &why), -1);
    cr_expect_gt(why.length, 0);
    text_free(&out);
    text_free(&why);
    report_free(&a);
    report_free(&b);
}
