/* Fibers: stacks of their own that are switched to by hand. */
#ifndef VIRTUAL_CARD_FIBER_H
#define VIRTUAL_CARD_FIBER_H

struct fiber;

/* Runs `body(argument)` on a stack of its own, from the first fiber_enter on, for ever. */
struct fiber *fiber_make(void (*body)(void *), void *argument);
/* Goes on with f until it leaves; called on the main stack of the calling thread. */
void fiber_enter(struct fiber *f);
/* Back to where f was entered; called on f's own stack. */
void fiber_leave(struct fiber *f);
/* f must not be running; what its stack holds is forgotten, nothing is unwound. */
void fiber_free(struct fiber *f);

#endif
