/* Runs the rules where all that they need is known. */
#include "harness/analysis/verdicts.h"
#include "harness/analysis/say.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct rules *const rules_all[] = {&rules_impossible, &rules_link,   &rules_power,
                                         &rules_errors,     &rules_levels, &rules_peers,
                                         &rules_fleet,      &rules_host,   &rules_circumstances,
                                         &rules_unread,     NULL};

double need(const struct verdict *v, enum input which)
{
    for (size_t i = 0; i < RULE_NEEDS_MAX; i++)
        if (v->rule->needs[i] == which)
            return v->values[i];
    assert(!"a need that the rule does not declare");
    return NAN;
}

double known(const struct verdict *v, enum input which)
{
    return input_get(which, v->scene);
}

double limit(const struct verdict *v, enum limit which)
{
    bool declared = false;

    for (size_t i = 0; i < RULE_LIMITS_MAX; i++)
        declared |= v->rule->limits[i] == which;
    assert(declared);
    (void)declared;
    return thresholds[which].value;
}

void found(struct verdict *v, const char *sentence, ...)
{
    va_list values;

    va_start(values, sentence);
    say_values(&v->sentence, sentence, values);
    va_end(values);
}

bool is_headline(const struct scene *s)
{
    return s->row->headline;
}

bool is_pinned_headline(const struct scene *s)
{
    return s->row->headline && parameters_match(&s->row->parameters, "memory", "pinned");
}

/* ---- where a rule is applied ---- */

/* An empty word is in no list; it would be found behind the end, too. */
static bool list_has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = length > 0 ? strstr(list, word) : NULL; at != NULL;
         at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool has_role(const struct rule *rule, const char *role)
{
    return role != NULL && (rule->roles == NULL || strcmp(rule->roles, "*") == 0 ||
                            list_has_word(rule->roles, role));
}

/* All of the figure's parameters but those that only say which variant won. */
static bool is_row_of(const struct figure *f, const struct measurement *m)
{
    static const char *const told_by[] = {"memory", "operation", "precision", "accumulate"};

    if (!same_word(f->role, m->role))
        return false;
    for (size_t i = 0; i < COUNT_OF(told_by); i++) {
        const char *word = parameters_word(&f->parameters, told_by[i]);

        if (word != NULL && !parameters_match(&m->parameters, told_by[i], word))
            return false;
    }
    return true;
}

bool figure_stands(const struct report *r, const struct figure *f)
{
    for (size_t i = 0; i < r->measurement_count; i++) {
        const struct measurement *m = &r->measurements[i];

        if (m->status == ROW_INVALID && m->headline && same_word(m->device, f->device) &&
            is_row_of(f, m))
            return false;
    }
    return true;
}

bool verdict_concerns(const struct verdict *v, const struct measurement *m)
{
    const struct scene *s = v->scene;

    if (s->row != NULL)
        return m == s->row;
    if (!same_word(m->device, s->device->id) || m->status != ROW_OK)
        return false;
    if (s->figure != NULL)
        return is_row_of(s->figure, m);
    return v->rule->roles != NULL && has_role(v->rule, m->role);
}

struct walk {
    verdict_taker *heard;
    silence_taker *silent;
    void *context;
};

/* What a rule could not do without. */
struct lack {
    enum input items[RULE_NEEDS_MAX + RULE_UNLESS_MAX];
    size_t count;
};

/* False where an exclusion is known to hold. */
static bool is_admitted(const struct rule *rule, const struct scene *s, struct lack *lack)
{
    if (rule->concerns != NULL && !rule->concerns(s))
        return false;
    for (size_t i = 0; i < RULE_UNLESS_MAX && rule->unless[i] != INPUT_NONE; i++) {
        const double flag = input_get(rule->unless[i], s);

        if (flag != 0 && !isnan(flag))
            return false;
        if (isnan(flag))
            lack->items[lack->count++] = rule->unless[i];
    }
    return true;
}

static void fetch(struct verdict *v, struct lack *lack)
{
    for (size_t i = 0; i < RULE_NEEDS_MAX && v->rule->needs[i] != INPUT_NONE; i++) {
        v->values[i] = input_get(v->rule->needs[i], v->scene);
        if (isnan(v->values[i]))
            lack->items[lack->count++] = v->rule->needs[i];
    }
}

static void apply(const struct walk *w, const struct rule *rule, const struct scene *s)
{
    struct verdict v = {.scene = s, .rule = rule, .sentence = TEXT_EMPTY};
    struct lack lack = {.count = 0};

    if (!is_admitted(rule, s, &lack))
        return;
    fetch(&v, &lack);
    if (lack.count > 0 || rule->judge == NULL) {
        if (w->silent != NULL)
            w->silent(rule, s, lack.items, lack.count, w->context);
        return;
    }
    rule->judge(&v);
    if (w->heard != NULL)
        w->heard(&v, w->context);
    text_free(&v.sentence);
}

static void apply_to_rows(const struct walk *w, const struct rule *rule, struct scene s)
{
    for (size_t i = 0; i < s.report->measurement_count; i++) {
        s.row = &s.report->measurements[i];
        if (same_word(s.row->device, s.device->id) && has_role(rule, s.row->role) &&
            (s.row->status == ROW_OK || s.row->status == ROW_WRONG))
            apply(w, rule, &s);
    }
}

static void apply_to_figures(const struct walk *w, const struct rule *rule, struct scene s)
{
    for (size_t i = 0; i < s.report->figure_count; i++) {
        s.figure = &s.report->figures[i];
        if (same_word(s.figure->device, s.device->id) && has_role(rule, s.figure->role))
            apply(w, rule, &s);
    }
}

static void apply_to_device(const struct walk *w, const struct rule *rule, const struct scene *s)
{
    if (rule->device != NULL && !same_word(rule->device, s->device->kind))
        return;
    if (rule->scope == EACH_ROW)
        apply_to_rows(w, rule, *s);
    else if (rule->scope == EACH_FIGURE)
        apply_to_figures(w, rule, *s);
    else
        apply(w, rule, s);
}

void verdicts_each(const struct report *r, const struct circumstances *given, verdict_taker *heard,
                   silence_taker *silent, void *context)
{
    const struct walk walk = {heard, silent, context};

    for (size_t i = 0; rules_all[i] != NULL; i++)
        for (size_t k = 0; k < rules_all[i]->count; k++)
            for (size_t d = 0; d < r->device_count; d++) {
                const struct scene s = {.report = r, .device = &r->devices[d], .given = given};

                if (s.device->id != NULL)
                    apply_to_device(&walk, &rules_all[i]->items[k], &s);
            }
}
