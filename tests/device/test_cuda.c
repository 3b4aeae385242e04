/* The CUDA device without a card: what its errors mean, and how its absence is told. */
#include "harness/device/device.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Absent in a build without CUDA. */
void cuda_explain(struct text *out, int code, const struct device *d) __attribute__((weak));
bool cuda_error_lasts(int code) __attribute__((weak));

static const struct device_ops *kind_named(const char *name)
{
    for (size_t i = 0; device_kinds[i]; i++)
        if (strcmp(device_kinds[i]->kind, name) == 0)
            return device_kinds[i];
    return NULL;
}

static void expect_in_sentence(int code, const char *part)
{
    struct text why = TEXT_EMPTY;

    cuda_explain(&why, code, NULL);
    cr_assert_not_null(strstr(text_chars(&why), part), "%d: %s lacks %s", code, text_chars(&why),
                       part);
    text_free(&why);
}

Test(kinds, the_host_is_last)
{
    size_t last = 0;

    while (device_kinds[last + 1])
        last++;
    cr_assert_str_eq(device_kinds[last]->kind, "host");
    cr_assert_eq(device_kinds[last]->count(NULL), 1);
}

Test(cuda, no_card_is_no_error_but_a_sentence)
{
    const struct device_ops *cuda = kind_named("cuda");
    char *why = NULL;

    if (!cuda)
        cr_skip_test("a build without CUDA");
    if (cuda->count(&why) > 0)
        cr_skip_test("there is a card");
    cr_assert_not_null(why);
    cr_assert_gt(strlen(why), 10u);
    free(why);
    cr_assert_eq(cuda->count(NULL), 0);
}

Test(cuda, a_card_that_is_not_there_cannot_be_opened)
{
    const struct device_ops *cuda = kind_named("cuda");
    struct device d;

    if (!cuda)
        cr_skip_test("a build without CUDA");
    cr_assert_eq(device_open(&d, cuda, 99), -1);
    cr_assert_str_eq(d.id, "cuda99");
    cr_assert_not_null(strstr(text_chars(&d.error), "asking what the card is failed"), "%s",
                       text_chars(&d.error));
    device_close(&d);
}

Test(cuda, errors_have_a_sentence_a_name_and_a_number)
{
    if (!kind_named("cuda"))
        cr_skip_test("a build without CUDA");
    setenv("CUDA_VISIBLE_DEVICES", "7", 1);
    setenv("RIDGE_ROOT", SOURCE_FOLDER "/tests/device/machines/card", 1);
    expect_in_sentence(35, "driver");
    expect_in_sentence(35, "(cudaErrorInsufficientDriver, 35; ");
    expect_in_sentence(34, "stub of libcuda");
    expect_in_sentence(46, "holds the card");
    expect_in_sentence(100, "CUDA_VISIBLE_DEVICES=7");
    expect_in_sentence(209, "machine code for: ");
    expect_in_sentence(222, "550.54.14");
    expect_in_sentence(802, "Fabric Manager");
    expect_in_sentence(803, "550.54.14");
    expect_in_sentence(804, "forward-compatibility");
    expect_in_sentence(999, "nvidia-uvm");
    expect_in_sentence(700, "(cudaErrorIllegalAddress, 700; DEVICE_ENDED)");
    expect_in_sentence(1, "(cudaErrorInvalidValue, 1)");
}

Test(cuda, some_errors_end_the_device)
{
    if (!kind_named("cuda"))
        cr_skip_test("a build without CUDA");
    cr_assert(cuda_error_lasts(700));
    cr_assert(cuda_error_lasts(719));
    cr_assert(cuda_error_lasts(214));
    cr_assert_not(cuda_error_lasts(2));
    cr_assert_not(cuda_error_lasts(1));
    cr_assert_not(cuda_error_lasts(0));
}
