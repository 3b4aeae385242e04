/* ridge report: shows saved results again, in any form, on any machine. */
#include "harness/base/options.h"
#include "harness/command/command.h"
#include "harness/output/charts.h"
#include "harness/output/terminal.h"
#include "harness/output/writer.h"
#include "harness/report/report_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request {
    const struct writer *writer;
    const char *out, *figure;
    bool all_rows, plot;
    const char **paths;
    size_t count;
};

static const struct writer *writer_or_mistake(const char *name)
{
    const struct writer *writer = writer_named(name);
    const char *names[16], *nearest;
    size_t count = 0;

    if (writer != NULL)
        return writer;
    for (; writers[count] != NULL && count < COUNT_OF(names); count++)
        names[count] = writers[count]->name;
    nearest = text_nearest(name, names, count);
    options_mistake("unknown format '%s'%s%s%s", name, nearest != NULL ? "; did you mean '" : "",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static const char *figure_or_mistake(const char *name)
{
    const char *nearest;
    size_t count = 0;

    for (; chart_names[count] != NULL; count++)
        if (strcmp(chart_names[count], name) == 0)
            return chart_names[count];
    nearest = text_nearest(name, chart_names, count);
    options_mistake("unknown figure '%s'; %s%s%s", name,
                    nearest != NULL ? "did you mean '" : "`ridge report --help` lists them",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

/* The form that a file's name asks for; NULL where its end asks for none. */
static const struct writer *writer_of_path(const char *path)
{
    const size_t length = strlen(path);

    for (size_t i = 0; writers[i] != NULL; i++) {
        const size_t tail = strlen(writers[i]->extension);

        if (length > tail && strcmp(path + length - tail, writers[i]->extension) == 0)
            return writers[i];
    }
    if (strchr((strrchr(path, '/') != NULL ? strrchr(path, '/') : path), '.') != NULL)
        options_mistake("no format is known by the end of '%s'; name one with --format", path);
    return NULL;
}

static void choose_writer(struct request *q)
{
    if (q->writer == NULL && q->out != NULL)
        q->writer = writer_of_path(q->out);
    if (q->writer == NULL)
        q->writer = writer_named("text");
    if (q->figure != NULL && !q->writer->figures)
        options_mistake("--figure is for text, svg and png, not for %s", q->writer->name);
    if (q->plot && strcmp(q->writer->name, "text") != 0)
        options_mistake("--plot draws in the terminal: it is for text, not for %s",
                        q->writer->name);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct request *q = state->input;

    switch (key) {
    case 'f':
        q->writer = writer_or_mistake(argument);
        return 0;
    case 'o':
        q->out = argument;
        return 0;
    case 'a':
        q->all_rows = true;
        return 0;
    case 'F':
        q->figure = figure_or_mistake(argument);
        return 0;
    case 'P':
        q->plot = true;
        return 0;
    case ARGP_KEY_ARG:
        q->paths = xrealloc(q->paths, (q->count + 1) * sizeof *q->paths);
        q->paths[q->count++] = argument;
        return 0;
    case ARGP_KEY_END:
        choose_writer(q);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0,
     "text (default), markdown, csv, json, jsonl, html, svg or png; with --output the file's name "
     "decides",
     0},
    {"figure", 'F', "NAME", 0,
     "show this figure alone, with text, svg or png: roofline (default), transfer, memory, "
     "cache, latency, gemm, vector-peak, divergence, paths, hiding, hiding-fma, hiding-bytes, "
     "chains, time; the "
     "host's begin with host-",
     0},
    {"plot", 'P', NULL, 0,
     "charts in the terminal, in braille, instead of tables: all, or that of --figure", 0},
    {"output", 'o', "OUT", 0, "write to the file OUT", 0},
    {"all-rows", 'a', NULL, 0, "show every row of long tables", 0},
    {0},
};

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc = "Shows saved results again, on any machine; several files share one roofline.",
};

static void complain(const struct text *why)
{
    fprintf(stderr, "ridge: %s\n", text_chars(why));
}

/* Reads all files; returns how many, having said why where that is fewer than asked for. */
static size_t read_reports(struct report *reports, const struct request *q)
{
    struct text why = TEXT_EMPTY;

    for (size_t i = 0; i < q->count; i++) {
        if (report_read(&reports[i], q->paths[i], &why) != 0) {
            report_free(&reports[i]);
            complain(&why);
            text_free(&why);
            return i;
        }
        analysis_derive(&reports[i]);
    }
    return q->count;
}

static int deliver(const struct text *shown, const struct request *q)
{
    if (q->out != NULL && text_write_file(shown, q->out) != 0) {
        fprintf(stderr, "ridge: cannot write %s: %s\n", q->out, strerror(errno));
        return EXIT_USAGE;
    }
    if (q->out == NULL && (fwrite(text_chars(shown), 1, shown->length, stdout) != shown->length ||
                           fflush(stdout) != 0)) {
        fprintf(stderr, "ridge: cannot write to standard output: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int show(const struct report *reports, const struct request *q)
{
    const struct report **list = xcalloc(q->count, sizeof *list);
    struct view view = q->out == NULL ? view_of(stdout) : (struct view){0};
    struct text shown = TEXT_EMPTY, why = TEXT_EMPTY;
    int status = EXIT_USAGE;

    view.all_rows = q->all_rows;
    view.figure = q->figure;
    view.plot = q->plot;
    for (size_t i = 0; i < q->count; i++)
        list[i] = &reports[i];
    if (q->writer->write(&shown, list, q->count, &view, &why) == 0)
        status = deliver(&shown, q);
    else
        complain(&why);
    text_free(&shown);
    text_free(&why);
    free(list);
    return status;
}

static int run_report(int argc, char **argv)
{
    struct request q = {0};
    struct report *reports;
    size_t read;
    int status = EXIT_USAGE;

    options_parse(&argp, argc, argv, &q);
    if (q.count == 0)
        options_mistake("report needs a result file; see ridge report --help");
    if (q.writer->binary && q.out == NULL && isatty(STDOUT_FILENO))
        options_mistake("%s is not for a terminal: give a file with -o", q.writer->name);
    reports = xcalloc(q.count, sizeof *reports);
    read = read_reports(reports, &q);
    if (read == q.count)
        status = show(reports, &q);
    for (size_t i = 0; i < read; i++)
        report_free(&reports[i]);
    free(reports);
    free(q.paths);
    return status;
}

const struct command command_report = {
    .name = "report",
    .summary = "show saved results again, on any machine",
    .argp = &argp,
    .run = run_report,
};
