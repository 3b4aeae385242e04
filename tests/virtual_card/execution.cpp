/* Blocks, threads, barriers and what kernels may ask of the engine. */
#include "tests/virtual_card/execution.h"

#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/fiber.h"
#include "tests/virtual_card/model.h"

#include <algorithm>
#include <math.h>
#include <memory>
#include <vector>

#define HIDDEN __attribute__((visibility("hidden")))

extern "C" {
/* Constant to kernels, set here between two calls. */
HIDDEN uint3 virtual_thread_index __asm__("threadIdx");
HIDDEN uint3 virtual_block_index __asm__("blockIdx");
HIDDEN dim3 virtual_block_size __asm__("blockDim");
HIDDEN dim3 virtual_grid_size __asm__("gridDim");
}

const struct kernel_entry *kernel_entries;

/* After so many looks at the host's memory a thread counts as waiting for it; after so many
 * questions for the time they take longer; a kernel of many threads that ask and write nothing only
 * lets time pass. */
enum { PATIENCE = 1000, IMPATIENCE = 200000, WAITER = 3 };
static const double TIMER_SECONDS = 20e-9, WAITING_SECONDS = 1e-6;

struct warp {
    unsigned threads, ended, waiting;
    unsigned arrived; /* mask of lanes at the barrier */
    unsigned wanted;
    unsigned turn; /* which of the two sets of values is being filled */
    uint64_t values[2][32];
};

struct thread {
    struct lane lane;
    uint3 index;
    struct fiber *fiber;
    unsigned turn;
    bool at_block_barrier, ended;
    uint64_t asked; /* for the time */
};

struct shared_array {
    const void *declaration;
    std::vector<char> memory;
};

struct execution {
    struct launch launch;
    const struct card *card;
    struct account *account;
    int sms;
    double resident, start, wave_start, latest;
    uint64_t block, blocks;
    std::vector<struct thread> threads;
    std::vector<struct warp> warps;
    unsigned next, ended, waiting, votes, last_votes;
    std::vector<unsigned> ready;
    size_t ready_first;
    std::vector<std::unique_ptr<struct shared_array>> arrays;
    std::vector<char> dynamic;
    bool uses_shared, may_wait, passes_time;
    uint64_t host_reads; /* when the host last had its turn */
    int spinning;        /* thread that waits for the host, or -1 */
};

static struct execution *current;
static struct thread *here;
static struct fiber *running_fiber;
static auto &idle_fibers = *new std::vector<struct fiber *>;

static void make_current(struct execution *e, struct thread *t)
{
    current = e;
    here = t;
    virtual_thread_index = t->index;
    count_lane(&t->lane);
}

static uint3 split(uint64_t linear, const dim3 &size)
{
    const uint64_t plane = (uint64_t)size.x * size.y;

    return {(unsigned)(linear % size.x), (unsigned)(linear / size.x % size.y),
            (unsigned)(linear / plane)};
}

static void begin_block(struct execution *e)
{
    const unsigned count = e->launch.block.x * e->launch.block.y * e->launch.block.z;

    e->threads.assign(count, thread());
    e->warps.assign((count + 31) / 32, warp());
    for (unsigned i = 0; i < count; i++) {
        e->threads[i].lane.warp = i / 32;
        e->threads[i].index = split(i, e->launch.block);
        e->warps[i / 32].threads++;
    }
    e->next = e->ended = e->waiting = e->votes = 0;
    e->ready.clear();
    e->ready_first = 0;
    e->arrays.clear();
    e->dynamic.assign(e->launch.shared_bytes, (char)0xA5);
    e->uses_shared = false;
    count_begin_block();
}

/* Blocks that fit beside each other start together; the next wave when the first has ended. */
static void end_block(struct execution *e)
{
    const double wave = e->resident * e->sms;

    count_end_block((unsigned)e->warps.size());
    e->block++;
    if (fmod((double)e->block, wave) == 0)
        e->wave_start = std::max(e->wave_start, e->latest);
}

/* Lets the waiting threads of the block go when all that live have come. */
static void release_block(struct execution *e)
{
    if (!e->waiting || e->waiting + e->ended != e->threads.size())
        return;
    e->last_votes = e->votes;
    e->waiting = e->votes = 0;
    for (unsigned i = 0; i < e->threads.size(); i++)
        if (e->threads[i].at_block_barrier) {
            e->threads[i].at_block_barrier = false;
            e->ready.push_back(i);
        }
}

static void release_warp(struct execution *e, unsigned index)
{
    struct warp *w = &e->warps[index];
    unsigned living = 0;

    if (!w->arrived)
        return;
    for (unsigned i = 0; i < w->threads; i++)
        living |= e->threads[index * 32 + i].ended ? 0u : 1u << i;
    if ((w->wanted & living & ~w->arrived) != 0)
        return;
    for (unsigned i = 0; i < w->threads; i++)
        if (w->arrived >> i & 1)
            e->ready.push_back(index * 32 + i);
    w->arrived = 0;
    w->turn ^= 1;
}

static void end_thread(struct execution *e, struct thread *t)
{
    if (count_has_read_time())
        e->latest = std::max(e->latest, e->wave_start + count_lane_seconds(&t->lane));
    count_end_thread(&t->lane);
    if (e->block == 0 && e->ended == 0 && t->asked >= WAITER && count_changes_nothing())
        e->passes_time = true;
    t->ended = true;
    e->ended++;
    release_warp(e, t->lane.warp);
    release_block(e);
}

/* A fiber calls threads one after the other; one that waits keeps the fiber, another goes on. */
static void call_threads(void *)
{
    for (;;) {
        while (current->next < current->threads.size() && !current->passes_time) {
            struct execution *e = current;
            struct thread *t = &e->threads[e->next++];

            t->fiber = running_fiber;
            make_current(e, t);
            e->launch.kernel->call(e->launch.arguments.data());
            end_thread(current, here);
        }
        idle_fibers.push_back(running_fiber);
        fiber_leave(running_fiber);
    }
}

static struct fiber *take_fiber(void)
{
    if (idle_fibers.empty())
        return fiber_make(call_threads, nullptr);

    struct fiber *f = idle_fibers.back();

    idle_fibers.pop_back();
    return f;
}

static void run(struct execution *e, struct fiber *f)
{
    current = e;
    running_fiber = f;
    fiber_enter(f);
    count_lane(nullptr);
}

/* Leaves the running thread where it is; it goes on when it is woken. */
static void wait_here(void)
{
    struct thread *t = here;
    struct execution *e = current;

    fiber_leave(t->fiber);
    make_current(e, t);
}

static bool advance_block(struct execution *e)
{
    while (e->ended < e->threads.size() && !e->passes_time) {
        if (e->ready_first < e->ready.size()) {
            run(e, e->threads[e->ready[e->ready_first++]].fiber);
        } else if (e->next < e->threads.size()) {
            run(e, take_fiber());
        } else if (e->spinning >= 0) {
            return false;
        } else {
            virtual_fail("kernel %s: a barrier that not all threads of the block reach",
                         e->launch.kernel->name);
        }
    }
    return true;
}

struct execution *execution_begin(const struct launch *l, const struct card *card, int sms_used,
                                  double resident_blocks, double start)
{
    struct execution *e = new execution();

    e->launch = *l;
    e->card = card;
    e->sms = sms_used;
    e->resident = resident_blocks;
    e->start = e->wave_start = e->latest = start;
    e->blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    e->spinning = -1;
    e->account = count_begin_launch(card, l->kernel->name);
    return e;
}

bool execution_advance(struct execution *e, bool may_wait)
{
    e->may_wait = may_wait;
    count_resume(e->account);
    virtual_block_size = e->launch.block;
    virtual_grid_size = e->launch.grid;
    if (e->spinning >= 0) {
        e->ready.push_back((unsigned)e->spinning);
        e->spinning = -1;
        virtual_block_index = split(e->block, e->launch.grid);
        if (!advance_block(e))
            return false;
        end_block(e);
    }
    while (e->block < e->blocks && !e->passes_time) {
        virtual_block_index = split(e->block, e->launch.grid);
        begin_block(e);
        if (!advance_block(e))
            return false;
        end_block(e);
    }
    return true;
}

struct work execution_end(struct execution *e)
{
    count_resume(e->account);

    struct work w = count_end_launch();

    w.last_seconds = e->latest - e->start;
    delete e;
    return w;
}

/* ---- what kernels ask ---- */

static unsigned lane_number(void)
{
    return (unsigned)(here - current->threads.data()) % 32;
}

extern "C" HIDDEN void virtual_block_barrier(void)
{
    count_barrier();
    here->at_block_barrier = true;
    current->waiting++;
    release_block(current);
    wait_here();
}

extern "C" HIDDEN int virtual_block_vote(int predicate)
{
    current->votes += predicate != 0;
    virtual_block_barrier();
    return (int)current->last_votes;
}

static void meet_warp(unsigned mask)
{
    struct warp *w = &current->warps[here->lane.warp];

    count_barrier();
    w->wanted = mask;
    w->arrived |= 1u << lane_number();
    release_warp(current, here->lane.warp);
    wait_here();
}

/* Lanes that share no memory cannot see whether they met. */
extern "C" HIDDEN void virtual_warp_barrier(unsigned mask)
{
    if (current->uses_shared)
        meet_warp(mask);
    else
        count_barrier();
}

extern "C" HIDDEN uint64_t virtual_warp_exchange(unsigned mask, uint64_t value, unsigned source)
{
    struct warp *w = &current->warps[here->lane.warp];
    uint64_t *values = w->values[w->turn];

    values[lane_number()] = value;
    meet_warp(mask);
    return values[source % 32];
}

extern "C" HIDDEN unsigned virtual_warp_ballot(unsigned mask, int predicate)
{
    struct warp *w = &current->warps[here->lane.warp];
    uint64_t *values = w->values[w->turn];
    unsigned ballot = 0;

    values[lane_number()] = predicate != 0;
    meet_warp(mask);
    for (unsigned i = 0; i < w->threads; i++)
        ballot |= (mask >> i & 1) && values[i] ? 1u << i : 0u;
    return ballot;
}

extern "C" HIDDEN void *virtual_shared(const void *declaration, size_t bytes, size_t alignment)
{
    current->uses_shared = true;
    for (auto &array : current->arrays)
        if (array->declaration == declaration)
            return array->memory.data();
    if (alignment > alignof(max_align_t))
        virtual_fail("shared memory aligned to %zu bytes is not known", alignment);
    current->arrays.push_back(std::unique_ptr<struct shared_array>(
        new shared_array{declaration, std::vector<char>(bytes, (char)0xA5)}));
    return current->arrays.back()->memory.data();
}

extern "C" HIDDEN void *virtual_shared_dynamic(void)
{
    current->uses_shared = true;
    return current->dynamic.data();
}

static double card_time(double question_seconds)
{
    here->lane.seconds += question_seconds;
    return current->wave_start + count_lane_seconds(&here->lane);
}

extern "C" HIDDEN long long virtual_sm_ticks(void)
{
    count_read_time();
    return llround(model_ticks(current->card, card_time(4 / model_hz(current->card))));
}

/* A thread that goes on asking while it looks at the host's memory waits for the host: it is left
 * until the host has had its turn. */
static void let_host_go_on(void)
{
    if (current->may_wait || count_host_reads() < current->host_reads + PATIENCE)
        return;
    current->spinning = (int)(here - current->threads.data());
    wait_here();
    current->host_reads = count_host_reads();
    here->lane.seconds += fmax(0, clock_now() - card_time(0));
}

extern "C" HIDDEN uint64_t virtual_global_timer(void)
{
    const double quantum = current->card->timer_seconds;

    count_read_time();
    here->asked++;
    let_host_go_on();
    return (uint64_t)llround(
        floor(card_time(here->asked > IMPATIENCE ? WAITING_SECONDS : TIMER_SECONDS) / quantum) *
        quantum * 1e9);
}

extern "C" HIDDEN uint32_t virtual_sm_id(void)
{
    return (uint32_t)(current->block % (uint64_t)current->sms);
}

extern "C" HIDDEN void virtual_sleep(unsigned nanoseconds)
{
    here->lane.seconds += nanoseconds * 1e-9;
}

extern "C" HIDDEN void virtual_trap(void)
{
    virtual_fail("kernel %s trapped", current->launch.kernel->name);
}
