/* `ridge run`: measures devices, saves after every experiment, shows the report. */
#include "harness/command/command.h"

#include "harness/base/options.h"
#include "harness/base/version.h"
#include "harness/command/choice.h"
#include "harness/command/meter.h"
#include "harness/command/outcome.h"
#include "harness/command/result_file.h"
#include "harness/output/terminal.h"
#include "harness/report/report_json.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The order of samples is random, and the same in every run, so that a run can be repeated. */
enum { SEED = 20260102 };

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
    {0},
};

struct request {
    struct strings devices, experiments;
    const char *plan, *folder, *format;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct request *r = state->input;

    switch (key) {
    case 'd':
        choice_add(&r->devices, value);
        return 0;
    case 'e':
        choice_add(&r->experiments, value);
        return 0;
    case 'p':
        r->plan = value;
        return 0;
    case 'o':
        r->folder = value;
        return 0;
    case 'f':
        r->format = value;
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

/* ---- a run ---- */

struct job {
    struct report report;
    struct runner runner;
    struct chosen_devices devices;
    const struct experiment **experiments;
    const struct writer *writer;
    char *path;
    struct meter meter;
    double started;
    struct text trouble; /* why the result could not be saved */
};

static volatile sig_atomic_t caught;

/* The second signal of a kind ends the program at once. */
static void catch (int signal)
{
    caught = signal;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = catch, .sa_flags = (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool stop(void *context)
{
    (void)context;
    return caught != 0;
}

static void tell(void *context, const struct progress *p)
{
    struct job *job = context;

    meter_show(&job->meter, p);
}

static int save(void *context, struct report *r)
{
    struct job *job = context;

    r->seconds = wall_system.now() - job->started;
    analysis_derive(r);
    text_free(&job->trouble);
    return report_save(r, job->path, &job->trouble);
}

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

static void fill_provenance(struct provenance *p, int argc, char **argv, enum plan plan)
{
    char *copy = xstrdup(version_architectures), *rest = copy, *word;

    p->version = xstrdup(version_number);
    p->commit = *version_commit ? xstrdup(version_commit) : NULL;
    p->toolkit = *version_toolkit ? xstrdup(version_toolkit) : NULL;
    p->plan = xstrdup(plan_names[plan]);
    strings_add(&p->arguments, "run");
    for (int i = 1; i < argc; i++)
        strings_add(&p->arguments, argv[i]);
    while ((word = strsep(&rest, " ")))
        if (*word)
            strings_add(&p->architectures, word);
    free(copy);
}

/* Where to save; an unusable folder is the user's mistake, said before anything is measured. */
static char *choose_path(const struct report *r, const char *folder)
{
    const char *machine = r->environment.machine;
    char *usual = xasprintf("results/local/%s", machine ? machine : "unnamed");
    struct text why = TEXT_EMPTY;
    char *path = result_path(folder ? folder : usual, r->started, &why);

    if (!path)
        options_mistake("%s", text_chars(&why));
    free(usual);
    return path;
}

static void announce(const struct job *job, const struct text *why)
{
    const struct runner *run = &job->runner;
    size_t count = 0;

    if (why->length)
        fprintf(stderr, "ridge: %s\n", text_chars(why));
    while (run->experiments[count])
        count++;
    fprintf(stderr, "%s plan, at most about %.0f s: %zu experiment%s on ", plan_names[run->plan],
            runner_estimate(run), count, count == 1 ? "" : "s");
    for (size_t i = 0; i < run->device_count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", run->devices[i]->id);
    fprintf(stderr, "\nsaving to %s\n", job->path);
}

/* Chooses what to measure and where to save.  Returns an exit status. */
static enum exit_status open_job(struct job *job, const struct request *wanted, int argc,
                                 char **argv)
{
    const enum plan plan = choice_plan(wanted->plan ? wanted->plan : "standard");
    struct text why = TEXT_EMPTY;

    job->experiments = choice_experiments(&wanted->experiments);
    job->writer = choose_writer(wanted->format ? wanted->format : "text");
    if (choice_devices(&job->devices, &wanted->devices, &why)) {
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
        text_free(&why);
        return EXIT_NOTHING;
    }
    job->report.started = result_started();
    fill_provenance(&job->report.ridge, argc, argv, plan);
    device_describe_environment(&job->report.environment);
    job->path = choose_path(&job->report, wanted->folder);
    job->runner = (struct runner){.plan = plan,
                                  .devices = job->devices.items,
                                  .device_count = job->devices.count,
                                  .experiments = job->experiments,
                                  .seed = SEED,
                                  .context = job,
                                  .progress = tell,
                                  .saved = save,
                                  .stop = stop};
    if (wanted->devices.count)
        text_free(&why);
    announce(job, &why);
    text_free(&why);
    return EXIT_OK;
}

static void close_job(struct job *job)
{
    chosen_devices_close(&job->devices);
    report_free(&job->report);
    text_free(&job->trouble);
    free(job->experiments);
    free(job->path);
}

/* Returns false, having said why, when the report could not be shown. */
static bool show(const struct job *job)
{
    const struct report *reports[] = {&job->report};
    const struct view view = view_of(stdout);
    struct text out = TEXT_EMPTY, why = TEXT_EMPTY;
    bool shown = !job->writer->write(&out, reports, 1, &view, &why);

    if (!shown)
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
    else if (fwrite(text_chars(&out), 1, out.length, stdout) != out.length || fflush(stdout))
        perror("ridge: cannot show the report");
    text_free(&out);
    text_free(&why);
    return shown;
}

/* Measures, saves a last time and shows the report.  Returns an exit status. */
static enum exit_status run_job(struct job *job)
{
    catch_signals();
    meter_start(&job->meter);
    job->started = wall_system.now();
    runner_run(&job->runner, &job->report);
    meter_clear(&job->meter);
    if (save(job, &job->report)) {
        fprintf(stderr, "ridge: the result was not saved: %s\n", text_chars(&job->trouble));
        show(job);
        return EXIT_USAGE;
    }
    show(job);
    fprintf(stderr, "%ssaved %s\n", caught ? "interrupted; " : "", job->path);
    if (caught)
        return caught == SIGTERM ? EXIT_TERMINATED : EXIT_INTERRUPTED;
    return outcome_of(&job->report);
}

static int run(int argc, char **argv)
{
    struct request wanted = {0};
    struct job job = {0};
    enum exit_status status;

    options_parse(&argp, argc, argv, &wanted);
    report_init(&job.report);
    status = open_job(&job, &wanted, argc, argv);
    if (status == EXIT_OK)
        status = run_job(&job);
    close_job(&job);
    strings_free(&wanted.devices);
    strings_free(&wanted.experiments);
    return status;
}

const struct command command_run = {
    .name = "run",
    .summary = "measure devices, save the result and show the report",
    .argp = &argp,
    .run = run,
};
