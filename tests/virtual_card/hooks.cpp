/* The compiler's hooks (-fsanitize=thread, -fsanitize-coverage=trace-pc): memory and paths. */
#include "tests/virtual_card/account.h"
#include "tests/virtual_card/fail.h"
#include "tests/virtual_card/launch.h"

#include <string.h>

static __attribute__((cold)) void fault(uintptr_t at, size_t bytes, bool write)
{
    const struct allocation *a = memory_before((const void *)at);
    const char *does = write ? "writes" : "reads";

    if (!a)
        virtual_fail("kernel %s %s %zu bytes where nothing is allocated", account_now->kernel, does,
                     bytes);
    virtual_fail("kernel %s %s %zu bytes at byte %zu, beyond its allocation of %zu",
                 account_now->kernel, does, bytes, (size_t)(at - (uintptr_t)a->base), a->bytes);
}

/* The first use of an allocation by this launch. */
static __attribute__((noinline)) unsigned add_touch(uintptr_t at, size_t bytes, bool write)
{
    struct allocation *a = memory_find((const void *)at);

    if (!a || (char *)at + bytes > a->base + a->bytes)
        fault(at, bytes, write);
    if (launch_is_owed(a))
        virtual_fail("kernel %s uses memory that no argument of its points into",
                     account_now->kernel);
    if (account_now->touch_count == TOUCHES_MAX)
        virtual_fail("kernel %s uses more than %d allocations", account_now->kernel, TOUCHES_MAX);

    struct touch *t = &account_now->touches[account_now->touch_count];

    *t = {a,
          a->base,
          a->base + a->bytes,
          a->kind == MEMORY_CARD,
          a->product != nullptr,
          0,
          0,
          UINTPTR_MAX,
          0,
          a->version,
          a->version};
    if (!t->card)
        account_now->used_host_memory = true;
    return account_now->touch_count++;
}

/* Which touch holds these bytes.  False for memory that is the thread's own or the block's. */
static __attribute__((noinline)) bool find_touch(uintptr_t at, size_t bytes, bool write,
                                                 unsigned *index)
{
    for (unsigned i = 0; i < account_now->touch_count; i++)
        if (at >= (uintptr_t)account_now->touches[i].base &&
            at + bytes <= (uintptr_t)account_now->touches[i].end) {
            *index = i;
            return true;
        }
    if (!memory_is_reserved((const void *)at) && !memory_find((const void *)at))
        return false;
    *index = add_touch(at, bytes, write);
    return true;
}

static inline void extend(struct touch *t, uintptr_t at, size_t bytes)
{
    if (at < t->lowest)
        t->lowest = at;
    if (at + bytes > t->highest)
        t->highest = at + bytes;
}

/* A round of dependent loads: the first load of a basic block, and one whose address is the index
 * that the load before it brought. */
static inline void count_step(struct lane *l, const struct touch *t, uintptr_t at, size_t bytes)
{
    const bool chased =
        bytes == 4 && l->load_steps && (uintptr_t)t->base + 4 * (uintptr_t)l->last_value == at;

    if (chased || l->load_block != account_now->block) {
        l->load_steps++;
        l->load_block = account_now->block;
    }
    if (bytes == 4)
        memcpy(&l->last_value, (const void *)at, 4);
}

static inline void on_read(void *address, size_t bytes)
{
    if (lane_now == &lane_nobody)
        return; /* a constructor of the units */

    const uintptr_t at = (uintptr_t)address;
    struct touch *t = &account_now->touches[account_now->last_read];

    if (account_now->last_read >= account_now->touch_count || at < (uintptr_t)t->base ||
        at + bytes > (uintptr_t)t->end) {
        if (!find_touch(at, bytes, false, &account_now->last_read))
            return;
        t = &account_now->touches[account_now->last_read];
    }
    if (t->lazy)
        memory_reads(t->allocation, address, bytes);
    t->bytes_read += bytes;
    extend(t, at, bytes);
    if (t->card)
        count_step(lane_now, t, at, bytes);
    else
        account_now->host_reads++;
}

static inline void on_write(void *address, size_t bytes)
{
    if (lane_now == &lane_nobody)
        return; /* a constructor of the units */

    const uintptr_t at = (uintptr_t)address;
    struct touch *t = &account_now->touches[account_now->last_write];

    if (account_now->last_write >= account_now->touch_count || at < (uintptr_t)t->base ||
        at + bytes > (uintptr_t)t->end) {
        if (!find_touch(at, bytes, true, &account_now->last_write))
            return;
        t = &account_now->touches[account_now->last_write];
    }
    if (!t->bytes_written || t->lazy)
        memory_changes(t->allocation, address, bytes);
    t->bytes_written += bytes;
    extend(t, at, bytes);
}

#define HOOK extern "C" HIDDEN void
#define ACCESS(bytes)                                                                              \
    HOOK __tsan_read##bytes(void *p)                                                               \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_write##bytes(void *p)                                                              \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }                                                                                              \
    HOOK __tsan_unaligned_read##bytes(void *p)                                                     \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_unaligned_write##bytes(void *p)                                                    \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }                                                                                              \
    HOOK __tsan_volatile_read##bytes(void *p)                                                      \
    {                                                                                              \
        on_read(p, bytes);                                                                         \
    }                                                                                              \
    HOOK __tsan_volatile_write##bytes(void *p)                                                     \
    {                                                                                              \
        on_write(p, bytes);                                                                        \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

HOOK __tsan_read_range(void *p, size_t bytes)
{
    on_read(p, bytes);
}

HOOK __tsan_write_range(void *p, size_t bytes)
{
    on_write(p, bytes);
}

HOOK __tsan_init(void)
{
}

HOOK __tsan_func_entry(void *)
{
}

HOOK __tsan_func_exit(void)
{
}

HOOK __sanitizer_cov_trace_pc(void)
{
    const uintptr_t place = (uintptr_t)__builtin_return_address(0);

    if (lane_now == &lane_nobody)
        return;
    account_now->block++;
    if (count_has_more(lane_now))
        count_book(lane_now);
    lane_now->place = place;
}
