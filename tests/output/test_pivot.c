/* Which parameter runs down a table and which run across. */
#include "harness/output/pivot.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct report r;
static const struct measurement *rows[64];

static void begin(void)
{
    report_init(&r);
}

static void end(void)
{
    report_free(&r);
}

TestSuite(pivot, .init = begin, .fini = end);

static struct parameters *row(const char *role, double median)
{
    struct measurement *m = report_add_measurement(&r);

    m->role = xstrdup(role);
    m->status = ROW_OK;
    m->metric = metric_bandwidth;
    m->value.median = median;
    return &m->parameters;
}

static struct pivot planned(void)
{
    struct pivot p = {.rows = rows, .count = r.measurement_count};

    for (size_t i = 0; i < p.count; i++)
        rows[i] = &r.measurements[i];
    pivot_plan(&p);
    return p;
}

Test(pivot, sizes_down_kinds_across)
{
    static const char *const kinds[] = {"pinned", "pageable"};
    struct pivot p;
    struct table *t;
    size_t left_out;

    for (int k = 2; k >= 0; k--)
        for (size_t i = 0; i < COUNT_OF(kinds); i++) {
            struct parameters *ps = row("up", 1e9 * (k + 1 + 10 * (double)i));

            parameters_set_word(ps, "memory", kinds[i]);
            parameters_set_number(ps, "bytes", 1024 << k);
        }
    p = planned();
    cr_expect_str_eq(p.down, "bytes");
    cr_assert_eq(p.across_count, 1);
    cr_expect_str_eq(p.across[0], "memory");
    t = pivot_table(&p, 0, &left_out);
    cr_assert_eq(t->columns, 3);
    cr_assert_eq(table_rows(t), 5);
    cr_expect_str_eq(table_cell(t, 0, 2), "pageable");
    cr_expect_str_eq(table_cell(t, 1, 1), "GB/s");
    cr_expect_str_eq(table_cell(t, 2, 0), "1 KiB");
    cr_expect_str_eq(table_cell(t, 2, 1), "1.00");
    cr_expect_str_eq(table_cell(t, 4, 2), "13.0");
    table_free(t);
    pivot_free(&p);
}

/* m, n and k say the same, and the algorithm is told apart by what is across already. */
Test(pivot, no_more_across_than_is_needed)
{
    static const char *const precisions[] = {"fp32", "fp16"};
    struct pivot p;

    for (int n = 512; n <= 2048; n *= 2)
        for (size_t i = 0; i < COUNT_OF(precisions); i++) {
            struct parameters *ps = row("gemm", 1e12);

            parameters_set_word(ps, "precision", precisions[i]);
            parameters_set_number(ps, "m", n);
            parameters_set_number(ps, "n", n);
            parameters_set_word(ps, "algorithm", n == 512 ? "a" : "b");
        }
    p = planned();
    cr_expect_str_eq(p.down, "m");
    cr_assert_eq(p.across_count, 1);
    cr_expect_str_eq(p.across[0], "precision");
    pivot_free(&p);
}

Test(pivot, words_run_down_where_there_are_no_numbers)
{
    struct text constants = TEXT_EMPTY;
    struct pivot p;

    for (size_t i = 0; i < 3; i++) {
        struct parameters *ps = row("memory", 1e9);

        parameters_set_word(ps, "operation", i == 0 ? "read" : i == 1 ? "copy" : "triad");
        parameters_set_number(ps, "bytes", 1073741824);
    }
    p = planned();
    cr_expect_str_eq(p.down, "operation");
    cr_expect_eq(p.across_count, 0);
    pivot_constants(&constants, &p);
    cr_expect_str_eq(text_chars(&constants), "bytes 1 GiB");
    text_free(&constants);
    pivot_free(&p);
}

Test(pivot, rows_without_parameters)
{
    struct pivot p;
    struct table *t;
    size_t left_out;

    row("one", 1e9);
    row("two", 2e9);
    p = planned();
    cr_expect_str_eq(p.down, "role");
    t = pivot_table(&p, 9, &left_out);
    cr_expect_eq(table_rows(t), 3);
    table_free(t);
    pivot_free(&p);
}

Test(pivot, long_tables_keep_their_ends_and_headlines)
{
    struct pivot p;
    struct table *t;
    size_t left_out;

    for (int i = 0; i < 30; i++)
        parameters_set_number(row("up", 1e9), "step", i);
    r.measurements[17].headline = true;
    p = planned();
    t = pivot_table(&p, 5, &left_out);
    cr_expect_str_eq(table_cell(t, t->headers, 0), "0");
    cr_expect_str_eq(table_cell(t, table_rows(t) - 1, 0), "29");
    cr_expect_eq(table_rows(t) - t->headers + left_out, 30);
    cr_expect_eq(table_rows(t) - t->headers, 6);
    table_free(t);
    pivot_free(&p);
}

Test(pivot, a_single_column_names_its_doubts)
{
    struct pivot p;
    struct table *t;
    size_t left_out;

    for (int i = 0; i < 3; i++)
        parameters_set_number(row("up", 1e9), "step", i);
    strings_add(&r.measurements[0].doubts, "noisy");
    strings_add(&r.measurements[0].doubts, "short");
    p = planned();
    t = pivot_table(&p, 0, &left_out);
    cr_expect_str_eq(table_cell(t, 1, 1), "1.00");
    cr_expect_str_eq(table_cell(t, 1, 4), "noisy, short");
    table_free(t);
    pivot_free(&p);
}

Test(pivot, doubt_and_invalidity_are_marked)
{
    struct pivot p;
    struct table *t;
    size_t left_out;

    for (int i = 0; i < 8; i++) {
        struct parameters *ps = row("up", 1e9);

        parameters_set_number(ps, "step", i / 2);
        parameters_set_word(ps, "kind", i % 2 == 0 ? "a" : "b");
    }
    strings_add(&r.measurements[0].doubts, "noisy");
    r.measurements[1].status = ROW_INVALID;
    p = planned();
    t = pivot_table(&p, 0, &left_out);
    cr_expect_str_eq(table_cell(t, 2, 1), "1.00~");
    cr_expect_str_eq(table_cell(t, 2, 2), "1.00!");
    cr_expect_str_eq(table_cell(t, 3, 1), "1.00");
    table_free(t);
    pivot_free(&p);
}
