/* Tables and words laid out for a terminal. */
#include "harness/output/text_table.h"

#include <criterion/criterion.h>
#include <string.h>

static struct table *table_from(size_t columns, size_t headers, const char *align,
                                const char *const *cells, size_t count)
{
    struct table *t = table_new(columns, headers, align);

    for (size_t i = 0; i < count; i++)
        table_add(t, cells[i]);
    return t;
}

static void expect_layout(struct table *t, size_t columns, const char *wanted)
{
    struct text out = TEXT_EMPTY;

    text_add_table(&out, t, columns);
    cr_expect_str_eq(text_chars(&out), wanted);
    text_free(&out);
    table_free(t);
}

Test(table, decimal_points_stand_below_each_other)
{
    static const char *const cells[] = {"n",   "GB/s", "a", "1.50", "b",
                                        "120", "c",    "-", "d",    "0.0123~"};

    expect_layout(table_from(2, 1, "l.", cells, COUNT_OF(cells)), 80,
                  "  n       GB/s\n"
                  "  ─  ─────────\n"
                  "  a    1.50\n"
                  "  b  120\n"
                  "  c    -\n"
                  "  d    0.0123~\n");
}

Test(table, columns_without_content_are_left_out)
{
    static const char *const cells[] = {"n", "x", "doubts", "a", "1", "", "b", "2", "-"};

    expect_layout(table_from(3, 1, "lrl", cells, COUNT_OF(cells)), 80,
                  "  n  x\n"
                  "  ─  ─\n"
                  "  a  1\n"
                  "  b  2\n");
}

Test(table, too_wide_goes_on_below)
{
    static const char *const cells[] = {"n",  "first",  "second", "third",
                                        "r1", "111111", "222222", "333333"};

    expect_layout(table_from(4, 1, "lr", cells, COUNT_OF(cells)), 22,
                  "  n    first  second\n"
                  "  ──  ──────  ──────\n"
                  "  r1  111111  222222\n"
                  "\n"
                  "  n    third\n"
                  "  ──  ──────\n"
                  "  r1  333333\n");
}

Test(table, last_words_fold)
{
    static const char *const cells[] = {"id", "because", "x",
                                        "it could not be done with the memory that there was"};

    expect_layout(table_from(2, 1, "ll", cells, COUNT_OF(cells)), 34,
                  "  id  because\n"
                  "  ──  ────────────────────────────\n"
                  "  x   it could not be done with\n"
                  "      the memory that there was\n");
}

Test(table, words_wrap_and_hang)
{
    struct text out = TEXT_EMPTY;

    text_add_wrapped(&out, "one two three averyverylongword four", "> ", "  ", 12);
    cr_expect_str_eq(text_chars(&out), "> one two\n  three\n  averyverylongword\n  four\n");
    text_free(&out);
}

Test(table, width_counts_characters_not_bytes)
{
    cr_expect_eq(width_of("± 0.4 %"), 7);
    cr_expect_eq(width_of(""), 0);
}
