/* The reader of comma-separated values. */
#include "harness/analysis/csv.h"

#include <stdbool.h>

static bool at_end_of_field(const struct csv_reader *r)
{
    return r->at == r->end || *r->at == ',' || *r->at == '\n' || *r->at == '\r';
}

static int read_quoted(struct csv_reader *r, struct text *field)
{
    for (r->at++; r->at < r->end; r->at++) {
        if (*r->at == '"' && !(r->at + 1 < r->end && r->at[1] == '"')) {
            r->at++;
            return at_end_of_field(r) ? 0 : -1;
        }
        if (*r->at == '"')
            r->at++;
        text_add_bytes(field, r->at, 1);
    }
    return -1;
}

static int read_plain(struct csv_reader *r, struct text *field)
{
    for (; !at_end_of_field(r); r->at++) {
        if (*r->at == '"')
            return -1;
        text_add_bytes(field, r->at, 1);
    }
    return 0;
}

static int read_field(struct csv_reader *r, struct strings *fields)
{
    struct text field = TEXT_EMPTY;
    const bool quoted = r->at < r->end && *r->at == '"';
    const int failed = quoted ? read_quoted(r, &field) : read_plain(r, &field);

    strings_add(fields, text_chars(&field));
    text_free(&field);
    return failed;
}

int csv_read_record(struct csv_reader *reader, struct strings *fields)
{
    if (reader->at == reader->end)
        return 0;
    if (read_field(reader, fields) != 0)
        return -1;
    while (reader->at < reader->end && *reader->at == ',') {
        reader->at++;
        if (read_field(reader, fields) != 0)
            return -1;
    }
    if (reader->at < reader->end && *reader->at == '\r')
        reader->at++;
    if (reader->at < reader->end && *reader->at == '\n')
        reader->at++;
    return 1;
}
