/* What a person reads: the whole of it once, and what must never be in it. */
#include "fixture.h"
#include "harness/base/units.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pictures differ from one gnuplot to the next: out with them. */
static void cut_picture(char *shown)
{
    char *from = strstr(shown, "\nRoofline"), *to = strstr(shown, "  slope: ");

    if (from != NULL && to != NULL) {
        from = strchr(from + 1, '\n') + 1;
        memmove(from, to, strlen(to) + 1);
    }
}

/* With RIDGE_GOLDEN=write the file is made anew, to be read before it is committed. */
static void expect_golden(const char *shown, const char *name)
{
    char *path = xasprintf("%s/tests/fixtures/%s", SOURCE_FOLDER, name);
    struct text wanted = TEXT_EMPTY;

    if (getenv("RIDGE_GOLDEN") != NULL) {
        text_add(&wanted, shown);
        cr_assert_eq(text_write_file(&wanted, path), 0);
    } else {
        cr_assert_eq(text_read_file(&wanted, path), 0);
    }
    cr_expect_str_eq(shown, text_chars(&wanted));
    text_free(&wanted);
    free(path);
}

/* Where the word stands by itself, or NULL. */
static const char *find_word(const char *shown, const char *word)
{
    for (const char *at = strcasestr(shown, word); at != NULL; at = strcasestr(at + 1, word))
        if ((at == shown || !isalpha((unsigned char)at[-1])) &&
            !isalpha((unsigned char)at[strlen(word)]))
            return at;
    return NULL;
}

static void expect_clean(const char *shown)
{
    static const char *const words[] = {"nan", "inf", "(null)"};

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        const char *found = find_word(shown, words[i]);

        cr_expect_null(found, "%.80s", found == NULL ? "" : found);
    }
}

static void expect_narrow(const char *shown, size_t most)
{
    while (*shown != '\0') {
        const size_t length = strcspn(shown, "\n");
        size_t width = 0;

        for (size_t i = 0; i < length; i++)
            width += ((unsigned char)shown[i] & 0xC0) != 0x80;
        cr_expect_leq(width, most, "%.*s", (int)length, shown);
        shown += length + (shown[length] == '\n');
    }
}

static void check_golden(const char *fixture, const char *golden)
{
    struct report r;
    char *shown;

    fixture_read(&r, fixture);
    shown = written_one("text", &r);
    expect_clean(shown);
    expect_narrow(shown, 80);
    cut_picture(shown);
    expect_golden(shown, golden);
    free(shown);
    report_free(&r);
}

Test(text, golden_of_a_card)
{
    check_golden("virtual_card.json", "virtual_card.txt");
}

Test(text, golden_of_a_host)
{
    check_golden("virtual_host.json", "virtual_host.txt");
}

/* A report in which nothing is known, of devices that have not even a name. */
Test(text, of_nothing)
{
    static const char *const people[] = {"text", "markdown"};
    struct report r;

    report_init(&r);
    report_add_device(&r)->id = xstrdup("cuda0");
    report_add_device(&r)->id = xstrdup("host");
    analysis_derive(&r);
    for (size_t i = 0; i < COUNT_OF(people); i++) {
        char *shown = written_one(people[i], &r);

        expect_clean(shown);
        cr_expect_not_null(strstr(shown, "cuda0"));
        cr_expect_not_null(strstr(shown, "not measured"));
        cr_expect_not_null(strstr(shown, "No roofline"));
        free(shown);
    }
    report_free(&r);
}

/* Rows whose every number is unknown, or is none at all. */
Test(text, of_odd_numbers)
{
    static const double odd[] = {NAN, INFINITY, 0, -1, 1e300};
    struct report r;

    fixture_read(&r, "virtual_card.json");
    for (size_t i = 0; i < r.measurement_count; i++) {
        struct summary *v = &r.measurements[i].value;

        v->median = odd[i % COUNT_OF(odd)];
        v->ci_low = odd[(i + 1) % COUNT_OF(odd)];
        v->ci_high = odd[(i + 2) % COUNT_OF(odd)];
    }
    for (size_t i = 0; i < r.figure_count; i++)
        r.figures[i].value = (struct estimate){odd[i % COUNT_OF(odd)], NAN, INFINITY};
    analysis_derive(&r);
    for (size_t i = 0; i < 2; i++) {
        char *shown = written_one(i == 0 ? "text" : "markdown", &r);

        expect_clean(shown);
        free(shown);
    }
    report_free(&r);
}

static struct measurement *first_row(struct report *r, const char *role)
{
    for (size_t i = 0; i < r->measurement_count; i++)
        if (strcmp(r->measurements[i].role, role) == 0)
            return &r->measurements[i];
    return NULL;
}

Test(text, unknown_roles_and_reasons_are_shown)
{
    struct report r;
    char *shown;

    fixture_read(&r, "virtual_card.json");
    shown = written_one("text", &r);
    cr_expect_not_null(strstr(shown, "future: an experiment of a later ridge"));
    cr_expect_not_null(strstr(shown, "colour"));
    cr_expect_not_null(strstr(shown, "cudaHostAlloc: out of memory"));
    cr_expect_not_null(strstr(shown, "! not to be used: the array fits the L2 cache"));
    cr_expect_not_null(strstr(shown, "VIRTUAL CARD"));
    cr_expect_null(strstr(shown, "INCOMPLETE"));
    free(shown);
    r.complete = false;
    r.environment.virtual_card = FLAG_NO;
    shown = written_one("text", &r);
    cr_expect_not_null(strstr(shown, "INCOMPLETE"));
    cr_expect_null(strstr(shown, "VIRTUAL"));
    free(shown);
    report_free(&r);
}

/* A file cannot make the terminal do things. */
Test(text, no_control_characters_pass)
{
    struct report r;
    struct measurement *m;
    char *shown;

    fixture_read(&r, "virtual_card.json");
    m = first_row(&r, "entropy_of_bits");
    free(m->parameters.items[0].word);
    m->parameters.items[0].word = xstrdup("red\033[2J\nand\tgreen");
    free(r.devices[0].name);
    r.devices[0].name = xstrdup("\033]0;title\007 NVIDIA");
    analysis_derive(&r);
    shown = written_one("text", &r);
    for (const char *c = shown; *c != '\0'; c++)
        cr_assert(*c == '\n' || (unsigned char)*c >= 0x20);
    free(shown);
    report_free(&r);
}

Test(text, colour_only_when_asked_for)
{
    const struct view view = {.colour = true, .columns = 80};
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[1];
    struct report r;

    fixture_read(&r, "virtual_host.json");
    list[0] = &r;
    cr_assert_eq(writer_named("text")->write(&out, list, 1, &view, &why), 0);
    cr_expect_not_null(strstr(text_chars(&out), "\033[1m"));
    text_free(&out);
    text_free(&why);
    report_free(&r);
}

Test(text, every_row_on_demand)
{
    const struct view view = {.all_rows = true};
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    const struct report *list[1];
    struct report r;

    fixture_read(&r, "virtual_card.json");
    list[0] = &r;
    cr_assert_eq(writer_named("text")->write(&out, list, 1, &view, &why), 0);
    cr_expect_null(strstr(text_chars(&out), "--all-rows"));
    for (int k = 10; k <= 30; k++) {
        char size[UNITS_MAX], line[UNITS_MAX + 4];

        snprintf(line, sizeof line, "\n  %s ", units_format(size, exp2(k), "B"));
        cr_expect_not_null(strstr(text_chars(&out), line), "%s", line);
    }
    text_free(&out);
    text_free(&why);
    report_free(&r);
}
