/* A run on fake devices, and experiments for it. */
#include "tests/measure/fake_run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

struct device devices[DEVICES_MAX];
static struct device *list[DEVICES_MAX];
struct report report;
struct runner run;
int saves, save_result, tellings;
static struct progress last;

static int saved(void *context, struct report *r)
{
    (void)context, (void)r;
    saves++;
    return save_result;
}

static void told(void *context, const struct progress *p)
{
    (void)context;
    tellings++;
    cr_expect(p->fraction >= last.fraction && p->fraction <= 1, "%g after %g", p->fraction,
              last.fraction);
    last = *p;
}

void open_run(void)
{
    fake_reset();
    devices[0] = fake_open(&fake_card, "cuda0");
    devices[1] = fake_open(&fake_host, "host");
    for (size_t i = 0; i < DEVICES_MAX; i++)
        list[i] = &devices[i];
    report_init(&report);
    run = (struct runner){.plan = PLAN_STANDARD,
                          .devices = list,
                          .device_count = 1,
                          .seed = 5,
                          .wall = &fake_wall,
                          .progress = told,
                          .saved = saved,
                          .stop = fake_stop};
}

void close_run(void)
{
    cr_expect_eq(fake.live_buffers, 0, "%d buffers were not given back", fake.live_buffers);
    report_free(&report);
    for (size_t i = 0; i < DEVICES_MAX; i++)
        fake_close(&devices[i]);
}

int measure(const struct experiment *a, const struct experiment *b)
{
    const struct experiment *const both[] = {a, b, NULL};

    last = (struct progress){0};
    run.experiments = both;
    return runner_run(&run, &report);
}

/* ---- an experiment whose every point is one number, with scripted mishaps ---- */

double once = 1e-3;

int prepare_plain(struct trial *t)
{
    struct fake_args *a = trial_args(t, sizeof *a);
    bool fresh;

    *a = (struct fake_args){once, (int)trial_number(t, "x")};
    t->kernel = &fake_kernel;
    t->role = "plain";
    t->metric = metric_time;
    t->work.operations = 1;
    return trial_buffer(t, "shared", MEMORY_DEVICE, 32, &fresh) ? 0 : -1;
}

int prepare_mishaps(struct trial *t)
{
    if (trial_number(t, "x") == SKIPPED_POINT)
        return trial_skip(t, "no such thing as %g", trial_number(t, "x"));
    if (trial_number(t, "x") == OMITTED_POINT)
        return trial_omit(t);
    t->headline = trial_number(t, "x") == HEADLINE_POINT;
    trial_parameter_word(t, "made", "by prepare");
    return prepare_plain(t);
}

static int check_mishaps(struct trial *t)
{
    return trial_number(t, "x") == WRONG_POINT ? trial_wrong(t, "element 7 is 1, expected 2") : 0;
}

static void conclude(struct conclusion *c)
{
    cr_expect_eq(c->rows[0].device,
                 report.measurements[report.measurement_count - c->count].device);
    if (conclusion_row(c, "plain", NULL))
        conclusion_figure(c, "plain", "rows", (struct estimate){(double)c->count, NAN, NAN}, "");
}

const struct experiment plain = {.name = "plain",
                                 .summary = "plain points",
                                 .axis = {{.name = "x", .first = 0, .last = 9, .step = 1}},
                                 .prepare = prepare_plain,
                                 .conclude = conclude};

const struct experiment mishaps = {.name = "mishaps",
                                   .summary = "points that go wrong",
                                   .axis = {{.name = "x", .first = 0, .last = 9, .step = 1}},
                                   .prepare = prepare_mishaps,
                                   .check = check_mishaps,
                                   .conclude = conclude};

const struct measurement *row_of(double x)
{
    for (size_t i = 0; i < report.measurement_count; i++)
        if (parameters_number(&report.measurements[i].parameters, "x") == x)
            return &report.measurements[i];
    return NULL;
}

size_t rows_with(enum row_status status)
{
    size_t n = 0;

    for (size_t i = 0; i < report.measurement_count; i++)
        n += report.measurements[i].status == status;
    return n;
}
