/* Seeded random order. */
#include "harness/measure/schedule.h"

#include "harness/base/text.h"

#include <stdlib.h>

/* Vigna's splitmix64 (public domain, prng.di.unimi.it). */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) * 0x1p-53;
}

static int by_key(const void *left, const void *right)
{
    const struct turn *a = left, *b = right;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->who > b->who) - (a->who < b->who);
}

void turns_sort(struct turn *turns, size_t count)
{
    if (count)
        qsort(turns, count, sizeof *turns, by_key);
}

/* A turn for each sample; the key is set by who asks. */
static size_t turns_of(struct turn **out, const unsigned *wanted, size_t count)
{
    size_t turns = 0, n = 0;

    for (size_t i = 0; i < count; i++)
        turns += wanted[i];
    *out = xcalloc(turns ? turns : 1, sizeof **out);
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < wanted[i]; k++)
            (*out)[n++] = (struct turn){k, i};
    return turns;
}

size_t schedule_rounds(struct turn **out, const unsigned *wanted, size_t count, uint64_t *state)
{
    const size_t turns = turns_of(out, wanted, count);

    for (size_t i = 0; i < turns; i++)
        (*out)[i].key = ((*out)[i].key + random_unit(state)) / wanted[(*out)[i].who];
    turns_sort(*out, turns);
    return turns;
}

size_t schedule_in_turn(struct turn **out, const unsigned *wanted, size_t count)
{
    return turns_of(out, wanted, count);
}
