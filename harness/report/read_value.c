/* Reading one value of a result file by its kind, and saying where a mistake is. */
#include "harness/report/read_value.h"

#include "harness/report/json_text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void add_place(struct text *out, const struct place *at)
{
    if (at == NULL) {
        return;
    }
    add_place(out, at->parent);
    if (at->name == NULL) {
        text_addf(out, "[%zu]", at->index);
    } else {
        text_addf(out, "%s%s", at->parent != NULL ? "." : "", at->name);
    }
}

int read_mistake(struct reader *r, const struct place *at, const char *format, ...)
{
    va_list values;

    text_addf(r->why, "%s: ", r->file);
    add_place(r->why, at);
    text_add(r->why, at != NULL ? ": " : "");
    va_start(values, format);
    text_vaddf(r->why, format, values);
    va_end(values);
    return -1;
}

static const char *type_name(const json_t *json)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return names[json_typeof(json)];
}

int read_expected(struct reader *r, const struct place *at, const char *what, const json_t *found)
{
    return read_mistake(r, at, "expected %s, found %s", what, type_name(found));
}

static int read_number(struct reader *r, const struct place *at, double *out, json_t *json)
{
    if (!json_is_number(json)) {
        return read_expected(r, at, "a number or null", json);
    }
    *out = json_number_value(json);
    return 0;
}

static int read_count(struct reader *r, const struct place *at, size_t *out, json_t *json)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0) {
        return read_mistake(r, at, "expected a whole number from 0 on");
    }
    *out = (size_t)json_integer_value(json);
    return 0;
}

static int read_bool(struct reader *r, const struct place *at, bool *out, json_t *json)
{
    if (!json_is_boolean(json)) {
        return read_expected(r, at, "true or false", json);
    }
    *out = json_is_true(json);
    return 0;
}

static int read_flag(struct reader *r, const struct place *at, enum flag *out, json_t *json)
{
    if (!json_is_boolean(json)) {
        return read_expected(r, at, "true, false or null", json);
    }
    *out = json_is_true(json) ? FLAG_YES : FLAG_NO;
    return 0;
}

static int unknown_status(struct reader *r, const struct place *at, const char *found)
{
    struct text sentence = TEXT_EMPTY;

    for (unsigned i = 0; i < ROW_STATUSES; i++) {
        text_add(&sentence, i == 0 ? "expected " : i + 1 < ROW_STATUSES ? ", " : " or ");
        text_add(&sentence, row_status_names[i]);
    }
    text_add(&sentence, ", found ");
    json_text_string(&sentence, found);
    read_mistake(r, at, "%s", text_chars(&sentence));
    text_free(&sentence);
    return -1;
}

static int read_status(struct reader *r, const struct place *at, enum row_status *out, json_t *json)
{
    if (!json_is_string(json)) {
        return read_expected(r, at, "a string", json);
    }
    for (unsigned i = 0; i < ROW_STATUSES; i++) {
        if (strcmp(row_status_names[i], json_string_value(json)) == 0) {
            *out = (enum row_status)i;
            return 0;
        }
    }
    return unknown_status(r, at, json_string_value(json));
}

static int read_text(struct reader *r, const struct place *at, char **out, json_t *json)
{
    if (!json_is_string(json)) {
        return read_expected(r, at, "a string or null", json);
    }
    *out = xstrdup(json_string_value(json));
    return 0;
}

/* The report's own copy of a word, one for all metrics that use it. */
static const char *keep_word(struct strings *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->items[i], word) == 0) {
            return words->items[i];
        }
    }
    strings_add(words, word);
    return words->items[words->count - 1];
}

static int read_word(struct reader *r, const struct place *at, const char **out, json_t *json)
{
    if (!json_is_string(json)) {
        return read_expected(r, at, "a string or null", json);
    }
    *out = keep_word(&r->report->words, json_string_value(json));
    return 0;
}

static int read_strings(struct reader *r, const struct place *at, struct strings *out, json_t *json)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const struct place element = {.parent = at, .index = i};
        json_t *item = json_array_get(json, i);

        if (!json_is_string(item)) {
            return read_expected(r, &element, "a string", item);
        }
        strings_add(out, json_string_value(item));
    }
    return 0;
}

/* Samples that were read ahead left an empty array. */
static bool read_ahead(struct reader *r, const struct place *at, const struct field *f, char *base)
{
    double *numbers;
    size_t count;

    if (strcmp(f->name, "seconds") != 0 || at->parent == NULL || at->parent->parent == NULL ||
        at->parent->parent->name == NULL || strcmp(at->parent->parent->name, "measurements") != 0 ||
        !bulk_give(&r->bulk, at->parent->index, &numbers, &count)) {
        return false;
    }
    memcpy(base + f->offset, &numbers, sizeof numbers);
    memcpy(base + f->count_offset, &count, sizeof count);
    return true;
}

static int read_numbers(struct reader *r, const struct place *at, const struct field *f, char *base,
                        json_t *json)
{
    const size_t count = json_array_size(json);

    if (count == 0 && read_ahead(r, at, f, base)) {
        return 0;
    }
    double *numbers = xcalloc(count, sizeof *numbers);
    memcpy(base + f->offset, &numbers, sizeof numbers);
    memcpy(base + f->count_offset, &count, sizeof count);
    for (size_t i = 0; i < count; i++) {
        const struct place element = {.parent = at, .index = i};
        json_t *item = json_array_get(json, i);

        if (!json_is_number(item)) {
            return read_expected(r, &element, "a number", item);
        }
        numbers[i] = json_number_value(item);
    }
    return 0;
}

static int read_parameters(struct reader *r, const struct place *at, struct parameters *out,
                           json_t *json)
{
    const char *name;
    json_t *value;

    if (!json_is_object(json)) {
        return read_expected(r, at, "an object", json);
    }
    json_object_foreach(json, name, value)
    {
        const struct place member = {.parent = at, .name = name};

        if (json_is_string(value)) {
            parameters_set_word(out, name, json_string_value(value));
        } else if (json_is_number(value) || json_is_null(value)) {
            parameters_set_number(out, name, json_is_null(value) ? NAN : json_number_value(value));
        } else {
            return read_expected(r, &member, "a string or a number", value);
        }
    }
    return 0;
}

static bool is_array_kind(enum field_kind kind)
{
    return kind == FIELD_STRINGS || kind == FIELD_NUMBERS;
}

int read_value(struct reader *r, const struct place *at, const struct field *f, char *base,
               json_t *json)
{
    void *member = base + f->offset;

    if (is_array_kind(f->kind) && !json_is_array(json)) {
        return read_expected(r, at, "an array", json);
    }
    switch (f->kind) {
    case FIELD_NUMBER:
        return read_number(r, at, member, json);
    case FIELD_COUNT:
        return read_count(r, at, member, json);
    case FIELD_BOOL:
        return read_bool(r, at, member, json);
    case FIELD_FLAG:
        return read_flag(r, at, member, json);
    case FIELD_STATUS:
        return read_status(r, at, member, json);
    case FIELD_TEXT:
        return read_text(r, at, member, json);
    case FIELD_WORD:
        return read_word(r, at, member, json);
    case FIELD_STRINGS:
        return read_strings(r, at, member, json);
    case FIELD_NUMBERS:
        return read_numbers(r, at, f, base, json);
    case FIELD_PARAMETERS:
        return read_parameters(r, at, member, json);
    default:
        return 0;
    }
}
