/* The members of the result model as tables: each is named once, and read, written, set to unknown
 * and freed by its kind. */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "harness/report/model.h"

enum field_kind {
    FIELD_NUMBER,     /* double: a number, or null */
    FIELD_COUNT,      /* size_t: a whole number */
    FIELD_BOOL,       /* bool: true or false */
    FIELD_FLAG,       /* enum flag: true, false, or null */
    FIELD_STATUS,     /* enum row_status: its word */
    FIELD_SEVERITY,   /* enum severity: its word; only written */
    FIELD_TEXT,       /* char *: a string, or null; owned */
    FIELD_WORD,       /* const char *: the same, kept in the report's words */
    FIELD_STRINGS,    /* struct strings: an array of strings */
    FIELD_NUMBERS,    /* double * and a count: an array of numbers */
    FIELD_PARAMETERS, /* struct parameters: an object of words and numbers */
    FIELD_STRUCT,     /* a struct: an object; without a name its members stand in their parent */
    FIELD_LIST,       /* pointer to structs and a count: an array of objects */
    FIELD_SCHEMA,     /* no member: the word that a result file is known by */
    FIELD_UNKNOWN     /* struct json_t *: the members that no field names */
};

struct field {
    const char *name;
    enum field_kind kind;
    size_t offset, count_offset;
    const struct layout *layout; /* of a struct, or of the elements of a list */
    bool needed;                 /* a file without it is refused */
    bool nullable;               /* null where nothing is known or listed */
    bool derived;                /* written for other programs, never read */
};

struct layout {
    const struct field *fields;
    size_t count, size; /* of the table; of the struct in bytes */
};

extern const struct layout layout_report, layout_device, layout_facts, layout_experiment,
    layout_measurement, layout_telemetry, layout_figure, layout_roof, layout_ridge_point,
    layout_finding;

/* Everything unknown, nothing owned. */
void layout_init(const struct layout *l, void *base);
/* Frees what the struct owns, and leaves it as layout_init does. */
void layout_free(const struct layout *l, void *base);
/* Adds an element that layout_init has seen, to the list that `items` points to; returns it.  Only
 * for lists that were made by this alone. */
void *layout_append(const struct layout *l, void *items, size_t *count);
/* Whether the layout names that member, in itself or in a struct without a name. */
bool layout_names(const struct layout *l, const char *name);
/* The field that keeps unknown members; NULL: none, the parent keeps them under the struct's name.
 */
const struct field *layout_unknown(const struct layout *l);

#endif
