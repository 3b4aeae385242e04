/* Writes the complete example to the file given, for the check against the JSON Schema. */
#include "harness/report/report_json.h"
#include "tests/report/example.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct report r;
    struct text why = TEXT_EMPTY;

    if (argc != 2) {
        return 2;
    }
    example_fill(&r);
    const int result = report_save(&r, argv[1], &why);
    fputs(text_chars(&why), stderr);
    text_free(&why);
    report_free(&r);
    return result == 0 ? 0 : 1;
}
