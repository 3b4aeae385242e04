/* What a launch really did: bytes by the compiler's instrumentation, arithmetic by the twins, the
 * paths of a warp by the places its lanes went through.  Nothing is taken from kernels' headers. */
#ifndef VIRTUAL_CARD_COUNT_H
#define VIRTUAL_CARD_COUNT_H

#include "tests/virtual_card/card.h"
#include "tests/virtual_card/memory.h"

#include <vector>

/* One allocation that a launch used. */
struct touch {
    struct allocation *allocation;
    char *base, *end;
    bool card, lazy; /* in the card's memory; holds a product */
    uint64_t bytes_read, bytes_written;
    uintptr_t lowest, highest; /* bytes used: [lowest, highest) */
    uint64_t version_before, version_after;
};

struct work {
    double bytes, host_bytes, footprint;
    double fmas; /* of all lanes */
    /* Of all warps: SM cycles that their FMAs occupy (each path once), FMAs in a row, rounds of
     * dependent loads. */
    double warps, issue_cycles, fma_steps, load_steps;
    double chains;         /* independent FMAs that a thread has in flight */
    bool read_time;        /* a thread asked for the time: never to be left out */
    bool used_host_memory; /* the host may change it between two launches */
    double last_seconds;   /* when its last thread ended by its own account; after its start */
    std::vector<struct touch> touches;
};

/* A thread's own account. */
struct lane {
    unsigned warp;
    uint64_t epoch; /* barriers passed */
    uintptr_t place;
    uint64_t fp32, fp64, fp16; /* counters when it came to this place */
    uint64_t load_steps, load_block, fma_steps;
    uint32_t last_value;
    double seconds; /* spent otherwise */
};

struct account;

/* The account of a new launch, in use from now on; several may be open. */
struct account *count_begin_launch(const struct card *card, const char *kernel);
void count_resume(struct account *a);
void count_begin_block(void);
void count_end_thread(struct lane *l);
void count_end_block(unsigned warps);
/* Of the account in use, which is gone then. */
struct work count_end_launch(void);
uint64_t count_host_reads(void);  /* so far, of the host's memory */
bool count_has_read_time(void);   /* so far any thread asked for the time */
bool count_changes_nothing(void); /* so far no memory was written */
/* From now on this lane is running; NULL: none. */
void count_lane(struct lane *l);
/* A barrier was passed by the running lane. */
void count_barrier(void);
void count_read_time(void);
/* Seconds since its start that the lane has taken. */
double count_lane_seconds(const struct lane *l);

#endif
