/* What the rows of transfer say together.
 *
 * Figures of a direction and kind of host memory, from the fit t(n) = startup + n / rate:
 *   startup_seconds, rate, half_rate_bytes (where half of the rate is reached)
 * and
 *   both_over_one   both directions together over the faster of them alone
 *   rate            of the host's own copies, from the same fit */
#ifndef BENCH_TRANSFER_FIGURES_H
#define BENCH_TRANSFER_FIGURES_H

#include "harness/measure/experiment.h"

#include <math.h>
#include <string.h>

enum { TRANSFER_FIT_MAX = 32, TRANSFER_FIT_LEAST = 3 };

/* METHOD 2: up to this size the runtime stages a pageable copy and returns, which is another line
 * than that of larger ones. */
static const double transfer_kink_bytes = 65536;

/* Sizes, median times and weights with which all sizes count alike. */
struct transfer_points {
    double bytes[TRANSFER_FIT_MAX], seconds[TRANSFER_FIT_MAX], weights[TRANSFER_FIT_MAX];
    size_t count;
};

/* Rows of a role and kind of memory (NULL: any) of more bytes than that. */
static inline struct transfer_points transfer_points_of(const struct conclusion *c,
                                                        const char *role, const char *memory,
                                                        double above_bytes)
{
    struct transfer_points p = {.count = 0};

    for (size_t i = 0; i < c->count && p.count < TRANSFER_FIT_MAX; i++) {
        const struct measurement *row = &c->rows[i];
        const double bytes = parameters_number(&row->parameters, "bytes");

        if (!row->role || strcmp(row->role, role) || !measurement_usable(row) ||
            !(bytes > above_bytes) ||
            (memory && !parameters_match(&row->parameters, "memory", memory)))
            continue;
        p.bytes[p.count] = bytes;
        p.seconds[p.count] = summary_of(row->seconds, row->samples).median;
        p.weights[p.count] = 1 / (p.seconds[p.count] * p.seconds[p.count]);
        p.count++;
    }
    return p;
}

/* Pageable copies are fitted above their kink, unless too few are. */
static inline struct line_fit transfer_fit(const struct conclusion *c, const char *role,
                                           const char *memory)
{
    const bool pageable = memory && strcmp(memory, "pageable") == 0;
    struct transfer_points p =
        transfer_points_of(c, role, memory, pageable ? transfer_kink_bytes : 0);

    if (p.count < TRANSFER_FIT_LEAST)
        p = transfer_points_of(c, role, memory, 0);
    return line_fit(p.bytes, p.seconds, p.weights, p.count);
}

static inline void transfer_add(struct conclusion *c, const char *role, const char *memory,
                                const char *name, struct estimate value, const char *unit)
{
    struct figure *f;

    if (!(value.value > 0)) /* unknown, or lost in the noise */
        return;
    f = conclusion_figure(c, role, name, value, unit);
    if (memory)
        parameters_set_word(&f->parameters, "memory", memory);
}

static inline struct estimate transfer_rate(struct estimate slope)
{
    return (struct estimate){1 / slope.value, 1 / slope.high, slope.low > 0 ? 1 / slope.low : NAN};
}

static inline void transfer_conclude_link(struct conclusion *c, const char *role,
                                          const char *memory)
{
    const struct line_fit line = transfer_fit(c, role, memory);

    transfer_add(c, role, memory, "startup_seconds", line.intercept, "s");
    transfer_add(c, role, memory, "rate", transfer_rate(line.slope), "B/s");
    transfer_add(c, role, memory, "half_rate_bytes", estimate_ratio(line.intercept, line.slope),
                 "B");
}

/* One direction at the headline's size, pinned, alone. */
static inline bool transfer_is_one_way(const struct measurement *row)
{
    return measurement_usable(row) && row->headline &&
           parameters_match(&row->parameters, "memory", "pinned") &&
           !parameters_word(&row->parameters, "direction");
}

static inline void transfer_conclude_both(struct conclusion *c)
{
    static const char *const sum_of[] = {"direction", "sum", NULL};
    const struct measurement *sum = conclusion_row(c, "bidirectional", sum_of), *one = NULL;

    for (size_t i = 0; i < c->count; i++)
        if (transfer_is_one_way(&c->rows[i]) &&
            (!one || c->rows[i].value.median > one->value.median))
            one = &c->rows[i];
    if (sum && one)
        transfer_add(c, "bidirectional", NULL, "both_over_one",
                     estimate_ratio(estimate_of(&sum->value), estimate_of(&one->value)), "");
}

static inline void transfer_conclude(struct conclusion *c)
{
    static const char *const roles[] = {"host_to_device", "device_to_host"}, *const memories[] = {
                                                                                 "pinned",
                                                                                 "pageable"};

    for (size_t i = 0; i < COUNT_OF(roles); i++)
        for (size_t m = 0; m < COUNT_OF(memories); m++)
            transfer_conclude_link(c, roles[i], memories[m]);
    transfer_conclude_both(c);
    transfer_add(c, "host_memcpy", NULL, "rate",
                 transfer_rate(transfer_fit(c, "host_memcpy", NULL).slope), "B/s");
}

#endif
