/* Reads the samples of a result file ahead of the parser. */
#include "harness/report/read_bulk.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the text is: {"measurements": [{"seconds": [ is three deep. */
struct scan {
    const char *at, *end;
    const char *copied; /* up to there it is in rest */
    struct text *rest;
    size_t depth, element;
    bool among_measurements, announced; /* announced: the last word of the report's own members */
};

enum { DEPTH_REPORT = 1, DEPTH_LIST = 2, DEPTH_MEASUREMENT = 3 };

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    return at;
}

/* At a quote: moves behind the string and tells whether it is that word. */
static bool pass_string(struct scan *s, const char *word)
{
    const char *start = ++s->at;

    while (s->at < s->end && *s->at != '"') {
        s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
    }
    const size_t length = (size_t)(s->at - start);
    s->at += s->at < s->end;
    return length == strlen(word) && memcmp(start, word, length) == 0;
}

static const char *pass_digits(const char *at, const char *end)
{
    while (at < end && isdigit((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* Behind at least one digit, NULL where there is none. */
static const char *need_digits(const char *at, const char *end)
{
    const char *behind = pass_digits(at, end);

    return behind == at ? NULL : behind;
}

/* Behind what JSON calls a number; NULL where there is none, or nothing behind it. */
static const char *pass_number(const char *at, const char *end)
{
    const char *digits = at < end && *at == '-' ? at + 1 : at;

    at = need_digits(digits, end);
    if (at == NULL || (*digits == '0' && at > digits + 1)) {
        return NULL;
    }
    if (at < end && *at == '.') {
        at = need_digits(at + 1, end);
    }
    if (at != NULL && at + 1 < end && (*at == 'e' || *at == 'E')) {
        at = need_digits(at + 1 + (at[1] == '-' || at[1] == '+'), end);
    }
    return at == end ? NULL : at;
}

static void add_number(struct numbers *n, size_t *room, double number)
{
    if (n->count == *room) {
        *room = *room == 0 ? 32 : 2 * *room;
        n->items = xrealloc(n->items, *room * sizeof *n->items);
    }
    n->items[n->count++] = number;
}

/* Numbers up to the bracket; returns where it stands, NULL where it is not numbers alone. */
static const char *take_numbers(struct numbers *n, const char *at, const char *end)
{
    size_t room = 0;

    for (at = skip_space(at, end); at < end; at = skip_space(at + 1, end)) {
        const char *behind = pass_number(at, end);
        char *read = NULL;
        const double number = behind == NULL ? NAN : strtod(at, &read);

        if (behind == NULL || read != behind || !isfinite(number)) {
            return NULL;
        }
        add_number(n, &room, number);
        at = skip_space(behind, end);
        if (at == end || *at != ',') {
            return at < end && *at == ']' ? at : NULL;
        }
    }
    return NULL;
}

static void keep(struct bulk *b, size_t element, struct numbers n)
{
    if (element >= b->count) {
        const size_t count = element + 1 + b->count;

        b->samples = xrealloc(b->samples, count * sizeof *b->samples);
        memset(&b->samples[b->count], 0, (count - b->count) * sizeof *b->samples);
        b->count = count;
    }
    free(b->samples[element].items);
    b->samples[element] = n;
}

/* Behind the name of the member. */
static void take_samples(struct bulk *b, struct scan *s)
{
    const char *colon = skip_space(s->at, s->end), *bracket, *stop = NULL;
    struct numbers n = {0};

    if (colon == s->end || *colon != ':') {
        return;
    }
    bracket = skip_space(colon + 1, s->end);
    if (bracket < s->end && *bracket == '[') {
        stop = take_numbers(&n, bracket + 1, s->end);
    }
    if (stop == NULL) {
        free(n.items);
        return;
    }
    keep(b, s->element, n);
    text_add_bytes(s->rest, s->copied, (size_t)(bracket + 1 - s->copied));
    s->copied = stop;
    s->at = stop + 1;
}

static void pass_word(struct bulk *b, struct scan *s)
{
    if (s->depth == DEPTH_REPORT) {
        s->announced = pass_string(s, "measurements");
    } else if (pass_string(s, "seconds") && s->depth == DEPTH_MEASUREMENT &&
               s->among_measurements) {
        take_samples(b, s);
    }
}

static void pass_mark(struct scan *s)
{
    switch (*s->at++) {
    case '[':
    case '{':
        if (++s->depth == DEPTH_LIST) {
            s->among_measurements = s->announced && s->at[-1] == '[';
            s->element = 0;
        }
        break;
    case ']':
    case '}':
        s->depth -= s->depth > 0;
        break;
    case ',':
        s->element += s->depth == DEPTH_LIST;
        break;
    default:
        break;
    }
}

void bulk_take(struct bulk *b, struct text *rest, const char *json, size_t length)
{
    struct scan s = {.at = json, .end = json + length, .copied = json, .rest = rest};

    *b = (struct bulk){0};
    while (s.at < s.end) {
        if (*s.at == '"') {
            pass_word(b, &s);
        } else {
            pass_mark(&s);
        }
    }
    text_add_bytes(rest, s.copied, (size_t)(s.end - s.copied));
}

bool bulk_give(struct bulk *b, size_t measurement, double **items, size_t *count)
{
    if (measurement >= b->count || b->samples[measurement].items == NULL) {
        return false;
    }
    *items = b->samples[measurement].items;
    *count = b->samples[measurement].count;
    b->samples[measurement] = (struct numbers){0};
    return true;
}

void bulk_free(struct bulk *b)
{
    for (size_t i = 0; i < b->count; i++) {
        free(b->samples[i].items);
    }
    free(b->samples);
    *b = (struct bulk){0};
}
