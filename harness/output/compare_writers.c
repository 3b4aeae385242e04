/* The table of forms that a comparison can take. */
#include "harness/output/compare_writers.h"

#include <string.h>

static void write_text(struct text *out, const struct comparison *c, const struct view *view)
{
    struct page page;

    comparison_page(&page, c);
    page_write_text(out, &page, NULL, 0, view);
    page_free(&page);
}

static void write_markdown(struct text *out, const struct comparison *c, const struct view *view)
{
    struct page page;

    (void)view;
    comparison_page(&page, c);
    page_write_markdown(out, &page, NULL, 0);
    page_free(&page);
}

const struct comparison_writer comparison_writers[] = {
    {"text", ".txt", false, write_text},       {"markdown", ".md", false, write_markdown},
    {"html", ".html", true, comparison_html},  {"csv", ".csv", false, comparison_csv},
    {"json", ".json", false, comparison_json}, {0},
};

const struct comparison_writer *comparison_writer_named(const char *name)
{
    for (size_t i = 0; comparison_writers[i].name != NULL; i++)
        if (strcmp(comparison_writers[i].name, name) == 0)
            return &comparison_writers[i];
    return NULL;
}
