/* What words of a command line choose. */
#include "harness/command/choice.h"

#include "harness/base/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void choice_add(struct strings *words, const char *list)
{
    char *copy = xstrdup(list), *rest = copy, *word;

    while ((word = strsep(&rest, ",")))
        if (*word && !strings_have(words, word))
            strings_add(words, word);
    free(copy);
}

static _Noreturn void unknown(const char *what, const char *word, const char *const *names,
                              size_t count)
{
    struct text known = TEXT_EMPTY;

    if (text_nearest(word, names, count))
        options_mistake("unknown %s '%s'; did you mean '%s'?", what, word,
                        text_nearest(word, names, count));
    for (size_t i = 0; i < count; i++)
        text_addf(&known, "%s%s", i ? ", " : "", names[i]);
    options_mistake("unknown %s '%s'; known are %s", what, word, text_chars(&known));
}

enum plan choice_plan(const char *word)
{
    for (int i = 0; i < PLANS; i++)
        if (!strcmp(plan_names[i], word))
            return (enum plan)i;
    unknown("plan", word, plan_names, PLANS);
}

const struct experiment **choice_experiments(const struct strings *words)
{
    const struct experiment **chosen;
    const char **names;
    size_t all = 0, count = 0, offered = 0;

    while (experiments[all])
        all++;
    chosen = xcalloc(all + 1, sizeof *chosen);
    names = xcalloc(all + 1, sizeof *names);
    for (size_t i = 0; i < all; i++) {
        if (experiments[i]->lesson_only)
            continue;
        names[offered++] = experiments[i]->name;
        if (!words->count || strings_have(words, experiments[i]->name))
            chosen[count++] = experiments[i];
    }
    for (size_t i = 0; i < words->count; i++) {
        bool known = false;
        for (size_t k = 0; k < offered; k++)
            known = known || !strcmp(words->items[i], names[k]);
        if (!known)
            unknown("experiment", words->items[i], names, offered);
    }
    free(names);
    return chosen;
}

/* ---- devices ---- */

/* A device that is present. */
struct found {
    const struct device_ops *ops;
    int index;
    char *id;
};
struct found_list {
    struct found *items;
    size_t count;
};

/* Adds what is present of a kind; where there is none, a sentence says why. */
static void find_kind(struct found_list *list, const struct device_ops *ops, struct text *why)
{
    char *sentence = NULL;
    const int count = ops->count(&sentence);

    for (int i = 0; i < count; i++) {
        list->items = xrealloc(list->items, (list->count + 1) * sizeof *list->items);
        list->items[list->count++] = (struct found){
            ops, i, !strcmp(ops->kind, "host") ? xstrdup("host") : xasprintf("%s%d", ops->kind, i)};
    }
    if (count <= 0 && sentence)
        text_addf(why, "%s%s", why->length ? "; " : "", sentence);
    free(sentence);
}

static void found_free(struct found_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].id);
    free(list->items);
}

static bool is_chosen(const struct found *f, const struct strings *words)
{
    return !words->count || strings_have(words, f->id) || strings_have(words, f->ops->kind);
}

static void open_chosen(struct chosen_devices *out, const struct found *f)
{
    struct device *d = xcalloc(1, sizeof *d);

    if (device_open(d, f->ops, f->index))
        d->lost = true;
    out->items = xrealloc(out->items, (out->count + 1) * sizeof *out->items);
    out->items[out->count++] = d;
}

/* "cuda3" or "cuda" of a kind that ridge knows, whether present or not. */
static bool is_well_formed(const char *word)
{
    if (!strncmp(word, "cuda", 4)) {
        for (word += 4; isdigit((unsigned char)*word); word++)
            ;
        return !*word;
    }
    return !strcmp(word, "host");
}

static bool is_found(const struct found_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(word, list->items[i].id) || !strcmp(word, list->items[i].ops->kind))
            return true;
    return false;
}

static _Noreturn void unknown_device(const struct found_list *list, const char *word)
{
    const char **names = xcalloc(list->count + 1, sizeof *names);

    for (size_t i = 0; i < list->count; i++)
        names[i] = list->items[i].id;
    unknown("device", word, names, list->count);
}

/* Returns -1 when a device that is asked for is not there. */
static int check_words(const struct found_list *list, const struct strings *words, struct text *why)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        if (!is_well_formed(word))
            unknown_device(list, word);
        if (is_found(list, word))
            continue;
        if (!why->length)
            text_addf(why, "there is no device %s here; `ridge list` shows what there is", word);
        return -1;
    }
    return 0;
}

int choice_devices(struct chosen_devices *out, const struct strings *words, struct text *why)
{
    struct found_list list = {0};
    int result;

    *out = (struct chosen_devices){0};
    for (size_t i = 0; device_kinds[i]; i++)
        find_kind(&list, device_kinds[i], why);
    result = check_words(&list, words, why);
    for (size_t i = 0; i < list.count && !result; i++)
        if (is_chosen(&list.items[i], words))
            open_chosen(out, &list.items[i]);
    found_free(&list);
    return result;
}

void chosen_devices_close(struct chosen_devices *d)
{
    for (size_t i = 0; i < d->count; i++) {
        device_close(d->items[i]);
        free(d->items[i]);
    }
    free(d->items);
    *d = (struct chosen_devices){0};
}
