/* The table of writers. */
#include "harness/output/writers.h"

#include <string.h>

const struct writer *const writers[] = {&writer_text, &writer_markdown, &writer_csv,
                                        &writer_json, &writer_jsonl,    &writer_html,
                                        &writer_svg,  &writer_png,      NULL};

const struct writer *writer_named(const char *name)
{
    for (size_t i = 0; writers[i] != NULL; i++)
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    return NULL;
}
