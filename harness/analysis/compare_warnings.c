/* Circumstances in which results differ: what is no difference of the cards. */
#include "harness/analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a result has of a circumstance, in words; NULL: unknown, or no question.  Caller frees. */
typedef char *circumstance(const struct setting *s);

static char *flag_word(enum flag f, const char *yes, const char *no)
{
    return f == FLAG_UNKNOWN ? NULL : xstrdup(f == FLAG_YES ? yes : no);
}

static char *kind_of(const struct setting *s)
{
    return s->kind == NULL ? NULL
                           : xstrdup(strcmp(s->kind, "host") == 0 ? "a processor" : "a card");
}

static char *plan_of(const struct setting *s)
{
    return xstrdup(s->plan);
}

static char *driver_of(const struct setting *s)
{
    if (s->driver == NULL || s->kind == NULL || strcmp(s->kind, "cuda") != 0)
        return NULL;
    return xasprintf("%.*s", (int)strcspn(s->driver, "."), s->driver);
}

static char *library_of(const struct setting *s)
{
    const bool card = s->kind != NULL && strcmp(s->kind, "cuda") == 0;

    return card ? xstrdup(s->library) : NULL;
}

static char *ecc_of(const struct setting *s)
{
    return flag_word(s->ecc, "on", "off");
}

static char *mig_of(const struct setting *s)
{
    return flag_word(s->mig, "a slice", "whole");
}

static char *vgpu_of(const struct setting *s)
{
    return flag_word(s->vgpu, "shared", "its own");
}

static char *virtual_of(const struct setting *s)
{
    return flag_word(s->virtual_card, "simulated", "real");
}

static char *complete_of(const struct setting *s)
{
    return flag_word(s->complete, "complete", "interrupted");
}

static char *power_of(const struct setting *s)
{
    return isfinite(s->power_limit_share) ? xasprintf("%.0f %%", s->power_limit_share * 100) : NULL;
}

/* In steps of 5 %: clocks of two runs are never the same. */
static char *clock_of(const struct setting *s)
{
    return isfinite(s->clock_share) ? xasprintf("about %.0f %%", round(s->clock_share * 20) * 5)
                                    : NULL;
}

static const struct {
    circumstance *of;
    const char *differs, *means;
} checks[] = {
    {kind_of, "what was measured", "other kernels did the same work"},
    {virtual_of, "what the figures are of", "a simulated card's say nothing about a real one"},
    {complete_of, "how far the runs came", "figures are missing, or of fewer samples"},
    {plan_of, "the plan", "sizes and numbers of samples differ"},
    {driver_of, "the driver's major version", "compilers and libraries may differ"},
    {library_of, "cuBLAS", "its releases choose other kernels for matrix products"},
    {power_of, "the power limit, of the card's default", "arithmetic follows the limit"},
    {clock_of, "the clock under arithmetic, of the maximum", "heat, power or a lock held it back"},
    {ecc_of, "error correction (ECC)", "on GDDR memory it costs bandwidth"},
    {mig_of, "the share of the card (MIG)", "a slice has fewer units and less bandwidth"},
    {vgpu_of, "who else may use the card (vGPU)", "others' work slows it"},
};

static bool differ(char *const *words, size_t count)
{
    const char *first = NULL;

    for (size_t i = 0; i < count; i++) {
        if (words[i] == NULL)
            continue;
        if (first != NULL && strcmp(first, words[i]) != 0)
            return true;
        first = words[i];
    }
    return false;
}

static void add_warning(struct comparison *c, size_t check, char *const *words)
{
    struct text warning = TEXT_EMPTY;
    bool more = false;

    text_addf(&warning, "Not alike: %s (", checks[check].differs);
    for (size_t i = 0; i < c->count; i++) {
        if (words[i] == NULL)
            continue;
        text_addf(&warning, "%s%c %s", more ? ", " : "", contender_letter(i), words[i]);
        more = true;
    }
    text_addf(&warning, "): %s.", checks[check].means);
    strings_add(&c->warnings, text_chars(&warning));
    text_free(&warning);
}

static void add_mixture(struct comparison *c)
{
    size_t measured = 0, simulated = 0;

    for (size_t i = 0; i < c->count; i++) {
        measured += c->contenders[i].measured;
        simulated += c->contenders[i].setting.virtual_card == FLAG_YES;
    }
    if (simulated > 0 && simulated == measured)
        strings_add(&c->warnings, "What was measured is a simulated card: the figures say nothing "
                                  "about a real one.");
    if (measured > 0 && measured < c->count)
        strings_add(&c->warnings, "Not alike: some figures are measured, some are a maker's peaks, "
                                  "which no program reaches.");
}

void comparison_add_warnings(struct comparison *c)
{
    add_mixture(c);
    for (size_t k = 0; k < COUNT_OF(checks); k++) {
        char *words[CONTENDERS_MOST];

        for (size_t i = 0; i < c->count; i++)
            words[i] = c->contenders[i].measured ? checks[k].of(&c->contenders[i].setting) : NULL;
        if (differ(words, c->count))
            add_warning(c, k, words);
        for (size_t i = 0; i < c->count; i++)
            free(words[i]);
    }
}
