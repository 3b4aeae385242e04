/* Reads what is compared: result files, several at a time, and datasheets. */
#include "harness/analysis/roofline.h"
#include "harness/base/options.h"
#include "harness/command/contenders.h"
#include "harness/report/report_json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each holds one report while it reads: so many are a few hundred megabytes at most. */
enum { READERS_MOST = 4 };

static const char card_prefix[] = "card:";
static pthread_mutex_t catalogues = PTHREAD_MUTEX_INITIALIZER; /* of cards, bands: read on demand */

static void suggest_card(struct text *why, const char *word)
{
    size_t count;
    const struct card *all = cards_all(&count);
    const char **names = xcalloc(2 * count, sizeof *names), *nearest;

    for (size_t i = 0; i < count; i++) {
        names[2 * i] = all[i].id;
        names[2 * i + 1] = all[i].name;
    }
    nearest = text_nearest(word, names, 2 * count);
    text_addf(why, "no card in the catalogue is called '%s'", word);
    if (nearest != NULL)
        text_addf(why, "; the nearest name is '%s'", nearest);
    else
        text_add(why, "; `ridge cards` lists them");
    free(names);
}

_Noreturn void card_unknown(const char *word)
{
    struct text why = TEXT_EMPTY;

    suggest_card(&why, word);
    options_mistake("%s", text_chars(&why));
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

static int no_such_device(const struct report *r, const char *path, const char *device,
                          struct text *why)
{
    text_addf(why, "%s has no device '%s'; it has: ", path, device);
    for (size_t i = 0; i < r->device_count; i++)
        text_addf(why, "%s%s", i > 0 ? ", " : "", r->devices[i].id);
    text_add(why, r->device_count == 0 ? "none" : "");
    return -1;
}

static int reduce(struct contender *c, const struct report *r, const char *path, const char *device,
                  struct text *why)
{
    const struct device_record *d = device == NULL ? default_device(r) : report_device(r, device);

    if (d == NULL)
        return no_such_device(r, path, device == NULL ? "cuda0" : device, why);
    if (contender_of_device(c, r, d->id))
        return 0;
    text_addf(why, "%s measured nothing on %s that can be compared", path, d->id);
    return -1;
}

/* Links and roundabout paths lead to one file. */
static char *identity_of(const char *path, const char *device)
{
    char *real = realpath(path, NULL);
    char *identity = xasprintf("%s:%s", real != NULL ? real : path, device);

    free(real);
    return identity;
}

static void keep_report(struct contender *c, const struct report *r)
{
    c->report = xcalloc(1, sizeof *c->report);
    *c->report = *r;
    report_keep_device(c->report, c->id);
}

static int read_device(struct contender *c, const char *word, bool keeps, struct text *why)
{
    struct report r;
    char *device, *path = split_word(word, &device);
    int failed = report_read(&r, path, why);

    if (failed == 0) {
        pthread_mutex_lock(&catalogues);
        analysis_derive(&r);
        pthread_mutex_unlock(&catalogues);
        failed = reduce(c, &r, path, device, why);
        if (failed == 0 && keeps)
            keep_report(c, &r);
        else
            report_free(&r);
    }
    if (failed == 0)
        c->identity = identity_of(path, c->id);
    free(device);
    free(path);
    return failed;
}

static int read_card(struct contender *c, const char *name, struct text *why)
{
    const struct card *card;

    pthread_mutex_lock(&catalogues);
    card = card_named(name);
    if (card == NULL)
        suggest_card(why, name);
    pthread_mutex_unlock(&catalogues);
    if (card == NULL)
        return -1;
    contender_of_card(c, card);
    c->identity = xasprintf("%s%s", card_prefix, card->id);
    return 0;
}

static void read_named(struct contender *c, const char *word, bool keeps, struct text *why)
{
    const size_t prefix = sizeof card_prefix - 1;

    if ((strncmp(word, card_prefix, prefix) == 0 ? read_card(c, word + prefix, why)
                                                 : read_device(c, word, keeps, why)) == 0)
        c->origin = xstrdup(word);
}

void contender_named(struct contender *c, const char *word)
{
    struct text why = TEXT_EMPTY;

    read_named(c, word, false, &why);
    if (why.length > 0)
        options_mistake("%s", text_chars(&why));
}

/* Words that readers take one by one. */
struct queue {
    const struct strings *words;
    struct contender *contenders;
    struct text *whys;
    bool keeps;
    atomic_size_t next;
};

static void *read_some(void *context)
{
    struct queue *q = context;

    for (size_t i = q->next++; i < q->words->count; i = q->next++)
        read_named(&q->contenders[i], q->words->items[i], q->keeps, &q->whys[i]);
    return NULL;
}

/* This thread reads, too: where no other can be made, all. */
static void read_all(struct queue *q)
{
    pthread_t readers[READERS_MOST];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = processors < READERS_MOST ? (size_t)processors : READERS_MOST, count = 0;

    if (wanted > q->words->count)
        wanted = q->words->count;
    while (count + 1 < wanted && pthread_create(&readers[count], NULL, read_some, q) == 0)
        count++;
    read_some(q);
    while (count > 0)
        pthread_join(readers[--count], NULL);
}

struct contender *contenders_read(const struct strings *words, bool keeps_reports)
{
    struct queue q = {.words = words,
                      .keeps = keeps_reports,
                      .contenders = xcalloc(words->count, sizeof *q.contenders),
                      .whys = xcalloc(words->count, sizeof *q.whys)};

    read_all(&q);
    for (size_t i = 0; i < words->count; i++)
        if (q.whys[i].length > 0)
            options_mistake("%s", text_chars(&q.whys[i]));
    free(q.whys);
    return q.contenders;
}
