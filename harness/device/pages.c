/* Ordinary memory of the host, mapped at a huge page's alignment. */
#include "harness/device/pages.h"

#include "harness/base/units.h"
#include "harness/device/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Lies below the memory that is handed out. */
struct mapping {
    void *start;
    size_t bytes;
};

int pages_refuse(struct device *d, size_t bytes)
{
    const double available = system_memory_available_bytes();
    char asked[UNITS_MAX], left[UNITS_MAX];

    if (!((double)bytes > available))
        return 0;
    d->refused = true;
    return device_fail(d, "%s of host memory asked for, %s available",
                       units_format(asked, (double)bytes, "B"), units_format(left, available, "B"));
}

static struct mapping *mapping_of(char *memory)
{
    return (struct mapping *)(void *)(memory - sizeof(struct mapping));
}

void *pages_alloc(struct device *d, size_t bytes)
{
    d->refused = false;
    if (bytes > SIZE_MAX - 2 * (size_t)PAGES_ALIGNMENT || pages_refuse(d, bytes))
        return NULL;

    struct mapping m = {.bytes = bytes + 2 * (size_t)PAGES_ALIGNMENT};
    m.start = mmap(NULL, m.bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m.start == MAP_FAILED) {
        d->refused = errno == ENOMEM;
        device_fail(d, "the system gives no %zu bytes of memory: %s", bytes, strerror(errno));
        return NULL;
    }
    const size_t past = (uintptr_t)m.start % PAGES_ALIGNMENT;
    char *memory = (char *)m.start + (PAGES_ALIGNMENT - past);
    madvise(memory, bytes, MADV_HUGEPAGE);
    *mapping_of(memory) = m;
    return memory;
}

void pages_free(void *memory)
{
    if (memory) {
        const struct mapping m = *mapping_of(memory);

        munmap(m.start, m.bytes);
    }
}
