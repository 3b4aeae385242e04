/* Any bytes as a user's file of cards: refused with a sentence, or read. */
#include "tests/fuzz/fuzz.h"

#include "harness/analysis/catalogue.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text why = TEXT_EMPTY;
    size_t count = 0;
    struct card *cards = catalogue_read((const char *)data, size, "fuzz", &count, &why);

    if ((cards == NULL) != (why.length > 0))
        abort(); /* refused without a word, or read with one */
    catalogue_free(cards, count);
    cards = catalogue_parse((const char *)data, size, &count);
    catalogue_free(cards, count);
    text_free(&why);
    return 0;
}
