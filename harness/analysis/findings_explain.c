/* What the rules are, and why some of them could not run. */
#include "harness/analysis/findings.h"
#include "harness/analysis/verdicts.h"
#include "harness/base/units.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void add_inputs(struct text *out, const char *heading, const enum input *inputs, size_t most)
{
    for (size_t i = 0; i < most && inputs[i] != INPUT_NONE; i++)
        text_addf(out, "%s%s", i == 0 ? heading : ", ", input_names[inputs[i]]);
    if (inputs[0] != INPUT_NONE)
        text_add(out, "\n");
}

static void add_limit(struct text *out, const struct threshold *t)
{
    char number[UNITS_MAX];

    text_add(out, "  threshold: ");
    if (strcmp(t->unit, "%") == 0)
        text_addf(out, "%.4g %%", t->value * 100);
    else
        text_add(out, units_format(number, t->value, t->unit));
    text_addf(out, ", %s (%s)\n", t->bounds, t->source);
}

static void add_rule(struct text *out, const struct rule *rule)
{
    text_addf(out, "%s (%s)\n  when: %s\n", rule->id, severity_names[rule->severity], rule->when);
    add_inputs(out, "  needs: ", rule->needs, RULE_NEEDS_MAX);
    add_inputs(out, "  not where: ", rule->unless, RULE_UNLESS_MAX);
    for (size_t i = 0; i < RULE_LIMITS_MAX && rule->limits[i] != LIMIT_NONE; i++)
        add_limit(out, &thresholds[rule->limits[i]]);
    if (rule->lacks != NULL)
        text_addf(out, "  silent: this ridge lacks %s\n", rule->lacks);
    if (rule->fix != NULL)
        text_addf(out, "  fix: %s\n", rule->fix);
    text_addf(out, "  source: %s\n", rule->source);
}

static void add_event(struct text *out, const struct event *e)
{
    text_addf(out, "%s (%s)\n  when: %s\n  fix: %s\n  source: %s\n", e->id, e->kind, e->when,
              e->fix, e->source);
}

bool finding_explain(struct text *out, const char *id)
{
    const size_t before = out->length;

    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++)
            if (strcasecmp(rules_all[i]->items[k].id, id) == 0)
                add_rule(out, &rules_all[i]->items[k]);
    for (size_t i = 0; i < events_all.count; i++)
        if (strcasecmp(events_all.items[i].id, id) == 0)
            add_event(out, &events_all.items[i]);
    return out->length > before;
}

void finding_ids(struct strings *out)
{
    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++)
            if (!strings_have(out, rules_all[i]->items[k].id))
                strings_add(out, rules_all[i]->items[k].id);
    for (size_t i = 0; i < events_all.count; i++)
        strings_add(out, events_all.items[i].id);
}

/* What a rule said nothing about, device by device: it may have run on one row and not on another,
 * so silence counts only where it ran on none. */
struct silence {
    const struct rule *rule;
    const struct device_record *device;
    bool ran;
    struct strings lacked;
};
struct silences {
    struct silence *items;
    size_t count;
};

/* Rules come one after the other, so the place looked for is among the last. */
static struct silence *silence_of(struct silences *all, const struct rule *rule,
                                  const struct device_record *device)
{
    for (size_t i = all->count; i > 0 && all->items[i - 1].rule == rule; i--)
        if (all->items[i - 1].device == device)
            return &all->items[i - 1];
    all->items = xrealloc(all->items, (all->count + 1) * sizeof *all->items);
    all->items[all->count] = (struct silence){.rule = rule, .device = device};
    return &all->items[all->count++];
}

static void note_heard(const struct verdict *v, void *context)
{
    silence_of(context, v->rule, v->scene->device)->ran = true;
}

/* What was not asked for lacks nothing. */
static bool is_expectation(enum input input)
{
    return input == INPUT_EXPECTED_GEN || input == INPUT_EXPECTED_POWER ||
           input == INPUT_EXPECTED_MEMORY;
}

static const char *option_of(enum input input)
{
    return input == INPUT_EXPECTED_GEN     ? "--expect-link"
           : input == INPUT_EXPECTED_POWER ? "--expect-power"
                                           : "--expect-memory";
}

static void note_silent(const struct rule *rule, const struct scene *s, const enum input *lacked,
                        size_t count, void *context)
{
    struct silence *silence;

    for (size_t i = 0; i < count; i++)
        if (is_expectation(lacked[i]))
            return;
    silence = silence_of(context, rule, s->device);
    if (rule->lacks != NULL && !strings_have(&silence->lacked, rule->lacks))
        strings_add(&silence->lacked, rule->lacks);
    for (size_t i = 0; i < count; i++)
        if (!strings_have(&silence->lacked, input_names[lacked[i]]))
            strings_add(&silence->lacked, input_names[lacked[i]]);
}

static void add_silence(struct strings *out, const struct silence *silence)
{
    struct text line = TEXT_EMPTY;

    text_addf(&line, "%s %s lacked ", silence->device->id, silence->rule->id);
    for (size_t i = 0; i < silence->lacked.count; i++)
        text_addf(&line, "%s%s", i > 0 ? ", " : "", silence->lacked.items[i]);
    if (!strings_have(out, text_chars(&line)))
        strings_add(out, text_chars(&line));
    text_free(&line);
}

void findings_silent(struct strings *out, const struct report *r, const struct circumstances *given)
{
    struct silences all = {0};

    verdicts_each(r, given == NULL ? &circumstances_unknown : given, note_heard, note_silent, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!all.items[i].ran)
            add_silence(out, &all.items[i]);
        strings_free(&all.items[i].lacked);
    }
    free(all.items);
}

/* The option behind a rule; NULL: none. */
static const char *option_behind(const struct rule *rule)
{
    for (size_t i = 0; i < RULE_NEEDS_MAX && rule->needs[i] != INPUT_NONE; i++)
        if (is_expectation(rule->needs[i]))
            return option_of(rule->needs[i]);
    return NULL;
}

void findings_unjudged(struct strings *out, const struct report *r,
                       const struct circumstances *given)
{
    struct silences all = {0};

    verdicts_each(r, given, note_heard, note_silent, &all);
    for (size_t i = 0; i < all.count; i++) {
        const struct silence *s = &all.items[i];
        const char *option = option_behind(s->rule);

        if (!s->ran && option != NULL && s->lacked.count > 0) {
            char *line =
                xasprintf("%s of %s (%s is unknown)", option, s->device->id, s->lacked.items[0]);

            strings_add(out, line);
            free(line);
        }
        strings_free(&all.items[i].lacked);
    }
    free(all.items);
}
