/* The linter of acceptance files. */
#include "harness/analysis/acceptance.h"

#include <criterion/criterion.h>
#include <string.h>

/* Ids that a file with this one row gets, with blanks between them; "refused" when it is. */
static char *ids_of(const char *row)
{
    char *csv = xasprintf("card,figure,minimum,unit\n%s\n", row);
    struct text why = TEXT_EMPTY, ids = TEXT_EMPTY;
    struct report verdicts;

    report_init(&verdicts);
    if (acceptance_judge(&verdicts, csv, strlen(csv), "floors.csv", NULL, &why) < 0)
        text_add(&ids, "refused");
    for (size_t i = 0; i < verdicts.finding_count; i++)
        text_addf(&ids, "%s%s", i > 0 ? " " : "", verdicts.findings[i].id);
    report_free(&verdicts);
    text_free(&why);
    free(csv);
    return text_take(&ids);
}

static const struct {
    const char *row, *ids;
} cases[] = {
    {"a100-sxm4-80gb,memory,1.7e12,B/s", ""},
    {"a100-sxm4-80gb,memory,0.61,roof", ""},
    {"a100-sxm4-80gb,memory,0.59,roof", "PASSES_ANYTHING"},
    {"a100-sxm4-80gb,memory,0.94,roof", "FAILS_GOOD_CARDS"},
    {"a100-sxm4-80gb,memory,1.01,roof", "FAILS_EVERYTHING"},
    {"a100-sxm4-80gb,memory,170,GB/s", "PASSES_ANYTHING UNIT_SLIP"},
    {"a100-sxm4-80gb,memory,18.7,TB/s", "FAILS_EVERYTHING UNIT_SLIP"},
    {"a100-sxm4-80gb,bf16,624,TFLOPS", "FAILS_EVERYTHING SPARSE_PEAK"},
    {"a100-sxm4-80gb,link,22,GB/s", ""},
    {"a100-sxm4-80gb,poetry,22,GB/s", "UNKNOWN_CARD"},
    {"nobody's card,link,22,GB/s", "UNKNOWN_CARD"},
    {"a100-sxm4-80gb,link,22,GB", "refused"},
    {"a100-sxm4-80gb,link,,GB/s", "refused"},
    {"a100-sxm4-80gb,link,22 GB/s", "refused"},
    {"\"a100-sxm4-80gb,link,22,GB/s", "refused"},
};

Test(acceptance, rows_get_what_they_deserve)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *ids = ids_of(cases[i].row);

        cr_expect_str_eq(ids, cases[i].ids, "%s: %s, not %s", cases[i].row, ids, cases[i].ids);
        free(ids);
    }
}

Test(acceptance, columns_may_stand_in_any_order_and_others_are_passed_over)
{
    const char csv[] = "owner,unit,card,minimum,figure\nme,roof,l4,2,memory\n";
    struct text why = TEXT_EMPTY;
    struct report verdicts;

    report_init(&verdicts);
    cr_expect_eq(acceptance_judge(&verdicts, csv, strlen(csv), "f", NULL, &why), 1);
    cr_assert_eq(verdicts.finding_count, 1);
    cr_expect_str_eq(verdicts.findings[0].id, "FAILS_EVERYTHING");
    report_free(&verdicts);
}

Test(acceptance, a_mistake_names_the_file_and_the_record)
{
    const char csv[] = "card,figure,minimum,unit\nl4,memory,0.8,roof\nl4,memory,much,roof\n";
    struct text why = TEXT_EMPTY;
    struct report verdicts;

    report_init(&verdicts);
    cr_expect_eq(acceptance_judge(&verdicts, csv, strlen(csv), "f.csv", NULL, &why), -1);
    cr_expect_str_eq(text_chars(&why), "f.csv: record 3: 'much' is no number");
    text_free(&why);
    report_free(&verdicts);
}
