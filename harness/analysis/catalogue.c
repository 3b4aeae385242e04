/* Reads the datasheet catalogue: one table says which column fills which member of a card. */
#include "harness/analysis/catalogue.h"
#include "harness/analysis/csv.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum cell { CELL_WORD, CELL_LIST, CELL_NUMBER, CELL_PASSED_OVER };

struct column {
    const char *name;
    enum cell cell;
    size_t offset;
    double scale; /* to the SI unit */
};

#define WORD(column, member)                                                                       \
    {                                                                                              \
        column, CELL_WORD, offsetof(struct card, member), 0                                        \
    }
#define LIST(column, member)                                                                       \
    {                                                                                              \
        column, CELL_LIST, offsetof(struct card, member), 0                                        \
    }
#define NUMBER(column, member, scale)                                                              \
    {                                                                                              \
        column, CELL_NUMBER, offsetof(struct card, member), scale                                  \
    }
#define PEAK(column, index) NUMBER(column, peak[index], 1e12)

static const struct column columns[] = {
    WORD("id", id),
    WORD("name", name),
    LIST("other_names", other_names),
    LIST("aliases", aliases),
    WORD("architecture", architecture),
    WORD("compute_capability", capability),
    NUMBER("sm_count", sm_count, 1),
    NUMBER("boost_mhz", boost_hz, 1e6),
    PEAK("fp32_tflops", CARD_FP32),
    PEAK("fp64_tflops", CARD_FP64),
    PEAK("fp64_tensor_tflops", CARD_FP64_TENSOR),
    PEAK("tf32_tensor_tflops", CARD_TF32),
    PEAK("fp16_tensor_fp32acc_tflops", CARD_FP16),
    PEAK("fp16_tensor_fp16acc_tflops", CARD_FP16_ACC16),
    PEAK("bf16_tensor_tflops", CARD_BF16),
    PEAK("fp8_tensor_tflops", CARD_FP8),
    PEAK("int8_tensor_tops", CARD_INT8),
    PEAK("fp4_tensor_tflops", CARD_FP4),
    NUMBER("memory_gb", memory_bytes, 1073741824.0), /* advertised GB are close to GiB */
    WORD("memory_type", memory_type),
    NUMBER("bus_bits", bus_bits, 1),
    NUMBER("memory_pin_gbps", memory_pin_bits_per_second, 1e9),
    NUMBER("memory_gbs", memory_bytes_per_second, 1e9),
    NUMBER("l2_mb", l2_bytes, 1048576.0),
    NUMBER("pcie_gen", link_generation, 1),
    NUMBER("pcie_lanes", link_width, 1),
    NUMBER("nvlink_gbs", nvlink_bytes_per_second, 1e9),
    NUMBER("tdp_w", power_watts, 1),
    NUMBER("year", year, 1),
    WORD("match_name", match_name),
    NUMBER("match_sm", match_sm, 1),
    NUMBER("match_memory_gb", match_memory_gb, 1),
    WORD("variant_of", variant_of),
    WORD("grade", grade),
    LIST("weak_fields", weak_fields),
    LIST("derived_fields", derived_fields),
    WORD("note", note),
    {"fp32_lanes_per_sm", CELL_PASSED_OVER, 0, 0},
    {"fp8_tensor_fp16acc_tflops", CELL_PASSED_OVER, 0, 0},
    {"cuda13", CELL_PASSED_OVER, 0, 0},
    {"sources", CELL_PASSED_OVER, 0, 0},
};

static const struct column *column_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        if (strcmp(columns[i].name, name) == 0)
            return &columns[i];
    return NULL;
}

static void fill_list(struct strings *list, const char *cell)
{
    char *copy = xstrdup(cell), *rest = copy;

    for (char *item = strsep(&rest, ";"); item != NULL; item = strsep(&rest, ";"))
        if (*item != '\0')
            strings_add(list, item);
    free(copy);
}

/* Empty is unknown. */
static int fill_number(double *number, const char *cell, double scale)
{
    char *end = NULL;
    const double value = strtod(cell, &end);

    *number = *cell == '\0' ? NAN : value * scale;
    return *end == '\0' ? 0 : -1;
}

static int fill_cell(struct card *card, const struct column *column, const char *cell)
{
    void *member = (char *)card + column->offset;

    switch (column->cell) {
    case CELL_WORD:
        *(char **)member = *cell == '\0' ? NULL : xstrdup(cell);
        return 0;
    case CELL_LIST:
        fill_list(member, cell);
        return 0;
    case CELL_PASSED_OVER:
        return 0;
    case CELL_NUMBER:
        break;
    }
    return fill_number(member, cell, column->scale);
}

static void mark_weak(struct card *card)
{
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        const size_t first = offsetof(struct card, peak), at = columns[i].offset;

        if (at >= first && at < first + sizeof card->peak)
            card->weak[(at - first) / sizeof(double)] =
                strings_have(&card->weak_fields, columns[i].name);
    }
    card->memory_weak = strings_have(&card->weak_fields, "memory_gbs");
}

static void card_init(struct card *card)
{
    memset(card, 0, sizeof *card);
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        if (columns[i].cell == CELL_NUMBER)
            *(double *)(void *)((char *)card + columns[i].offset) = NAN;
}

/* What is being read: its name for sentences, and where they go. */
struct reading_of {
    const char *name;
    struct text *why;
    size_t line; /* of the record that is read */
};

static int mistake(const struct reading_of *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int mistake(const struct reading_of *r, const char *format, ...)
{
    va_list values;

    text_addf(r->why, "%s:%zu: ", r->name, r->line);
    va_start(values, format);
    text_vaddf(r->why, format, values);
    va_end(values);
    return -1;
}

static int fill_card(struct card *card, const struct strings *header, const struct strings *cells,
                     const struct reading_of *r)
{
    card_init(card);
    if (cells->count != header->count)
        return mistake(r, "%zu fields, the header has %zu", cells->count, header->count);
    for (size_t i = 0; i < header->count; i++) {
        const struct column *column = column_named(header->items[i]);

        if (column != NULL && fill_cell(card, column, cells->items[i]) != 0)
            return mistake(r, "%s: expected a number, not '%s'", header->items[i], cells->items[i]);
    }
    mark_weak(card);
    return card->id != NULL && card->name != NULL ? 0 : mistake(r, "a card needs an id and a name");
}

static size_t lines_between(const char *from, const char *to)
{
    size_t lines = 0;

    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

/* Reads all records after the header; returns 0 when every one of them is a card. */
static int read_cards(struct csv_reader *reader, const struct strings *header, struct card **cards,
                      size_t *count, struct reading_of *r)
{
    for (;;) {
        struct strings cells = {0};
        const char *start = reader->at;
        const int read = csv_read_record(reader, &cells);
        int failed = 0;

        if (read == 1) {
            *cards = xrealloc(*cards, (*count + 1) * sizeof **cards);
            failed = fill_card(&(*cards)[(*count)++], header, &cells, r);
        } else if (read < 0) {
            failed = mistake(r, "a quote is out of place or never closed");
        }
        strings_free(&cells);
        if (read == 0 || failed != 0)
            return failed;
        r->line += lines_between(start, reader->at);
    }
}

static int read_header(struct csv_reader *reader, struct strings *header, struct reading_of *r)
{
    const char *start = reader->at;

    r->line = 1;
    if (csv_read_record(reader, header) != 1)
        return mistake(r, "expected a line with the names of the columns");
    for (size_t i = 0; i < header->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(header->items[i], header->items[k]) == 0 && column_named(header->items[i]))
                return mistake(r, "two columns are named '%s'", header->items[i]);
    r->line += lines_between(start, reader->at);
    return 0;
}

static struct card *read_all(const char *csv, size_t length, struct strings *header, size_t *count,
                             struct reading_of *r)
{
    struct csv_reader reader = {csv, csv + length};
    struct card *cards = NULL;

    *count = 0;
    if (read_header(&reader, header, r) == 0 && read_cards(&reader, header, &cards, count, r) == 0)
        return cards;
    catalogue_free(cards, *count);
    *count = 0;
    return NULL;
}

struct card *catalogue_parse(const char *csv, size_t length, size_t *count)
{
    struct text why = TEXT_EMPTY;
    struct strings header = {0};
    struct card *cards =
        read_all(csv, length, &header, count, &(struct reading_of){"catalogue", &why, 1});

    strings_free(&header);
    text_free(&why);
    return cards;
}

static int check_header(const struct strings *header, const struct reading_of *r)
{
    const char *names[COUNT_OF(columns)];

    for (size_t i = 0; i < COUNT_OF(columns); i++)
        names[i] = columns[i].name;
    for (size_t i = 0; i < header->count; i++) {
        const char *nearest = text_nearest(header->items[i], names, COUNT_OF(names));

        if (column_named(header->items[i]) == NULL)
            return mistake(r, "no catalogue has a column '%s'%s%s%s", header->items[i],
                           nearest != NULL ? "; did you mean '" : "",
                           nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    }
    return 0;
}

static int check_rows(const struct card *cards, size_t count, struct reading_of *r)
{
    for (size_t i = 0; i < count; i++, r->line++) {
        struct text wrong = TEXT_EMPTY;
        const int failed = catalogue_check(&cards[i], &wrong);

        if (failed != 0)
            mistake(r, "%s: %s", cards[i].id, text_chars(&wrong));
        text_free(&wrong);
        if (failed != 0)
            return -1;
    }
    return 0;
}

struct card *catalogue_read(const char *csv, size_t length, const char *name, size_t *count,
                            struct text *why)
{
    struct reading_of r = {name, why, 1};
    struct strings header = {0};
    struct card *cards = read_all(csv, length, &header, count, &r);
    bool failed = cards == NULL;

    if (cards == NULL && why->length == 0)
        mistake(&r, "holds no card");
    r.line = 1;
    failed = failed || check_header(&header, &r) != 0;
    r.line = 2;
    if (failed || check_rows(cards, *count, &r) != 0) {
        catalogue_free(cards, *count);
        *count = 0;
        cards = NULL;
    }
    strings_free(&header);
    return cards;
}

void catalogue_free(struct card *cards, size_t count)
{
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < COUNT_OF(columns); i++) {
            void *member = (char *)&cards[c] + columns[i].offset;

            if (columns[i].cell == CELL_WORD)
                free(*(char **)member);
            else if (columns[i].cell == CELL_LIST)
                strings_free(member);
        }
    free(cards);
}
