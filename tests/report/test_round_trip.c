/* What is written is read again, whole; what another version added is kept. */
#include "harness/report/json_text.h"
#include "harness/report/report_json.h"
#include "tests/report/example.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void parse(struct report *r, const char *json)
{
    struct text why = TEXT_EMPTY;
    const int result = report_parse(r, json, strlen(json), "x.json", &why);

    cr_assert_eq(result, 0, "%s", text_chars(&why));
    text_free(&why);
}

static char *written(const struct report *r)
{
    struct text json = TEXT_EMPTY;

    report_write(&json, r);
    return text_take(&json);
}

/* `json` read and written again; to be freed. */
static char *again(const char *json)
{
    struct report r;

    parse(&r, json);
    char *json_again = written(&r);
    report_free(&r);
    return json_again;
}

Test(round_trip, every_member_survives)
{
    struct report r;

    example_fill(&r);
    report_clear_derived(&r);
    char *first = written(&r), *second = again(first);
    cr_assert_str_eq(second, first);
    free(first);
    free(second);
    report_free(&r);
}

Test(round_trip, empty_report_survives)
{
    struct report r;

    report_init(&r);
    char *first = written(&r), *second = again(first);
    cr_assert_str_eq(second, first);
    free(first);
    free(second);
    report_free(&r);
}

Test(round_trip, derived_parts_are_written_and_not_read)
{
    struct report r, read;

    report_init(&r);
    report_add_roof(&r)->name = xstrdup("DRAM triad");
    report_add_ridge_point(&r)->flop_per_byte = (struct estimate){7.8, 7.6, 8};
    report_add_finding(&r)->id = xstrdup("LINK_SLOW");
    char *json = written(&r);
    cr_assert_not_null(strstr(json, "\"name\": \"DRAM triad\""));
    cr_assert_not_null(strstr(json, "\"flop_per_byte\": 7.8, \"ci_low\": 7.6, \"ci_high\": 8"));
    cr_assert_not_null(strstr(json, "{\"id\": \"LINK_SLOW\", \"severity\": \"note\","));
    parse(&read, json);
    cr_assert_eq(read.finding_count, 0);
    cr_assert_eq(read.roof_count, 0);
    cr_assert_eq(read.ridge_point_count, 0);
    free(json);
    report_free(&read);
    report_free(&r);
}

#define FILE_START "{\"schema\": \"ridge-result\", \"schema_version\": 1, "
#define ROW        "\"experiment\": \"e\", \"device\": \"host\", \"role\": \"memory_bandwidth\", "

Test(round_trip, unknown_members_are_kept_at_every_level)
{
    const char *const json = FILE_START
        "\"later_list\": [{\"id\": \"A\", \"x\": 0.1}], \"ridge\": {\"in_ridge\": "
        "12345678901234567}, "
        "\"environment\": {\"in_environment\": null}, "
        "\"experiments\": [{\"name\": \"e\", \"in_experiment\": true}], "
        "\"devices\": [{\"id\": \"host\", \"kind\": \"host\", \"in_device\": 1, "
        "\"facts\": {\"in_facts\": [1, {}]}}], "
        "\"measurements\": [{" ROW "\"status\": \"ok\", \"in_row\": 1, "
        "\"metric\": {\"name\": \"m\", \"in_metric\": \"\\u00e9\"}, \"work\": {\"in_work\": 2}, "
        "\"value\": {\"in_value\": 3}, \"telemetry\": {\"in_telemetry\": 4}, "
        "\"timeline\": [{\"in_reading\": 5}]}], "
        "\"figures\": [{\"experiment\": \"e\", \"device\": \"host\", \"role\": \"r\", "
        "\"name\": \"n\", \"in_figure\": 6}]}";
    static const char *const kept[] = {
        "\"later_list\": [{\"id\": \"A\", \"x\": 0.1}]",
        "\"in_ridge\": 12345678901234567}",
        "\"in_environment\": null}",
        "\"in_experiment\": true}",
        "\"in_device\": 1}",
        "\"in_facts\": [1, {}]}",
        "\"in_row\": 1}",
        "\"in_metric\": \"\xC3\xA9\"}",
        "\"in_work\": 2}",
        "\"in_value\": 3}",
        "\"in_telemetry\": 4}",
        "\"in_reading\": 5}]",
        "\"in_figure\": 6}",
    };
    char *once = again(json), *twice = again(once);

    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        const char *place = strstr(once, kept[i]);
        cr_assert_not_null(place, "%s", kept[i]);
        cr_assert_null(strstr(place + 1, kept[i]), "twice: %s", kept[i]);
    }
    cr_assert_str_eq(twice, once);
    free(once);
    free(twice);
}

/* A lie in "value" does not survive: the samples say 1e9 / 0.5 s. */
Test(round_trip, value_is_derived_from_the_samples)
{
    struct report r;

    parse(&r, FILE_START "\"measurements\": [{" ROW "\"status\": \"ok\", "
                         "\"metric\": {\"name\": \"bandwidth\", \"unit\": \"B/s\"}, "
                         "\"work\": {\"bytes\": 1e9}, \"seconds\": [0.5, 0.5], "
                         "\"value\": {\"median\": 77, \"ci_low\": 76, \"n\": 9}}]}");
    cr_assert_eq(r.measurements[0].value.median, 2e9);
    cr_assert(isnan(r.measurements[0].value.ci_low));
    cr_assert_eq(r.measurements[0].value.n, 2);
    report_free(&r);
}

Test(round_trip, value_without_samples_is_kept)
{
    struct report r;

    parse(&r, FILE_START "\"measurements\": [{" ROW "\"status\": \"ok\", "
                         "\"value\": {\"median\": 77, \"n\": 9}}]}");
    cr_assert_eq(r.measurements[0].value.median, 77);
    cr_assert_eq(r.measurements[0].value.n, 9);
    report_free(&r);
}

Test(round_trip, value_by_a_rule_of_a_later_version_is_kept)
{
    struct report r;

    parse(&r, FILE_START "\"measurements\": [{" ROW "\"status\": \"ok\", "
                         "\"metric\": {\"name\": \"thrift\", \"unit\": \"B/J\"}, "
                         "\"seconds\": [0.5], \"value\": {\"median\": 77, \"n\": 1}}]}");
    cr_assert_eq(r.measurements[0].value.median, 77);
    cr_assert_str_eq(r.measurements[0].metric.unit, "B/J");
    report_free(&r);
}

Test(round_trip, null_and_missing_are_unknown)
{
    struct report r;

    parse(&r,
          FILE_START "\"seconds\": null, \"started\": null, \"devices\": null, "
                     "\"environment\": {\"virtual\": true, \"container\": null, \"wsl\": false}, "
                     "\"measurements\": [{" ROW "\"status\": \"failed\", \"metric\": null, "
                     "\"value\": null, \"timeline\": null, \"parameters\": {\"k\": null}}]}");
    const struct measurement *m = &r.measurements[0];
    cr_assert(isnan(r.seconds) && r.started == NULL && r.device_count == 0);
    cr_assert_eq(r.environment.virtual_card, FLAG_YES);
    cr_assert_eq(r.environment.container, FLAG_UNKNOWN);
    cr_assert_eq(r.environment.wsl, FLAG_NO);
    cr_assert_eq(r.environment.hypervisor, FLAG_UNKNOWN);
    cr_assert_eq(m->status, ROW_FAILED);
    cr_assert(isnan(m->value.median) && isnan(m->repetitions) && m->metric.name == NULL);
    cr_assert_eq(m->parameters.count, 1);
    report_free(&r);
}

Test(round_trip, bytes_that_are_no_utf8_stay_valid_json)
{
    struct report r, read;

    report_init(&r);
    r.started = xstrdup("a\xFF\xC3(\xE2\x82\xAC\xED\xA0\x80\x01\"\\\n");
    char *json = written(&r);
    parse(&read, json);
    cr_assert_str_eq(read.started, "a\xEF\xBF\xBD\xEF\xBF\xBD(\xE2\x82\xAC"
                                   "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\x01\"\\\n");
    free(json);
    report_free(&read);
    report_free(&r);
}

Test(json_text, numbers_are_short_and_exact)
{
    static const struct {
        double number;
        const char *shown;
    } cases[] = {
        {0, "0"},
        {-3, "-3"},
        {0.1, "0.1"},
        {1073741824, "1073741824"},
        {4.1e10, "41000000000"},
        {1e300, "1e+300"},
        {5e-324, "4.94065645841247e-324"},
        {1.0 / 3, "0.3333333333333333"},
        {NAN, "null"},
        {INFINITY, "null"},
        {-INFINITY, "null"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct text t = TEXT_EMPTY;
        json_text_number(&t, cases[i].number);
        cr_assert_str_eq(text_chars(&t), cases[i].shown);
        text_free(&t);
    }
}

static char folder[] = "/tmp/ridge_save_XXXXXX";

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    char *command = xasprintf("rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
    free(command);
}

Test(save, then_read, .init = make_folder, .fini = remove_folder)
{
    struct text why = TEXT_EMPTY;
    struct report r, read;
    char *path = xasprintf("%s/a.json", folder);

    example_fill(&r);
    report_clear_derived(&r);
    cr_assert_eq(report_save(&r, path, &why), 0);
    cr_assert_eq(report_read(&read, path, &why), 0, "%s", text_chars(&why));
    char *first = written(&r), *second = written(&read);
    cr_assert_str_eq(second, first);
    free(first);
    free(second);
    free(path);
    report_free(&r);
    report_free(&read);
}

/* A limit on the size of files stands for the full disk; the result saved before must survive. */
Test(save, full_disk_keeps_the_old_result, .init = make_folder, .fini = remove_folder)
{
    const struct rlimit limit = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
    struct text why = TEXT_EMPTY;
    struct report r, read;
    char *path = xasprintf("%s/a.json", folder);
    char *sentence = xasprintf("%s: cannot be saved: %s", path, strerror(EFBIG));

    report_init(&r);
    r.started = xstrdup("before");
    cr_assert_eq(report_save(&r, path, &why), 0);
    report_free(&r);
    example_fill(&r);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(report_save(&r, path, &why), -1);
    cr_assert_str_eq(text_chars(&why), sentence);
    cr_assert_eq(report_read(&read, path, &why), 0);
    cr_assert_str_eq(read.started, "before");
    report_free(&r);
    report_free(&read);
    text_free(&why);
    free(sentence);
    free(path);
}

Test(save, says_why_it_cannot)
{
    struct text why = TEXT_EMPTY;
    struct report r;

    report_init(&r);
    cr_assert_eq(report_save(&r, "/dev/full", &why), -1);
    cr_assert_str_eq(text_chars(&why), "/dev/full: cannot be saved: No space left on device");
    text_free(&why);
    cr_assert_eq(report_save(&r, "/nowhere/a.json", &why), -1);
    cr_assert_str_eq(text_chars(&why),
                     "/nowhere/a.json: cannot be saved: No such file or directory");
    text_free(&why);
    report_free(&r);
}
