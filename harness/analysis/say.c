/* Fills figures into sentences. */
#include "harness/analysis/say.h"
#include "harness/base/units.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static void add_number(struct text *out, const char *unit, double value)
{
    char number[UNITS_MAX];

    if (strcmp(unit, "%") == 0 && isfinite(value))
        text_addf(out, fabs(value) < 0.0995 ? "%.1f %%" : "%.0f %%", value * 100);
    else if (strcmp(unit, "n") == 0 && isfinite(value))
        text_addf(out, "%.0f", value);
    else
        text_add(out, units_format(number, value, unit));
}

void say_values(struct text *out, const char *sentence, va_list given)
{
    va_list values;

    if (out->length > 0)
        text_add(out, " ");
    va_copy(values, given);
    for (const char *brace = strchr(sentence, '{'); brace != NULL; brace = strchr(sentence, '{')) {
        char unit[16] = "";
        const size_t length = strcspn(brace + 1, "}");

        assert(length < sizeof unit && brace[1 + length] == '}');
        memcpy(unit, brace + 1, length);
        text_add_bytes(out, sentence, (size_t)(brace - sentence));
        if (strcmp(unit, "w") == 0)
            text_add(out, va_arg(values, const char *));
        else
            add_number(out, unit, va_arg(values, double));
        sentence = brace + length + 2;
    }
    va_end(values);
    text_add(out, sentence);
}

void say(struct text *out, const char *sentence, ...)
{
    va_list values;

    va_start(values, sentence);
    say_values(out, sentence, values);
    va_end(values);
}
