/* What words of a command line choose: devices, experiments, a plan. */
#ifndef COMMAND_CHOICE_H
#define COMMAND_CHOICE_H

#include "harness/measure/experiment.h"

/* Adds the words of a comma list; empty ones are left out. */
void choice_add(struct strings *words, const char *list);

/* Of the plan called `word`; anything else is the user's mistake (exit 2, the nearest named). */
enum plan choice_plan(const char *word);

/* Experiments called `words`, in the table's order, all where there are none; NULL-terminated,
 * caller frees the list.  An unknown word is the user's mistake. */
const struct experiment **choice_experiments(const struct strings *words);

struct chosen_devices {
    struct device **items;
    size_t count;
};

/* Opens the devices called `words` ("cuda0"; "cuda": all cards), all that are found where there are
 * none.  One that cannot be opened is among them all the same: lost, with its error.  An unknown
 * word is the user's mistake.  Returns 0, or -1 with a sentence in why when a device that is asked
 * for by name is not there.  Where no words are given and a kind has no device, why says so too. */
int choice_devices(struct chosen_devices *out, const struct strings *words, struct text *why);
void chosen_devices_close(struct chosen_devices *d);

#endif
