/* What the tables of members are good for in memory: set to unknown, free, append, look up. */
#include "harness/report/fields.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pointer of any type, read and set without naming the type. */
static void *pointer_at(const char *member)
{
    void *pointer;

    memcpy(&pointer, member, sizeof pointer);
    return pointer;
}

static void pointer_set(char *member, void *pointer)
{
    memcpy(member, &pointer, sizeof pointer);
}

void layout_init(const struct layout *l, void *base)
{
    memset(base, 0, l->size);
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        char *member = (char *)base + f->offset;

        if (f->kind == FIELD_NUMBER) {
            *(double *)(void *)member = NAN;
        } else if (f->kind == FIELD_FLAG) {
            *(enum flag *)(void *)member = FLAG_UNKNOWN;
        } else if (f->kind == FIELD_STRUCT) {
            layout_init(f->layout, member);
        }
    }
}

static void parameters_free(struct parameters *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->items[i].name);
        free(p->items[i].word);
    }
    free(p->items);
}

static void list_free(const struct layout *l, char *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        layout_free(l, items + i * l->size);
    }
    free(items);
}

static void field_free(const struct field *f, char *base)
{
    char *member = base + f->offset;

    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_NUMBERS:
        free(pointer_at(member));
        break;
    case FIELD_STRINGS:
        strings_free((struct strings *)(void *)member);
        break;
    case FIELD_PARAMETERS:
        parameters_free((struct parameters *)(void *)member);
        break;
    case FIELD_STRUCT:
        layout_free(f->layout, member);
        break;
    case FIELD_LIST:
        list_free(f->layout, pointer_at(member), *(size_t *)(void *)(base + f->count_offset));
        break;
    case FIELD_UNKNOWN:
        json_decref(pointer_at(member));
        break;
    default:
        break;
    }
}

void layout_free(const struct layout *l, void *base)
{
    for (size_t i = 0; i < l->count; i++) {
        field_free(&l->fields[i], base);
    }
    layout_init(l, base);
}

/* The room doubles where the count is a power of two, so nothing has to remember it. */
void *layout_append(const struct layout *l, void *items, size_t *count)
{
    char *list = pointer_at(items);
    const size_t n = *count;

    if ((n & (n - 1)) == 0) {
        list = xrealloc(list, (n > 0 ? 2 * n : 1) * l->size);
        pointer_set(items, list);
    }
    layout_init(l, list + n * l->size);
    *count = n + 1;
    return list + n * l->size;
}

bool layout_names(const struct layout *l, const char *name)
{
    for (size_t i = 0; i < l->count; i++) {
        const struct field *f = &l->fields[i];
        const bool inlined = f->kind == FIELD_STRUCT && f->name == NULL;

        if (inlined ? layout_names(f->layout, name)
                    : f->name != NULL && strcmp(f->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const struct field *layout_unknown(const struct layout *l)
{
    const struct field *last = &l->fields[l->count - 1];

    return last->kind == FIELD_UNKNOWN ? last : NULL;
}
