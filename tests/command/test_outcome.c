/* What exit status a report's rows mean, in the order 4, 3, 1. */
#include "harness/command/outcome.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

struct sample {
    enum row_status rows[3];
    size_t count;
    enum exit_status expected;
};

ParameterizedTestParameters(outcome, is_the_first_that_applies)
{
    static struct sample samples[] = {
        {{ROW_OK, ROW_OK, ROW_SKIPPED}, 3, EXIT_OK},
        {{ROW_OK, ROW_INVALID}, 2, EXIT_INVALID},
        {{ROW_INVALID, ROW_SKIPPED}, 2, EXIT_NOTHING},
        {{ROW_SKIPPED, ROW_SKIPPED, ROW_SKIPPED}, 3, EXIT_NOTHING},
        {{ROW_OK}, 0, EXIT_NOTHING},
        {{ROW_OK, ROW_FAILED, ROW_INVALID}, 3, EXIT_FAULT},
        {{ROW_WRONG, ROW_SKIPPED}, 2, EXIT_FAULT},
    };
    return cr_make_param_array(struct sample, samples, COUNT_OF(samples));
}

ParameterizedTest(struct sample *s, outcome, is_the_first_that_applies)
{
    struct report r;

    report_init(&r);
    for (size_t i = 0; i < s->count; i++)
        report_add_measurement(&r)->status = s->rows[i];
    cr_expect_eq(outcome_of(&r), s->expected);
    report_free(&r);
}
