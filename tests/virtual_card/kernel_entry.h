/* A kernel that the host's compiler built: its name, and how to call it once for a thread. */
#ifndef VIRTUAL_CARD_KERNEL_ENTRY_H
#define VIRTUAL_CARD_KERNEL_ENTRY_H

#include <stddef.h>
#include <string.h>

struct kernel_entry {
    const char *name;
    size_t argument_bytes; /* of all arguments, packed */
    void (*pack)(void **arguments, char *packed);
    void (*call)(const char *packed);
    const struct kernel_entry *next;
};

/* The kernels of this build, linked by their constructors: counted, and watched by sanitizers (none
 * where the build is without). */
extern __attribute__((visibility("hidden"))) const struct kernel_entry *kernel_entries,
    *checked_entries;

template <class... A> struct packed_size;
template <> struct packed_size<> {
    static constexpr size_t bytes = 0;
};
template <class First, class... Rest> struct packed_size<First, Rest...> {
    static constexpr size_t own = (sizeof(First) + 15) / 16 * 16;
    static constexpr size_t bytes = own + packed_size<Rest...>::bytes;
};

/* Unpacks one argument after the other, by the types of the kernel's declaration. */
template <auto kernel, class... Unpacked> struct unpacker;
template <auto kernel, class... Unpacked> struct unpacker {
    template <class... Done> static void call(const char *, Done... done)
    {
        kernel(done...);
    }
};
template <auto kernel, class First, class... Rest> struct unpacker<kernel, First, Rest...> {
    template <class... Done> static void call(const char *packed, Done... done)
    {
        First value;

        memcpy((void *)&value, packed, sizeof value);
        unpacker<kernel, Rest...>::call(packed + packed_size<First>::bytes, done..., value);
    }
};

template <auto kernel, class Function> struct trampoline;
template <auto kernel, class... A> struct trampoline<kernel, void (*)(A...)> {
    static constexpr size_t bytes = packed_size<A...>::bytes;

    static void call(const char *packed)
    {
        unpacker<kernel, A...>::call(packed);
    }
    static void pack(void **arguments, char *packed)
    {
        size_t index = 0;

        memset(packed, 0, bytes);
        ((memcpy(packed, arguments[index++], sizeof(A)), packed += packed_size<A>::bytes), ...);
        (void)arguments;
        (void)index;
        (void)packed;
    }
};

template <auto kernel> struct kernel_registration {
    struct kernel_entry entry;

    kernel_registration(const char *name, const struct kernel_entry **list)
    {
        using via = trampoline<kernel, decltype(kernel)>;

        entry = {name, via::bytes, via::pack, via::call, *list};
        *list = &entry;
    }
};

#ifdef VIRTUAL_CHECKED
#define VIRTUAL_KERNELS checked_entries
#else
#define VIRTUAL_KERNELS kernel_entries
#endif
#define VIRTUAL_KERNEL(name)                                                                       \
    static struct kernel_registration<&name> registration_of_##name(#name, &VIRTUAL_KERNELS);

#endif
