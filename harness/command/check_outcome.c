/* What a check comes to. */
#include "harness/command/check_outcome.h"

#include "harness/analysis/findings.h"

#include <string.h>

/* The figures that a verdict is about, by their headline rows; one of the roles is enough. */
static const struct main_figure {
    const char *name, *roles[2];
    const char *memory; /* of cards only: the kind that it is about */
} main_figures[] = {
    {"the link", {"host_to_device", NULL}, "pinned"},
    {"memory bandwidth", {"memory_bandwidth", NULL}, NULL},
    {"arithmetic", {"gemm", "vector_peak"}, NULL},
};

enum standing { NOT_ASKED, MISSING, PRESENT };

static bool is_about(const struct measurement *m, const struct device_record *d,
                     const struct main_figure *f)
{
    if (m->role == NULL || strcmp(m->device, d->id) != 0 || !m->headline)
        return false;
    if (f->memory != NULL && !parameters_match(&m->parameters, "memory", f->memory))
        return false;
    return strcmp(m->role, f->roles[0]) == 0 ||
           (f->roles[1] != NULL && strcmp(m->role, f->roles[1]) == 0);
}

static enum standing standing_of(const struct report *r, const struct device_record *d,
                                 const struct main_figure *f)
{
    enum standing standing = NOT_ASKED;

    if (f->memory != NULL && strcmp(d->kind, "host") == 0)
        return NOT_ASKED;
    for (size_t i = 0; i < r->measurement_count; i++) {
        if (!is_about(&r->measurements[i], d, f))
            continue;
        if (measurement_usable(&r->measurements[i]))
            return PRESENT;
        standing = MISSING;
    }
    return standing;
}

/* Calls for every main figure that is missing; returns how many are present. */
static size_t count_present(const struct report *r, struct text *missing)
{
    size_t present = 0;

    for (size_t i = 0; i < r->device_count; i++)
        for (size_t k = 0; k < COUNT_OF(main_figures); k++) {
            const enum standing s = standing_of(r, &r->devices[i], &main_figures[k]);

            present += s == PRESENT;
            if (s == MISSING)
                text_addf(missing, "%s%s of %s", missing->length > 0 ? ", " : "",
                          main_figures[k].name, r->devices[i].id);
        }
    return present;
}

static void add_unusable(struct text *out, const struct report *r)
{
    for (size_t i = 0; i < r->device_count; i++)
        if (r->devices[i].unusable != NULL)
            text_addf(out, "%s%s (%s)", out->length > 0 ? ", " : "", r->devices[i].id,
                      r->devices[i].unusable);
}

/* What was asked for on the command line and cannot be answered. */
static void add_unjudged(struct text *out, const struct report *r,
                         const struct circumstances *given)
{
    struct strings lines = {0};

    findings_unjudged(&lines, r, given);
    if (given->baseline != NULL && !findings_have_device_of(r, given->baseline))
        strings_add(&lines, "--against (the baseline holds none of these devices)");
    for (size_t i = 0; i < lines.count; i++)
        text_addf(out, "%s%s", out->length > 0 ? ", " : "", lines.items[i]);
    strings_free(&lines);
}

void check_missing(struct text *out, const struct report *r, const struct circumstances *given)
{
    const size_t present = count_present(r, out);

    add_unusable(out, r);
    add_unjudged(out, r, given);
    if (present == 0 && out->length == 0)
        text_add(out, "every main figure: none was measured");
}

static bool is_broken(const struct report *r)
{
    for (size_t i = 0; i < r->measurement_count; i++)
        if (r->measurements[i].status == ROW_FAILED || r->measurements[i].status == ROW_WRONG)
            return true;
    return false;
}

enum exit_status check_outcome(const struct report *r, const struct circumstances *given)
{
    enum severity worst = SEVERITY_NOTE;
    struct text missing = TEXT_EMPTY;
    bool lacks;

    findings_worst(r, &worst);
    if (worst == SEVERITY_FAULT || is_broken(r))
        return EXIT_FAULT;
    check_missing(&missing, r, given);
    lacks = missing.length > 0;
    text_free(&missing);
    if (lacks)
        return EXIT_NOTHING;
    return worst == SEVERITY_NOTE ? EXIT_OK : EXIT_INVALID;
}

static int weight(enum exit_status status)
{
    static const enum exit_status order[] = {EXIT_OK, EXIT_INVALID, EXIT_NOTHING, EXIT_FAULT,
                                             EXIT_USAGE};

    for (size_t i = 0; i < COUNT_OF(order); i++)
        if (order[i] == status)
            return (int)i;
    return (int)COUNT_OF(order); /* interrupted */
}

enum exit_status check_worse(enum exit_status a, enum exit_status b)
{
    return weight(a) > weight(b) ? a : b;
}

struct verdict_summary check_summary(enum exit_status status, const char *missing)
{
    const char *word = status == EXIT_OK        ? "OK"
                       : status == EXIT_INVALID ? "DEGRADED"
                       : status == EXIT_FAULT   ? "FAULT"
                                                : "INCOMPLETE";

    return (struct verdict_summary){word, status, missing};
}
