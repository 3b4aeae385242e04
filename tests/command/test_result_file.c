/* Where results are saved. */
#include "harness/command/result_file.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge-test-XXXXXX";

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    char *command = xasprintf("rm -r %s", folder);

    cr_expect_eq(system(command), 0);
    free(command);
}

TestSuite(result_file, .init = make_folder, .fini = remove_folder);

Test(result_file, folders_are_made_and_the_name_is_the_date)
{
    struct text why = TEXT_EMPTY;
    char *deep = xasprintf("%s/a/b", folder);
    char *path = result_path(deep, "2026-01-02T03:04:05Z", &why);

    cr_assert_not_null(path, "%s", text_chars(&why));
    cr_expect_str_eq(path + strlen(deep), "/2026-01-02T030405Z.json");
    cr_expect_neq(access(path, F_OK), 0, "nothing is left there");
    free(path);
    free(deep);
}

Test(result_file, an_older_result_of_the_same_second_stays)
{
    struct text why = TEXT_EMPTY;
    char *first = result_path(folder, "2026-01-02T03:04:05Z", &why), *second;

    cr_assert_eq(text_write_file(&why, first), 0);
    second = result_path(folder, "2026-01-02T03:04:05Z", &why);
    cr_expect_str_eq(second + strlen(folder), "/2026-01-02T030405Z-2.json");
    free(first);
    free(second);
}

Test(result_file, a_folder_that_cannot_be_made_is_said)
{
    struct text why = TEXT_EMPTY;
    char *file = xasprintf("%s/file", folder), *below = xasprintf("%s/below", file);

    cr_assert_eq(text_write_file(&why, file), 0);
    cr_expect_null(result_path(below, "2026-01-02T03:04:05Z", &why));
    cr_expect(strstr(text_chars(&why), below) && strstr(text_chars(&why), "Not a directory"));
    text_free(&why);
    free(file);
    free(below);
}

Test(result_file, dates_are_utc_in_rfc_3339)
{
    char *date = result_started();

    cr_expect_eq(strlen(date), 20);
    cr_expect(date[10] == 'T' && date[19] == 'Z');
    free(date);
}
