/* Sentences with figures in them: each figure is scaled for people where it stands. */
#ifndef ANALYSIS_SAY_H
#define ANALYSIS_SAY_H

#include "harness/base/text.h"

/* Adds the sentence, after a blank when out holds something.  In it {UNIT} takes a double in that
 * unit ("{B/s}", "{s}"; "{}" is a plain number with three digits), {%} a double as per cent, {n} a
 * double without decimals, {w} a string. */
void say(struct text *out, const char *sentence, ...);
void say_values(struct text *out, const char *sentence, va_list values);

#endif
