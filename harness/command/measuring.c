/* Measuring for a command: the runner, with its devices, its watcher and its file. */
#include "harness/command/measuring.h"

#include "harness/analysis/roofline.h"
#include "harness/base/options.h"
#include "harness/base/version.h"
#include "harness/command/result_file.h"
#include "harness/report/report_json.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The order of samples is random, and the same in every run, so that a run can be repeated. */
enum { SEED = 20260102 };

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
    const struct measuring *m = context;

    return caught != 0 ||
           (m->budget_seconds > 0 && wall_system.now() - m->started > m->budget_seconds);
}

static void tell(void *context, const struct progress *p)
{
    struct measuring *m = context;

    meter_show(&m->meter, p);
}

static int save(void *context, struct report *r)
{
    struct measuring *m = context;

    r->seconds = wall_system.now() - m->started;
    analysis_derive(r);
    text_free(&m->trouble);
    return m->path == NULL ? 0 : report_save(r, m->path, &m->trouble);
}

static void fill_provenance(struct provenance *p, const char *command, int argc, char **argv,
                            enum plan plan)
{
    char *copy = xstrdup(version_architectures), *rest = copy, *word;

    p->version = xstrdup(version_number);
    p->commit = *version_commit ? xstrdup(version_commit) : NULL;
    p->toolkit = *version_toolkit ? xstrdup(version_toolkit) : NULL;
    p->plan = xstrdup(plan_names[plan]);
    strings_add(&p->arguments, command);
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

static void announce(const struct measuring *m, const struct text *why)
{
    const struct runner *run = &m->runner;
    size_t count = 0;

    if (why->length)
        fprintf(stderr, "ridge: %s\n", text_chars(why));
    while (run->experiments[count])
        count++;
    fprintf(stderr, "%s plan, at most about %.0f s: %zu experiment%s on ", plan_names[run->plan],
            runner_estimate(run), count, count == 1 ? "" : "s");
    for (size_t i = 0; i < run->device_count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", run->devices[i]->id);
    fputc('\n', stderr);
    if (m->path != NULL)
        fprintf(stderr, "saving to %s\n", m->path);
}

static struct runner runner_of(struct measuring *m, enum plan plan)
{
    return (struct runner){.plan = plan,
                           .devices = m->devices.items,
                           .device_count = m->devices.count,
                           .experiments = m->experiments,
                           .seed = SEED,
                           .context = m,
                           .progress = tell,
                           .saved = save,
                           .stop = stop};
}

enum exit_status measuring_open(struct measuring *m, const struct measuring_request *wanted,
                                int argc, char **argv)
{
    const enum plan plan = choice_plan(wanted->plan ? wanted->plan : "standard");
    struct text why = TEXT_EMPTY;

    *m = (struct measuring){.watches = wanted->watches, .budget_seconds = wanted->budget_seconds};
    report_init(&m->report);
    m->started = wall_system.now();
    m->experiments = choice_experiments(&wanted->experiments);
    if (choice_devices(&m->devices, &wanted->devices, &why)) {
        fprintf(stderr, "ridge: %s\n", text_chars(&why));
        text_free(&why);
        return EXIT_NOTHING;
    }
    m->report.started = result_started();
    fill_provenance(&m->report.ridge, wanted->command, argc, argv, plan);
    device_describe_environment(&m->report.environment);
    m->path = wanted->saves ? choose_path(&m->report, wanted->folder) : NULL;
    m->runner = runner_of(m, plan);
    if (wanted->devices.count)
        text_free(&why);
    announce(m, &why);
    text_free(&why);
    return EXIT_OK;
}

void measuring_close(struct measuring *m)
{
    chosen_devices_close(&m->devices);
    report_free(&m->report);
    text_free(&m->trouble);
    free(m->experiments);
    free(m->path);
}

enum exit_status measuring_run(struct measuring *m)
{
    catch_signals();
    meter_start(&m->meter, m->watches);
    if (m->budget_seconds <= 0)
        m->started = wall_system.now();
    runner_run(&m->runner, &m->report);
    meter_clear(&m->meter);
    if (save(m, &m->report)) {
        fprintf(stderr, "ridge: the result was not saved: %s\n", text_chars(&m->trouble));
        return EXIT_USAGE;
    }
    if (m->path != NULL)
        fprintf(stderr, "%ssaved %s\n", caught ? "interrupted; " : "", m->path);
    if (caught)
        return caught == SIGTERM ? EXIT_TERMINATED : EXIT_INTERRUPTED;
    return EXIT_OK;
}
