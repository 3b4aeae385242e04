/* Where the calling thread runs: work is queued to a card from the cores near it, and the host is
 * measured on all the cores that the program was given. */
#ifndef DEVICE_PLACE_H
#define DEVICE_PLACE_H

#include <sched.h>
#include <stdbool.h>

/* Back to the CPUs that the program started with. */
void place_anywhere(void);
/* To those of the CPUs that the program started with; anywhere when none of them is allowed.  near
 * stays valid until the thread is placed elsewhere. */
void place_near(const cpu_set_t *near);
/* Reads "0-3,8,10-11".  False when it names no CPU. */
bool place_parse(const char *list, cpu_set_t *cpus);

#endif
