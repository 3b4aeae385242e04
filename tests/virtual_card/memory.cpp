/* Sparse pages out of one reserved range of addresses that are never given out twice. */
#include "tests/virtual_card/memory.h"

#include "tests/virtual_card/card.h"
#include "tests/virtual_card/fail.h"

#include <map>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, bytes) ((void)0)
#endif

static const size_t RANGE_BYTES = (size_t)1 << 42, PAGE_BYTES = 4096, LARGE_BYTES = 1 << 20;

static char *range, *next_free;
static auto &live = *new std::map<uintptr_t, struct allocation *>;
static size_t registered, pinned, used[16];
static uint64_t last_id;

static size_t round_up(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Pages of their own, an unusable one after them. */
static char *take_pages(size_t reserved)
{
    if (!range) {
        range = (char *)mmap(nullptr, RANGE_BYTES, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED)
            virtual_fail("no addresses for the card's memory");
        next_free = range;
    }

    char *base = next_free;

    next_free += reserved + PAGE_BYTES;
    if (next_free > range + RANGE_BYTES)
        virtual_fail("all addresses of the card's memory were used once");
    if (mprotect(base, reserved, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
    return base;
}

static struct allocation *add(enum memory_kind kind, int card, char *base, size_t bytes,
                              size_t reserved)
{
    if (!base)
        return nullptr;

    /* The rest of its last page, too, is nobody's. */
    if (reserved > bytes)
        ASAN_POISON_MEMORY_REGION(base + bytes, reserved - bytes);

    struct allocation *a = new allocation{++last_id, kind, card, base, bytes, reserved, 1, nullptr};

    live[(uintptr_t)base] = a;
    return a;
}

struct allocation *memory_allocate(int card, size_t bytes)
{
    const size_t reserved = round_up(bytes, PAGE_BYTES);

    const double room = card_at(card)->memory_bytes - card_at(card)->memory_taken_bytes;

    if ((double)used[card] + (double)reserved > room)
        return nullptr;

    struct allocation *a = add(MEMORY_CARD, card, take_pages(reserved), bytes, reserved);

    if (a)
        used[card] += reserved;
    /* Whoever reads what was never written shall see that it is not zero. */
    if (a && bytes <= LARGE_BYTES)
        memset(a->base, 0xA5, bytes);
    return a;
}

struct allocation *memory_pin(size_t bytes)
{
    const size_t reserved = round_up(bytes, PAGE_BYTES);
    struct allocation *a = add(MEMORY_PINNED_HOST, -1, take_pages(reserved), bytes, reserved);

    pinned += a ? 1 : 0;
    return a;
}

struct allocation *memory_register(void *base, size_t bytes)
{
    registered++;
    return add(MEMORY_REGISTERED_HOST, -1, (char *)base, bytes, 0);
}

/* Products that are made from this memory can no longer be computed. */
static void orphan_readers(const struct allocation *source)
{
    for (auto &[base, a] : live)
        if (a->product && a->product->reads(source))
            a->product->orphan(source);
}

void memory_free(struct allocation *a)
{
    orphan_readers(a);
    live.erase((uintptr_t)a->base);
    if (a->kind == MEMORY_REGISTERED_HOST)
        registered--;
    else if (mmap(a->base, a->reserved, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
        virtual_fail("cannot give back %zu bytes", a->reserved);
    if (a->kind == MEMORY_CARD)
        used[a->card] -= a->reserved;
    delete a->product;
    delete a;
}

bool memory_is_reserved(const void *address)
{
    return (uintptr_t)address - (uintptr_t)range < RANGE_BYTES && range;
}

struct allocation *memory_before(const void *address)
{
    auto after = live.upper_bound((uintptr_t)address);

    return after == live.begin() ? nullptr : std::prev(after)->second;
}

struct allocation *memory_find(const void *address)
{
    if (!registered && !memory_is_reserved(address))
        return nullptr;

    struct allocation *a = memory_before(address);

    return a && (const char *)address < a->base + a->bytes ? a : nullptr;
}

size_t memory_used(int card)
{
    return used[card];
}

size_t memory_count(void)
{
    return live.size();
}

void memory_reads(struct allocation *a, const void *from, size_t bytes)
{
    if (a->product) {
        const size_t first = (size_t)((const char *)from - a->base);

        a->product->compute(first, first + bytes);
    }
}

void memory_changes(struct allocation *a, const void *from, size_t bytes)
{
    a->version++;
    orphan_readers(a);
    if (a->product) {
        const size_t first = (size_t)((const char *)from - a->base);

        a->product->overwrite(first, first + bytes);
    }
}
