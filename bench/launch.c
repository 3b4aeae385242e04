/* What it costs to hand a card work: an empty kernel, launched in three ways (METHOD 9).  Most of
 * it is the CPU's and the link's doing.
 *
 *   call          the host's time for the enqueueing call alone
 *   back_to_back  from one kernel to the next on the card, all queued beforehand
 *   round_trip    launch and wait for the end, one at a time
 *
 * The figures have the ways' names.  There is no answer to check: nothing is computed. */
#include "harness/measure/experiment.h"
#include "kernels/instrument.h"

#include <math.h>

enum { CALL, BACK_TO_BACK, ROUND_TRIP };
static const char *const ways[] = {"call", "back_to_back", "round_trip", NULL};
static const enum timed_by timed_by[] = {TIMED_BY_CALL, TIMED_BY_EVENTS, TIMED_BY_HOST};

/* Launches of a sample: one where its whole length counts, which is shorter than other samples. */
enum { LAUNCHES = 1000 };
static const unsigned round_trips[PLANS] = {51, 100, 500};

static int prepare(struct trial *t)
{
    const unsigned way = (unsigned)t->at[0];

    if (trial_on_host(t))
        return trial_omit(t);
    t->kernel = &kernel_empty;
    t->role = "launch";
    t->metric = metric_time;
    t->timed_by = timed_by[way];
    t->headline = true;
    t->times = way == ROUND_TRIP ? 1 : LAUNCHES;
    t->samples = way == ROUND_TRIP ? round_trips[t->plan] : 0;
    t->sample_seconds = 1e-9;
    t->work = (struct work){NAN, NAN, 1};
    return 0;
}

static void conclude(struct conclusion *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (measurement_usable(&c->rows[i]))
            conclusion_figure(c, "launch", parameters_word(&c->rows[i].parameters, "way"),
                              estimate_of(&c->rows[i].value), "s");
}

const struct experiment experiment_launch = {
    .name = "launch",
    .summary = "what it costs to hand a card work",
    .axis = {{.name = "way", .names = ways}},
    .prepare = prepare,
    .conclude = conclude,
    .share = 0.2,
};
