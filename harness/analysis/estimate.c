/* Lists of estimates, and the models and precisions that are known by name. */
#include "harness/analysis/estimate.h"
#include "harness/analysis/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From the models' published configurations. */
const struct model_shape model_shapes[] = {
    {"7b", "Llama 2 7B", 7e9, 7e9, 32, 4096, 32, 128},
    {"8b", "Llama 3 8B", 8.03e9, 8.03e9, 32, 4096, 8, 128},
    {"13b", "Llama 2 13B", 13e9, 13e9, 40, 5120, 40, 128},
    {"70b", "Llama 2 70B", 70e9, 70e9, 80, 8192, 8, 128},
    {"8x7b", "Mixtral 8x7B", 46.7e9, 12.9e9, 32, 4096, 8, 128},
    {0},
};

/* Weights of 8 and 4 bit are unpacked to FP16 for the arithmetic, and carry scales beside them. */
const struct model_precision model_precisions[] = {
    {"fp32", 4, 4, "FP32 GEMM", 0},     {"tf32", 4, 4, "TF32 GEMM", 0},
    {"fp16", 2, 2, "FP16 GEMM", 0},     {"bf16", 2, 2, "BF16 GEMM", 0},
    {"fp8", 1, 2, "FP8 GEMM", 0.02},    {"int8", 1, 2, "FP16 GEMM", 0.1},
    {"int4", 0.5, 2, "FP16 GEMM", 0.2}, {0},
};

const struct model_shape *model_shape_named(const char *name)
{
    for (size_t i = 0; model_shapes[i].name != NULL; i++)
        if (strcasecmp(model_shapes[i].name, name) == 0)
            return &model_shapes[i];
    return NULL;
}

const struct model_precision *model_precision_named(const char *name)
{
    for (size_t i = 0; model_precisions[i].name != NULL; i++)
        if (strcasecmp(model_precisions[i].name, name) == 0)
            return &model_precisions[i];
    return NULL;
}

void estimates_free(struct estimates *e)
{
    for (size_t i = 0; i < e->count; i++) {
        free(e->items[i].name);
        free(e->items[i].formula);
    }
    free(e->items);
    strings_free(&e->notes);
    *e = (struct estimates){0};
}

const struct estimated *estimates_find(const struct estimates *e, const char *name)
{
    for (size_t i = 0; i < e->count; i++)
        if (strcmp(e->items[i].name, name) == 0)
            return &e->items[i];
    return NULL;
}

void estimated_add(struct estimates *e, enum estimated_group group, const char *name,
                   const char *unit, struct estimate value, const char *formula, ...)
{
    struct text words = TEXT_EMPTY;
    va_list values;

    va_start(values, formula);
    say_values(&words, formula, values);
    va_end(values);
    e->items = xrealloc(e->items, (e->count + 1) * sizeof *e->items);
    e->items[e->count++] = (struct estimated){group, xstrdup(name), text_take(&words), value, unit};
}

void estimated_note(struct estimates *e, const char *sentence, ...)
{
    struct text words = TEXT_EMPTY;
    va_list values;

    va_start(values, sentence);
    say_values(&words, sentence, values);
    va_end(values);
    if (!strings_have(&e->notes, text_chars(&words)))
        strings_add(&e->notes, text_chars(&words));
    text_free(&words);
}

double figure_or_note(struct estimates *e, const struct contender *card, const char *figure)
{
    const struct reached *f = contender_figure(card, figure);

    if (f != NULL && f->value.value > 0)
        return f->value.value;
    estimated_note(e, "Not known of {w}: {w}; what needs it is left out.", card->name, figure);
    return NAN;
}

struct estimate within(double value, double low, double high)
{
    return (struct estimate){value, value * low, value * high};
}
