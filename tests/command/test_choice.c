/* Words of the command line: lists, experiments, plans, and what mistakes get. */
#include "harness/command/choice.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>

static const struct experiment memory = {.name = "memory", .summary = ""};
static const struct experiment transfer = {.name = "transfer", .summary = ""};
static const struct experiment lesson = {.name = "lesson", .summary = "", .lesson_only = true};
const struct experiment *const experiments[] = {&lesson, &memory, &transfer, NULL};

Test(choice, comma_lists_and_repetitions_become_words)
{
    struct strings words = {0};

    choice_add(&words, "cuda0,host");
    choice_add(&words, ",cuda0,,cuda1");
    cr_assert_eq(words.count, 3);
    cr_expect_str_eq(words.items[2], "cuda1");
    strings_free(&words);
}

Test(choice, no_word_means_all_but_lessons)
{
    const struct strings none = {0};
    const struct experiment **chosen = choice_experiments(&none);

    cr_expect_eq(chosen[0], &memory);
    cr_expect_eq(chosen[1], &transfer);
    cr_expect_null(chosen[2]);
    free(chosen);
}

Test(choice, words_choose_in_the_table_s_order)
{
    struct strings words = {0};
    const struct experiment **chosen;

    choice_add(&words, "transfer,memory");
    chosen = choice_experiments(&words);
    cr_expect_eq(chosen[0], &memory);
    cr_expect_eq(chosen[1], &transfer);
    free(chosen);
    strings_free(&words);
}

Test(choice, plans_by_name)
{
    cr_expect_eq(choice_plan("thorough"), PLAN_THOROUGH);
}

Test(choice, a_near_plan_is_suggested, .exit_code = 2, .init = cr_redirect_stderr)
{
    choice_plan("quik");
}

Test(choice, a_lesson_is_no_experiment_of_a_run, .exit_code = 2, .init = cr_redirect_stderr)
{
    struct strings words = {0};

    choice_add(&words, "lesson");
    choice_experiments(&words);
}
