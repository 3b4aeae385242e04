/* Bad files: each refused with the sentence that a reader needs, none crashes. */
#include "harness/report/report_json.h"
#include "tests/report/example.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define START "{\"schema\": \"ridge-result\", \"schema_version\": 1, "
#define ROW   "\"experiment\": \"e\", \"device\": \"d\", \"role\": \"r\", \"status\": \"ok\""
#define ROWS  START "\"measurements\": [{" ROW "}, {" ROW ", "

static const struct {
    const char *json, *sentence;
} cases[] = {
    {"", "is empty"},
    {" \n ", "is empty"},
    {"hello", "is not a result file of ridge (not a JSON object)"},
    {"[1, 2]", "is not a result file of ridge (not a JSON object)"},
    {"\x89PNG\r\n", "is not a result file of ridge (not a JSON object)"},
    {"{}", "is not a result file of ridge (no \"schema\" in it)"},
    {"{\"schema\": 3}", "is not a result file of ridge (no \"schema\" in it)"},
    {"{\"schema\": \"other\"}", "is not a result file of ridge (its schema is \"other\")"},
    {"{\"schema\": \"ridge-result\"}", "schema_version: is missing"},
    {"{\"schema\": \"ridge-result\", \"schema_version\": \"1\"}",
     "schema_version: expected a whole number, found a string"},
    {"{\"schema\": \"ridge-result\", \"schema_version\": 0}", "schema_version: expected 1 or more"},
    {"{\"schema\": \"ridge-result\", \"schema_version\": 2, \"measurements\": 7}",
     "was written by a newer ridge (schema version 2); this one reads 1"},
    {"{\n  \"schema\" \"ridge-result\"}",
     "line 2, column 25: not JSON: ':' expected near '\"ridge-result\"'"},
    {"{\"a\": 1, \"a\": 2}", "line 1, column 12: not JSON: duplicate object key near '\"a\"'"},
    {"{\"a\": 1e999}", "line 1, column 11: not JSON: real number overflow near '1e999'"},
    {"{\"a\": 99999999999999999999}",
     "line 1, column 26: not JSON: too big integer near '99999999999999999999'"},
    {"{\"a\": NaN}", "line 1, column 9: not JSON: invalid token near 'NaN'"},
    {"{\"a\": \"\xFF\"}", "line 1, column 7: not JSON: unable to decode byte 0xff near '\"'"},
    {"{} x", "line 1, column 4: not JSON: end of file expected near 'x'"},
    {"{\n\"a\": [1, 2", "line 2, column 10: the file is cut off in the middle"},
    {"{\"a\": \"bc", "line 1, column 9: the file is cut off in the middle"},
    {START "\"seconds\": \"14\"}", "seconds: expected a number or null, found a string"},
    {START "\"complete\": 1}", "complete: expected true or false, found a number"},
    {START "\"started\": 5}", "started: expected a string or null, found a number"},
    {START "\"ridge\": []}", "ridge: expected an object, found an array"},
    {START "\"ridge\": {\"arguments\": \"run\"}}",
     "ridge.arguments: expected an array, found a string"},
    {START "\"ridge\": {\"arguments\": [\"run\", 1]}}",
     "ridge.arguments[1]: expected a string, found a number"},
    {START "\"environment\": {\"virtual\": \"no\"}}",
     "environment.virtual: expected true, false or null, found a string"},
    {START "\"devices\": {}}", "devices: expected an array, found an object"},
    {START "\"devices\": [{\"id\": \"a\", \"kind\": \"host\"}, null]}",
     "devices[1]: expected an object, found null"},
    {START "\"devices\": [{\"kind\": \"host\"}]}", "devices[0].id: is missing"},
    {START "\"devices\": [{\"id\": \"a\", \"kind\": \"host\", \"facts\": {\"units\": true}}]}",
     "devices[0].facts.units: expected a number or null, found true"},
    {ROWS "\"value\": {\"median\": \"x\"}}]}",
     "measurements[1].value.median: expected a number or null, found a string"},
    {ROWS "\"value\": {\"n\": 1.5}}]}",
     "measurements[1].value.n: expected a whole number from 0 on"},
    {ROWS "\"value\": {\"n\": -1}}]}",
     "measurements[1].value.n: expected a whole number from 0 on"},
    {ROWS "\"metric\": {\"unit\": 1}}]}",
     "measurements[1].metric.unit: expected a string or null, found a number"},
    {ROWS "\"seconds\": [0.5, null]}]}",
     "measurements[1].seconds[1]: expected a number, found null"},
    {ROWS "\"seconds\": 0.5}]}", "measurements[1].seconds: expected an array, found a number"},
    {ROWS "\"parameters\": {\"bytes\": [1]}}]}",
     "measurements[1].parameters.bytes: expected a string or a number, found an array"},
    {ROWS "\"parameters\": 1}]}", "measurements[1].parameters: expected an object, found a number"},
    {ROWS "\"timeline\": [{}, {\"sm_clock_hz\": false}]}]}",
     "measurements[1].timeline[1].sm_clock_hz: expected a number or null, found false"},
    {START "\"measurements\": [{\"experiment\": \"e\", \"device\": \"d\", \"role\": \"r\"}]}",
     "measurements[0].status: is missing"},
    {START "\"measurements\": [{\"experiment\": \"e\", \"device\": null}]}",
     "measurements[0].device: is missing"},
    {START "\"measurements\": [{\"experiment\": \"e\", \"device\": \"d\", \"role\": \"r\", "
           "\"status\": \"fi\\nne\"}]}",
     "measurements[0].status: expected ok, skipped, invalid, failed or wrong, found \"fi\\nne\""},
};

Test(mistakes, each_is_one_sentence)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct report r;
        struct text why = TEXT_EMPTY;
        char *sentence = xasprintf("a.json: %s", cases[i].sentence);

        cr_expect_eq(report_parse(&r, cases[i].json, strlen(cases[i].json), "a.json", &why), -1);
        cr_expect_str_eq(text_chars(&why), sentence);
        cr_expect_eq(r.measurement_count + r.device_count, 0);
        cr_expect_null(r.started);
        report_free(&r);
        text_free(&why);
        free(sentence);
    }
}

Test(mistakes, files_that_cannot_be_read)
{
    struct report r;
    struct text why = TEXT_EMPTY;

    cr_assert_eq(report_read(&r, "/nowhere/a.json", &why), -1);
    cr_assert_str_eq(text_chars(&why),
                     "/nowhere/a.json: cannot be read: No such file or directory");
    text_free(&why);
    cr_assert_eq(report_read(&r, "/tmp", &why), -1);
    cr_assert_str_eq(text_chars(&why), "/tmp: cannot be read: Is a directory");
    text_free(&why);
    cr_assert_eq(report_read(&r, "/dev/null", &why), -1);
    cr_assert_str_eq(text_chars(&why), "/dev/null: is empty");
    text_free(&why);
}

static int accepted(const char *json, size_t length)
{
    struct report r;
    struct text why = TEXT_EMPTY, out = TEXT_EMPTY;
    const int result = report_parse(&r, json, length, "a.json", &why);

    if (result == 0) {
        report_write(&out, &r);
    }
    cr_assert_eq(result != 0, why.length > 0);
    cr_assert(result == 0 || strchr(text_chars(&why), '\n') == NULL, "%s", text_chars(&why));
    report_free(&r);
    text_free(&why);
    text_free(&out);
    return result == 0;
}

Test(mistakes, nesting_without_end)
{
    struct text json = TEXT_EMPTY;

    text_add(&json, START "\"later\": ");
    for (int i = 0; i < 200000; i++) {
        text_add(&json, "[");
    }
    cr_assert_not(accepted(text_chars(&json), json.length));
    text_free(&json);
}

Test(mistakes, deep_unknown_member_is_kept)
{
    struct text json = TEXT_EMPTY;

    text_add(&json, START "\"later\": ");
    for (int i = 0; i < 2000; i++) {
        text_add(&json, "[");
    }
    for (int i = 0; i < 2000; i++) {
        text_add(&json, "]");
    }
    text_add(&json, "}");
    cr_assert(accepted(text_chars(&json), json.length));
    text_free(&json);
}

Test(mistakes, nul_in_the_file)
{
    static const char json[] = START "\"a\": \"\0\"}";

    cr_assert_not(accepted(json, sizeof json - 1));
}

static char *example_json(size_t *length)
{
    struct report r;
    struct text json = TEXT_EMPTY;

    example_fill(&r);
    report_write(&json, &r);
    report_free(&r);
    *length = json.length;
    return text_take(&json);
}

/* A file that was cut anywhere before its last brace is refused. */
Test(mistakes, cut_file_is_never_accepted)
{
    size_t length;
    char *json = example_json(&length);

    cr_assert_eq(json[length - 2], '}');
    for (size_t cut = 0; cut < length - 1; cut += cut + 200 < length ? 13 : 1) {
        cr_assert_not(accepted(json, cut), "cut at %zu of %zu", cut, length);
    }
    cr_assert(accepted(json, length - 1));
    free(json);
}

Test(mistakes, changed_bytes_do_no_harm)
{
    static const char replacements[] = {'\0', '"', '}', '[', '9', '-', '\xFF', ' '};
    size_t length, refused = 0;
    char *json = example_json(&length);

    for (size_t i = 0; i < length; i += 11) {
        const char before = json[i];
        json[i] = replacements[i % sizeof replacements];
        refused += !accepted(json, length);
        json[i] = before;
    }
    cr_assert_gt(refused, 0);
    free(json);
}
