/* The panel through which the host and a card's instruments see each other: in pinned memory, or,
 * where the host lets none be pinned, in the card's own.  Clocks are then read by a copy, and no
 * gate holds work back, since the card could not see it open. */
#include "harness/device/cuda_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLOCK_WINDOW_STEPS = 1000 }; /* METHOD 1.1 */

static int place_on_card(struct device *d)
{
    struct cuda *c = d->state;

    c->gated = false;
    c->panel_on_card = cuda_alloc(d, MEMORY_DEVICE, sizeof *c->panel);
    if (!c->panel_on_card)
        return -1;
    c->panel = xcalloc(1, sizeof *c->panel);
    return cuda_panel_clear(d);
}

static int place(struct device *d)
{
    struct cuda *c = d->state;

    c->panel = cuda_alloc(d, MEMORY_MAPPED, sizeof *c->panel);
    if (c->panel)
        memset(c->panel, 0, sizeof *c->panel);
    return c->panel ? 0 : d->refused ? place_on_card(d) : -1;
}

/* The first use of the instruments also finds out how finely the card's timer ticks. */
int cuda_panel_make(struct device *d)
{
    struct cuda *c = d->state;
    cudaStream_t stream = cuda_stream_of(d, 0, 0);

    if (!stream || place(d) ||
        cuda_check(d, instrument_timer_step(cuda_panel(c), stream), "launching a kernel") ||
        cuda_check(d, cudaEventRecord(c->settled, stream), "recording an event") ||
        cuda_wait(d, c->settled, 0, NULL))
        return -1;
    return cuda_panel_read(d);
}

void cuda_panel_free(struct cuda *c)
{
    if (c->panel_on_card) {
        cudaFree(c->panel_on_card);
        free(c->panel);
    } else if (c->panel) {
        cudaFreeHost(c->panel);
    }
    c->panel = c->panel_on_card = NULL;
}

struct instrument_panel *cuda_panel(const struct cuda *c)
{
    return c->panel_on_card ? c->panel_on_card : c->panel;
}

int cuda_panel_clear(struct device *d)
{
    struct cuda *c = d->state;

    memset(c->panel->before, 0, sizeof c->panel->before);
    memset(c->panel->after, 0, sizeof c->panel->after);
    if (!c->panel_on_card)
        return 0;

    const cudaError_t code =
        cudaMemcpy(c->panel_on_card, c->panel, sizeof *c->panel, cudaMemcpyHostToDevice);
    /* So short a copy may return before it has arrived. */
    return cuda_check(d, code ? (int)code : kernel_wait(NULL, 0), "clearing the clocks' readings");
}

int cuda_panel_read(struct device *d)
{
    struct cuda *c = d->state;

    if (!c->panel_on_card)
        return 0;
    return cuda_check(
        d, cudaMemcpy(c->panel, c->panel_on_card, sizeof *c->panel, cudaMemcpyDeviceToHost),
        "reading the clocks");
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

uint64_t cuda_panel_window_ns(const struct cuda *c)
{
    return CLOCK_WINDOW_STEPS * c->panel->timer_step_ns;
}

double cuda_panel_clock_hz(const struct cuda *c)
{
    const struct instrument_panel *panel = c->panel;
    const double least = 1e-9 * (double)cuda_panel_window_ns(c);
    double hz[INSTRUMENT_SMS_MAX];
    size_t n = 0;

    for (unsigned sm = 0; sm < INSTRUMENT_SMS_MAX; sm++) {
        const struct clock_reading *a = &panel->before[sm], *b = &panel->after[sm];
        const double seconds = 1e-9 * (double)(b->timer_ns - a->timer_ns);

        if (a->timer_ns && b->timer_ns > a->timer_ns && least > 0 && seconds >= least)
            hz[n++] = (double)(b->ticks - a->ticks) / seconds;
    }
    if (n == 0)
        return NAN;
    qsort(hz, n, sizeof *hz, compare_doubles);
    return hz[n / 2];
}
