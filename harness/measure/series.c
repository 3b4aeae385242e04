/* One experiment on one device: prepare, check, calibrate, sample, finish, conclude. */
#include "harness/measure/series.h"

#include "harness/measure/answer.h"
#include "harness/measure/points.h"
#include "harness/measure/sampler.h"
#include "harness/measure/schedule.h"
#include "harness/measure/trial_store.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The pause after a sample set aside (METHOD 1.2), doubled with each further one in a row. */
static const double pause_first = 0.05, pause_most = 0.4;
enum { SAMPLES_LEAST = 6 }; /* fewer give no 95 % interval */

struct series {
    struct session *session;
    const struct experiment *experiment;
    struct points points;
    struct trial_store store;
    struct report rows; /* in the making, in axis order */
    struct trial *trials;
    unsigned *wanted; /* samples of each; 0: not admitted, or not any more */
    size_t count;
};

/* Points whose row is still to be measured. */
static bool is_open(const struct trial *t)
{
    return !t->omitted && t->row->status == ROW_OK;
}

static void name_row(struct trial *t, const struct points *points)
{
    struct measurement *row = t->row;

    row->experiment = xstrdup(t->experiment->name);
    row->device = xstrdup(t->device->id);
    row->peer = t->peer ? xstrdup(t->peer->id) : NULL;
    row->status = ROW_OK;
    for (size_t i = 0; i < points->axes; i++) {
        const struct axis *a = &t->experiment->axis[i];
        if (!a->latent && a->names)
            parameters_set_word(&row->parameters, a->name, a->names[(size_t)t->at[i]]);
        else if (!a->latent)
            parameters_set_number(&row->parameters, a->name, t->at[i]);
    }
}

static void open_trials(struct series *s, struct device *peer)
{
    const struct session *in = s->session;

    s->trials = xcalloc(s->count + 1, sizeof *s->trials);
    s->wanted = xcalloc(s->count + 1, sizeof *s->wanted);
    report_init(&s->rows);
    for (size_t i = 0; i < s->count; i++)
        report_add_measurement(&s->rows);
    for (size_t i = 0; i < s->count; i++) {
        struct trial *t = &s->trials[i];
        *t = (struct trial){.experiment = s->experiment,
                            .device = in->device,
                            .peer = peer,
                            .plan = in->run->plan,
                            .store = &s->store,
                            .row = &s->rows.measurements[i],
                            .work = {NAN, NAN, NAN}};
        points_at(&s->points, i, t->at);
        name_row(t, &s->points);
    }
}

static void series_open(struct series *s, struct session *in, const struct experiment *e,
                        struct device *peer)
{
    *s = (struct series){.session = in, .experiment = e};
    points_of(&s->points, e, in->run->plan);
    s->count = s->points.count;
    trial_store_open(&s->store, in->device, in->run->plan);
    open_trials(s, peer);
}

static void series_close(struct series *s)
{
    s->session->progress.row = NULL;
    trial_store_free(&s->store);
    report_free(&s->rows);
    points_free(&s->points);
    free(s->trials);
    free(s->wanted);
}

/* What prepare said of the row becomes part of it. */
static void describe_row(struct trial *t)
{
    struct measurement *row = t->row;

    row->role = xstrdup(t->role ? t->role : t->experiment->name);
    row->metric = t->metric;
    row->work = t->work;
    row->headline = t->headline;
    row->timed_by = t->kernel ? xstrdup(timed_by_names[t->timed_by]) : NULL;
    row->check = xstrdup("none");
}

static void prepare(struct trial *t)
{
    const struct kernel *k;

    if (t->device->lost)
        trial_fail(t, "%s", text_chars(&t->device->error));
    else if (t->experiment->prepare(t) && is_open(t))
        trial_fail(t, "%s", text_chars(&t->device->error));
    k = t->kernel;
    assert(k || !is_open(t));
    if (is_open(t) && trial_on_host(t) && !k->host)
        trial_skip(t, "the host has no kernel %s", k->name);
    else if (is_open(t) && !trial_on_host(t) && !k->cuda)
        trial_skip(t, "this build has no kernel %s for cards", k->name);
    describe_row(t);
}

/* Asks every point for its kernel and arguments.  Returns -1 when stopped. */
static int prepare_all(struct series *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (session_stopped(s->session))
            return -1;
        prepare(&s->trials[i]);
        session_tell(s->session, 0.1 * (double)i / (double)s->count);
    }
    return 0;
}

static void warm(struct series *s)
{
    struct device *d = s->session->device;
    bool any = false;

    for (size_t i = 0; i < s->count; i++)
        any = any || is_open(&s->trials[i]);
    if (!any || s->experiment->cold || !d->ops->warm(d))
        return;
    /* A card that is lost is told of by every row. */
    for (size_t i = 0; i < s->count && !d->lost; i++)
        if (is_open(&s->trials[i]))
            trial_doubt(&s->trials[i], "cold");
}

static void leave_out(struct trial *t)
{
    trial_skip(t, "left out to keep within the %g s of the %s plan", plan_seconds[t->plan],
               plan_names[t->plan]);
}

/* Checks and calibrates a point, and promises it its samples if there is time for them; headline
 * rows always get theirs. */
static void admit(struct series *s, size_t i)
{
    struct trial *t = &s->trials[i];
    struct budget *b = &s->session->budget;
    const unsigned wanted = sampler_count(t);
    double cost = wanted * fmax(t->once_seconds, sampler_least_seconds(t));

    if (!t->headline && !budget_admits(b, cost)) {
        leave_out(t);
        return;
    }
    if (answer_check(t) || sampler_calibrate(t))
        return;
    cost = wanted * t->sample_wall;
    if (!t->headline && !budget_admits(b, cost)) {
        leave_out(t);
        return;
    }
    s->wanted[i] = wanted;
    b->promised += cost;
}

/* Headline rows first, then curves from coarse to fine, so that what time does not allow is spread
 * over a curve and does not cut off its end. */
static struct turn *order_of_admission(struct series *s)
{
    struct turn *turns = xcalloc(s->count + 1, sizeof *turns);

    for (size_t i = 0; i < s->count; i++)
        turns[i] = (struct turn){s->trials[i].headline ? -1
                                                       : points_rank(&s->points, i) +
                                                             random_unit(&s->session->random),
                                 i};
    turns_sort(turns, s->count);
    return turns;
}

/* A device that was given up can do nothing more. */
static void fail_if_lost(struct trial *t)
{
    if (t->device->lost && is_open(t))
        trial_fail(t, "%s", text_chars(&t->device->error));
}

static int admit_all(struct series *s)
{
    struct turn *turns = order_of_admission(s);
    int stopped = 0;

    for (size_t i = 0; i < s->count && !stopped; i++) {
        fail_if_lost(&s->trials[turns[i].who]);
        if (is_open(&s->trials[turns[i].who]))
            admit(s, turns[i].who);
        session_tell(s->session, 0.1 + 0.2 * (double)i / (double)s->count);
        stopped = session_stopped(s->session) ? -1 : 0;
    }
    free(turns);
    return stopped;
}

/* Curve rows get no more samples once the time is overdrawn. */
static bool may_sample(const struct series *s, size_t i)
{
    const struct trial *t = &s->trials[i];

    return s->wanted[i] && is_open(t) && !t->device->lost &&
           (t->headline || !budget_overdrawn(&s->session->budget));
}

static void take_turn(struct series *s, size_t i, double *pause)
{
    struct session *in = s->session;
    int took;

    if (!may_sample(s, i))
        return;
    took = sampler_take(&s->trials[i]);
    in->progress.row = s->trials[i].row;
    in->budget.promised = fmax(0, in->budget.promised - s->trials[i].sample_wall);
    *pause = took == SAMPLE_ASIDE ? fmin(pause_most, *pause > 0 ? 2 * *pause : pause_first) : 0;
    if (*pause > 0 && budget_admits(&in->budget, *pause))
        in->wall->rest(*pause);
}

/* Returns -1 when stopped. */
static int take_rounds(struct series *s, const unsigned *wanted)
{
    struct turn *turns;
    const size_t count = s->experiment->in_turn
                             ? schedule_in_turn(&turns, wanted, s->count)
                             : schedule_rounds(&turns, wanted, s->count, &s->session->random);
    double pause = 0;
    int stopped = 0;

    for (size_t i = 0; i < count && !stopped; i++) {
        take_turn(s, turns[i].who, &pause);
        session_tell(s->session, 0.3 + 0.7 * (double)i / (double)count);
        stopped = session_stopped(s->session) ? -1 : 0;
    }
    free(turns);
    return stopped;
}

/* Takes the samples set aside anew, once, while there is time. */
static int retake(struct series *s)
{
    unsigned *missing = xcalloc(s->count + 1, sizeof *missing);
    int stopped = 0;
    bool any = false;

    for (size_t i = 0; i < s->count; i++) {
        const struct trial *t = &s->trials[i];
        const size_t kept = sampler_kept(t);
        const size_t aside = t->row->samples - kept;
        if (aside && aside <= kept && budget_admits(&s->session->budget, aside * t->sample_wall)) {
            missing[i] = (unsigned)aside;
            any = true;
        }
    }
    if (any)
        stopped = take_rounds(s, missing);
    free(missing);
    return stopped;
}

/* Enough samples for an interval, or all that were wanted. */
static bool has_enough(const struct series *s, size_t i)
{
    return s->wanted[i] && s->trials[i].row->samples >= fmin(s->wanted[i], SAMPLES_LEAST);
}

static void finish(struct series *s, size_t i, bool stopped)
{
    struct trial *t = &s->trials[i];

    if (!t->row->role)
        t->omitted = true; /* stopped before it was prepared: not even known to be a question */
    fail_if_lost(t);
    if (is_open(t) && !has_enough(s, i) && stopped)
        trial_skip(t, "interrupted");
    else if (is_open(t) && !has_enough(s, i))
        leave_out(t);
    if (!t->omitted)
        sampler_finish(t);
}

/* Rows move into the report in axis order.  Returns how many. */
static size_t hand_over(struct series *s)
{
    size_t moved = 0;

    for (size_t i = 0; i < s->count; i++) {
        struct measurement *row = s->trials[i].row, *to, empty;
        if (s->trials[i].omitted)
            continue;
        to = report_add_measurement(s->session->report);
        empty = *to;
        *to = *row;
        *row = empty;
        moved++;
    }
    return moved;
}

static void conclude(struct series *s, size_t rows)
{
    struct report *r = s->session->report;
    struct conclusion c = {.report = r,
                           .experiment = s->experiment->name,
                           .device = s->session->device->id,
                           .facts = &s->session->device->facts,
                           .rows = r->measurements + r->measurement_count - rows,
                           .count = rows};

    if (s->experiment->conclude && rows)
        s->experiment->conclude(&c);
}

int series_run(struct session *in, const struct experiment *e, struct device *peer)
{
    struct series s;
    int stopped;

    series_open(&s, in, e, peer);
    stopped = prepare_all(&s);
    if (!stopped)
        warm(&s);
    if (!stopped)
        stopped = admit_all(&s);
    if (!stopped)
        stopped = take_rounds(&s, s.wanted);
    if (!stopped)
        stopped = retake(&s);
    for (size_t i = 0; i < s.count; i++)
        finish(&s, i, stopped);
    conclude(&s, hand_over(&s));
    series_close(&s);
    return stopped;
}
