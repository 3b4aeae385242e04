/* The reader of comma-separated values against RFC 4180. */
#include "harness/analysis/csv.h"

#include <criterion/criterion.h>
#include <string.h>

static struct csv_reader reader_of(const char *csv)
{
    return (struct csv_reader){csv, csv + strlen(csv)};
}

static void expect_record(struct csv_reader *reader, const char *const *fields, size_t count)
{
    struct strings read = {0};

    cr_assert_eq(csv_read_record(reader, &read), 1);
    cr_assert_eq(read.count, count);
    for (size_t i = 0; i < count; i++)
        cr_assert_str_eq(read.items[i], fields[i]);
    strings_free(&read);
}

Test(csv, quotes_commas_and_ends_of_line)
{
    struct csv_reader reader = reader_of("a,\"b,\"\"c\"\"\r\nd\",\r\n,e\n");
    struct strings none = {0};

    expect_record(&reader, (const char *const[]){"a", "b,\"c\"\r\nd", ""}, 3);
    expect_record(&reader, (const char *const[]){"", "e"}, 2);
    cr_assert_eq(csv_read_record(&reader, &none), 0);
    strings_free(&none);
}

Test(csv, last_line_without_end)
{
    struct csv_reader reader = reader_of("x,y");

    expect_record(&reader, (const char *const[]){"x", "y"}, 2);
}

Test(csv, quotes_out_of_place)
{
    static const char *const wrong[] = {"a\"b,c\n", "\"a\"b\n", "\"never closed", "a,\"b\nc"};

    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct csv_reader reader = reader_of(wrong[i]);
        struct strings read = {0};

        cr_expect_eq(csv_read_record(&reader, &read), -1, "%s", wrong[i]);
        strings_free(&read);
    }
}
