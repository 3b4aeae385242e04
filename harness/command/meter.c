/* Progress on stderr. */
#include "harness/command/meter.h"

#include "harness/output/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };
/* A long experiment says so often, in a log, that it is still at work. */
static const double line_every = 30;

void meter_start(struct meter *m)
{
    const char *terminal = getenv("TERM");

    *m = (struct meter){.columns = view_of(stderr).columns};
    m->redraws = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
    if (!m->columns)
        m->columns = 80;
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
        fputs("\r\033[K", stderr);
    m->drawn = false;
}
