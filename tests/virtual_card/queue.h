/* Streams, events and what was enqueued: executed in order, when somebody waits for it. */
#ifndef VIRTUAL_CARD_QUEUE_H
#define VIRTUAL_CARD_QUEUE_H

#include "tests/virtual_card/card.h"

#include <deque>
#include <functional>

struct event;

/* One thing that a stream does, from `start` on.  Returns true and when it ended; false when it
 * waits for the host and may_wait is false. */
using operation_body = std::function<bool(double start, bool may_wait, double *end)>;

struct operation {
    double enqueued;
    operation_body body;
    struct event *records, *awaits; /* NULL: nothing */
    unsigned long ticket;           /* which recording of `awaits` */
};

struct stream {
    int card, priority;
    bool blocking; /* takes turns with the default stream */
    std::deque<struct operation> operations;
    double ready; /* when all that was executed has ended */
};

struct event {
    struct stream *stream;            /* that last recorded it */
    unsigned long recorded, executed; /* how often */
    bool timing;
    double seconds;
};

struct stream *stream_make(int card, int priority, bool blocking);
void stream_free(struct stream *s);
/* The stream of a handle: NULL and 1 are the default stream of `card`.  NULL: no such stream. */
struct stream *stream_of(const void *handle, int card);
struct event *event_of(const void *handle); /* NULL: no such event */
struct event *event_make(bool timing);
void event_free(struct event *e);

void queue_add(struct stream *s, operation_body body, struct event *records = nullptr);
/* What follows on the stream waits for the last recording of the event. */
void queue_await(struct stream *s, struct event *e);
/* Executes what the stream holds, up to the last recording of `until` where that is given, and what
 * other streams would have begun before.  False: not all, for want of the host (only where may_wait
 * is false). */
bool queue_advance(struct stream *s, const struct event *until, bool may_wait);
/* Executes all streams of a card; returns when the last one ended. */
double queue_advance_all(int card);
/* Counts the times that the host looked at results. */
unsigned long queue_batch(void);
void queue_look(void);
/* What nobody destroyed. */
size_t queue_streams_left(void);
size_t queue_events_left(void);

#endif
