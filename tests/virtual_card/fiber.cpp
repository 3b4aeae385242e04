/* Fibers by a switch of a dozen instructions (x86-64), elsewhere by ucontext (a system call). */
#include "tests/virtual_card/fiber.h"

#include "tests/virtual_card/fail.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#define SWITCH_BEGINS(save, bottom, bytes) __sanitizer_start_switch_fiber(save, bottom, bytes)
#define SWITCH_ENDED(save, bottom, bytes)  __sanitizer_finish_switch_fiber(save, bottom, bytes)
#else
#define SWITCH_BEGINS(save, bottom, bytes) ((void)0)
#define SWITCH_ENDED(save, bottom, bytes)  ((void)0)
#endif

enum { STACK_BYTES = 256 * 1024, GUARD_BYTES = 4096 };

struct fiber {
    void (*body)(void *);
    void *argument;
    char *stack; /* a guard page, then STACK_BYTES */
    const void *main_bottom;
    size_t main_bytes;
    void *main_shadow, *own_shadow; /* of the sanitizer */
#ifdef __x86_64__
    void *main_sp, *own_sp;
#else
    ucontext_t main_context, own_context;
#endif
};

static void fiber_main(struct fiber *f)
{
    SWITCH_ENDED(nullptr, &f->main_bottom, &f->main_bytes);
    f->body(f->argument);
    virtual_fail("a fiber's body returned");
}

#ifdef __x86_64__

/* Stores the callee's registers on the present stack, goes on with the other. */
__asm__(".text\n"
        ".local virtual_fiber_switch\n"
        ".type virtual_fiber_switch, @function\n"
        "virtual_fiber_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n"
        "    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n"
        "    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".local virtual_fiber_start\n"
        "virtual_fiber_start:\n"
        "    movq %r12, %rdi\n"
        "    call *%r13\n"
        "    hlt\n");
extern "C" void virtual_fiber_switch(void **save, void *to);
extern "C" void virtual_fiber_start(void);

static void prepare(struct fiber *f)
{
    void **sp = (void **)(f->stack + GUARD_BYTES + STACK_BYTES);

    *--sp = nullptr; /* the stack is aligned at the call in virtual_fiber_start */
    *--sp = nullptr;
    *--sp = (void *)virtual_fiber_start;
    *--sp = nullptr;             /* rbp */
    *--sp = nullptr;             /* rbx */
    *--sp = f;                   /* r12 */
    *--sp = (void *)&fiber_main; /* r13 */
    *--sp = nullptr;             /* r14 */
    *--sp = nullptr;             /* r15 */
    f->own_sp = sp;
}

static void switch_in(struct fiber *f)
{
    virtual_fiber_switch(&f->main_sp, f->own_sp);
}

static void switch_out(struct fiber *f)
{
    virtual_fiber_switch(&f->own_sp, f->main_sp);
}

#else

static void context_main(unsigned high, unsigned low)
{
    fiber_main((struct fiber *)(((uintptr_t)high << 32) | low));
}

static void prepare(struct fiber *f)
{
    const uintptr_t address = (uintptr_t)f;

    getcontext(&f->own_context);
    f->own_context.uc_stack.ss_sp = f->stack + GUARD_BYTES;
    f->own_context.uc_stack.ss_size = STACK_BYTES;
    f->own_context.uc_link = nullptr;
    makecontext(&f->own_context, (void (*)(void))context_main, 2, (unsigned)(address >> 32),
                (unsigned)address);
}

static void switch_in(struct fiber *f)
{
    swapcontext(&f->main_context, &f->own_context);
}

static void switch_out(struct fiber *f)
{
    swapcontext(&f->own_context, &f->main_context);
}

#endif

struct fiber *fiber_make(void (*body)(void *), void *argument)
{
    struct fiber *f = new fiber();

    f->body = body;
    f->argument = argument;
    f->stack = (char *)mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (f->stack == MAP_FAILED || mprotect(f->stack, GUARD_BYTES, PROT_NONE) != 0)
        virtual_fail("no memory for the stack of a thread");
    prepare(f);
    return f;
}

void fiber_enter(struct fiber *f)
{
    SWITCH_BEGINS(&f->main_shadow, f->stack + GUARD_BYTES, STACK_BYTES);
    switch_in(f);
    SWITCH_ENDED(f->main_shadow, nullptr, nullptr);
}

void fiber_leave(struct fiber *f)
{
    SWITCH_BEGINS(&f->own_shadow, f->main_bottom, f->main_bytes);
    switch_out(f);
    SWITCH_ENDED(f->own_shadow, &f->main_bottom, &f->main_bytes);
}

void fiber_free(struct fiber *f)
{
    munmap(f->stack, GUARD_BYTES + STACK_BYTES);
    delete f;
}
