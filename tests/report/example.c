/* A report with every member filled in, made by the tables, so that nothing can be left out. */
#include "tests/report/example.h"

#include "harness/report/fields.h"

#include <jansson.h>
#include <string.h>

struct filler {
    struct report *report;
    unsigned made; /* values so far: each is used once */
};

static void fill_struct(struct filler *f, const struct layout *l, char *base);

static char *next_word(struct filler *f)
{
    return xasprintf("word %u \"q\" \\ \t \xC3\xA9", f->made++);
}

static double next_number(struct filler *f)
{
    return 0.1 + f->made++;
}

static void fill_strings(struct filler *f, struct strings *list)
{
    for (int i = 0; i < 2; i++) {
        char *word = next_word(f);
        strings_add(list, word);
        free(word);
    }
}

static void fill_numbers(struct filler *f, const struct field *field, char *base)
{
    const size_t count = 3;
    double *numbers = xcalloc(count, sizeof *numbers);

    for (size_t i = 0; i < count; i++) {
        numbers[i] = next_number(f) * 1e-7;
    }
    memcpy(base + field->offset, &numbers, sizeof numbers);
    memcpy(base + field->count_offset, &count, sizeof count);
}

static void fill_parameters(struct filler *f, struct parameters *p)
{
    char *word = next_word(f);

    parameters_set_word(p, "operation", word);
    parameters_set_number(p, "bytes", next_number(f));
    free(word);
}

static void fill_list(struct filler *f, const struct field *field, char *base)
{
    for (int i = 0; i < 2; i++) {
        size_t *count = (size_t *)(void *)(base + field->count_offset);
        fill_struct(f, field->layout, layout_append(field->layout, base + field->offset, count));
    }
}

static struct json_t *make_unknown(struct filler *f)
{
    char *word = next_word(f);
    struct json_t *unknown = json_pack("{s: s, s: [f, b, n, {s: I}]}", "later", word, "later_list",
                                       next_number(f), 1, "deep", (json_int_t)1234567890123456789);

    free(word);
    return unknown;
}

static void fill_word(struct filler *f, const char **member)
{
    char *word = next_word(f);

    strings_add(&f->report->words, word);
    *member = f->report->words.items[f->report->words.count - 1];
    free(word);
}

static void fill_field(struct filler *f, const struct field *field, char *base)
{
    void *member = base + field->offset;

    switch (field->kind) {
    case FIELD_NUMBER:
        *(double *)member = next_number(f);
        break;
    case FIELD_COUNT:
        *(size_t *)member = f->made++;
        break;
    case FIELD_BOOL:
        *(bool *)member = true;
        break;
    case FIELD_FLAG:
        *(enum flag *)member = (enum flag)((int)(f->made++ % 3) - 1);
        break;
    case FIELD_STATUS:
        *(enum row_status *)member = ROW_INVALID;
        break;
    case FIELD_SEVERITY:
        *(enum severity *)member = SEVERITY_FAULT;
        break;
    case FIELD_TEXT:
        *(char **)member = next_word(f);
        break;
    case FIELD_WORD:
        fill_word(f, member);
        break;
    case FIELD_STRINGS:
        fill_strings(f, member);
        break;
    case FIELD_NUMBERS:
        fill_numbers(f, field, base);
        break;
    case FIELD_PARAMETERS:
        fill_parameters(f, member);
        break;
    case FIELD_STRUCT:
        fill_struct(f, field->layout, member);
        break;
    case FIELD_LIST:
        fill_list(f, field, base);
        break;
    case FIELD_UNKNOWN:
        json_decref(*(struct json_t **)member);
        *(struct json_t **)member = make_unknown(f);
        break;
    case FIELD_SCHEMA:
        break;
    }
}

static void fill_struct(struct filler *f, const struct layout *l, char *base)
{
    for (size_t i = 0; i < l->count; i++) {
        fill_field(f, &l->fields[i], base);
    }
}

void example_fill(struct report *r)
{
    struct filler f = {.report = r};

    report_init(r);
    fill_struct(&f, &layout_report, (char *)r);
    r->schema_version = 1;
}
