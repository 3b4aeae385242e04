/* A plan's wall time, shared out. */
#include "harness/measure/budget.h"

const char *const plan_names[PLANS] = {"quick", "standard", "thorough"};
const double plan_seconds[PLANS] = {15, 60, 600};

double experiment_share(const struct experiment *e)
{
    return e->share > 0 ? e->share : 1;
}

void budget_begin(struct budget *b, const struct wall *wall, double seconds, double shares)
{
    const double now = wall->now();

    *b = (struct budget){.wall = wall, .end = now + seconds, .shares_left = shares};
    b->began = b->until = now;
}

void budget_enter(struct budget *b, double share)
{
    const double left = budget_left(b);

    b->began = b->wall->now();
    b->until = b->began + left * (share < b->shares_left ? share / b->shares_left : 1);
    b->shares_left -= share;
    b->promised = 0;
}

bool budget_admits(const struct budget *b, double seconds)
{
    return b->wall->now() + b->promised + seconds <= b->until;
}

bool budget_overdrawn(const struct budget *b)
{
    return b->wall->now() > b->until + 0.1 * (b->until - b->began);
}

double budget_left(const struct budget *b)
{
    const double left = b->end - b->wall->now();

    return left > 0 ? left : 0;
}
