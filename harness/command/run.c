/* `ridge run`: measures devices, saves after every experiment, shows the report. */
#include "harness/command/command.h"

#include "harness/base/options.h"
#include "harness/command/measuring.h"
#include "harness/command/outcome.h"
#include "harness/output/terminal.h"

#include <unistd.h>

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0,
     "measure this device (cuda0, cuda1, ..., host; cuda: all cards); may be repeated, or a list "
     "with commas; all that are found when left out",
     0},
    {"experiment", 'e', "EXPERIMENT", 0,
     "run this experiment only; may be repeated, or a list with commas; `ridge list` names them",
     0},
    {"plan", 'p', "PLAN", 0,
     "how much time each device gets: quick (15 s), standard (60 s, the default) or thorough "
     "(10 min)",
     0},
    {"output", 'o', "DIR", 0,
     "save the result in this folder; results/local/MACHINE below the current one when left out",
     0},
    {"format", 'f', "FORMAT", 0,
     "how the report is shown on stdout: text (the default), markdown, csv or json", 0},
    {"watch", 'w', NULL, 0,
     "draw the rate, the clock and the power of the newest sample while measuring (on a terminal)",
     0},
    {0},
};

struct request {
    struct measuring_request measured;
    const char *format;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct request *r = state->input;

    switch (key) {
    case 'd':
        choice_add(&r->measured.devices, value);
        return 0;
    case 'e':
        choice_add(&r->measured.experiments, value);
        return 0;
    case 'p':
        r->measured.plan = value;
        return 0;
    case 'o':
        r->measured.folder = value;
        return 0;
    case 'f':
        r->format = value;
        return 0;
    case 'w':
        r->measured.watches = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Measures devices and shows what they can do. Progress goes to stderr, the report to "
           "stdout; the result is saved after every experiment.\v"
           "Exit status: 0 measured; 1 a row must not be used; 2 wrong command line, or the result "
           "could not be saved; 3 nothing could be measured; 4 a row failed or had a wrong answer; "
           "130 or 143 interrupted (what was measured is saved)."};

static const struct writer *choose_writer(const char *format)
{
    const char *names[16];
    size_t count = 0;

    for (; writers[count] && count < COUNT_OF(names); count++)
        names[count] = writers[count]->name;
    if (!writer_named(format) && text_nearest(format, names, count))
        options_mistake("unknown format '%s'; did you mean '%s'?", format,
                        text_nearest(format, names, count));
    if (!writer_named(format))
        options_mistake("unknown format '%s'; `ridge report --help` lists them", format);
    if (writer_named(format)->binary && isatty(STDOUT_FILENO))
        options_mistake("format %s is not for a terminal: send it to a file", format);
    return writer_named(format);
}

/* Returns false, having said why, when the report could not be shown. */
static bool show(const struct report *r, const struct writer *writer)
{
    const struct report *reports[] = {r};
    const struct view view = view_of(stdout);
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    bool shown = !writer->write(&out, reports, 1, &view, &why);

    if (!shown)
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
    else if (fwrite(text_chars(&out), 1, out.length, stdout) != out.length || fflush(stdout))
        perror("ridge: cannot show the report");
    text_free(&out);
    text_free(&why);
    return shown;
}

static int run(int argc, char **argv)
{
    struct request wanted = {.measured = {.command = "run", .saves = true}};
    const struct writer *writer;
    struct measuring m;
    enum exit_status status;

    options_parse(&argp, argc, argv, &wanted);
    writer = choose_writer(wanted.format ? wanted.format : "text");
    status = measuring_open(&m, &wanted.measured, argc, argv);
    if (status == EXIT_OK) {
        status = measuring_run(&m);
        show(&m.report, writer);
        if (status == EXIT_OK)
            status = outcome_of(&m.report);
    }
    measuring_close(&m);
    strings_free(&wanted.measured.devices);
    strings_free(&wanted.measured.experiments);
    return status;
}

const struct command command_run = {
    .name = "run",
    .summary = "measure devices, save the result and show the report",
    .argp = &argp,
    .run = run,
};
