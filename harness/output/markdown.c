/* The report as Markdown, for issues and wikis. */
#include "harness/output/page.h"
#include "harness/output/picture.h"
#include "harness/output/writers.h"

#include <string.h>

enum { PICTURE_COLUMNS = 96 };

/* What Markdown or HTML would take for markup is escaped. */
static void add_plain(struct text *out, const char *chars)
{
    for (; *chars != '\0'; chars++) {
        if (strchr("\\`*_[]<>|#~", *chars) != NULL)
            text_add(out, "\\");
        text_addf(out, "%c", *chars);
    }
}

static void add_row(struct text *out, const struct table *t, size_t row)
{
    text_add(out, "|");
    for (size_t c = 0; c < t->columns; c++) {
        if (!table_shows(t, c))
            continue;
        text_add(out, " ");
        add_plain(out, table_cell(t, row, c));
        text_add(out, " |");
    }
    text_add(out, "\n");
}

/* Markdown has one line of headings: further ones are joined to it. */
static void add_headings(struct text *out, const struct table *t)
{
    text_add(out, "|");
    for (size_t c = 0; c < t->columns; c++) {
        for (size_t row = 0; row < t->headers && table_shows(t, c); row++) {
            const char *cell = table_cell(t, row, c);

            text_add(out, *cell != '\0' ? " " : "");
            add_plain(out, cell);
        }
        text_add(out, table_shows(t, c) ? " |" : "");
    }
    text_add(out, "\n|");
    for (size_t c = 0; c < t->columns; c++)
        text_add(out, !table_shows(t, c) ? "" : t->align[c] == 'l' ? "---|" : "--:|");
    text_add(out, "\n");
}

static void add_table(struct text *out, const struct table *t)
{
    add_headings(out, t);
    for (size_t row = t->headers; row < table_rows(t); row++)
        add_row(out, t, row);
    text_add(out, "\n");
}

static void add_line(struct text *out, const char *before, const char *chars, const char *after)
{
    text_add(out, before);
    add_plain(out, chars);
    text_addf(out, "%s\n\n", after);
}

static void add_picture(struct text *out, const struct report *const *reports, size_t count)
{
    struct text picture = TEXT_EMPTY, why = TEXT_EMPTY;

    if (picture_draw(&picture, reports, count, PICTURE_TERMINAL, PICTURE_COLUMNS, &why) == 0)
        text_addf(out, "```text\n%s```\n\n", text_chars(&picture));
    else
        add_line(out, "", text_chars(&why), "");
    text_free(&picture);
    text_free(&why);
}

static void add_block(struct text *out, const struct block *b)
{
    static const struct {
        const char *before, *after;
    } marks[] = {
        [BLOCK_TITLE] = {"# ", ""},    [BLOCK_BANNER] = {"> **", "**"},
        [BLOCK_SECTION] = {"## ", ""}, [BLOCK_TOPIC] = {"### ", ""},
        [BLOCK_TEXT] = {"", ""},       [BLOCK_NOTE] = {"*", "*"},
        [BLOCK_CAPTION] = {"*", "*"},
    };

    if (b->kind == BLOCK_TABLE)
        add_table(out, b->table);
    else
        add_line(out, marks[b->kind].before, b->text, marks[b->kind].after);
}

void page_write_markdown(struct text *out, const struct page *page,
                         const struct report *const *reports, size_t count)
{
    for (size_t i = 0; i < page->count; i++)
        if (page->blocks[i].kind == BLOCK_PICTURE)
            add_picture(out, reports, count);
        else
            add_block(out, &page->blocks[i]);
}

static int write_markdown(struct text *out, const struct report *const *reports, size_t count,
                          const struct view *view, struct text *why)
{
    struct page page;

    (void)why;
    page_of(&page, reports, count, view);
    page_write_markdown(out, &page, reports, count);
    page_free(&page);
    return 0;
}

const struct writer writer_markdown = {
    .name = "markdown",
    .summary = "for issues and wikis",
    .extension = ".md",
    .write = write_markdown,
};
