/* The panel through which the host and a card's instruments see each other: in pinned memory, or,
 * where the host lets none be pinned, in the card's own.  Clocks are then read by a copy, and no
 * gate holds work back, since the card could not see it open. */
#include "harness/device/cuda_state.h"

#include <stdlib.h>
#include <string.h>

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
