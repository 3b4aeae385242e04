/* Runs experiments on devices, one device after the other, and keeps to the plan's time. */
#include "harness/measure/runner.h"

#include "harness/device/system.h"
#include "harness/measure/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of a plan's time is not planned with: what estimates miss, and saving, comes from it. */
static const double planned_part = 0.93;
static const double tell_every = 0.2;

bool session_stopped(const struct session *s)
{
    return s->run->stop && s->run->stop(s->run->context);
}

/* By the pace so far and within the plan; but what is promised will be measured. */
static double seconds_left(const struct session *s)
{
    const struct progress *p = &s->progress;
    const double most = budget_left(&s->budget) + s->later_seconds;
    const double pace = p->fraction > 0 ? p->elapsed * (1 - p->fraction) / p->fraction : most;

    return fmax(s->budget.promised, fmin(most, pace));
}

void session_tell(struct session *s, double inner)
{
    struct progress *p = &s->progress;
    const double now = s->wall->now();

    if (!s->run->progress || now - s->last_told < tell_every)
        return;
    s->last_told = now;
    p->fraction = fmax(p->fraction, (s->shares_done + inner * s->share) / s->shares);
    p->elapsed = now - s->started;
    p->seconds_left = seconds_left(s);
    s->run->progress(s->run->context, p);
}

static double all_shares(const struct runner *run)
{
    double sum = 0;

    for (size_t i = 0; run->experiments[i]; i++)
        sum += experiment_share(run->experiments[i]);
    return sum;
}

double runner_estimate(const struct runner *run)
{
    return plan_seconds[run->plan] * (double)run->device_count;
}

/* An experiment that cannot even be asked: one row says so. */
static void add_single_row(struct session *s, const struct experiment *e, enum row_status status,
                           const char *reason)
{
    struct measurement *row = report_add_measurement(s->report);

    row->experiment = xstrdup(e->name);
    row->device = xstrdup(s->device->id);
    row->role = xstrdup(e->name);
    row->check = xstrdup("none");
    row->status = status;
    row->reason = xstrdup(reason);
}

/* Every other device of the same kind in turn.  Returns -1 when stopped. */
static int run_with_peers(struct session *s, const struct experiment *e)
{
    size_t peers = 0;

    for (size_t i = 0; i < s->run->device_count; i++) {
        struct device *peer = s->run->devices[i];
        if (peer == s->device || strcmp(peer->ops->kind, s->device->ops->kind) || peer->lost)
            continue;
        peers++;
        if (s->device->ops->connect(s->device, peer))
            add_single_row(s, e, ROW_SKIPPED, text_chars(&s->device->error));
        else if (series_run(s, e, peer))
            return -1;
    }
    if (!peers)
        add_single_row(s, e, ROW_SKIPPED, "needs two devices of one kind, and there is one");
    return 0;
}

static int run_experiment(struct session *s, const struct experiment *e)
{
    budget_enter(&s->budget, experiment_share(e));
    s->share = experiment_share(e);
    s->progress.experiment = e->name;
    session_tell(s, 0);
    if (s->device->lost)
        add_single_row(s, e, ROW_FAILED, text_chars(&s->device->error));
    else if (e->devices > 1 ? run_with_peers(s, e) : series_run(s, e, NULL))
        return -1;
    s->shares_done += s->share;
    s->progress.step++;
    return 0;
}

/* Notes in the device's record that it was given up. */
static void note_loss(const struct session *s, size_t record)
{
    struct device_record *d = &s->report->devices[record];

    if (s->device->lost && !d->unusable)
        d->unusable = xstrdup(text_chars(&s->device->error));
}

/* What the kernel's log says of the card since its run began. */
static void note_xids(const struct session *s, size_t record, double since)
{
    struct facts *f = &s->report->devices[record].facts;

    if (f->pci_id) {
        free(f->xids);
        f->xids = kernel_log_xids(f->pci_id, since);
    }
}

/* Returns -1 when stopped. */
static int run_device(struct session *s, size_t record)
{
    const struct runner *run = s->run;
    const double began = wall_system.now();
    int stopped = 0;

    s->progress.device = s->device->id;
    budget_begin(&s->budget, s->wall, planned_part * plan_seconds[run->plan], all_shares(run));
    for (size_t i = 0; run->experiments[i] && !stopped; i++) {
        stopped = run_experiment(s, run->experiments[i]);
        note_loss(s, record);
        note_xids(s, record, began);
        if (run->saved && run->saved(run->context, s->report))
            stopped = -1;
    }
    return stopped;
}

static size_t add_experiments(struct report *r, const struct experiment *const *list)
{
    size_t count = 0;

    for (; list[count]; count++) {
        struct experiment_record *e = report_add_experiment(r);
        e->name = xstrdup(list[count]->name);
        e->summary = xstrdup(list[count]->summary);
    }
    return count;
}

int runner_run(struct runner *run, struct report *r)
{
    const size_t first = r->device_count;
    struct session s = {.run = run, .report = r, .random = run->seed};
    int stopped = 0;

    s.wall = run->wall ? run->wall : &wall_system;
    s.started = s.wall->now();
    s.last_told = -INFINITY;
    s.shares = all_shares(run) * (double)run->device_count;
    s.progress.steps = add_experiments(r, run->experiments) * run->device_count;
    for (size_t i = 0; i < run->device_count; i++)
        device_record_fill(report_add_device(r), run->devices[i]);
    for (size_t i = 0; i < run->device_count && !stopped; i++) {
        s.device = run->devices[i];
        s.later_seconds = plan_seconds[run->plan] * (double)(run->device_count - i - 1);
        stopped = run_device(&s, first + i);
    }
    r->complete = !stopped;
    return stopped;
}
