/* Progress on stderr. */
#include "harness/command/meter.h"

#include "harness/base/units.h"
#include "harness/output/pivot.h"
#include "harness/output/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };
/* A long experiment says so often, in a log, that it is still at work. */
static const double line_every = 30;

void meter_start(struct meter *m, bool watches)
{
    const char *terminal = getenv("TERM");

    *m = (struct meter){.columns = view_of(stderr).columns};
    m->redraws = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
    if (!m->columns)
        m->columns = 80;
    m->watches = watches && m->redraws;
    if (watches && !m->redraws)
        fputs("ridge: --watch draws on a terminal, and standard error is none: progress follows in "
              "plain lines\n",
              stderr);
}

/* Nothing where the device does not tell. */
static void add_state(struct text *line, const char *what, double value, const char *unit)
{
    char number[UNITS_MAX];

    if (isfinite(value))
        text_addf(line, "  %s %s", what, units_format(number, value, unit));
}

/* What the newest sample showed, and of which point it is. */
static void add_sample(struct text *line, const struct measurement *row)
{
    const struct reading *newest = &row->timeline[row->readings - 1];
    char number[UNITS_MAX];

    text_addf(line, "  %s", units_format(number, newest->value, row->metric.unit));
    add_state(line, "clock", newest->state.sm_clock_hz, "Hz");
    add_state(line, "power", newest->state.power_watts, "W");
    text_add(line, "  ");
    pivot_parameters(line, row);
}

static void draw_sample(const struct meter *m, const struct measurement *row)
{
    struct text line = TEXT_EMPTY;
    char *clean;

    if (row == NULL || row->readings == 0)
        text_add(&line, "  preparing and checking answers");
    else
        add_sample(&line, row);
    clean = printable(text_chars(&line));
    fprintf(stderr, "\n%.*s\033[K\033[A", (int)m->columns - 1, clean);
    free(clean);
    text_free(&line);
}

static void draw(struct meter *m, const struct progress *p)
{
    struct text line = TEXT_EMPTY;
    const int full = (int)(BAR * p->fraction);

    text_add(&line, "[");
    for (int i = 0; i < BAR; i++)
        text_add(&line, i < full ? "#" : ".");
    text_addf(&line, "] %3.0f %%  %.0f s left  %s: %s", 100 * p->fraction, ceil(p->seconds_left),
              p->device, p->experiment);
    fprintf(stderr, "\r%.*s\033[K", (int)m->columns - 1, text_chars(&line));
    if (m->watches)
        draw_sample(m, p->row);
    fflush(stderr);
    text_free(&line);
    m->drawn = true;
}

static void say(struct meter *m, const struct progress *p)
{
    const bool same = m->said_device && !strcmp(m->said_device, p->device) &&
                      !strcmp(m->said_experiment, p->experiment);

    if (same && p->elapsed - m->said < line_every)
        return;
    fprintf(stderr, "%s: %s (%zu of %zu), %.0f s left\n", p->device, p->experiment, p->step + 1,
            p->steps, ceil(p->seconds_left));
    m->said = p->elapsed;
    m->said_device = p->device;
    m->said_experiment = p->experiment;
}

void meter_show(struct meter *m, const struct progress *p)
{
    if (m->redraws)
        draw(m, p);
    else
        say(m, p);
}

void meter_clear(struct meter *m)
{
    if (m->drawn)
        fputs(m->watches ? "\r\033[J" : "\r\033[K", stderr);
    m->drawn = false;
}
