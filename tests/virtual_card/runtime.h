/* What the entry points of the runtime share: the caller's card, its last error, one lock. */
#ifndef VIRTUAL_CARD_RUNTIME_H
#define VIRTUAL_CARD_RUNTIME_H

#include "tests/virtual_card/card.h"
#include "tests/virtual_card/clock.h"
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/launch.h"
#include "tests/virtual_card/memory.h"
#include "tests/virtual_card/queue.h"

#include <cuda_runtime_api.h>
#include <mutex>

static const double CALL_SECONDS = 100e-9; /* any call that does nothing on the card */

extern std::recursive_mutex runtime_lock;

/* The card that the calling thread has chosen. */
int runtime_card(void);
void runtime_choose(int card);
/* Keeps an error for cudaGetLastError; returns it. */
cudaError_t runtime_error(cudaError_t error);
/* Why no call can work here: no device, an old driver; cudaSuccess otherwise. */
cudaError_t runtime_refuses(void);
/* The error that ended the context, or cudaSuccess. */
cudaError_t runtime_lasting(void);
/* Counts the call of this name; the error that a test ordered for it, or cudaSuccess. */
cudaError_t runtime_begin(const char *name);

/* Opens an entry point: holds the lock, and fails as ordered. */
#define ENTER(name)                                                                                \
    std::lock_guard<std::recursive_mutex> lock(runtime_lock);                                      \
    if (cudaError_t ordered = runtime_begin(#name))                                                \
        return runtime_error(ordered);                                                             \
    clock_spend(CALL_SECONDS)
#define API extern "C" __attribute__((visibility("default")))

#endif
