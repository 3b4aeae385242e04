/* Reads fixtures and runs writers. */
#include "fixture.h"
#include "harness/report/report_json.h"

#include <criterion/criterion.h>
#include <stdlib.h>

void fixture_read(struct report *r, const char *name)
{
    char *path = xasprintf("%s/tests/fixtures/%s", SOURCE_FOLDER, name);
    struct text why = TEXT_EMPTY;

    cr_assert_eq(report_read(r, path, &why), 0, "%s", text_chars(&why));
    analysis_derive(r);
    free(path);
}

char *written(const char *writer, const struct report *const *reports, size_t count)
{
    const struct view view = {0};
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;

    cr_assert_eq(writer_named(writer)->write(&out, reports, count, &view, &why), 0, "%s",
                 text_chars(&why));
    text_free(&why);
    return text_take(&out);
}

char *written_one(const char *writer, const struct report *r)
{
    return written(writer, &r, 1);
}
