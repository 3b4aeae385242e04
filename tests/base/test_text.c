/* Growing text, near words, files that are replaced whole or not at all. */
#include "harness/base/text.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge_text_XXXXXX";

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

static size_t files_in_folder(void)
{
    DIR *open_folder = opendir(folder);
    size_t count = 0;

    for (const struct dirent *e; (e = readdir(open_folder)) != NULL;) {
        count += e->d_name[0] != '.';
    }
    closedir(open_folder);
    return count;
}

/* Writes "new" to that path of the folder; returns what it then holds, to be freed. */
static char *write_then_read(const char *path, int *result)
{
    struct text contents = TEXT_EMPTY, found = TEXT_EMPTY;

    text_add(&contents, "new");
    *result = text_write_file(&contents, path);
    text_free(&contents);
    text_read_file(&found, path);
    return text_take(&found);
}

static void write_old(const char *path)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("old", file);
    fclose(file);
}

Test(text, grows_and_stays_terminated)
{
    struct text t = TEXT_EMPTY;

    cr_assert_str_eq(text_chars(&t), "");
    for (int i = 0; i < 1000; i++) {
        text_addf(&t, "%d,", i % 10);
    }
    text_add_bytes(&t, "a\0b", 3);
    cr_assert_eq(t.length, 2003);
    cr_assert_eq(strlen(text_chars(&t)), 2001);
    char *chars = text_take(&t);
    cr_assert_eq(chars[2002], 'b');
    cr_assert_eq(t.length, 0);
    free(chars);
    text_free(&t);
}

Test(text, taken_when_empty_is_still_a_string)
{
    struct text t = TEXT_EMPTY;
    char *chars = text_take(&t);

    cr_assert_str_eq(chars, "");
    free(chars);
}

Test(text, strings_are_copies)
{
    struct strings list = {0};
    char word[] = "one";

    strings_add(&list, word);
    strings_add(&list, "two");
    word[0] = 'X';
    cr_assert(strings_have(&list, "one"));
    cr_assert_not(strings_have(&list, "three"));
    strings_free(&list);
    cr_assert_eq(list.count, 0);
    cr_assert_null(xstrdup(NULL));
}

Test(text, nearest_word)
{
    static const char *const names[] = {"transfer", "memory", "memory_latency", "gemm", "plan"};
    static const struct {
        const char *word, *near;
    } cases[] = {
        {"plam", "plan"},
        {"plna", "plan"},
        {"GEMM", "gemm"},
        {"gem", "gemm"},
        {"trans", "transfer"},
        {"memroy", "memory"},
        {"memory_latecny", "memory_latency"},
        {"memory", "memory"},
        {"qqqq", NULL},
        {"", NULL},
        {"xy", NULL},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *near = text_nearest(cases[i].word, names, COUNT_OF(names));
        cr_assert_eq(near == NULL, cases[i].near == NULL, "'%s'", cases[i].word);
        cr_assert(near == NULL || strcmp(near, cases[i].near) == 0, "'%s' gave '%s'", cases[i].word,
                  near);
    }
}

Test(text, nearest_of_an_endless_word_is_none)
{
    static const char *const names[] = {"plan"};
    char word[5000];

    memset(word, 'p', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    cr_assert_null(text_nearest(word, names, 1));
    cr_assert_null(text_nearest("plan", (const char *const[]){word}, 1));
}

Test(text, reading_says_why_it_failed)
{
    struct text t = TEXT_EMPTY;

    cr_assert_eq(text_read_file(&t, "/nowhere/at/all"), -1);
    cr_assert_eq(errno, ENOENT);
    cr_assert_eq(text_read_file(&t, "/tmp"), -1);
    cr_assert_eq(errno, EISDIR);
    text_free(&t);
}

Test(file, is_replaced_and_nothing_is_left_beside, .init = make_folder, .fini = remove_folder)
{
    char *path = xasprintf("%s/a", folder);
    int result;

    write_old(path);
    char *found = write_then_read(path, &result);
    cr_assert_eq(result, 0);
    cr_assert_str_eq(found, "new");
    cr_assert_eq(files_in_folder(), 1);
    free(found);
    free(path);
}

Test(file, link_stays_a_link, .init = make_folder, .fini = remove_folder)
{
    char *path = xasprintf("%s/a", folder), *other = xasprintf("%s/b", folder);
    struct stat state;
    int result;

    write_old(path);
    cr_assert_eq(symlink(path, other), 0);
    free(write_then_read(other, &result));
    cr_assert_eq(result, 0);
    cr_assert_eq(lstat(other, &state), 0);
    cr_assert(S_ISLNK(state.st_mode));
    char *found = write_then_read(path, &result);
    cr_assert_str_eq(found, "new");
    free(found);
    free(path);
    free(other);
}

/* A limit on the size of files stands for the full disk. */
Test(file, old_one_survives_a_full_disk, .init = make_folder, .fini = remove_folder)
{
    char *path = xasprintf("%s/a", folder);
    const struct rlimit limit = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
    const struct rlimit none = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    int result;

    write_old(path);
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    char *found = write_then_read(path, &result);
    const int cause = errno;
    setrlimit(RLIMIT_FSIZE, &none);
    cr_assert_eq(result, -1);
    cr_assert_eq(cause, EFBIG);
    cr_assert_str_eq(found, "old");
    cr_assert_eq(files_in_folder(), 1);
    free(found);
    free(path);
}

Test(file, device_is_written_to_and_stays_a_device)
{
    struct text contents = TEXT_EMPTY;
    struct stat state;

    text_add(&contents, "x");
    cr_assert_eq(text_write_file(&contents, "/dev/null"), 0);
    cr_assert_eq(text_write_file(&contents, "/dev/full"), -1);
    cr_assert_eq(errno, ENOSPC);
    cr_assert_eq(stat("/dev/null", &state), 0);
    cr_assert(S_ISCHR(state.st_mode));
    text_free(&contents);
}

Test(file, no_folder_to_write_in)
{
    struct text contents = TEXT_EMPTY;

    cr_assert_eq(text_write_file(&contents, "/nowhere/at/all"), -1);
    cr_assert_eq(errno, ENOENT);
    text_free(&contents);
}
