/* Reads acceptance files: which form a file has, and the two that are lines of words. */
#include "harness/analysis/floors.h"

#include "harness/analysis/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct floor *floors_add(struct floors *out, const char *card, const char *figure,
                         const char *minimum, const char *unit)
{
    struct floor *f;

    out->items = xrealloc(out->items, (out->count + 1) * sizeof *out->items);
    f = &out->items[out->count++];
    *f = (struct floor){.card = xstrdup(card),
                        .figure = xstrdup(figure),
                        .minimum = xstrdup(minimum),
                        .unit = xstrdup(unit),
                        .place = "record"};
    return f;
}

void floors_free(struct floors *floors)
{
    for (size_t i = 0; i < floors->count; i++) {
        free(floors->items[i].card);
        free(floors->items[i].figure);
        free(floors->items[i].minimum);
        free(floors->items[i].unit);
        free(floors->items[i].comment);
    }
    free(floors->items);
    *floors = (struct floors){0};
}

/* ---- comma-separated values ---- */

enum column { CARD, FIGURE, MINIMUM, UNIT, NEEDED, COMMENT = NEEDED, COLUMNS };
static const char *const column_names[COLUMNS] = {"card", "figure", "minimum", "unit", "comment"};

static int find_columns(const struct strings *heading, size_t at[COLUMNS], struct text *why)
{
    for (size_t k = 0; k < COLUMNS; k++) {
        at[k] = heading->count;
        for (size_t i = 0; i < heading->count; i++)
            if (strcasecmp(heading->items[i], column_names[k]) == 0)
                at[k] = i;
        if (at[k] == heading->count && k < NEEDED) {
            text_addf(why, "record 1: there is no column '%s'", column_names[k]);
            return -1;
        }
    }
    return 0;
}

static int add_record(struct floors *out, const struct strings *cells, const size_t at[COLUMNS])
{
    struct floor *f;

    for (size_t k = 0; k < NEEDED; k++)
        if (at[k] >= cells->count)
            return -1;
    f = floors_add(out, cells->items[at[CARD]], cells->items[at[FIGURE]], cells->items[at[MINIMUM]],
                   cells->items[at[UNIT]]);
    f->number = out->count + 1;
    if (at[COMMENT] < cells->count)
        f->comment = xstrdup(cells->items[at[COMMENT]]);
    return 0;
}

int floors_read_csv(struct floors *out, const char *text, size_t length, struct text *why)
{
    struct csv_reader reader = {text, text + length};
    struct strings cells = {0};
    size_t at[COLUMNS], record = 0;
    int status, failed = 0;

    while (!failed && (status = csv_read_record(&reader, &cells)) != 0) {
        record++;
        if (status < 0)
            failed = -1;
        else
            failed = record == 1 ? find_columns(&cells, at, why) : add_record(out, &cells, at);
        strings_free(&cells);
    }
    strings_free(&cells);
    if ((failed || record == 0) && why->length == 0)
        text_addf(why, "record %zu: not a table with the columns card, figure, minimum and unit",
                  record == 0 ? 1 : record);
    return failed || record == 0 ? -1 : 0;
}

/* ---- lines of NHC ---- */

static const char nhc_check[] = "check_gpu_bw";

/* The first word behind the check, if the line is one and no comment; NULL otherwise. */
static char *bandwidth_in(const char *line, size_t length)
{
    char *copy = xasprintf("%.*s", (int)length, line), *found = NULL;
    char *at = strstr(copy, nhc_check);

    if (at != NULL && copy[strspn(copy, " \t")] != '#') {
        at += strlen(nhc_check);
        at += strspn(at, " \t");
        found = xasprintf("%.*s", (int)strcspn(at, " \t\r"), at);
    }
    free(copy);
    return found;
}

static void add_for_all(struct floors *out, const struct report *present, const char *minimum,
                        size_t line)
{
    for (size_t i = 0; i < present->device_count; i++) {
        const struct device_record *d = &present->devices[i];
        struct floor *f;

        if (strcmp(d->kind, "cuda") != 0)
            continue;
        f = floors_add(out, d->name == NULL ? d->id : d->name, "link", minimum, "GB/s");
        f->place = "line";
        f->number = line;
    }
}

int floors_read_nhc(struct floors *out, const char *text, size_t length,
                    const struct report *present, struct text *why)
{
    const char *end = text + length;
    size_t line = 1;

    for (const char *at = text, *stop; at < end; at = stop + 1, line++) {
        char *minimum;

        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        minimum = bandwidth_in(at, (size_t)(stop - at));
        if (minimum != NULL && present == NULL) {
            text_addf(why, "line %zu: %s names no card; give a result file of the cards, too", line,
                      nhc_check);
            free(minimum);
            return -1;
        }
        if (minimum != NULL)
            add_for_all(out, present, minimum, line);
        free(minimum);
    }
    return 0;
}

/* ---- which form it is ---- */

/* Whether a line begins with the word, or (anywhere) has it in itself. */
static bool has_line(const char *text, size_t length, const char *word, bool anywhere)
{
    const size_t size = strlen(word);
    bool begins = true;

    for (size_t i = 0; i + size <= length; i++) {
        if ((begins || anywhere) && memcmp(text + i, word, size) == 0)
            return true;
        begins = text[i] == '\n';
    }
    return false;
}

int floors_read(struct floors *out, const char *text, size_t length, const struct report *present,
                struct text *why)
{
    if (has_line(text, length, "skus:", false))
        return floors_read_yaml(out, text, length, why);
    if (has_line(text, length, nhc_check, true))
        return floors_read_nhc(out, text, length, present, why);
    return floors_read_csv(out, text, length, why);
}
