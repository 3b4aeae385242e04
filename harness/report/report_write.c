/* A report as JSON: an element of a list a line, members in the order of the tables. */
#include "harness/report/fields.h"
#include "harness/report/json_text.h"
#include "harness/report/report_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* Where a member stands: the file and its lists are broken into lines, what is deeper is not. */
enum depth { DEPTH_FILE, DEPTH_MEMBER, DEPTH_ELEMENT };

struct object {
    struct text *out;
    enum depth depth;
    size_t members; /* written so far */
    json_t *extra;  /* members that no field names, NULL: none */
    bool line;      /* a line of its own: what has lines of its own is left out */
};

static void write_members(struct object *o, const struct layout *l, const char *base);
static void write_fields(struct object *o, const struct layout *l, const char *base);

static const void *pointer_at(const char *member)
{
    void *pointer;

    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static size_t count_at(const char *base, const struct field *f)
{
    size_t count;

    memcpy(&count, base + f->count_offset, sizeof count);
    return count;
}

static void write_name(struct object *o, const char *name)
{
    const bool broken = o->depth == DEPTH_FILE;

    text_add(o->out, o->members == 0 ? "" : broken ? "," : ", ");
    text_add(o->out, broken ? "\n  " : "");
    json_text_string(o->out, name);
    text_add(o->out, ": ");
    o->members++;
}

static void write_flag(struct text *out, enum flag flag)
{
    text_add(out, flag == FLAG_UNKNOWN ? "null" : flag == FLAG_YES ? "true" : "false");
}

static void write_strings(struct text *out, const struct strings *list)
{
    text_add(out, "[");
    for (size_t i = 0; i < list->count; i++) {
        text_add(out, i > 0 ? ", " : "");
        json_text_string(out, list->items[i]);
    }
    text_add(out, "]");
}

static void write_numbers(struct text *out, const double *numbers, size_t count)
{
    text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        text_add(out, i > 0 ? ", " : "");
        json_text_number(out, numbers[i]);
    }
    text_add(out, "]");
}

static void write_parameters(struct text *out, const struct parameters *p)
{
    struct object o = {.out = out, .depth = DEPTH_ELEMENT};

    text_add(out, "{");
    for (size_t i = 0; i < p->count; i++) {
        write_name(&o, p->items[i].name);
        if (p->items[i].word != NULL) {
            json_text_string(out, p->items[i].word);
        } else {
            json_text_number(out, p->items[i].number);
        }
    }
    text_add(out, "}");
}

static void write_struct(struct text *out, const struct layout *l, const char *base,
                         enum depth depth, json_t *extra)
{
    struct object o = {.out = out, .depth = depth, .extra = extra};

    text_add(out, "{");
    write_members(&o, l, base);
    text_add(out, depth == DEPTH_FILE ? "\n}\n" : "}");
}

static void write_list(struct object *o, const struct field *f, const char *base)
{
    const char *items = pointer_at(base + f->offset);
    const size_t count = count_at(base, f);
    const bool broken = o->depth == DEPTH_FILE;

    text_add(o->out, "[");
    for (size_t i = 0; i < count; i++) {
        text_add(o->out, i == 0 ? "" : broken ? "," : ", ");
        text_add(o->out, broken ? "\n    " : "");
        write_struct(o->out, f->layout, items + i * f->layout->size, DEPTH_ELEMENT, NULL);
    }
    text_add(o->out, broken && count > 0 ? "\n  ]" : "]");
}

/* Of the simple kinds that structs which may be null are made of. */
static bool is_unknown(const struct layout *l, const char *base)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        const void *member = base + f->offset;

        if ((f->kind == FIELD_NUMBER && !isnan(*(const double *)member)) ||
            (f->kind == FIELD_COUNT && *(const size_t *)member > 0) ||
            (f->kind == FIELD_WORD && pointer_at(member) != NULL)) {
            return false;
        }
    }
    return true;
}

static bool is_null(const struct object *o, const struct field *f, const char *base)
{
    if (!f->nullable) {
        return false;
    }
    return f->kind == FIELD_LIST ? count_at(base, f) == 0
                                 : is_unknown(f->layout, base + f->offset) &&
                                       json_object_get(o->extra, f->name) == NULL;
}

static void write_value(struct object *o, const struct field *f, const char *base)
{
    const void *member = base + f->offset;

    switch (f->kind) {
    case FIELD_NUMBER:
        json_text_number(o->out, *(const double *)member);
        break;
    case FIELD_COUNT:
        json_text_number(o->out, (double)*(const size_t *)member);
        break;
    case FIELD_BOOL:
        text_add(o->out, *(const bool *)member ? "true" : "false");
        break;
    case FIELD_FLAG:
        write_flag(o->out, *(const enum flag *)member);
        break;
    case FIELD_STATUS:
        json_text_string(o->out, row_status_names[*(const enum row_status *)member]);
        break;
    case FIELD_SEVERITY:
        json_text_string(o->out, severity_names[*(const enum severity *)member]);
        break;
    case FIELD_STRINGS:
        write_strings(o->out, member);
        break;
    case FIELD_NUMBERS:
        write_numbers(o->out, pointer_at(member), count_at(base, f));
        break;
    case FIELD_PARAMETERS:
        write_parameters(o->out, member);
        break;
    case FIELD_STRUCT:
        write_struct(o->out, f->layout, member, DEPTH_MEMBER, json_object_get(o->extra, f->name));
        break;
    case FIELD_LIST:
        write_list(o, f, base);
        break;
    case FIELD_SCHEMA:
        json_text_string(o->out, report_schema_name);
        break;
    default:
        json_text_string(o->out, pointer_at(member));
    }
}

static bool has_lines(const struct field *f)
{
    return f->kind == FIELD_LIST &&
           (f->layout == &layout_measurement || f->layout == &layout_finding);
}

static void write_field(struct object *o, const struct field *f, const char *base)
{
    if (f->kind == FIELD_UNKNOWN || (o->line && has_lines(f))) {
        return;
    }
    if (f->name == NULL) {
        write_fields(o, f->layout, base + f->offset);
        return;
    }
    write_name(o, f->name);
    if (is_null(o, f, base)) {
        text_add(o->out, "null");
    } else {
        write_value(o, f, base);
    }
}

static void write_fields(struct object *o, const struct layout *l, const char *base)
{
    for (size_t i = 0; i < l->count; i++) {
        write_field(o, &l->fields[i], base);
    }
}

/* What stands in `extra` under a known name are the unknown members of that struct. */
static void write_extra(struct object *o, const struct layout *l)
{
    const char *name;
    json_t *value;

    json_object_foreach(o->extra, name, value)
    {
        if (!layout_names(l, name)) {
            write_name(o, name);
            json_text_value(o->out, value);
        }
    }
}

static void write_members(struct object *o, const struct layout *l, const char *base)
{
    const struct field *keeper = layout_unknown(l);

    if (keeper != NULL) {
        memcpy(&o->extra, base + keeper->offset, sizeof o->extra);
    }
    write_fields(o, l, base);
    write_extra(o, l);
}

void report_write(struct text *out, const struct report *r)
{
    write_struct(out, &layout_report, (const char *)r, DEPTH_FILE, NULL);
}

static void write_word(struct object *o, const char *name, const char *word)
{
    write_name(o, name);
    if (word == NULL) {
        text_add(o->out, "null");
    } else {
        json_text_string(o->out, word);
    }
}

static void write_line(struct text *out, const struct report *r, const char *record,
                       const char *device, const struct layout *l, const void *base)
{
    struct object o = {.out = out, .depth = DEPTH_ELEMENT, .line = true};
    const struct device_record *d = device == NULL ? NULL : report_device(r, device);

    text_add(out, "{");
    write_word(&o, "record", record);
    if (base != r) {
        write_word(&o, "time", r->started);
        write_word(&o, "machine", r->environment.machine);
        write_word(&o, "uuid", d == NULL ? NULL : d->uuid);
    }
    write_members(&o, l, base);
    text_add(out, "}\n");
}

void report_write_lines(struct text *out, const struct report *r)
{
    write_line(out, r, "report", NULL, &layout_report, r);
    for (size_t i = 0; i < r->measurement_count; i++) {
        write_line(out, r, "measurement", r->measurements[i].device, &layout_measurement,
                   &r->measurements[i]);
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        write_line(out, r, "finding", r->findings[i].device, &layout_finding, &r->findings[i]);
    }
}

int report_save(const struct report *r, const char *path, struct text *why)
{
    struct text json = TEXT_EMPTY;

    report_write(&json, r);
    const int result = text_write_file(&json, path);
    if (result != 0) {
        text_addf(why, "%s: cannot be saved: %s", path, strerror(errno));
    }
    text_free(&json);
    return result;
}
