/* The compiler's hooks (-fsanitize=thread, -fsanitize-coverage=trace-pc) and the accounts. */
#include "tests/virtual_card/count.h"

#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/launch.h"
#include "tests/virtual_card/model.h"

#include <algorithm>
#include <string.h>

#define HIDDEN __attribute__((visibility("hidden")))

enum { TOUCHES_MAX = 32, WATCHED = 256, CHAINS_MAX = 32 };

extern "C" {
HIDDEN uint64_t virtual_count_fp32, virtual_count_fp64, virtual_count_fp16;
HIDDEN uint64_t *virtual_watch_next, virtual_watch_wanted;
}

/* The FMAs of one warp at one place between two barriers. */
struct place_count {
    uint64_t generation, epoch;
    uintptr_t place;
    unsigned warp;
    const struct lane *lane;
    double cycles, cycles_max, steps, steps_max;
};

struct place_table {
    std::vector<struct place_count> slots;
    std::vector<size_t> used;
    uint64_t generation = 1;
};

struct account {
    const struct card *card;
    const char *kernel;
    struct touch touches[TOUCHES_MAX];
    unsigned touch_count, last_read, last_write;
    bool used_host_memory, read_time;
    uint64_t host_reads;
    uint64_t block; /* basic blocks entered by anybody */
    uint64_t watched[WATCHED][2];
    double chains, warps, issue_cycles, fma_steps, load_steps;
    std::vector<uint64_t> warp_loads; /* of the block, most of any lane */
    struct place_table places;
};

static auto &spare = *new std::vector<struct account *>;
static struct account *now; /* NULL before the first launch */
static struct lane nobody, *running = &nobody;

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

static inline bool has_more(const struct lane *l)
{
    return (virtual_count_fp32 ^ l->fp32) | (virtual_count_fp64 ^ l->fp64) |
           (virtual_count_fp16 ^ l->fp16);
}

/* Books the FMAs since the running lane came to its place.  Two more issue slots (of four a clock)
 * are what the branch round them costs. */
static void book(struct lane *l)
{
    const uint64_t fp32 = virtual_count_fp32 - l->fp32, fp64 = virtual_count_fp64 - l->fp64;
    const uint64_t fp16 = virtual_count_fp16 - l->fp16;

    if (!(fp32 | fp64 | fp16))
        return;
    l->fp32 += fp32;
    l->fp64 += fp64;
    l->fp16 += fp16;

    struct place_count *p = find_place(&now->places, l);
    const double cycles =
        32 * ((double)fp32 / now->card->fp32_lanes + (double)fp64 / now->card->fp64_lanes +
              (double)fp16 / now->card->fp16_lanes) +
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
    book(running);
    running = l ? l : &nobody;
    running->fp32 = virtual_count_fp32;
    running->fp64 = virtual_count_fp64;
    running->fp16 = virtual_count_fp16;
    now->block++;
}

void count_barrier(void)
{
    book(running);
    running->epoch++;
}

void count_read_time(void)
{
    book(running);
    now->read_time = true;
}

/* Chains from the first FMAs of the launch: how long ago the operand was a result. */
static double watched_chains(void)
{
    const size_t count = WATCHED - virtual_watch_wanted;
    double sum = 0, found = 0;

    for (size_t i = CHAINS_MAX; i < count; i++)
        for (size_t ago = 1; ago <= CHAINS_MAX; ago++)
            if (now->watched[i - ago][1] == now->watched[i][0]) {
                sum += (double)ago;
                found++;
                break;
            }
    return found ? sum / found : 1;
}

double count_lane_seconds(const struct lane *l)
{
    double held = 0;

    for (unsigned i = 0; i < now->touch_count; i++)
        held += now->touches[i].card ? (double)now->touches[i].allocation->bytes : 0;
    if (now->chains == 0 && virtual_watch_wanted == 0)
        now->chains = watched_chains();

    const double chains = now->chains ? now->chains : watched_chains();
    const double load =
        held > now->card->l2_bytes ? now->card->memory_seconds : now->card->l2_seconds;

    return l->seconds + (double)l->load_steps * load +
           (double)l->fma_steps * now->card->fma_cycles / chains / model_hz(now->card);
}

struct account *count_begin_launch(const struct card *card, const char *kernel)
{
    if (spare.empty())
        spare.push_back(new account());
    now = spare.back();
    spare.pop_back();
    now->card = card;
    now->kernel = kernel;
    now->touch_count = now->last_read = now->last_write = 0;
    now->used_host_memory = now->read_time = false;
    now->host_reads = 0;
    now->chains = now->warps = now->issue_cycles = now->fma_steps = now->load_steps = 0;
    memset(now->watched, 0, sizeof now->watched);
    virtual_watch_next = now->watched[0];
    virtual_watch_wanted = WATCHED;
    return now;
}

void count_resume(struct account *a)
{
    now = a;
}

uint64_t count_host_reads(void)
{
    return now->host_reads;
}

bool count_has_read_time(void)
{
    return now->read_time;
}

bool count_changes_nothing(void)
{
    for (unsigned i = 0; i < now->touch_count; i++)
        if (now->touches[i].bytes_written)
            return false;
    return true;
}

void count_begin_block(void)
{
    now->places.generation++;
    now->places.used.clear();
}

void count_end_block(unsigned warps)
{
    count_lane(nullptr);
    now->warps += warps;
    for (size_t at : now->places.used) {
        now->issue_cycles += now->places.slots[at].cycles_max;
        now->fma_steps += now->places.slots[at].steps_max;
    }
    for (uint64_t steps : now->warp_loads)
        now->load_steps += (double)steps;
    now->warp_loads.clear();
}

struct work count_end_launch(void)
{
    struct work w = {};

    if (now->chains == 0)
        now->chains = watched_chains();
    virtual_watch_wanted = 0;
    w.touches.assign(now->touches, now->touches + now->touch_count);
    for (const struct touch &t : w.touches) {
        (t.card ? w.bytes : w.host_bytes) += (double)(t.bytes_read + t.bytes_written);
        if (t.card)
            w.footprint += (double)(t.highest - t.lowest);
    }
    w.warps = now->warps;
    w.issue_cycles = now->issue_cycles;
    w.fma_steps = now->fma_steps;
    w.load_steps = now->load_steps;
    w.chains = now->chains;
    w.read_time = now->read_time;
    w.used_host_memory = now->used_host_memory;
    spare.push_back(now);
    return w;
}

void count_end_thread(struct lane *l)
{
    count_lane(nullptr);
    if (now->warp_loads.size() <= l->warp)
        now->warp_loads.resize(l->warp + 1);
    now->warp_loads[l->warp] = std::max(now->warp_loads[l->warp], l->load_steps);
}

static __attribute__((cold)) void fault(uintptr_t at, size_t bytes, bool write)
{
    const struct allocation *a = memory_before((const void *)at);
    const char *does = write ? "writes" : "reads";

    if (!a)
        virtual_fail("kernel %s %s %zu bytes where nothing is allocated", now->kernel, does, bytes);
    virtual_fail("kernel %s %s %zu bytes at byte %zu, beyond its allocation of %zu", now->kernel,
                 does, bytes, (size_t)(at - (uintptr_t)a->base), a->bytes);
}

/* The first use of an allocation by this launch. */
static __attribute__((noinline)) unsigned add_touch(uintptr_t at, size_t bytes, bool write)
{
    struct allocation *a = memory_find((const void *)at);

    if (!a || (char *)at + bytes > a->base + a->bytes)
        fault(at, bytes, write);
    if (launch_is_owed(a))
        virtual_fail("kernel %s uses memory that no argument of its points into", now->kernel);
    if (now->touch_count == TOUCHES_MAX)
        virtual_fail("kernel %s uses more than %d allocations", now->kernel, TOUCHES_MAX);

    struct touch *t = &now->touches[now->touch_count];

    *t = {a,
          a->base,
          a->base + a->bytes,
          a->kind == MEMORY_CARD,
          a->product != nullptr,
          0,
          0,
          UINTPTR_MAX,
          0,
          a->version,
          a->version};
    if (!t->card)
        now->used_host_memory = true;
    return now->touch_count++;
}

/* Which touch holds these bytes.  False for memory that is the thread's own or the block's. */
static __attribute__((noinline)) bool find_touch(uintptr_t at, size_t bytes, bool write,
                                                 unsigned *index)
{
    for (unsigned i = 0; i < now->touch_count; i++)
        if (at >= (uintptr_t)now->touches[i].base && at + bytes <= (uintptr_t)now->touches[i].end) {
            *index = i;
            return true;
        }
    if (!memory_is_reserved((const void *)at) && !memory_find((const void *)at))
        return false;
    *index = add_touch(at, bytes, write);
    return true;
}

static inline void extend(struct touch *t, uintptr_t at, size_t bytes)
{
    if (at < t->lowest)
        t->lowest = at;
    if (at + bytes > t->highest)
        t->highest = at + bytes;
}

/* A round of dependent loads: the first load of a basic block, and one whose address is the index
 * that the load before it brought. */
static inline void count_step(struct lane *l, const struct touch *t, uintptr_t at, size_t bytes)
{
    const bool chased =
        bytes == 4 && l->load_steps && (uintptr_t)t->base + 4 * (uintptr_t)l->last_value == at;

    if (chased || l->load_block != now->block) {
        l->load_steps++;
        l->load_block = now->block;
    }
    if (bytes == 4)
        memcpy(&l->last_value, (const void *)at, 4);
}

static inline void on_read(void *address, size_t bytes)
{
    if (running == &nobody)
        return; /* a constructor of the units */

    const uintptr_t at = (uintptr_t)address;
    struct touch *t = &now->touches[now->last_read];

    if (now->last_read >= now->touch_count || at < (uintptr_t)t->base ||
        at + bytes > (uintptr_t)t->end) {
        if (!find_touch(at, bytes, false, &now->last_read))
            return;
        t = &now->touches[now->last_read];
    }
    if (t->lazy)
        memory_reads(t->allocation, address, bytes);
    t->bytes_read += bytes;
    extend(t, at, bytes);
    if (t->card)
        count_step(running, t, at, bytes);
    else
        now->host_reads++;
}

static inline void on_write(void *address, size_t bytes)
{
    if (running == &nobody)
        return; /* a constructor of the units */

    const uintptr_t at = (uintptr_t)address;
    struct touch *t = &now->touches[now->last_write];

    if (now->last_write >= now->touch_count || at < (uintptr_t)t->base ||
        at + bytes > (uintptr_t)t->end) {
        if (!find_touch(at, bytes, true, &now->last_write))
            return;
        t = &now->touches[now->last_write];
    }
    if (!t->bytes_written || t->lazy)
        memory_changes(t->allocation, address, bytes);
    t->bytes_written += bytes;
    extend(t, at, bytes);
}

#define HOOK extern "C" HIDDEN void
#define ACCESS(bytes)                                                                              \
    HOOK __tsan_read##bytes(void *p)                                                               \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_write##bytes(void *p)                                                              \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }                                                                                              \
    HOOK __tsan_unaligned_read##bytes(void *p)                                                     \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_unaligned_write##bytes(void *p)                                                    \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }                                                                                              \
    HOOK __tsan_volatile_read##bytes(void *p)                                                      \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_volatile_write##bytes(void *p)                                                     \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

HOOK __tsan_read_range(void *p, size_t bytes)
{
    on_read(p, bytes);
}

HOOK __tsan_write_range(void *p, size_t bytes)
{
    on_write(p, bytes);
}

HOOK __tsan_init(void)
{
}

HOOK __tsan_func_entry(void *)
{
}

HOOK __tsan_func_exit(void)
{
}

HOOK __sanitizer_cov_trace_pc(void)
{
    const uintptr_t place = (uintptr_t)__builtin_return_address(0);

    if (running == &nobody)
        return;
    now->block++;
    if (has_more(running))
        book(running);
    running->place = place;
}
