/* Is the answer right, and if not, does it stay wrong? */
#include "harness/measure/answer.h"

#include <stdlib.h>
#include <string.h>

enum { RECHECKS = 3 };

static void checked(struct measurement *row, const char *as)
{
    free(row->check);
    row->check = xstrdup(as);
}

/* One execution and its check; the row's status says how that ended. */
static void execute_and_check(struct trial *t, struct run_times *out)
{
    if (trial_probe(t, t->kernel, t->args, t->timed_by, 1, out) || !t->experiment->check)
        return;
    if (t->experiment->check(t) && t->row->status == ROW_OK)
        trial_wrong(t, "the answer is wrong");
}

/* Whether a wrong answer comes again, and in the same place: three executions more.  The row keeps
 * the first answer's reason. */
static void recheck(struct trial *t)
{
    struct measurement *row = t->row;
    char *first = row->reason;
    struct run_times out;

    row->rechecks_wrong = 0;
    for (int i = 0; i < RECHECKS && !t->device->lost; i++) {
        row->status = ROW_OK;
        row->reason = NULL;
        execute_and_check(t, &out);
        if (row->status == ROW_WRONG) {
            row->rechecks_wrong++;
            if (row->rechecks_alike != FLAG_NO)
                row->rechecks_alike =
                    row->reason && strcmp(row->reason, first) == 0 ? FLAG_YES : FLAG_NO;
        }
        free(row->reason);
    }
    row->status = ROW_WRONG;
    row->reason = first;
}

int answer_check(struct trial *t)
{
    struct run_times out;

    execute_and_check(t, &out);
    if (!(t->once_seconds > 0) && out.seconds > 0)
        t->once_seconds = out.seconds;
    if (t->row->status == ROW_OK && t->experiment->check)
        checked(t->row, "ok");
    if (t->row->status == ROW_WRONG) {
        checked(t->row, "wrong");
        recheck(t);
    }
    return t->row->status == ROW_OK ? 0 : -1;
}
