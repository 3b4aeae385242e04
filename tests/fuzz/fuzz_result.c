/* Any bytes as a result file: refused with a sentence, or read, judged, and written so that it can
 * be read again. */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/roofline.h"
#include "harness/report/report_json.h"

#include <stdlib.h>

static void parse(struct report *r, const char *json, size_t length, struct text *why)
{
    if (report_parse(r, json, length, "fuzz", why) != 0 && why->length == 0)
        abort(); /* refused without a word */
}

/* Writing what was read, and reading that, changes nothing any more. */
static void write_twice(const struct report *r)
{
    struct report again;
    struct text first = TEXT_EMPTY, second = TEXT_EMPTY, why = TEXT_EMPTY;

    report_write(&first, r);
    if (report_parse(&again, text_chars(&first), first.length, "own", &why) != 0)
        abort();
    analysis_derive(&again);
    report_write(&second, &again);
    if (first.length != second.length)
        abort();
    report_free(&again);
    text_free(&first);
    text_free(&second);
    text_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report r;
    struct text why = TEXT_EMPTY;

    parse(&r, (const char *)data, size, &why);
    if (why.length == 0) {
        analysis_derive(&r);
        write_twice(&r);
    }
    report_free(&r);
    text_free(&why);
    return 0;
}
