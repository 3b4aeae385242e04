/* What is known of a run and its devices, by the names that the result file has for it. */
#include "harness/base/units.h"
#include "harness/output/html.h"
#include "harness/report/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The unit that a name ends with. */
static const char *unit_of(const char *name)
{
    static const struct {
        const char *end, *unit;
    } units[] = {
        {"bytes_per_second", "B/s"}, {"bytes", "B"},   {"_hz", "Hz"}, {"watts", "W"},
        {"celsius", "°C"},           {"seconds", "s"},
    };

    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const size_t length = strlen(name), tail = strlen(units[i].end);

        if (length >= tail && strcmp(name + length - tail, units[i].end) == 0)
            return units[i].unit;
    }
    return "";
}

/* The word for a value, or NULL where it is unknown; caller frees. */
static char *word_of(const struct field *f, const char *base)
{
    const void *at = base + f->offset;
    char number[UNITS_MAX];
    struct text list = TEXT_EMPTY;

    switch (f->kind) {
    case FIELD_NUMBER:
        if (isnan(*(const double *)at))
            return NULL;
        return *unit_of(f->name) == '\0'
                   ? xasprintf("%.6g", *(const double *)at)
                   : xstrdup(units_format(number, *(const double *)at, unit_of(f->name)));
    case FIELD_FLAG:
        if (*(const enum flag *)at == FLAG_UNKNOWN)
            return NULL;
        return xstrdup(*(const enum flag *)at == FLAG_YES ? "yes" : "no");
    case FIELD_BOOL:
        return xstrdup(*(const bool *)at ? "yes" : "no");
    case FIELD_TEXT:
        return xstrdup(*(char *const *)at);
    case FIELD_STRINGS:
        for (size_t i = 0; i < ((const struct strings *)at)->count; i++)
            text_addf(&list, "%s%s", i > 0 ? " " : "", ((const struct strings *)at)->items[i]);
        return text_take(&list);
    default:
        return NULL;
    }
}

static void add_fields(struct table *t, const struct layout *l, const char *base)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        char *word, *name;

        if (f->kind == FIELD_STRUCT && f->layout != NULL) {
            add_fields(t, f->layout, base + f->offset);
            continue;
        }
        word = word_of(f, base);
        if (word != NULL && *word != '\0') {
            name = spoken(f->name);
            table_add(t, name);
            table_add(t, word);
            free(name);
        }
        free(word);
    }
}

static void add_facts(struct text *out, const struct layout *l, const void *base,
                      const char *caption)
{
    struct table *t = table_new(2, 0, "l");

    add_fields(t, l, base);
    if (table_rows(t) > 0)
        html_add_table(out, t, caption);
    table_free(t);
}

void html_add_facts(struct text *out, const struct report *r)
{
    add_facts(out, &layout_report, r, "the run and the machine");
    for (size_t i = 0; i < r->device_count; i++)
        add_facts(out, &layout_device, &r->devices[i], r->devices[i].id);
}
