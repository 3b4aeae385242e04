/* Finds what a comparison is of. */
#include "harness/command/contenders.h"
#include "harness/analysis/roofline.h"
#include "harness/base/options.h"
#include "harness/report/report_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char card_prefix[] = "card:";

void cards_take(const char *path)
{
    struct text why = TEXT_EMPTY;

    if (cards_add_file(path, &why) != 0)
        options_mistake("%s", text_chars(&why));
}

_Noreturn void card_unknown(const char *word)
{
    size_t count;
    const struct card *all = cards_all(&count);
    const char **names = xcalloc(2 * count, sizeof *names), *nearest;

    for (size_t i = 0; i < count; i++) {
        names[2 * i] = all[i].id;
        names[2 * i + 1] = all[i].name;
    }
    nearest = text_nearest(word, names, 2 * count);
    options_mistake("no card in the catalogue is called '%s'%s%s%s", word,
                    nearest != NULL ? "; the nearest name is '" : "; `ridge cards` lists them",
                    nearest != NULL ? nearest : "", nearest != NULL ? "'" : "");
}

/* "result.json:cuda1" as its two parts; device NULL: none is named.  A file of the whole name comes
 * first, whatever it holds. */
static char *split_word(const char *word, char **device)
{
    const char *colon = strrchr(word, ':');

    *device = NULL;
    if (colon == NULL || colon[1] == '\0' || strchr(colon, '/') != NULL || access(word, F_OK) == 0)
        return xstrdup(word);
    *device = xstrdup(colon + 1);
    return xasprintf("%.*s", (int)(colon - word), word);
}

/* The first card that can be used, else the host, else whatever is first. */
static const struct device_record *default_device(const struct report *r)
{
    const struct device_record *host = NULL;

    for (size_t i = 0; i < r->device_count; i++) {
        const struct device_record *d = &r->devices[i];

        if (d->kind != NULL && strcmp(d->kind, "host") == 0)
            host = d;
        else if (d->unusable == NULL)
            return d;
    }
    return host != NULL ? host : r->device_count > 0 ? &r->devices[0] : NULL;
}

_Noreturn static void no_such_device(const struct report *r, const char *path, const char *device)
{
    struct text known = TEXT_EMPTY;

    for (size_t i = 0; i < r->device_count; i++)
        text_addf(&known, "%s%s", i > 0 ? ", " : "", r->devices[i].id);
    options_mistake("%s has no device '%s'; it has: %s", path, device,
                    known.length > 0 ? text_chars(&known) : "none");
}

static void reduce(struct contender *c, const struct report *r, const char *path,
                   const char *device)
{
    const struct device_record *d = device == NULL ? default_device(r) : report_device(r, device);

    if (d == NULL)
        no_such_device(r, path, device == NULL ? "cuda0" : device);
    if (!contender_of_device(c, r, d->id))
        options_mistake("%s measured nothing on %s that can be compared", path, d->id);
}

/* Links and roundabout paths lead to one file. */
static char *identity_of(const char *path, const char *device)
{
    char *real = realpath(path, NULL);
    char *identity = xasprintf("%s:%s", real != NULL ? real : path, device);

    free(real);
    return identity;
}

static void read_device(struct contender *c, const char *word)
{
    struct text why = TEXT_EMPTY;
    struct report r;
    char *device, *path = split_word(word, &device);

    if (report_read(&r, path, &why) != 0)
        options_mistake("%s", text_chars(&why));
    analysis_derive(&r);
    reduce(c, &r, path, device);
    c->identity = identity_of(path, c->id);
    report_free(&r);
    free(device);
    free(path);
}

void contender_named(struct contender *c, const char *word)
{
    if (strncmp(word, card_prefix, sizeof card_prefix - 1) == 0) {
        const struct card *card = card_named(word + sizeof card_prefix - 1);

        if (card == NULL)
            card_unknown(word + sizeof card_prefix - 1);
        contender_of_card(c, card);
        c->identity = xasprintf("%s%s", card_prefix, card->id);
    } else {
        read_device(c, word);
    }
    c->origin = xstrdup(word);
}

void contenders_distinct(const struct contender *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(c[i].identity, c[k].identity) == 0)
                options_mistake("%s and %s are the same: nothing to compare", c[k].origin,
                                c[i].origin);
}

static bool is_called(const struct contender *c, size_t place, const char *word)
{
    const char letter[] = {contender_letter(place), '\0'};
    char number[24];

    snprintf(number, sizeof number, "%zu", place + 1);
    return strcasecmp(word, letter) == 0 || strcmp(word, number) == 0 ||
           strcmp(word, c->origin) == 0 || strcasecmp(word, c->name) == 0 ||
           (!c->measured && strcasecmp(word, c->id) == 0);
}

size_t contender_place(const struct contender *c, size_t count, const char *option,
                       const char *word)
{
    size_t found = count;

    for (size_t i = 0; i < count; i++) {
        if (!is_called(&c[i], i, word))
            continue;
        if (found < count)
            options_mistake("%s: '%s' could be %c or %c; give the letter", option, word,
                            contender_letter(found), contender_letter(i));
        found = i;
    }
    if (found == count)
        options_mistake("%s: '%s' is not in the comparison (A is %s)", option, word, c[0].origin);
    return found;
}

double positive_number(const char *option, const char *word)
{
    char *end;
    const double number = strtod(word, &end);

    if (end == word || *end != '\0' || !isfinite(number) || number <= 0)
        options_mistake("%s: expected a number above 0, not '%s'", option, word);
    return number;
}

void contenders_values(const struct contender *c, size_t count, const char *option,
                       const struct strings *words, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    for (size_t i = 0; i < words->count; i++) {
        const char *equals = strrchr(words->items[i], '=');
        char *word;
        size_t place;

        if (equals == NULL)
            options_mistake("%s: expected NAME=NUMBER, not '%s'", option, words->items[i]);
        word = xasprintf("%.*s", (int)(equals - words->items[i]), words->items[i]);
        place = contender_place(c, count, option, word);
        if (!isnan(values[place]))
            options_mistake("%s: %s is given twice", option, word);
        values[place] = positive_number(option, equals + 1);
        free(word);
    }
}
