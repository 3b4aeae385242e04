/* How long a launch takes (METHOD 11), and when it need not be executed again. */
#include "tests/virtual_card/launch.h"

#include "tests/virtual_card/checked.h"
#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/faults.h"
#include "tests/virtual_card/model.h"
#include "tests/virtual_card/resources.h"
#include "tests/virtual_card/share.h"
#include "tests/virtual_card/tally.h"

#include <algorithm>
#include <list>
#include <map>
#include <math.h>
#include <memory>
#include <set>
#include <tuple>

enum { REMEMBERED_MAX = 4096 };

/* Blocks like these that one SM holds. */
static double resident_blocks(const struct card *card, const struct launch *l)
{
    return resources_resident(card, l->kernel->name, l->block.x * l->block.y * l->block.z,
                              l->shared_bytes);
}

static double blocks_of(const struct launch *l)
{
    return (double)l->grid.x * l->grid.y * l->grid.z;
}

/* Of all places for blocks; a single block fits beside anything. */
static double places_of(const struct card *c, const struct launch *l)
{
    const double blocks = blocks_of(l);

    return blocks > 1 ? std::min(1.0, blocks / (resident_blocks(c, l) * c->sms)) : 0;
}

/* What it wants of the card; the seconds are those of a card of its own. */
static struct share wants(const struct card *c, const struct launch *l, const struct work &w,
                          double clock_hz)
{
    const bool cached = w.footprint <= c->l2_bytes;
    const double memory = w.bytes / model_bytes_per_second(c, w.footprint);

    return {places_of(c, l), cached ? 0 : memory, cached ? memory : 0,
            w.issue_cycles / c->sms / clock_hz};
}

/* How long it takes on a card of its own. */
static double model_seconds(const struct card *c, const struct launch *l, const struct work &w,
                            double clock_hz)
{
    const struct share s = wants(c, l, w, clock_hz);
    const double blocks = blocks_of(l);
    const double waves = ceil(blocks / (resident_blocks(c, l) * c->sms));
    const double link = w.host_bytes / c->link_bytes_per_second;
    const double issue =
        w.issue_cycles / blocks * ceil(blocks / c->sms) / clock_hz; /* of the busiest SM */
    const double load = model_load_seconds(c, w.footprint);
    const double latency =
        w.warps > 0 ? waves / w.warps *
                          (w.load_steps * load + w.fma_steps * c->fma_cycles / w.chains / clock_hz)
                    : 0;

    return std::max({s.memory_seconds, s.cache_seconds, link, issue, latency});
}

using launch_key = std::tuple<const struct kernel_entry *, unsigned, unsigned, unsigned, unsigned,
                              unsigned, unsigned, size_t, std::string>;

struct memory_use {
    struct allocation *allocation;
    uint64_t id, version;
    bool read, written;
};

struct remembered {
    struct work work;
    std::vector<struct memory_use> uses;
    unsigned long batch;
};

static auto &memories = *new std::map<launch_key, struct remembered>;
static auto &owed =
    *new std::list<std::pair<int, struct launch>>; /* charged, not executed; by card */

struct tally {
    unsigned long executed, charged, paid, checked;
};
static auto &tallies = *new std::map<const struct kernel_entry *, struct tally>;

void launch_log(FILE *out)
{
    for (const auto &[kernel, t] : tallies)
        fprintf(out, "kernel %s: %lu executed, %lu charged, %lu executed later, %lu checked\n",
                kernel->name, t.executed, t.charged, t.paid, t.checked);
}

static launch_key key_of(const struct launch *l)
{
    return {l->kernel,  l->grid.x,  l->grid.y,       l->grid.z,   l->block.x,
            l->block.y, l->block.z, l->shared_bytes, l->arguments};
}

static struct execution *begin(const struct launch *l, int card, double start)
{
    const struct card *c = card_at(card);

    return execution_begin(l, c, (int)c->sms, resident_blocks(c, l), start);
}

static void remember(const struct launch *l, const struct work &work)
{
    struct remembered r = {work, {}, queue_batch()};

    for (const struct touch &t : work.touches)
        if (t.bytes_written > 0 && t.allocation->kind == MEMORY_CARD)
            fault_wear(t.allocation->base, t.allocation->bytes);

    for (const struct touch &t : work.touches)
        r.uses.push_back({t.allocation, t.allocation->id,
                          t.bytes_read ? t.version_before : t.allocation->version, t.bytes_read > 0,
                          t.bytes_written > 0});
    r.work.touches.clear();
    if (memories.size() > REMEMBERED_MAX)
        memories.clear();
    memories[key_of(l)] = r;
}

/* The first launch of its kind also under the sanitizers, where the build has them. */
static void check(const struct launch *l, const struct card *c, double start)
{
    static auto &seen = *new std::set<launch_key>;

    if (!checked_entries || !seen.insert(key_of(l)).second)
        return;
    checked_execute(l, c, resident_blocks(c, l), start);
    tallies[l->kernel].checked++;
}

/* Executes what was only charged, in the order of the charges. */
static void pay(void)
{
    std::list<std::pair<int, struct launch>> due;

    due.swap(owed);
    for (auto &[card, l] : due) {
        struct execution *e = begin(&l, card, clock_now());

        execution_advance(e, true);
        remember(&l, execution_end(e));
        tallies[l.kernel].paid++;
    }
}

/* Whether an owed launch reads, or writes, this memory. */
static bool is_owed(const struct allocation *a, bool reads, bool writes)
{
    for (const auto &[card, l] : owed)
        for (const struct memory_use &u : memories[key_of(&l)].uses)
            if (u.allocation == a && ((u.read && reads) || (u.written && writes)))
                return true;
    return false;
}

void launch_settle(const struct allocation *a, bool change)
{
    if (is_owed(a, change, true))
        pay();
}

bool launch_is_owed(const struct allocation *a)
{
    return !owed.empty() && is_owed(a, false, true);
}

/* All memory that the arguments point into, also from inside of structs; true where some of it is
 * the host's. */
static bool settle_arguments(const struct launch *l)
{
    bool of_host = false;

    for (size_t at = 0; at + sizeof(void *) <= l->arguments.size(); at += sizeof(void *)) {
        const void *word;

        memcpy(&word, l->arguments.data() + at, sizeof word);
        if (const struct allocation *a = memory_find(word)) {
            launch_settle(a, true);
            of_host |= a->kind != MEMORY_CARD;
        }
    }
    return of_host;
}

void launch_forget(const struct allocation *a)
{
    launch_settle(a, true);
    for (auto m = memories.begin(); m != memories.end();) {
        bool uses = false;

        for (const struct memory_use &u : m->second.uses)
            uses |= u.allocation == a;
        m = uses ? memories.erase(m) : std::next(m);
    }
}

/* Its inputs are as they were, so that it would do the same work again. */
static bool same_work(const struct remembered &r)
{
    if (r.work.used_host_memory || (r.work.read_time && r.batch != queue_batch()))
        return false;
    for (const struct memory_use &u : r.uses)
        if (u.read && u.allocation->version != u.version)
            return false;
    return true;
}

static bool same_result(const struct remembered &r)
{
    for (const struct memory_use &u : r.uses)
        if (u.allocation->version != u.version)
            return false;
    return true;
}

/* Puts the launch off: its results are wanted when somebody reads them. */
static void owe(const struct launch *l, int card, struct remembered *r)
{
    const launch_key key = key_of(l);

    for (const struct memory_use &u : r->uses)
        if (is_owed(u.allocation, u.written, u.read))
            pay();
    for (struct memory_use &u : r->uses)
        if (u.written)
            u.version = ++u.allocation->version;
    owed.remove_if([&key](const auto &o) { return key_of(&o.second) == key; });
    owed.emplace_back(card, *l);
}

static double end_of(const struct launch *l, const struct card *c, double start, double clock_hz,
                     const struct work &w)
{
    const double own = w.read_time ? w.last_seconds : 0, noise = model_noise(c);
    const double seconds = std::max(model_seconds(c, l, w, clock_hz) * noise, own);
    struct share s = wants(c, l, w, clock_hz);
    double end = start + c->launch_seconds + seconds;

    s.memory_seconds *= noise;
    s.cache_seconds *= noise;
    s.issue_seconds *= noise;
    end = share_end(c, &s, start + c->launch_seconds, end);
    if (w.used_host_memory)
        end = std::max(end, clock_now());
    model_worked(c, start, end);
    tally_work(l->kernel->name, w.bytes + w.host_bytes, w.fmas);
    return end;
}

struct running_launch {
    struct launch launch;
    struct execution *execution;
    double start, clock_hz;
    bool uses_host;
};

static bool run(struct running_launch *r, int card, double ready, bool may_wait, double *end)
{
    const struct card *c = card_at(card);
    auto known = memories.find(key_of(&r->launch));
    const double start = share_begin(c, places_of(c, &r->launch), ready);

    if (!r->execution && known != memories.end() && same_work(known->second)) {
        if (!same_result(known->second))
            owe(&r->launch, card, &known->second);
        *end = end_of(&r->launch, c, start, model_clock(c, start), known->second.work);
        tallies[r->launch.kernel].charged++;
        return true;
    }
    if (!r->execution) {
        r->uses_host = settle_arguments(&r->launch);
        r->start = start;
        r->clock_hz = model_clock(c, start);
        tallies[r->launch.kernel].executed++;
        if (!r->uses_host) /* else it may wait for the host, which this one does no more */
            check(&r->launch, c, start + c->launch_seconds);
        r->execution = begin(&r->launch, card, start + c->launch_seconds);
    }
    if (!execution_advance(r->execution, may_wait))
        return false;

    const struct work w = execution_end(r->execution);

    if (r->uses_host)
        check(&r->launch, c, r->start + c->launch_seconds);
    remember(&r->launch, w);
    *end = end_of(&r->launch, c, r->start, r->clock_hz, w);
    return true;
}

void launch_enqueue(struct stream *s, const struct launch *l)
{
    auto r = std::make_shared<struct running_launch>();
    const int card = s->card;

    if (fault_endless(s, "endless"))
        return;
    r->launch = *l;
    queue_add(s, [r, card](double start, bool may_wait, double *end) {
        return run(r.get(), card, start, may_wait, end);
    });
}
