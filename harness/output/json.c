/* The report as JSON, its roofs, ridge points and findings as this ridge derives them: a result
 * file, or a line for each record. */
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

static int write_jsonl(struct text *out, const struct report *const *reports, size_t count,
                       const struct view *view, struct text *why)
{
    (void)view;
    (void)why;
    for (size_t i = 0; i < count; i++)
        report_write_lines(out, reports[i]);
    return 0;
}

const struct writer writer_jsonl = {
    .name = "jsonl",
    .summary = "a line of JSON for each record, for log systems",
    .extension = ".jsonl",
    .write = write_jsonl,
};
