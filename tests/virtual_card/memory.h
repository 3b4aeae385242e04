/* The memory of the virtual card, pinned memory of the host, and who changed which when. */
#ifndef VIRTUAL_CARD_MEMORY_H
#define VIRTUAL_CARD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

enum memory_kind { MEMORY_CARD, MEMORY_PINNED_HOST, MEMORY_REGISTERED_HOST };

/* Elements that are computed when somebody reads them. */
struct allocation;

struct product {
    virtual ~product() = default;
    /* Bytes first..end of the allocation are about to be read: makes them right. */
    virtual void compute(size_t first, size_t end) = 0;
    /* They are about to be overwritten. */
    virtual void overwrite(size_t first, size_t end) = 0;
    /* Contents that the product is made from are about to change or to go. */
    virtual bool reads(const struct allocation *a) const = 0;
    virtual void orphan(const struct allocation *a) = 0;
};

struct allocation {
    uint64_t id;
    enum memory_kind kind;
    int card;
    char *base;
    size_t bytes, reserved;
    uint64_t version; /* changes whenever its contents may have changed */
    struct product *product;
};

/* Sparse memory of the card; NULL where it has no such amount left. */
struct allocation *memory_allocate(int card, size_t bytes);
struct allocation *memory_pin(size_t bytes);
struct allocation *memory_register(void *base, size_t bytes);
void memory_free(struct allocation *a);
/* The allocation that holds this address, or NULL. */
struct allocation *memory_find(const void *address);
/* The allocation before this address: what an access just missed; or NULL. */
struct allocation *memory_before(const void *address);
/* True for addresses that only memory_allocate and memory_pin give out. */
bool memory_is_reserved(const void *address);
size_t memory_used(int card);
/* Allocations not yet freed, of cards and pinned. */
size_t memory_count(void);
/* Their contents may be read now / will have changed (products are computed, or dropped). */
void memory_reads(struct allocation *a, const void *from, size_t bytes);
void memory_changes(struct allocation *a, const void *from, size_t bytes);

#endif
