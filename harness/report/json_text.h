/* JSON as text: strings that are always valid, numbers as short as they can be. */
#ifndef REPORT_JSON_TEXT_H
#define REPORT_JSON_TEXT_H

#include "harness/base/text.h"

struct json_t;

/* NULL is null; bytes that are no UTF-8 become the replacement character. */
void json_text_string(struct text *out, const char *chars);
/* NAN and the infinities are null; the fewest digits that read back as the same number. */
void json_text_number(struct text *out, double number);
/* Any value, on one line. */
void json_text_value(struct text *out, struct json_t *value);

#endif
