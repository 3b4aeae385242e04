/* What the streams of a card share: places for blocks, memory, cache, arithmetic.  Work that meets
 * is served in the order in which it became ready: the last ends when it would on a real card, the
 * first as if it were alone. */
#ifndef VIRTUAL_CARD_SHARE_H
#define VIRTUAL_CARD_SHARE_H

#include "tests/virtual_card/card.h"

struct share {
    double places; /* of all places for blocks that the SMs have: 0 to 1 */
    /* Seconds for which it would occupy all of each. */
    double memory_seconds, cache_seconds, issue_seconds;
};

/* When work that wants so many of the places can begin, at `ready` or later. */
double share_begin(const struct card *card, double places, double ready);
/* When work that began then ends, at `end` or later, for what others have taken before it. */
double share_end(const struct card *card, const struct share *s, double begin, double end);

#endif
