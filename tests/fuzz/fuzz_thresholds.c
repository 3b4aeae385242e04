/* Any bytes as an acceptance file: refused with a sentence, or judged. */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/acceptance.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report verdicts;
    struct text why = TEXT_EMPTY;
    long rows;

    report_init(&verdicts);
    rows = acceptance_judge(&verdicts, (const char *)data, size, "fuzz", NULL, &why);
    if ((rows < 0) != (why.length > 0))
        abort(); /* refused without a word, or judged with one */
    report_free(&verdicts);
    text_free(&why);
    return 0;
}
