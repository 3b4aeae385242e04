/* Lazy execution in stream order. */
#include "tests/virtual_card/queue.h"

#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/fail.h"

#include <algorithm>
#include <set>
#include <tuple>

static auto &streams = *new std::set<struct stream *>;
static auto &events = *new std::set<struct event *>;
static auto &defaults = *new std::vector<struct stream *>;
static unsigned long batch;

struct stream *stream_make(int card, int priority, bool blocking)
{
    struct stream *s = new stream{card, priority, blocking, {}, 0};

    streams.insert(s);
    return s;
}

void stream_free(struct stream *s)
{
    queue_advance(s, nullptr, true);
    for (struct event *e : events)
        if (e->stream == s)
            e->stream = nullptr;
    streams.erase(s);
    delete s;
}

struct stream *stream_of(const void *handle, int card)
{
    if ((uintptr_t)handle > 2) {
        auto found = streams.find((struct stream *)handle);

        return found == streams.end() ? nullptr : *found;
    }
    defaults.resize((size_t)card_count());
    if (!defaults[(size_t)card])
        defaults[(size_t)card] = stream_make(card, 0, true);
    return defaults[(size_t)card];
}

struct event *event_make(bool timing)
{
    struct event *e = new event{nullptr, 0, 0, timing, 0};

    events.insert(e);
    return e;
}

struct event *event_of(const void *handle)
{
    auto found = events.find((struct event *)handle);

    return found == events.end() ? nullptr : *found;
}

void event_free(struct event *e)
{
    if (e->executed < e->recorded)
        queue_advance(e->stream, e, true);
    for (struct stream *s : streams)
        for (struct operation &o : s->operations)
            if (o.awaits == e) {
                o.enqueued = std::max(o.enqueued, e->seconds);
                o.awaits = nullptr;
            }
    events.erase(e);
    delete e;
}

static bool is_default(const struct stream *s)
{
    return std::find(defaults.begin(), defaults.end(), s) != defaults.end();
}

/* The default stream starts when all blocking ones are done, and they when it is. */
static void take_turns(struct stream *s)
{
    double others = 0;

    for (struct stream *o : streams)
        if (o != s && o->card == s->card && o->blocking && (is_default(s) || is_default(o))) {
            queue_advance(o, nullptr, true);
            others = std::max(others, o->ready);
        }
    s->ready = std::max(s->ready, others);
}

void queue_add(struct stream *s, operation_body body, struct event *records)
{
    if (s->blocking)
        take_turns(s);
    if (records) {
        records->stream = s;
        records->recorded++;
    }
    s->operations.push_back({clock_now(), std::move(body), records, nullptr, 0});
}

void queue_await(struct stream *s, struct event *e)
{
    queue_add(s, [](double start, bool, double *end) {
        *end = start;
        return true;
    });
    s->operations.back().awaits = e;
    s->operations.back().ticket = e->recorded;
}

static bool awaits(const struct operation &o)
{
    return o.awaits && o.awaits->executed < o.ticket;
}

/* When a stream's next operation would begin. */
static double next_start(const struct stream *s)
{
    const struct operation &o = s->operations.front();

    return std::max({s->ready, o.enqueued, o.awaits ? o.awaits->seconds : 0});
}

/* The stream whose next operation begins first; NULL where all wait, for events or for the host. */
static struct stream *first_to_go(const std::set<struct stream *> &stuck)
{
    const auto order = [](const struct stream *s) {
        return std::make_tuple(next_start(s), s->priority, s->operations.front().enqueued);
    };
    struct stream *first = nullptr;

    for (struct stream *s : streams)
        if (!s->operations.empty() && !awaits(s->operations.front()) && !stuck.count(s) &&
            (!first || order(s) < order(first)))
            first = s;
    return first;
}

/* The stream that must go on so that this one can. */
static struct stream *holds_up(struct stream *s)
{
    for (size_t i = 0; i < streams.size(); i++) {
        if (s->operations.empty() || !awaits(s->operations.front()))
            return s;
        s = s->operations.front().awaits->stream;
    }
    virtual_fail("streams wait for each other");
}

/* Executes the next operation of the stream; false where it waits for the host. */
static bool step(struct stream *s, bool may_wait)
{
    struct operation &o = s->operations.front();
    const double start = next_start(s);
    double end = start;

    if (!o.body(start, may_wait, &end))
        return false;
    s->ready = std::max(s->ready, end);
    if (o.records) {
        o.records->executed++;
        o.records->seconds = s->ready;
    }
    s->operations.pop_front();
    return true;
}

bool queue_advance(struct stream *s, const struct event *until, bool may_wait)
{
    std::set<struct stream *> stuck;

    while (!s->operations.empty() && !(until && until->executed == until->recorded)) {
        struct stream *next = first_to_go(stuck);

        if (!next && !may_wait)
            return false;
        if (!next) {
            step(holds_up(s), true);
            stuck.clear();
        } else if (!step(next, false)) {
            stuck.insert(next);
        }
    }
    return true;
}

double queue_advance_all(int card)
{
    double last = 0;

    for (struct stream *s : std::set<struct stream *>(streams))
        if (s->card == card) {
            queue_advance(s, nullptr, true);
            last = std::max(last, s->ready);
        }
    return last;
}

unsigned long queue_batch(void)
{
    return batch;
}

void queue_look(void)
{
    batch++;
}

bool card_working(const struct card *card)
{
    for (const struct stream *s : streams)
        if (card_at(s->card) == card && (!s->operations.empty() || s->ready > clock_now()))
            return true;
    return false;
}

size_t queue_streams_left(void)
{
    return (size_t)std::count_if(streams.begin(), streams.end(),
                                 [](const struct stream *s) { return !is_default(s); });
}

size_t queue_events_left(void)
{
    return events.size();
}
