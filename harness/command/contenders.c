/* What words of a command line say about the contenders of a comparison. */
#include "harness/command/contenders.h"
#include "harness/base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cards_take(const char *path)
{
    struct text why = TEXT_EMPTY;

    if (cards_add_file(path, &why) != 0)
        options_mistake("%s", text_chars(&why));
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
