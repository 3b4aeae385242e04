/* Any bytes as an acceptance file: refused with a sentence, or judged. */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/acceptance.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report verdicts, present;
    struct device_record *card;
    struct text why = TEXT_EMPTY;
    long rows;

    report_init(&verdicts);
    report_init(&present);
    card = report_add_device(&present);
    card->id = xstrdup("cuda0");
    card->kind = xstrdup("cuda");
    card->name = xstrdup("NVIDIA L4");
    rows = acceptance_judge(&verdicts, (const char *)data, size, "fuzz", &present, &why);
    if ((rows < 0) != (why.length > 0))
        abort(); /* refused without a word, or judged with one */
    report_free(&verdicts);
    report_free(&present);
    text_free(&why);
    return 0;
}
