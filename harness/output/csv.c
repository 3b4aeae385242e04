/* One line a measurement, for spreadsheets and programs: SI numbers, empty where unknown (RFC
 * 4180).
 */
#include "harness/output/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
    "machine",
    "started",
    "virtual",
    "experiment",
    "device",
    "device_name",
    "peer",
    "role",
    "status",
    "reason",
    "doubts",
    "metric",
    "unit",
    "median",
    "ci_low",
    "ci_high",
    "min",
    "p25",
    "p75",
    "max",
    "samples",
    "repetitions",
    "work_bytes",
    "work_flops",
    "timed_by",
    "sm_clock_hz",
    "memory_clock_hz",
    "power_watts",
    "temperature_celsius",
};

static void add_field(struct text *out, const char *field)
{
    if (field == NULL)
        return;
    if (strpbrk(field, ",\"\r\n") == NULL) {
        text_add(out, field);
        return;
    }
    text_add(out, "\"");
    for (; *field != '\0'; field++)
        text_addf(out, *field == '"' ? "\"\"" : "%c", *field);
    text_add(out, "\"");
}

static void add_word(struct text *out, const char *word)
{
    add_field(out, word);
    text_add(out, ",");
}

/* With all digits that the number has: what is read back is the same number. */
static void add_number(struct text *out, double number)
{
    if (isfinite(number))
        text_addf(out, number == floor(number) && fabs(number) < 1e15 ? "%.0f" : "%.17g", number);
}

static void add_numbers(struct text *out, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_number(out, numbers[i]);
        text_add(out, ",");
    }
}

static void add_doubts(struct text *out, const struct measurement *m)
{
    struct text doubts = TEXT_EMPTY;

    for (size_t i = 0; i < m->doubts.count; i++)
        text_addf(&doubts, "%s%s", i > 0 ? ";" : "", m->doubts.items[i]);
    add_word(out, text_chars(&doubts));
    text_free(&doubts);
}

static void add_circumstances(struct text *out, const struct report *r, const struct measurement *m)
{
    static const char *const flags[] = {"", "no", "yes"};
    const struct device_record *d = m->device == NULL ? NULL : report_device(r, m->device);

    add_word(out, r->environment.machine);
    add_word(out, r->started);
    add_word(out, flags[r->environment.virtual_card + 1]);
    add_word(out, m->experiment);
    add_word(out, m->device);
    add_word(out, d == NULL ? NULL : d->name);
    add_word(out, m->peer);
    add_word(out, m->role);
    add_word(out, row_status_names[m->status]);
    add_word(out, m->reason);
    add_doubts(out, m);
    add_word(out, m->metric.name);
    add_word(out, m->metric.unit);
}

static void add_values(struct text *out, const struct measurement *m)
{
    const struct summary *v = &m->value;
    const double numbers[] = {v->median,      v->ci_low,     v->ci_high,   v->min,
                              v->p25,         v->p75,        v->max,       (double)v->n,
                              m->repetitions, m->work.bytes, m->work.flops};
    const double state[] = {m->telemetry.sm_clock_hz, m->telemetry.memory_clock_hz,
                            m->telemetry.power_watts, m->telemetry.temperature_celsius};

    add_numbers(out, numbers, COUNT_OF(numbers));
    add_word(out, m->timed_by);
    add_numbers(out, state, COUNT_OF(state));
}

static const struct parameter *parameter_named(const struct measurement *m, const char *name)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (strcmp(m->parameters.items[i].name, name) == 0)
            return &m->parameters.items[i];
    return NULL;
}

static void add_parameters(struct text *out, const struct measurement *m,
                           const struct strings *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct parameter *p = parameter_named(m, names->items[i]);

        if (i > 0)
            text_add(out, ",");
        if (p != NULL && p->word != NULL)
            add_field(out, p->word);
        else if (p != NULL)
            add_number(out, p->number);
    }
}

/* Every parameter that occurs has a column, in order of appearance. */
static void find_parameters(struct strings *names, const struct report *r)
{
    for (size_t i = 0; i < r->measurement_count; i++)
        for (size_t k = 0; k < r->measurements[i].parameters.count; k++)
            if (!strings_have(names, r->measurements[i].parameters.items[k].name))
                strings_add(names, r->measurements[i].parameters.items[k].name);
}

static void add_header(struct text *out, const struct strings *names)
{
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        add_word(out, columns[i]);
    for (size_t i = 0; i < names->count; i++) {
        text_add(out, i > 0 ? "," : "");
        add_field(out, names->items[i]);
    }
    text_add(out, "\r\n");
}

static int write_csv(struct text *out, const struct report *const *reports, size_t count,
                     const struct view *view, struct text *why)
{
    struct strings names = {0};

    (void)view;
    (void)why;
    for (size_t i = 0; i < count; i++)
        find_parameters(&names, reports[i]);
    add_header(out, &names);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->measurement_count; k++) {
            add_circumstances(out, reports[i], &reports[i]->measurements[k]);
            add_values(out, &reports[i]->measurements[k]);
            add_parameters(out, &reports[i]->measurements[k], &names);
            text_add(out, "\r\n");
        }
    strings_free(&names);
    return 0;
}

const struct writer writer_csv = {
    .name = "csv",
    .summary = "a line a measurement, SI numbers, for spreadsheets",
    .extension = ".csv",
    .write = write_csv,
};
