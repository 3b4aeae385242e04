/* Samples that are read ahead of the parser: the same as if it had read them, and mistakes as
 * before. */
#include "harness/report/read_bulk.h"
#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct bulk taken;

/* What is left of the text; the caller frees it. */
static char *rest_of(const char *json)
{
    struct text rest = TEXT_EMPTY;

    bulk_take(&taken, &rest, json, strlen(json));
    return text_take(&rest);
}

static void expect_rest(const char *json, const char *expected)
{
    char *rest = rest_of(json);

    cr_expect_str_eq(rest, expected);
    free(rest);
}

static void expect_untouched(const char *json)
{
    expect_rest(json, json);
    bulk_free(&taken);
}

Test(bulk, samples_are_taken_by_the_place_of_their_row)
{
    double *items;
    size_t count;

    expect_rest("{\"a\":{\"b\":[1]},\"measurements\":[{\"seconds\":[1, -2.5e-3,\n0]},{\"x\":1},"
                "{\"y\":\"]\\\"}\",\"seconds\" : [ 4 ]}],\"z\":[{\"seconds\":[7]}]}",
                "{\"a\":{\"b\":[1]},\"measurements\":[{\"seconds\":[]},{\"x\":1},"
                "{\"y\":\"]\\\"}\",\"seconds\" : []}],\"z\":[{\"seconds\":[7]}]}");
    cr_assert(bulk_give(&taken, 0, &items, &count));
    cr_expect(count == 3 && items[0] == 1 && items[1] == -2.5e-3 && items[2] == 0);
    free(items);
    cr_expect_not(bulk_give(&taken, 0, &items, &count), "given once");
    cr_expect_not(bulk_give(&taken, 1, &items, &count));
    cr_assert(bulk_give(&taken, 2, &items, &count));
    cr_expect(count == 1 && items[0] == 4);
    free(items);
    cr_expect_not(bulk_give(&taken, 3, &items, &count));
    bulk_free(&taken);
}

Test(bulk, what_is_not_numbers_alone_is_left)
{
    expect_untouched("{\"measurements\":[{\"seconds\":[]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1,null]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1,]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[01]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[.5]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[5.]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[+1]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1e]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1e999]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[0x1p3]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[nan]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1 2]}]}");
    expect_untouched("{\"measurements\":[{\"seconds\":[1");
    expect_untouched("{\"measurements\":[{\"seconds\":[1,");
    expect_untouched("{\"measurements\":[{\"seconds\":");
    expect_untouched("{\"measurements\":[{\"seconds");
    expect_untouched("{\"measurements\":[{\"other\":[1]}]}");
    expect_untouched("{\"measurements\":[{\"unknown\":{\"seconds\":[1]}}]}");
    expect_untouched("{\"figures\":[{\"seconds\":[1]}]}");
    expect_untouched("{\"measurements\":{\"a\":{\"seconds\":[1]}}}");
    expect_untouched("{\"a\":{\"measurements\":[{\"seconds\":[1]}]}}");
    expect_untouched("]]]{[\"seconds\":[1]");
}

static int parse(struct report *r, const char *row, struct text *why)
{
    char *json =
        xasprintf("{\"schema\":\"ridge-result\",\"schema_version\":1,\n\"devices\":[{\"id\":"
                  "\"host\",\"kind\":\"host\"}],\n\"measurements\":[%s]}",
                  row);
    const int failed = report_parse(r, json, strlen(json), "a.json", why);

    free(json);
    return failed;
}

#define ROW                                                                                        \
    "\"experiment\":\"e\",\"device\":\"host\",\"role\":\"gemm\",\"status\":\"ok\","                \
    "\"metric\":{\"name\":\"time\",\"unit\":\"s\",\"more_is_better\":false}"

Test(bulk, a_mistake_behind_samples_has_its_own_line_and_column)
{
    struct report r;
    struct text why = TEXT_EMPTY;

    cr_expect_eq(parse(&r, "{" ROW ",\"seconds\":[1,2,3,4,5,6,7,8]}\n,{\"x\":!}", &why), -1);
    cr_expect(strstr(text_chars(&why), "line 4, column 7") != NULL, "%s", text_chars(&why));
    text_free(&why);
}

Test(bulk, a_word_among_samples_is_named)
{
    struct report r;
    struct text why = TEXT_EMPTY;

    cr_expect_eq(parse(&r, "{" ROW ",\"seconds\":[1,\"2\"]}", &why), -1);
    cr_expect(strstr(text_chars(&why), "measurements[0].seconds[1]: expected a number") != NULL,
              "%s", text_chars(&why));
    text_free(&why);
}
