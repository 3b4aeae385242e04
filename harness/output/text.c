/* The report on a terminal. */
#include "harness/output/charts.h"
#include "harness/output/page.h"
#include "harness/output/picture.h"
#include "harness/output/text_table.h"
#include "harness/output/writers.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS_LEAST = 60, COLUMNS_MOST = 100 };

struct style {
    const char *on, *off; /* terminal escapes, empty without colour */
};

static struct style style_of(enum block_kind kind, bool colour)
{
    static const struct style styles[] = {
        [BLOCK_TITLE] = {"\033[1m", "\033[0m"},
        [BLOCK_BANNER] = {"\033[1;31m", "\033[0m"},
        [BLOCK_SECTION] = {"\033[1;36m", "\033[0m"},
        [BLOCK_TOPIC] = {"\033[1m", "\033[0m"},
        [BLOCK_TEXT] = {"", ""},
        [BLOCK_NOTE] = {"\033[2m", "\033[0m"},
        [BLOCK_CAPTION] = {"\033[2m", "\033[0m"},
        [BLOCK_TABLE] = {"", ""},
        [BLOCK_PICTURE] = {"", ""},
    };

    return colour ? styles[kind] : (struct style){"", ""};
}

/* Words are never broken; one that is wider than the line stands alone. */
void text_add_wrapped(struct text *out, const char *words, const char *first, const char *hang,
                      size_t columns)
{
    size_t at = width_of(first);

    text_add(out, first);
    for (bool fresh = true; *words != '\0'; fresh = false) {
        const size_t length = strcspn(words, " ");
        char *word = xstrdup(words);

        word[length] = '\0';
        if (!fresh && at + 1 + width_of(word) > columns) {
            text_addf(out, "\n%s", hang);
            at = width_of(hang);
        } else if (!fresh) {
            text_add(out, " ");
            at++;
        }
        text_add(out, word);
        at += width_of(word);
        free(word);
        words += length + (words[length] == ' ');
    }
    text_add(out, "\n");
}

static void add_rule(struct text *out, size_t from, size_t to)
{
    for (; from < to; from++)
        text_add(out, "─");
    text_add(out, "\n");
}

/* A heading whose rule fills the line, or stands below it where there is no room. */
static void add_section(struct text *out, const char *heading, struct style s, size_t columns)
{
    const size_t width = width_of(heading);

    text_addf(out, "\n%s", s.on);
    if (width + 4 > columns) {
        text_add_wrapped(out, heading, "", "", columns);
        text_add(out, s.off);
        return;
    }
    text_addf(out, "%s%s ", heading, s.off);
    add_rule(out, width + 1, columns);
}

static void add_styled(struct text *out, const char *chars, struct style s, const char *first,
                       size_t columns)
{
    text_add(out, s.on);
    text_add_wrapped(out, chars, first, "  ", columns);
    text_add(out, s.off);
}

static void add_picture(struct text *out, const struct report *const *reports, size_t count,
                        size_t columns)
{
    struct text picture = TEXT_EMPTY, why = TEXT_EMPTY;

    if (picture_draw(&picture, reports, count, PICTURE_TERMINAL, columns, &why) == 0) {
        text_add(out, text_chars(&picture));
    } else {
        text_add_wrapped(out, text_chars(&why), "  ", "  ", columns);
    }
    text_free(&picture);
    text_free(&why);
}

static void add_block(struct text *out, const struct block *b, const struct view *view,
                      size_t columns)
{
    const struct style s = style_of(b->kind, view->colour);

    switch (b->kind) {
    case BLOCK_TITLE:
    case BLOCK_BANNER:
        add_styled(out, b->text, s, "", columns);
        break;
    case BLOCK_SECTION:
        add_section(out, b->text, s, columns);
        break;
    case BLOCK_TOPIC:
        text_addf(out, "\n%s%s%s\n", s.on, b->text, s.off);
        break;
    case BLOCK_TEXT:
        text_add_wrapped(out, b->text, "→ ", "  ", columns);
        break;
    case BLOCK_CAPTION:
    case BLOCK_NOTE:
        add_styled(out, b->text, s, "  ", columns);
        break;
    case BLOCK_TABLE:
        text_add_table(out, b->table, columns);
        break;
    case BLOCK_PICTURE:
        break;
    }
}

static bool is_heading(enum block_kind kind)
{
    return kind == BLOCK_SECTION || kind == BLOCK_TOPIC || kind == BLOCK_CAPTION;
}

/* Tables and what they mean are set off from what goes before, small print is not. */
static bool needs_gap(const struct block *b, const struct block *before)
{
    switch (b->kind) {
    case BLOCK_TITLE:
        return before != NULL;
    case BLOCK_CAPTION:
    case BLOCK_TABLE:
        return before != NULL && !is_heading(before->kind);
    case BLOCK_TEXT:
        return before != NULL && !is_heading(before->kind) && before->kind != BLOCK_TEXT;
    default:
        return false;
    }
}

static size_t columns_of(const struct view *view)
{
    const size_t columns = view->columns == 0 ? 80 : view->columns;

    return columns < COLUMNS_LEAST  ? COLUMNS_LEAST
           : columns > COLUMNS_MOST ? COLUMNS_MOST
                                    : columns;
}

void page_write_text(struct text *out, const struct page *page, const struct report *const *reports,
                     size_t count, const struct view *view)
{
    const size_t columns = columns_of(view);

    for (size_t i = 0; i < page->count; i++) {
        if (needs_gap(&page->blocks[i], i > 0 ? &page->blocks[i - 1] : NULL))
            text_add(out, "\n");
        if (page->blocks[i].kind == BLOCK_PICTURE)
            add_picture(out, reports, count, columns);
        else
            add_block(out, &page->blocks[i], view, columns);
    }
}

static int write_text(struct text *out, const struct report *const *reports, size_t count,
                      const struct view *view, struct text *why)
{
    struct page page;

    if (view->figure != NULL)
        return figure_draw(out, reports, count, view->figure,
                           view->plot ? CHART_BRAILLE : CHART_TERMINAL, columns_of(view), why);
    if (view->plot)
        return figures_plot(out, reports, count, columns_of(view), why);
    page_of(&page, reports, count, view);
    page_write_text(out, &page, reports, count, view);
    page_free(&page);
    return 0;
}

const struct writer writer_text = {
    .name = "text",
    .summary = "for a terminal",
    .extension = ".txt",
    .figures = true,
    .write = write_text,
};
