/* A mistake on the command line is one sentence and status 2; the rest is argp's. */
#include "harness/base/options.h"
#include "harness/base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS_MAX = 6, SHOWN = 7 };

static struct text seen; /* options in the order of parsing */

static error_t parse_child(int key, char *value, struct argp_state *state)
{
    (void)state;
    if (key != 'c') {
        return ARGP_ERR_UNKNOWN;
    }
    text_addf(&seen, "c=%s ", value);
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case 'd':
    case 'p':
    case 'a':
        text_addf(&seen, "%c=%s ", key, value != NULL ? value : "");
        return 0;
    case 300:
        text_addf(&seen, "price=%s ", value != NULL ? value : "");
        return 0;
    case ARGP_KEY_END:
        text_add(&seen, "end");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option child_options[] = {{"colour", 'c', "WHEN", 0, "colour", 0}, {0}};
static const struct argp child = {.options = child_options, .parser = parse_child};
static const struct argp_child children[] = {{&child, 0, "Appearance", 0}, {0}};
static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0, "what to measure", 0},
    {"plan", 'p', "PLAN", 0, "how long", 0},
    {"all", 'a', NULL, 0, "everything", 0},
    {"every", 0, NULL, OPTION_ALIAS, NULL, 0},
    {"price", 300, "PRICE", OPTION_ARG_OPTIONAL, "per hour", 0},
    {0},
};
static const struct argp argp = {.options = options, .parser = parse, .children = children};

static int count_words(char **argv)
{
    int argc = 0;

    while (argv[argc] != NULL) {
        argc++;
    }
    return argc;
}

/* Without what a sanitizer has to say of a process that was forked in the middle of a test. */
static void leave(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

/* Parses in a process of its own: its status, and what it wrote to stderr (or stdout). */
static int run(const char *const *words, int shown_from, struct text *shown)
{
    char *argv[WORDS_MAX + 2] = {xstrdup("ridge run")}, bytes[4096];
    int ends[2], status;
    ssize_t got;

    for (size_t i = 0; words[i] != NULL; i++) {
        argv[i + 1] = xstrdup(words[i]);
    }
    cr_assert_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t child_process = fork();
    if (child_process == 0) {
        dup2(ends[1], shown_from);
        on_exit(leave, NULL);
        options_parse(&argp, count_words(argv), argv, NULL);
        fprintf(stderr, "%s", text_chars(&seen));
        exit(SHOWN);
    }
    close(ends[1]);
    while ((got = read(ends[0], bytes, sizeof bytes)) > 0) {
        text_add_bytes(shown, bytes, (size_t)got);
    }
    close(ends[0]);
    waitpid(child_process, &status, 0);
    for (size_t i = 0; argv[i] != NULL; i++) {
        free(argv[i]);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(const char *const *words, int status, const char *sentence)
{
    struct text shown = TEXT_EMPTY;
    const int found = run(words, STDERR_FILENO, &shown);

    cr_assert_str_eq(text_chars(&shown), sentence);
    cr_assert_eq(found, status, "status %d after: %s", found, sentence);
    text_free(&shown);
}

static const struct {
    const char *words[WORDS_MAX];
    const char *sentence;
} mistakes[] = {
    {{"--plam"}, "unknown option '--plam'; did you mean '--plan'?"},
    {{"--plam=quick"}, "unknown option '--plam'; did you mean '--plan'?"},
    {{"--color=x"}, "unknown option '--color'; did you mean '--colour'?"},
    {{"--hlep"}, "unknown option '--hlep'; did you mean '--help'?"},
    {{"--zzzzzz"}, "unknown option '--zzzzzz'"},
    {{"-d", "host", "-x"}, "unknown option '-x'"},
    {{"-ax"}, "unknown option '-x'"},
    {{"--plan"}, "option '--plan' needs a value"},
    {{"--p"}, "option '--p' could be '--plan' or '--price'"},
    {{"-d"}, "option '-d' needs a value"},
    {{"-ad"}, "option '-d' needs a value"},
    {{"--all=3"}, "option '--all' takes no value"},
    {{"--every=3"}, "option '--every' takes no value"},
    {{"cuda0"}, "cannot use the argument 'cuda0'"},
    {{"-a", "--", "--plan"}, "cannot use the argument '--plan'"},
};

Test(options, mistakes_are_one_sentence)
{
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        char *sentence = xasprintf("ridge run: %s\n", mistakes[i].sentence);
        expect(mistakes[i].words, 2, sentence);
        free(sentence);
    }
}

static const struct {
    const char *words[WORDS_MAX];
    const char *seen;
} understood[] = {
    {{NULL}, "end"},
    {{"-d", "host", "--plan=quick"}, "d=host p=quick end"},
    {{"--dev", "--all", "-a"}, "d=--all a= end"},
    {{"--pla", "-x"}, "p=-x end"},
    {{"-d-x"}, "d=-x end"},
    {{"-ad", "cuda0"}, "a= d=cuda0 end"},
    {{"--every"}, "a= end"},
    {{"--colour=never"}, "c=never end"},
    {{"--price"}, "price= end"},
    {{"--price=2.5"}, "price=2.5 end"},
};

Test(options, what_is_right_reaches_the_parser)
{
    for (size_t i = 0; i < COUNT_OF(understood); i++) {
        expect(understood[i].words, SHOWN, understood[i].seen);
    }
}

Test(options, help_is_made_from_the_table)
{
    struct text shown = TEXT_EMPTY;

    cr_assert_eq(run((const char *const[]){"--help", NULL}, STDOUT_FILENO, &shown), 0);
    cr_assert_not_null(strstr(text_chars(&shown), "Usage: ridge run [OPTION...]"));
    cr_assert_not_null(strstr(text_chars(&shown), "--device=DEVICE"));
    cr_assert_not_null(strstr(text_chars(&shown), "--colour=WHEN"));
    text_free(&shown);
}

Test(options, mistake_in_a_value)
{
    int ends[2], status;
    char bytes[100] = "";

    cr_assert_eq(pipe(ends), 0);
    fflush(NULL);
    const pid_t process = fork();
    if (process == 0) {
        dup2(ends[1], STDERR_FILENO);
        on_exit(leave, NULL);
        options_mistake("no device '%s'", "cuda9");
    }
    close(ends[1]);
    cr_assert_gt(read(ends[0], bytes, sizeof bytes - 1), 0);
    waitpid(process, &status, 0);
    cr_assert_str_eq(bytes, "ridge: no device 'cuda9'\n");
    cr_assert_eq(WEXITSTATUS(status), 2);
}
