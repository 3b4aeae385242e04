/* A launch while it is being executed, and who is running: what execution.cpp (order) and asked.cpp
 * (what kernels ask of the engine) share. */
#ifndef VIRTUAL_CARD_EXECUTION_STATE_H
#define VIRTUAL_CARD_EXECUTION_STATE_H

#include "tests/virtual_card/execution.h"

#include <memory>
#include <vector>

#define HIDDEN __attribute__((visibility("hidden")))

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

extern HIDDEN struct execution *execution_now;
extern HIDDEN struct thread *thread_now;

/* Let threads go that wait at a barrier of their block, or of one warp, when all that live have
 * come. */
void execution_release_block(struct execution *e);
void execution_release_warp(struct execution *e, unsigned index);
/* Leaves the running thread where it is; it goes on when it is woken. */
void execution_wait(void);

#endif
