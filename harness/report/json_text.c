/* JSON as text: strings that are always valid, numbers as short as they can be. */
#include "harness/report/json_text.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Length of the UTF-8 sequence at c; 0 where there is none (overlong forms and surrogates too). */
static size_t utf8_length(const unsigned char *c)
{
    const size_t length = c[0] < 0x80                   ? 1
                          : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
                          : c[0] >= 0xE0 && c[0] < 0xF0 ? 3
                          : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                                        : 0;

    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool wrong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
                       (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F);
    return wrong ? 0 : length;
}

static void add_character(struct text *out, const char *chars, size_t length)
{
    if (length == 0) {
        text_add(out, replacement);
    } else if (*chars == '"' || *chars == '\\') {
        text_addf(out, "\\%c", *chars);
    } else if (*chars == '\n') {
        text_add(out, "\\n");
    } else if (length == 1 && (unsigned char)*chars < 0x20) {
        text_addf(out, "\\u%04x", (unsigned)*chars);
    } else {
        text_add_bytes(out, chars, length);
    }
}

void json_text_string(struct text *out, const char *chars)
{
    if (chars == NULL) {
        text_add(out, "null");
        return;
    }
    text_add(out, "\"");
    while (*chars != '\0') {
        const size_t length = utf8_length((const unsigned char *)chars);
        add_character(out, chars, length);
        chars += length > 0 ? length : 1;
    }
    text_add(out, "\"");
}

void json_text_number(struct text *out, double number)
{
    const double exact_integers = 1e15;
    char digits[40];

    if (!isfinite(number)) {
        text_add(out, "null");
        return;
    }
    if (number == floor(number) && fabs(number) < exact_integers) {
        text_addf(out, "%.0f", number);
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) {
            break;
        }
    }
    char *comma = strchr(digits, ','); /* the decimal point of some locales */
    if (comma != NULL) {
        *comma = '.';
    }
    text_add(out, digits);
}

static void add_array(struct text *out, const struct json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        text_add(out, i > 0 ? ", " : "");
        json_text_value(out, json_array_get(array, i));
    }
}

static void add_object(struct text *out, struct json_t *object)
{
    const char *separator = "", *name;
    struct json_t *value;

    json_object_foreach(object, name, value)
    {
        text_add(out, separator);
        json_text_string(out, name);
        text_add(out, ": ");
        json_text_value(out, value);
        separator = ", ";
    }
}

void json_text_value(struct text *out, struct json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        text_add(out, "{");
        add_object(out, value);
        text_add(out, "}");
        break;
    case JSON_ARRAY:
        text_add(out, "[");
        add_array(out, value);
        text_add(out, "]");
        break;
    case JSON_STRING:
        json_text_string(out, json_string_value(value));
        break;
    case JSON_INTEGER:
        text_addf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case JSON_REAL:
        json_text_number(out, json_real_value(value));
        break;
    default:
        text_add(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}
