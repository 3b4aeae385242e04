/* Runs blocks and threads: which one goes on, and who waits at a barrier. */
#include "tests/virtual_card/execution_state.h"

#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/fiber.h"

#include <algorithm>
#include <math.h>

extern "C" {
/* Constant to kernels, set here between two calls. */
HIDDEN uint3 virtual_thread_index __asm__("threadIdx");
HIDDEN uint3 virtual_block_index __asm__("blockIdx");
HIDDEN dim3 virtual_block_size __asm__("blockDim");
HIDDEN dim3 virtual_grid_size __asm__("gridDim");
}

const struct kernel_entry *kernel_entries;

/* A kernel of many threads that ask for the time and write nothing only lets time pass. */
enum { WAITER = 3 };

struct execution *execution_now;
struct thread *thread_now;
static struct fiber *running_fiber;
static auto &idle_fibers = *new std::vector<struct fiber *>;

static void make_current(struct execution *e, struct thread *t)
{
    execution_now = e;
    thread_now = t;
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

void execution_release_block(struct execution *e)
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

void execution_release_warp(struct execution *e, unsigned index)
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
    execution_release_warp(e, t->lane.warp);
    execution_release_block(e);
}

/* A fiber calls threads one after the other; one that waits keeps the fiber, another goes on. */
static void call_threads(void *)
{
    for (;;) {
        while (execution_now->next < execution_now->threads.size() && !execution_now->passes_time) {
            struct execution *e = execution_now;
            struct thread *t = &e->threads[e->next++];

            t->fiber = running_fiber;
            make_current(e, t);
            e->launch.kernel->call(e->launch.arguments.data());
            end_thread(execution_now, thread_now);
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
    execution_now = e;
    running_fiber = f;
    fiber_enter(f);
    count_lane(nullptr);
}

void execution_wait(void)
{
    struct thread *t = thread_now;
    struct execution *e = execution_now;

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
