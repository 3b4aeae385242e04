/* Feeds files to a fuzzer, one by one: the corpus is replayed where libFuzzer is not linked. */
#include "tests/fuzz/fuzz.h"

#include "harness/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct text input = TEXT_EMPTY;

        if (text_read_file(&input, argv[i]) != 0) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            return 1;
        }
        printf("%s\n", argv[i]); /* the last one named is the one that failed */
        fflush(stdout);
        LLVMFuzzerTestOneInput((const uint8_t *)text_chars(&input), input.length);
        text_free(&input);
    }
    return argc > 1 ? 0 : 1; /* without a file nothing was tested */
}
