/* The order in which things are tried and measured: random, and the same again for a seed. */
#ifndef MEASURE_SCHEDULE_H
#define MEASURE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

/* Whose turn it is, by rising key. */
struct turn {
    double key;
    size_t who;
};

/* In [0, 1), from a generator (splitmix64) that any state starts. */
double random_unit(uint64_t *state);
void turns_sort(struct turn *turns, size_t count);
/* Rounds of samples: `wanted[i]` turns for each of `count` rows, spread evenly over the whole
 * series, in random order within every round.  Returns the number of turns; *out is the caller's to
 * free. */
size_t schedule_rounds(struct turn **out, const unsigned *wanted, size_t count, uint64_t *state);
/* All turns of one row, then all of the next. */
size_t schedule_in_turn(struct turn **out, const unsigned *wanted, size_t count);

#endif
