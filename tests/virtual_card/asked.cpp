/* What kernels ask of the engine: barriers, votes, what other lanes have, shared memory, timers. */
#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/execution_state.h"
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/model.h"

#include <math.h>

/* After so many looks at the host's memory a thread counts as waiting for it; after so many
 * questions for the time they take longer. */
enum { PATIENCE = 1000, IMPATIENCE = 200000 };
static const double TIMER_SECONDS = 20e-9, WAITING_SECONDS = 1e-6;

static unsigned lane_number(void)
{
    return (unsigned)(thread_now - execution_now->threads.data()) % 32;
}

extern "C" HIDDEN void virtual_block_barrier(void)
{
    count_barrier();
    thread_now->at_block_barrier = true;
    execution_now->waiting++;
    execution_release_block(execution_now);
    execution_wait();
}

extern "C" HIDDEN int virtual_block_vote(int predicate)
{
    execution_now->votes += predicate != 0;
    virtual_block_barrier();
    return (int)execution_now->last_votes;
}

static void meet_warp(unsigned mask)
{
    struct warp *w = &execution_now->warps[thread_now->lane.warp];

    count_barrier();
    w->wanted = mask;
    w->arrived |= 1u << lane_number();
    execution_release_warp(execution_now, thread_now->lane.warp);
    execution_wait();
}

/* Lanes that share no memory cannot see whether they met. */
extern "C" HIDDEN void virtual_warp_barrier(unsigned mask)
{
    if (execution_now->uses_shared)
        meet_warp(mask);
    else
        count_barrier();
}

extern "C" HIDDEN uint64_t virtual_warp_exchange(unsigned mask, uint64_t value, unsigned source)
{
    struct warp *w = &execution_now->warps[thread_now->lane.warp];
    uint64_t *values = w->values[w->turn];

    values[lane_number()] = value;
    meet_warp(mask);
    return values[source % 32];
}

extern "C" HIDDEN unsigned virtual_warp_ballot(unsigned mask, int predicate)
{
    struct warp *w = &execution_now->warps[thread_now->lane.warp];
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
    execution_now->uses_shared = true;
    for (auto &array : execution_now->arrays)
        if (array->declaration == declaration)
            return array->memory.data();
    if (alignment > alignof(max_align_t))
        virtual_fail("shared memory aligned to %zu bytes is not known", alignment);
    execution_now->arrays.push_back(std::unique_ptr<struct shared_array>(
        new shared_array{declaration, std::vector<char>(bytes, (char)0xA5)}));
    return execution_now->arrays.back()->memory.data();
}

extern "C" HIDDEN void *virtual_shared_dynamic(void)
{
    execution_now->uses_shared = true;
    return execution_now->dynamic.data();
}

static double card_time(double question_seconds)
{
    thread_now->lane.seconds += question_seconds;
    return execution_now->wave_start + count_lane_seconds(&thread_now->lane);
}

extern "C" HIDDEN long long virtual_sm_ticks(void)
{
    count_read_time();
    return llround(model_ticks(execution_now->card, card_time(4 / model_hz(execution_now->card))));
}

/* A thread that goes on asking while it looks at the host's memory waits for the host: it is left
 * until the host has had its turn. */
static void let_host_go_on(void)
{
    if (execution_now->may_wait || count_host_reads() < execution_now->host_reads + PATIENCE)
        return;
    execution_now->spinning = (int)(thread_now - execution_now->threads.data());
    execution_wait();
    execution_now->host_reads = count_host_reads();
    thread_now->lane.seconds += fmax(0, clock_now() - card_time(0));
}

extern "C" HIDDEN uint64_t virtual_global_timer(void)
{
    const double quantum = execution_now->card->timer_seconds;

    count_read_time();
    thread_now->asked++;
    let_host_go_on();
    return (uint64_t)llround(
        floor(card_time(thread_now->asked > IMPATIENCE ? WAITING_SECONDS : TIMER_SECONDS) /
              quantum) *
        quantum * 1e9);
}

extern "C" HIDDEN uint32_t virtual_sm_id(void)
{
    return (uint32_t)(execution_now->block % (uint64_t)execution_now->sms);
}

extern "C" HIDDEN void virtual_sleep(unsigned nanoseconds)
{
    thread_now->lane.seconds += nanoseconds * 1e-9;
}

extern "C" HIDDEN void virtual_trap(void)
{
    virtual_fail("kernel %s trapped", execution_now->launch.kernel->name);
}
