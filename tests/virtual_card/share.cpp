/* Servers with a queue each, and places for blocks; one set for each card. */
#include "tests/virtual_card/share.h"

#include <algorithm>
#include <map>
#include <vector>

struct holder {
    double places, end;
};

struct shared_card {
    std::vector<struct holder> holders; /* of places: running, or next to run */
    double memory, cache, issue;        /* busy until then */
};

static struct shared_card *shared_of(const struct card *card)
{
    static auto &all = *new std::map<const struct card *, struct shared_card>;

    return &all[card];
}

double share_begin(const struct card *card, double places, double ready)
{
    const double all = 1 + 1e-9; /* sums of parts are rounded */
    std::vector<struct holder> &holders = shared_of(card)->holders;
    double begin = ready, held = 0;

    holders.erase(std::remove_if(holders.begin(), holders.end(),
                                 [=](const struct holder &h) { return h.end <= ready; }),
                  holders.end());
    std::sort(holders.begin(), holders.end(),
              [](const struct holder &a, const struct holder &b) { return a.end < b.end; });
    for (const struct holder &h : holders)
        held += h.places;
    for (const struct holder &h : holders) {
        if (held + places <= all)
            break;
        begin = h.end;
        held -= h.places;
    }
    return begin;
}

/* Takes so many seconds of one server; returns when they are over. */
static double take(double *busy_until, double begin, double seconds)
{
    if (seconds > 0)
        *busy_until = std::max(*busy_until, begin) + seconds;
    return seconds > 0 ? *busy_until : begin;
}

double share_end(const struct card *card, const struct share *s, double begin, double end)
{
    struct shared_card *c = shared_of(card);

    end = std::max({end, take(&c->memory, begin, s->memory_seconds),
                    take(&c->cache, begin, s->cache_seconds),
                    take(&c->issue, begin, s->issue_seconds)});
    if (s->places > 0)
        c->holders.push_back({s->places, end});
    return end;
}
