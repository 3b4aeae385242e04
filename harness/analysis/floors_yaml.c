/* Reads the acceptance files of DCGM's diagnostic: for each name of the list "skus" the floor of
 * memory (MB/s) and what the link must be. */
#include "harness/analysis/floors.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* What is a floor: the way to it below a card, and what ridge calls it. */
static const struct {
    const char *test, *subtest, *key, *figure, *unit;
} known[] = {
    {"memory_bandwidth", NULL, "minimum_bandwidth", "memory", "MB/s"},
    {"pcie", "h2d_d2h_single_pinned", "min_bandwidth", "link", "GB/s"},
    {"pcie", "h2d_d2h_single_pinned", "min_pci_generation", "link_generation", ""},
    {"pcie", "h2d_d2h_single_pinned", "min_pci_width", "link_width", ""},
};

struct source {
    yaml_document_t document;
    const char *text, *end;
};

static const char *scalar(const yaml_node_t *node)
{
    return node != NULL && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                                          : NULL;
}

/* The value of a key in a mapping; NULL: no mapping, or no such key. */
static yaml_node_t *value_of(struct source *s, const yaml_node_t *map, const char *key)
{
    if (map == NULL || map->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
         p++) {
        const char *name = scalar(yaml_document_get_node(&s->document, p->key));

        if (name != NULL && strcmp(name, key) == 0)
            return yaml_document_get_node(&s->document, p->value);
    }
    return NULL;
}

/* The comment lines right above that line (counted from 0); the parser drops them.  NULL: none. */
static char *comment_above(const struct source *s, size_t line)
{
    struct text comment = TEXT_EMPTY;
    const char *at = s->text;

    for (size_t i = 0; i < line && at < s->end; i++) {
        const char *stop = memchr(at, '\n', (size_t)(s->end - at));
        const char *word = at;

        stop = stop == NULL ? s->end : stop;
        while (word < stop && (*word == ' ' || *word == '\t'))
            word++;
        if (word < stop && *word == '#')
            text_add_bytes(&comment, word, (size_t)(stop - word));
        else
            text_free(&comment);
        at = stop + 1;
    }
    return comment.length > 0 ? text_take(&comment) : NULL;
}

static void add_floors(struct floors *out, struct source *s, const yaml_node_t *card)
{
    const char *name = scalar(value_of(s, card, "name"));

    for (size_t i = 0; name != NULL && i < COUNT_OF(known); i++) {
        const yaml_node_t *test = value_of(s, card, known[i].test), *node;
        struct floor *f;

        if (known[i].subtest != NULL)
            test = value_of(s, test, known[i].subtest);
        node = value_of(s, test, known[i].key);
        if (scalar(node) == NULL)
            continue;
        f = floors_add(out, name, known[i].figure, scalar(node), known[i].unit);
        f->place = "line";
        f->number = node->start_mark.line + 1;
        f->comment = comment_above(s, node->start_mark.line);
    }
}

static void add_cards(struct floors *out, struct source *s)
{
    const yaml_node_t *list = value_of(s, yaml_document_get_root_node(&s->document), "skus");

    if (list == NULL || list->type != YAML_SEQUENCE_NODE)
        return;
    for (const yaml_node_item_t *i = list->data.sequence.items.start;
         i < list->data.sequence.items.top; i++)
        add_floors(out, s, yaml_document_get_node(&s->document, *i));
}

int floors_read_yaml(struct floors *out, const char *text, size_t length, struct text *why)
{
    struct source s = {.text = text, .end = text + length};
    yaml_parser_t parser;
    bool loaded;

    if (!yaml_parser_initialize(&parser)) {
        text_add(why, "no memory to read YAML");
        return -1;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    loaded = yaml_parser_load(&parser, &s.document) != 0;
    if (loaded) {
        add_cards(out, &s);
        yaml_document_delete(&s.document);
    } else {
        text_addf(why, "line %zu: %s", parser.problem_mark.line + 1,
                  parser.problem == NULL ? "not YAML" : parser.problem);
    }
    yaml_parser_delete(&parser);
    return loaded ? 0 : -1;
}
