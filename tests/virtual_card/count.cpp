/* The accounts of launches: lanes, and their arithmetic by the places that they went through. */
#include "tests/virtual_card/account.h"

#include "tests/virtual_card/model.h"

#include <algorithm>
#include <string.h>

extern "C" {
HIDDEN uint64_t virtual_count_fp32, virtual_count_fp64, virtual_count_fp16;
HIDDEN uint64_t *virtual_watch_next, virtual_watch_wanted;
}

static auto &spare = *new std::vector<struct account *>;
struct account *account_now;
struct lane lane_nobody, *lane_now = &lane_nobody;

static size_t place_hash(uintptr_t place, uint64_t epoch, unsigned warp)
{
    const uint64_t mixed = (place ^ (epoch << 20) ^ ((uint64_t)warp << 52)) * 0x9E3779B97F4A7C15ull;

    return (size_t)(mixed >> 24);
}

static void grow_places(struct place_table *places)
{
    std::vector<struct place_count> old(std::max<size_t>(4096, places->slots.size() * 4));
    std::vector<size_t> used;

    old.swap(places->slots);
    used.swap(places->used);
    for (size_t index : used) {
        const struct place_count &p = old[index];
        const size_t mask = places->slots.size() - 1;
        size_t at = place_hash(p.place, p.epoch, p.warp) & mask;

        while (places->slots[at].generation == places->generation)
            at = (at + 1) & mask;
        places->slots[at] = p;
        places->used.push_back(at);
    }
}

static struct place_count *find_place(struct place_table *places, const struct lane *l)
{
    if (places->used.size() * 2 >= places->slots.size())
        grow_places(places);

    const size_t mask = places->slots.size() - 1;
    size_t at = place_hash(l->place, l->epoch, l->warp) & mask;

    for (;; at = (at + 1) & mask) {
        struct place_count *p = &places->slots[at];

        if (p->generation != places->generation) {
            *p = {places->generation, l->epoch, l->place, l->warp, l, 0, 0, 0, 0};
            places->used.push_back(at);
            return p;
        }
        if (p->place == l->place && p->epoch == l->epoch && p->warp == l->warp)
            return p;
    }
}

/* Books the FMAs since the running lane came to its place.  Two more issue slots (of four a clock)
 * are what the branch round them costs. */
void count_book(struct lane *l)
{
    const uint64_t fp32 = virtual_count_fp32 - l->fp32, fp64 = virtual_count_fp64 - l->fp64;
    const uint64_t fp16 = virtual_count_fp16 - l->fp16;

    if (!(fp32 | fp64 | fp16))
        return;
    l->fp32 += fp32;
    l->fp64 += fp64;
    l->fp16 += fp16;

    struct place_count *p = find_place(&account_now->places, l);
    const double cycles = 32 * ((double)fp32 / account_now->card->fp32_lanes +
                                (double)fp64 / account_now->card->fp64_lanes +
                                (double)fp16 / account_now->card->fp16_lanes) +
                          0.5;

    if (p->lane != l) {
        p->lane = l;
        p->cycles = p->steps = 0;
    }
    p->cycles += cycles;
    p->steps += (double)(fp32 + fp64 + fp16);
    p->cycles_max = std::max(p->cycles_max, p->cycles);
    p->steps_max = std::max(p->steps_max, p->steps);
    l->fma_steps += fp32 + fp64 + fp16;
}

void count_lane(struct lane *l)
{
    count_book(lane_now);
    lane_now = l ? l : &lane_nobody;
    lane_now->fp32 = virtual_count_fp32;
    lane_now->fp64 = virtual_count_fp64;
    lane_now->fp16 = virtual_count_fp16;
    account_now->block++;
}

void count_barrier(void)
{
    count_book(lane_now);
    lane_now->epoch++;
}

void count_read_time(void)
{
    count_book(lane_now);
    account_now->read_time = true;
}

/* Chains from the first FMAs of the launch: how long ago the operand was a result. */
static double watched_chains(void)
{
    const size_t count = WATCHED - virtual_watch_wanted;
    double sum = 0, found = 0;

    for (size_t i = CHAINS_MAX; i < count; i++)
        for (size_t ago = 1; ago <= CHAINS_MAX; ago++)
            if (account_now->watched[i - ago][1] == account_now->watched[i][0]) {
                sum += (double)ago;
                found++;
                break;
            }
    return found ? sum / found : 1;
}

/* Of the card's memory, as far as it was used. */
static double footprint(const struct touch *t)
{
    return t->card && t->highest > t->lowest ? (double)(t->highest - t->lowest) : 0;
}

double count_lane_seconds(const struct lane *l)
{
    double used = 0;

    for (unsigned i = 0; i < account_now->touch_count; i++)
        used += footprint(&account_now->touches[i]);
    if (account_now->chains == 0 && virtual_watch_wanted == 0)
        account_now->chains = watched_chains();

    const double chains = account_now->chains ? account_now->chains : watched_chains();
    const double load = model_load_seconds(account_now->card, used);

    return l->seconds + (double)l->load_steps * load +
           (double)l->fma_steps * account_now->card->fma_cycles / chains /
               model_hz(account_now->card);
}

struct account *count_begin_launch(const struct card *card, const char *kernel)
{
    if (spare.empty())
        spare.push_back(new account());
    account_now = spare.back();
    spare.pop_back();
    account_now->card = card;
    account_now->kernel = kernel;
    account_now->touch_count = account_now->last_read = account_now->last_write = 0;
    account_now->used_host_memory = account_now->read_time = false;
    account_now->host_reads = 0;
    account_now->chains = account_now->warps = account_now->issue_cycles = account_now->fma_steps =
        account_now->load_steps = account_now->fmas = 0;
    memset(account_now->watched, 0, sizeof account_now->watched);
    virtual_watch_next = account_now->watched[0];
    virtual_watch_wanted = WATCHED;
    return account_now;
}

void count_resume(struct account *a)
{
    account_now = a;
}

uint64_t count_host_reads(void)
{
    return account_now->host_reads;
}

bool count_has_read_time(void)
{
    return account_now->read_time;
}

bool count_changes_nothing(void)
{
    for (unsigned i = 0; i < account_now->touch_count; i++)
        if (account_now->touches[i].bytes_written)
            return false;
    return true;
}

void count_begin_block(void)
{
    account_now->places.generation++;
    account_now->places.used.clear();
}

void count_end_block(unsigned warps)
{
    count_lane(nullptr);
    account_now->warps += warps;
    for (size_t at : account_now->places.used) {
        account_now->issue_cycles += account_now->places.slots[at].cycles_max;
        account_now->fma_steps += account_now->places.slots[at].steps_max;
    }
    for (uint64_t steps : account_now->warp_loads)
        account_now->load_steps += (double)steps;
    account_now->warp_loads.clear();
}

struct work count_end_launch(void)
{
    struct work w = {};

    if (account_now->chains == 0)
        account_now->chains = watched_chains();
    virtual_watch_wanted = 0;
    w.touches.assign(account_now->touches, account_now->touches + account_now->touch_count);
    for (const struct touch &t : w.touches) {
        (t.card ? w.bytes : w.host_bytes) += (double)(t.bytes_read + t.bytes_written);
        w.footprint += footprint(&t);
    }
    w.fmas = account_now->fmas;
    w.warps = account_now->warps;
    w.issue_cycles = account_now->issue_cycles;
    w.fma_steps = account_now->fma_steps;
    w.load_steps = account_now->load_steps;
    w.chains = account_now->chains;
    w.read_time = account_now->read_time;
    w.used_host_memory = account_now->used_host_memory;
    spare.push_back(account_now);
    return w;
}

void count_end_thread(struct lane *l)
{
    count_lane(nullptr);
    account_now->fmas += (double)l->fma_steps;
    if (account_now->warp_loads.size() <= l->warp)
        account_now->warp_loads.resize(l->warp + 1);
    account_now->warp_loads[l->warp] = std::max(account_now->warp_loads[l->warp], l->load_steps);
}
