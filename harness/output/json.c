/* The report as a result file, its roofs and ridge points as this ridge derives them. */
#include "harness/output/writers.h"
#include "harness/report/report_json.h"

static int write_json(struct text *out, const struct report *const *reports, size_t count,
                      const struct view *view, struct text *why)
{
    (void)view;
    if (count != 1) {
        text_add(why, "json is a result file: it holds one result, not several");
        return -1;
    }
    report_write(out, reports[0]);
    return 0;
}

const struct writer writer_json = {
    .name = "json",
    .summary = "a result file, for programs",
    .extension = ".json",
    .write = write_json,
};
