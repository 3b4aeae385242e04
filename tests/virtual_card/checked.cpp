/* Executes kernels under the sanitizers. */
#include "tests/virtual_card/checked.h"

#include "tests/virtual_card/fail.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const struct kernel_entry *checked_entries;

static const struct kernel_entry *find_checked(const char *name)
{
    for (const struct kernel_entry *k = checked_entries; k; k = k->next)
        if (strcmp(k->name, name) == 0)
            return k;
    virtual_fail("kernel %s was not compiled for the sanitizers", name);
}

void checked_execute(const struct launch *l, const struct card *card, double resident_blocks,
                     double start)
{
    struct launch watched = *l;

    watched.kernel = find_checked(l->kernel->name);

    const pid_t child = fork();
    int status = 0;

    if (child == 0) {
        execution_advance(execution_begin(&watched, card, (int)card->sms, resident_blocks, start),
                          true);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        virtual_fail("kernel %s does not pass the sanitizers", l->kernel->name);
}
