/* `ridge check --thresholds FILE`: is an acceptance file worth anything? */
#include "harness/command/expectations.h"

#include "harness/analysis/acceptance.h"
#include "harness/analysis/findings.h"
#include "harness/command/command.h"
#include "harness/output/page.h"
#include "harness/output/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int worst_first(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;

    return (x->severity < y->severity) - (x->severity > y->severity);
}

static void show(const struct report *verdicts, long rows)
{
    const struct view view = view_of(stdout);
    struct text out = TEXT_EMPTY;
    struct page page = {0};

    page_addf(&page, BLOCK_TITLE, "%ld floor%s judged, %zu finding%s", rows, rows == 1 ? "" : "s",
              verdicts->finding_count, verdicts->finding_count == 1 ? "" : "s");
    page_add_findings(&page, verdicts);
    page_write_text(&out, &page, NULL, 0, &view);
    fputs(text_chars(&out), stdout);
    page_free(&page);
    text_free(&out);
}

static enum exit_status judge(const struct text *csv, const char *path,
                              const struct report *present)
{
    struct report verdicts;
    struct text why = TEXT_EMPTY;
    enum severity worst = SEVERITY_NOTE;
    long rows;

    report_init(&verdicts);
    rows = acceptance_judge(&verdicts, text_chars(csv), csv->length, path, present, &why);
    if (rows < 0) {
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
    } else {
        if (verdicts.finding_count > 0)
            qsort(verdicts.findings, verdicts.finding_count, sizeof *verdicts.findings,
                  worst_first);
        show(&verdicts, rows);
        findings_worst(&verdicts, &worst);
    }
    report_free(&verdicts);
    text_free(&why);
    if (rows < 0)
        return EXIT_USAGE;
    return worst == SEVERITY_FAULT ? EXIT_FAULT : worst == SEVERITY_NOTE ? EXIT_OK : EXIT_INVALID;
}

int check_thresholds(const char *path, const struct report *present)
{
    struct text csv = TEXT_EMPTY;
    int status = EXIT_USAGE;

    if (text_read_file(&csv, path) != 0)
        fprintf(stderr, "ridge: %s: cannot be read: %s\n", path, strerror(errno));
    else
        status = judge(&csv, path, present);
    text_free(&csv);
    return status;
}
