/* Finds the datasheet of a device, or of a name given by hand. */
#include "harness/analysis/cards.h"
#include "harness/analysis/catalogue.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char cards_csv[]; /* made by the build from cards.csv */
extern const size_t cards_csv_length;

const char *const card_peak_names[CARD_PEAKS] = {
    [CARD_FP32] = "FP32 FMA",           [CARD_FP64] = "FP64 FMA",
    [CARD_FP64_TENSOR] = "FP64 tensor", [CARD_TF32] = "TF32 tensor",
    [CARD_FP16] = "FP16 tensor",        [CARD_FP16_ACC16] = "FP16 tensor (FP16 accumulate)",
    [CARD_BF16] = "BF16 tensor",        [CARD_FP8] = "FP8 tensor",
    [CARD_INT8] = "INT8 tensor",        [CARD_FP4] = "FP4 tensor",
};

static struct card *cards;
static size_t card_count;

static void forget_cards(void)
{
    catalogue_free(cards, card_count);
}

const struct card *cards_all(size_t *count)
{
    if (cards == NULL) {
        cards = catalogue_parse((const char *)cards_csv, cards_csv_length, &card_count);
        assert(cards != NULL); /* the build's own data, checked by a test */
        atexit(forget_cards);
    }
    *count = card_count;
    return cards;
}

/* Neither among those known nor twice in the file. */
static int check_new(const struct card *added, size_t count, const char *path, struct text *why)
{
    for (size_t i = 0; i < count; i++) {
        const struct card *other = card_named(added[i].id);

        for (size_t k = 0; k < i && other == NULL; k++)
            other = strcasecmp(added[k].id, added[i].id) == 0 ? &added[k] : NULL;
        if (other != NULL) {
            text_addf(why, "%s:%zu: there is a card '%s' already", path, i + 2, added[i].id);
            return -1;
        }
    }
    return 0;
}

static void append_cards(struct card *added, size_t count)
{
    cards = xrealloc(cards, (card_count + count) * sizeof *cards);
    memcpy(&cards[card_count], added, count * sizeof *added);
    card_count += count;
    free(added);
}

int cards_add_file(const char *path, struct text *why)
{
    struct text csv = TEXT_EMPTY;
    struct card *added = NULL;
    size_t count, known;
    int failed = -1;

    cards_all(&known);
    if (text_read_file(&csv, path) != 0)
        text_addf(why, "%s: cannot be read: %s", path, strerror(errno));
    else
        added = catalogue_read(text_chars(&csv), csv.length, path, &count, why);
    text_free(&csv);
    if (added != NULL && (failed = check_new(added, count, path, why)) == 0)
        append_cards(added, count);
    else
        catalogue_free(added, added == NULL ? 0 : count);
    return failed;
}

static bool has_name(const struct card *card, const char *name)
{
    return card->match_name != NULL &&
           (strcmp(card->match_name, name) == 0 || strings_have(&card->other_names, name));
}

/* What a device reports of the advertised memory: the window of cards.md. */
static bool memory_fits(const struct card *card, double bytes)
{
    const double share = bytes / 1073741824.0 / card->match_memory_gb;

    return share >= 0.88 && share <= 1.02;
}

/* The variant whose pin rate is nearest to twice the memory clock. */
static const struct card *variant_nearest(const struct card *found, double memory_clock_hz,
                                          size_t *variants)
{
    const struct card *nearest = found;

    *variants = 1;
    for (size_t i = 0; i < card_count; i++) {
        const struct card *c = &cards[i];

        if (c->variant_of == NULL || strcmp(c->variant_of, found->id) != 0)
            continue;
        if (!(memory_clock_hz > 0))
            ++*variants;
        else if (fabs(c->memory_pin_bits_per_second - 2 * memory_clock_hz) <
                 fabs(nearest->memory_pin_bits_per_second - 2 * memory_clock_hz))
            nearest = c;
    }
    return nearest;
}

const struct card *card_of_device(const struct device_record *d, size_t *variants)
{
    size_t count;
    const struct card *all = cards_all(&count);

    if (variants != NULL)
        *variants = 0;
    if (d->name == NULL || d->kind == NULL || strcmp(d->kind, "cuda") != 0)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (has_name(&all[i], d->name) && all[i].match_sm == d->facts.units &&
            memory_fits(&all[i], d->facts.memory_bytes)) {
            size_t fitting;
            const struct card *card = variant_nearest(&all[i], d->facts.memory_clock_hz, &fitting);

            if (variants != NULL)
                *variants = fitting;
            return card;
        }
    return NULL;
}

static bool list_has(const struct strings *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcasecmp(list->items[i], word) == 0)
            return true;
    return false;
}

const struct card *card_named(const char *word)
{
    size_t count;
    const struct card *all = cards_all(&count);

    for (size_t i = 0; i < count; i++)
        if (strcasecmp(all[i].id, word) == 0)
            return &all[i];
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(all[i].name, word) == 0 || list_has(&all[i].other_names, word) ||
            list_has(&all[i].aliases, word))
            return &all[i];
    return NULL;
}

static bool list_contains(const struct strings *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcasestr(list->items[i], word) != NULL)
            return true;
    return false;
}

/* "hopper", but not the "h100" in "Hopper (GH100)", which the H200 is made of, too. */
static bool is_architecture(const struct card *c, const char *word)
{
    return c->architecture != NULL && strncasecmp(c->architecture, word, strlen(word)) == 0;
}

bool card_has_words(const struct card *c, char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcasestr(c->id, words[i]) == NULL && strcasestr(c->name, words[i]) == NULL &&
            !is_architecture(c, words[i]) && !list_contains(&c->other_names, words[i]) &&
            !list_contains(&c->aliases, words[i]))
            return false;
    return true;
}
