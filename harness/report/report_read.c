/* Reading a result file: every mistake is one sentence that names the place and what was expected.
 */
#include "harness/report/read_value.h"
#include "harness/report/report_json.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

const char report_schema_name[] = "ridge-result";

static int read_struct(struct reader *r, const struct place *at, const struct layout *l, char *base,
                       json_t *json);

static int read_list(struct reader *r, const struct place *at, const struct field *f, char *base,
                     json_t *json)
{
    if (!json_is_array(json)) {
        return read_expected(r, at, "an array", json);
    }
    for (size_t i = 0; i < json_array_size(json); i++) {
        const struct place place = {.parent = at, .index = i};
        char *element =
            layout_append(f->layout, base + f->offset, (size_t *)(void *)(base + f->count_offset));

        if (read_struct(r, &place, f->layout, element, json_array_get(json, i)) != 0) {
            return -1;
        }
    }
    return 0;
}

/* null says no more than a missing member does, except where a member is needed. */
static int read_field(struct reader *r, const struct place *at, const struct field *f, char *base,
                      json_t *object)
{
    const struct place place = {.parent = at, .name = f->name};
    json_t *json = json_object_get(object, f->name);

    if (f->derived || f->name == NULL) {
        return 0;
    }
    if (json == NULL || json_is_null(json)) {
        return f->needed ? read_mistake(r, &place, "is missing") : 0;
    }
    if (f->kind == FIELD_STRUCT) {
        return read_struct(r, &place, f->layout, base + f->offset, json);
    }
    return f->kind == FIELD_LIST ? read_list(r, &place, f, base, json)
                                 : read_value(r, &place, f, base, json);
}

static int read_fields(struct reader *r, const struct place *at, const struct layout *l, char *base,
                       json_t *object)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        const bool inlined = f->kind == FIELD_STRUCT && f->name == NULL;
        const int result = inlined ? read_fields(r, at, f->layout, base + f->offset, object)
                                   : read_field(r, at, f, base, object);
        if (result != 0) {
            return -1;
        }
    }
    return 0;
}

static void keep_member(json_t **unknown, const char *name, json_t *value)
{
    if (*unknown == NULL) {
        *unknown = json_object();
    }
    json_object_set(*unknown, name, value);
}

/* The members that no field names, those of structs that cannot keep them under the struct's name;
 * NULL where there are none.  A new reference. */
static json_t *unknown_members(const struct layout *l, json_t *object)
{
    json_t *unknown = NULL, *value;
    const char *name;

    json_object_foreach(object, name, value)
    {
        if (!layout_names(l, name)) {
            keep_member(&unknown, name, value);
        }
    }
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        if (f->kind == FIELD_STRUCT && f->name != NULL && layout_unknown(f->layout) == NULL) {
            json_t *below = unknown_members(f->layout, json_object_get(object, f->name));
            if (below != NULL) {
                keep_member(&unknown, f->name, below);
                json_decref(below);
            }
        }
    }
    return unknown;
}

/* A value is a function of the raw samples, unless they need a rule that this version lacks. */
static void derive_value(struct measurement *m)
{
    if (m->samples > 0 && !isnan(metric_value(&m->metric, &m->work, m->seconds[0]))) {
        measurement_derive(m);
    }
}

static int read_struct(struct reader *r, const struct place *at, const struct layout *l, char *base,
                       json_t *json)
{
    if (!json_is_object(json)) {
        return read_expected(r, at, "an object", json);
    }
    const int result = read_fields(r, at, l, base, json);
    const struct field *keeper = layout_unknown(l);
    if (keeper != NULL) {
        json_t *unknown = unknown_members(l, json);
        memcpy(base + keeper->offset, &unknown, sizeof unknown);
    }
    if (result == 0 && l == &layout_measurement) {
        derive_value((struct measurement *)(void *)base);
    }
    return result;
}

/* Whether it is a result file, and of a version that is read here. */
static int check_schema(struct reader *r, json_t *root)
{
    const struct place at = {.name = "schema_version"};
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_t *version = json_object_get(root, "schema_version");

    if (schema == NULL) {
        return read_mistake(r, NULL, "is not a result file of ridge (no \"schema\" in it)");
    }
    if (strcmp(schema, report_schema_name) != 0) {
        return read_mistake(r, NULL, "is not a result file of ridge (its schema is \"%.40s\")",
                            schema);
    }
    if (!json_is_integer(version)) {
        return version == NULL ? read_mistake(r, &at, "is missing")
                               : read_expected(r, &at, "a whole number", version);
    }
    if (json_integer_value(version) > REPORT_SCHEMA_VERSION) {
        return read_mistake(r, NULL,
                            "was written by a newer ridge (schema version %lld); this one reads %d",
                            json_integer_value(version), REPORT_SCHEMA_VERSION);
    }
    return json_integer_value(version) < 1 ? read_mistake(r, &at, "expected 1 or more") : 0;
}

/* Whatever the parser found, on one line. */
static int syntax_mistake(struct reader *r, const json_error_t *error, size_t length)
{
    const bool at_end = error->position >= 0 && (size_t)error->position >= length;
    char what[sizeof error->text];

    if (at_end && json_error_code(error) != json_error_end_of_input_expected) {
        return read_mistake(r, NULL, "line %d, column %d: the file is cut off in the middle",
                            error->line, error->column);
    }
    memcpy(what, error->text, sizeof what);
    for (char *c = what; *c != '\0'; c++) {
        *c = iscntrl((unsigned char)*c) ? ' ' : *c;
    }
    return read_mistake(r, NULL, "line %d, column %d: not JSON: %s", error->line, error->column,
                        what);
}

/* Before the parser is asked: what is no JSON object at all deserves a plainer word. */
static int check_start(struct reader *r, const char *json, size_t length)
{
    size_t start = 0;

    while (start < length && isspace((unsigned char)json[start])) {
        start++;
    }
    if (start == length) {
        return read_mistake(r, NULL, "is empty");
    }
    return json[start] == '{'
               ? 0
               : read_mistake(r, NULL, "is not a result file of ridge (not a JSON object)");
}

/* What is no JSON is parsed again as it stands, for the line and column of the mistake. */
static json_t *load(struct reader *r, const char *json, size_t length, json_error_t *error)
{
    struct text rest = TEXT_EMPTY;

    bulk_take(&r->bulk, &rest, json, length);
    json_t *root = json_loadb(text_chars(&rest), rest.length, JSON_REJECT_DUPLICATES, error);
    text_free(&rest);
    if (root == NULL) {
        bulk_free(&r->bulk);
        root = json_loadb(json, length, JSON_REJECT_DUPLICATES, error);
    }
    return root;
}

int report_parse(struct report *out, const char *json, size_t length, const char *name,
                 struct text *why)
{
    struct reader r = {.report = out, .file = name, .why = why};
    json_error_t error;

    report_init(out);
    if (check_start(&r, json, length) != 0) {
        return -1;
    }
    json_t *root = load(&r, json, length, &error);
    if (root == NULL) {
        return syntax_mistake(&r, &error, length);
    }
    const int failed = check_schema(&r, root) != 0 ||
                       read_struct(&r, NULL, &layout_report, (char *)out, root) != 0;
    json_decref(root);
    bulk_free(&r.bulk);
    if (failed) {
        report_free(out);
    }
    return failed ? -1 : 0;
}

int report_read(struct report *out, const char *path, struct text *why)
{
    struct text json = TEXT_EMPTY;
    int result = -1;

    report_init(out);
    if (text_read_file(&json, path) != 0) {
        text_addf(why, "%s: cannot be read: %s", path, strerror(errno));
    } else {
        result = report_parse(out, text_chars(&json), json.length, path, why);
    }
    text_free(&json);
    return result;
}
