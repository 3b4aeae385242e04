/* `ridge check`: a verdict on the devices, with the cause, the evidence and what to do. */
#include "harness/command/command.h"

#include "harness/analysis/roofline.h"
#include "harness/base/options.h"
#include "harness/command/check_outcome.h"
#include "harness/command/expectations.h"
#include "harness/command/measuring.h"
#include "harness/output/check_page.h"
#include "harness/output/terminal.h"
#include "harness/report/report_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUDGET_SECONDS = 60, LABELS_HOLD_SECONDS = 7 * 24 * 3600 };
enum {
    KEY_EXPLAIN = 256,
    KEY_SILENT,
    KEY_AGAINST,
    KEY_LINK,
    KEY_POWER,
    KEY_MEMORY,
    KEY_ONE_LINE,
    KEY_PROMETHEUS,
    KEY_NFD,
    KEY_THRESHOLDS,
    KEY_FAIL_ON,
    KEY_BUDGET
};

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0,
     "without FILE: measure this device only; may be repeated, or a list with commas", 0},
    {"budget", KEY_BUDGET, "SECONDS", 0, "without FILE: measure no longer than this (60)", 0},
    {"against", KEY_AGAINST, "BASELINE", 0,
     "compare with an earlier result of the same devices: have they become slower?", 0},
    {"expect-link", KEY_LINK, "LINK", 0, "the link is meant to be this, for example gen5x16", 0},
    {"expect-power", KEY_POWER, "WATTS", 0, "the power limit is meant to be this", 0},
    {"expect-memory", KEY_MEMORY, "GB", 0, "the card was sold with this much memory", 0},
    {"explain", KEY_EXPLAIN, "ID", 0,
     "print a rule: what it needs, when it speaks, its thresholds and their source; `all`: every "
     "rule",
     0},
    {"silent", KEY_SILENT, NULL, 0, "list the rules that could not run, and what each lacked", 0},
    {"one-line", KEY_ONE_LINE, NULL, 0,
     "print the verdict as one line of 200 characters at most, for health checks", 0},
    {"prometheus", KEY_PROMETHEUS, "FILE", 0,
     "write samples for node_exporter's textfile collector", 0},
    {"nfd", KEY_NFD, "FILE", 0, "write labels for Node Feature Discovery", 0},
    {"thresholds", KEY_THRESHOLDS, "FILE", 0,
     "judge an acceptance file instead (CSV: card,figure,minimum,unit; DCGM's YAML of skus; NHC's "
     "check_gpu_bw, with a result FILE of the cards): what passes a broken card, and what no card "
     "can reach",
     0},
    {"fail-on", KEY_FAIL_ON, "SEVERITY", 0,
     "degraded (the default) or fault: with fault, what is degraded ends with status 0", 0},
    {0},
};

struct request {
    struct measuring_request measured;
    struct circumstances given;
    struct strings files;
    const char *explain, *against, *prometheus, *nfd, *thresholds;
    bool silent, one_line, only_faults;
};

static double positive(const char *option, const char *word)
{
    char *end;
    const double number = strtod(word, &end);

    if (end == word || *end != '\0' || !(number > 0) || !isfinite(number))
        options_mistake("--%s needs a positive number, not '%s'", option, word);
    return number;
}

static error_t parse_expectation(int key, char *value, struct circumstances *given)
{
    switch (key) {
    case KEY_LINK:
        if (!expectation_link(value, &given->link_generation, &given->link_width))
            options_mistake("--expect-link needs a link like gen5x16, not '%s'", value);
        return 0;
    case KEY_POWER:
        given->power_watts = positive("expect-power", value);
        return 0;
    case KEY_MEMORY:
        given->memory_bytes = positive("expect-memory", value) * 1073741824.0;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_output(int key, char *value, struct request *q)
{
    switch (key) {
    case KEY_SILENT:
        q->silent = true;
        return 0;
    case KEY_ONE_LINE:
        q->one_line = true;
        return 0;
    case KEY_PROMETHEUS:
        q->prometheus = value;
        return 0;
    case KEY_NFD:
        q->nfd = value;
        return 0;
    case KEY_FAIL_ON:
        q->only_faults = strcmp(value, "fault") == 0;
        if (!q->only_faults && strcmp(value, "degraded") != 0)
            options_mistake("--fail-on needs degraded or fault, not '%s'", value);
        return 0;
    default:
        return parse_expectation(key, value, &q->given);
    }
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct request *q = state->input;

    switch (key) {
    case 'd':
        choice_add(&q->measured.devices, value);
        return 0;
    case KEY_BUDGET:
        q->measured.budget_seconds = positive("budget", value);
        return 0;
    case KEY_AGAINST:
        q->against = value;
        return 0;
    case KEY_EXPLAIN:
        q->explain = value;
        return 0;
    case KEY_THRESHOLDS:
        q->thresholds = value;
        return 0;
    case ARGP_KEY_ARG:
        strings_add(&q->files, value);
        return 0;
    default:
        return parse_output(key, value, q);
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[FILE...]",
    .doc =
        "Judges devices: findings with their evidence and what to do, and whether the main "
        "figures are normal. Measures within a minute when no result file is given; several "
        "files are judged together.\v"
        "Exit status: 0 nothing worse than a note; 1 something degraded; 2 wrong command line or "
        "file; 3 a main figure is missing or invalid, or "
        "an expectation cannot be judged; 4 a fault, a wrong answer or a failed row; "
        "130 or 143 interrupted.",
};

/* ---- explain ---- */

static int explain(const char *word)
{
    struct text out = TEXT_EMPTY;
    struct strings ids = {0};

    finding_ids(&ids);
    if (strcmp(word, "all") == 0)
        for (size_t i = 0; i < ids.count; i++)
            finding_explain(&out, ids.items[i]);
    else if (!finding_explain(&out, word)) {
        const char *nearest = text_nearest(word, (const char *const *)ids.items, ids.count);

        options_mistake("there is no rule %s%s%s%s", word, nearest ? "; did you mean " : "",
                        nearest ? nearest : "", nearest ? "?" : "");
    }
    fputs(text_chars(&out), stdout);
    strings_free(&ids);
    text_free(&out);
    return EXIT_OK;
}

/* ---- judging ---- */

struct docket {
    struct report *reports; /* judged together */
    const struct report **list;
    size_t count;
    struct report baseline;
    struct circumstances given;
};

static int read_report(struct report *out, const char *path)
{
    struct text why = TEXT_EMPTY;
    const int failed = report_read(out, path, &why);

    if (failed)
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
    text_free(&why);
    return failed;
}

/* Findings of each, in sight of the others and of the baseline. */
static void judge(struct docket *d)
{
    for (size_t i = 0; i < d->count; i++)
        d->list[i] = &d->reports[i];
    d->given.together = d->list;
    d->given.together_count = d->count;
    for (size_t i = 0; i < d->count; i++) {
        analysis_derive(&d->reports[i]);
        findings_derive(&d->reports[i], &d->given);
    }
}

static int write_file(const struct text *contents, const char *path)
{
    if (text_write_file(contents, path) == 0)
        return 0;
    fprintf(stderr, "ridge: cannot write %s: %s\n", path, strerror(errno));
    return -1;
}

static int export(const struct request *q, const struct docket *d, const struct verdict_summary *v)
{
    struct text prometheus = TEXT_EMPTY, nfd = TEXT_EMPTY;
    int failed = 0;

    export_prometheus(&prometheus, &d->reports[0], v);
    export_nfd(&nfd, &d->reports[0], v, time(NULL) + LABELS_HOLD_SECONDS);
    if (q->prometheus != NULL)
        failed |= write_file(&prometheus, q->prometheus);
    if (q->nfd != NULL)
        failed |= write_file(&nfd, q->nfd);
    text_free(&prometheus);
    text_free(&nfd);
    return failed;
}

/* --fail-on fault changes what the status is, not what is said. */
static void show(const struct request *q, const struct docket *d)
{
    const struct view view = view_of(stdout);
    struct text out = TEXT_EMPTY, missing = TEXT_EMPTY;

    for (size_t i = 0; i < d->count; i++) {
        const struct report *r = &d->reports[i];
        struct verdict_summary v;

        text_free(&missing);
        check_missing(&missing, r, &d->given);
        v = check_summary(check_outcome(r, &d->given), text_chars(&missing));
        if (q->one_line)
            export_one_line(&out, r, &v);
        else
            check_page(&out, r, &v, q->silent ? &d->given : NULL, &view);
    }
    fputs(text_chars(&out), stdout);
    text_free(&out);
    text_free(&missing);
}

static enum exit_status deliver(const struct request *q, struct docket *d, enum exit_status status)
{
    struct verdict_summary v;

    judge(d);
    for (size_t i = 0; i < d->count; i++)
        status = check_worse(status, check_outcome(&d->reports[i], &d->given));
    if (status == EXIT_INVALID && q->only_faults)
        status = EXIT_OK;
    show(q, d);
    v = check_summary(status, "");
    if ((q->prometheus != NULL || q->nfd != NULL) && export(q, d, &v) != 0)
        return EXIT_USAGE;
    return status;
}

static enum exit_status check_files(const struct request *q, struct docket *d)
{
    for (; d->count < q->files.count; d->count++)
        if (read_report(&d->reports[d->count], q->files.items[d->count]) != 0)
            return EXIT_USAGE;
    if (q->thresholds != NULL)
        return check_thresholds(q->thresholds, d->count > 0 ? &d->reports[0] : NULL);
    return deliver(q, d, EXIT_OK);
}

/* The link, memory, and arithmetic: what a verdict is about. */
static enum exit_status check_devices(struct request *q, struct docket *d, int argc, char **argv)
{
    struct measuring m;
    enum exit_status status;

    choice_add(&q->measured.experiments, "transfer,memory,gemm,vector_peak,launch");
    if (q->measured.budget_seconds <= 0)
        q->measured.budget_seconds = BUDGET_SECONDS;
    q->measured.budget_seconds *= 0.9; /* kept back for opening, finishing and showing */
    status = measuring_open(&m, &q->measured, argc, argv);
    if (status == EXIT_OK) {
        status = measuring_run(&m);
        d->reports[0] = m.report; /* lent: measuring_close frees it */
        d->count = 1;
        status = check_worse(status, deliver(q, d, EXIT_OK));
        m.report = d->reports[0];
        d->count = 0;
    }
    measuring_close(&m);
    return status;
}

static int run_check(int argc, char **argv)
{
    struct request q = {.measured = {.command = "check", .plan = "quick"},
                        .given = circumstances_unknown};
    struct docket d = {0};
    int status;

    options_parse(&argp, argc, argv, &q);
    if (q.explain != NULL)
        return explain(q.explain);
    if (q.files.count > 1 && (q.prometheus != NULL || q.nfd != NULL))
        options_mistake("--prometheus and --nfd take one result at a time");
    d.reports = xcalloc(q.files.count + 1, sizeof *d.reports);
    d.list = xcalloc(q.files.count + 1, sizeof *d.list);
    d.given = q.given;
    report_init(&d.baseline);
    if (q.against != NULL && read_report(&d.baseline, q.against) != 0) {
        status = EXIT_USAGE;
    } else {
        d.given.baseline = q.against != NULL ? &d.baseline : NULL;
        status = q.files.count > 0 || q.thresholds != NULL ? check_files(&q, &d)
                                                           : check_devices(&q, &d, argc, argv);
    }
    for (size_t i = 0; i < d.count; i++)
        report_free(&d.reports[i]);
    report_free(&d.baseline);
    free(d.reports);
    free(d.list);
    strings_free(&q.files);
    strings_free(&q.measured.devices);
    strings_free(&q.measured.experiments);
    return status;
}

const struct command command_check = {
    .name = "check",
    .summary = "a verdict on the devices, with cause, evidence and fix",
    .argp = &argp,
    .run = run_check,
};
