/* The account of a launch that is being executed, and who is running: what count.cpp (launches,
 * lanes, arithmetic) and hooks.cpp (memory, paths) share. */
#ifndef VIRTUAL_CARD_ACCOUNT_H
#define VIRTUAL_CARD_ACCOUNT_H

#include "tests/virtual_card/count.h"

#define HIDDEN __attribute__((visibility("hidden")))

enum { TOUCHES_MAX = 32, WATCHED = 256, CHAINS_MAX = 32 };

extern "C" {
extern HIDDEN uint64_t virtual_count_fp32, virtual_count_fp64, virtual_count_fp16;
extern HIDDEN uint64_t *virtual_watch_next, virtual_watch_wanted;
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
    double chains, warps, issue_cycles, fma_steps, load_steps, fmas;
    std::vector<uint64_t> warp_loads; /* of the block, most of any lane */
    struct place_table places;
};

extern HIDDEN struct account *account_now;        /* NULL before the first launch */
extern HIDDEN struct lane *lane_now, lane_nobody; /* lane_now is never NULL */

/* Whether the lane did arithmetic that is not booked yet. */
static inline bool count_has_more(const struct lane *l)
{
    return (virtual_count_fp32 ^ l->fp32) | (virtual_count_fp64 ^ l->fp64) |
           (virtual_count_fp16 ^ l->fp16);
}

/* Books it. */
void count_book(struct lane *l);

#endif
