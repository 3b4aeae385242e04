/* Blocks of a page in HTML: headings, sentences, tables, tiles, findings. */
#include "harness/output/charts_script.h"
#include "harness/output/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void html_add(struct text *out, const char *chars)
{
    markup_add(out, chars);
}

static void add_element(struct text *out, const char *name, const char *class, const char *chars)
{
    text_addf(out, "<%s%s%s%s>", name, *class == '\0' ? "" : " class=\"", class,
              *class == '\0' ? "" : "\"");
    html_add(out, chars);
    text_addf(out, "</%s>", name);
}

/* Cells of words may wrap, numbers may not. */
static const char *class_of(const struct table *t, size_t column, const char *cell)
{
    if (t->align[column] != 'l')
        return "num";
    return strlen(cell) > 40 ? "words" : "";
}

static void add_headings(struct text *out, const struct table *t)
{
    text_add(out, "<thead>\n");
    for (size_t row = 0; row < t->headers; row++) {
        text_add(out, "<tr>");
        for (size_t c = 0; c < t->columns; c++) {
            const char *cell = table_cell(t, row, c);

            if (!table_shows(t, c))
                continue;
            text_addf(out, *cell == '\0' ? "<td%s>" : "<th scope=\"col\"%s>",
                      t->align[c] == 'l' ? "" : " class=\"right\"");
            html_add(out, cell);
            text_add(out, *cell == '\0' ? "</td>" : "</th>");
        }
        text_add(out, "</tr>\n");
    }
    text_add(out, "</thead>\n");
}

static void add_row(struct text *out, const struct table *t, size_t row)
{
    text_add(out, "<tr>");
    for (size_t c = 0; c < t->columns; c++) {
        const char *cell = table_cell(t, row, c);

        if (!table_shows(t, c))
            continue;
        if (c == 0) {
            text_add(out, "<th scope=\"row\">");
            html_add(out, cell);
            text_add(out, "</th>");
        } else {
            add_element(out, "td", class_of(t, c, cell), cell);
        }
    }
    text_add(out, "</tr>\n");
}

void html_add_table(struct text *out, const struct table *t, const char *caption)
{
    text_add(out, "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"");
    html_add(out, caption != NULL ? caption : "table");
    text_add(out, "\"><table>\n");
    if (caption != NULL)
        add_element(out, "caption", "", caption);
    if (t->headers > 0)
        add_headings(out, t);
    text_add(out, "<tbody>\n");
    for (size_t row = t->headers; row < table_rows(t); row++)
        add_row(out, t, row);
    text_add(out, "</tbody></table></div>\n");
}

static void add_heading(struct text *out, int level, const char *chars)
{
    char name[] = "h2";

    name[1] = (char)('0' + (level > 6 ? 6 : level));
    add_element(out, name, "", chars);
}

static void add_block(struct text *out, const struct block *b, int level)
{
    switch (b->kind) {
    case BLOCK_TITLE:
        add_element(out, "p", "lead", b->text);
        break;
    case BLOCK_BANNER:
        add_element(out, "p", "banner", b->text);
        break;
    case BLOCK_SECTION:
        add_heading(out, level, b->text);
        break;
    case BLOCK_TOPIC:
        add_heading(out, level + 1, b->text);
        break;
    case BLOCK_NOTE:
        add_element(out, "p", "note", b->text);
        break;
    case BLOCK_CAPTION:
        add_element(out, "p", "caption", b->text);
        break;
    default:
        add_element(out, "p", "", b->text);
    }
    text_add(out, "\n");
}

void html_add_blocks(struct text *out, const struct page *page, int level)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct block *b = &page->blocks[i];
        const bool captioned = i > 0 && page->blocks[i - 1].kind == BLOCK_CAPTION;

        if (b->kind == BLOCK_TABLE)
            html_add_table(out, b->table, captioned ? page->blocks[i - 1].text : NULL);
        else if (b->kind == BLOCK_CAPTION && i + 1 < page->count &&
                 page->blocks[i + 1].kind == BLOCK_TABLE)
            continue; /* the table's own */
        else if (b->kind != BLOCK_PICTURE)
            add_block(out, b, level);
    }
}

/* "97 % of 1.56 TB/s" as a bar; nothing where the cell holds no share. */
static void add_bar(struct text *out, const char *share)
{
    char *rest;
    const double per_cent = strtod(share, &rest);

    if (rest != share && strncmp(rest, " %", 2) == 0)
        text_addf(out,
                  "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:%.1f%%\"></i></span>",
                  fmin(fmax(per_cent, 0), 100));
}

/* Columns of page_add_figures: name, measured, interval, share, doubts. */
static void add_tile(struct text *out, const struct table *t, size_t row)
{
    const char *interval = table_cell(t, row, 2), *share = table_cell(t, row, 3);
    const char *doubts = table_cell(t, row, 4);

    text_add(out, "<li>");
    add_element(out, "span", "what", table_cell(t, row, 0));
    text_add(out, "<span class=\"value\">");
    html_add(out, table_cell(t, row, 1));
    if (*interval != '\0' && strcmp(interval, "-") != 0) {
        text_add(out, " ");
        add_element(out, "span", "interval", interval);
    }
    text_add(out, "</span>");
    add_bar(out, share);
    if (*share != '\0' && strcmp(share, "-") != 0)
        add_element(out, "span", "share", share);
    if (*doubts != '\0' && strcmp(doubts, "-") != 0) {
        char *said = xasprintf("in doubt: %s", doubts);

        add_element(out, "span", "doubt", said);
        free(said);
    }
    text_add(out, "</li>\n");
}

static void add_tiles(struct text *out, const struct table *t, int level)
{
    char *heading = xasprintf("%s: the figures that matter", table_cell(t, 0, 0));

    add_heading(out, level, heading);
    text_add(out, "\n<ul class=\"tiles\">\n");
    for (size_t row = t->headers; row < table_rows(t); row++)
        add_tile(out, t, row);
    text_add(out, "</ul>\n");
    free(heading);
}

void html_add_tiles(struct text *out, const struct page *page, int level)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct block *b = &page->blocks[i];

        if (b->kind == BLOCK_TABLE && b->table->columns == 5)
            add_tiles(out, b->table, level);
        else if (b->kind == BLOCK_NOTE)
            add_block(out, b, level);
    }
}

static void add_finding(struct text *out, const struct finding *f)
{
    text_addf(out, "<li class=\"%s\"><b>%s</b> ", severity_names[f->severity],
              severity_names[f->severity]);
    if (f->device != NULL) {
        html_add(out, f->device);
        text_add(out, " ");
    }
    add_element(out, "code", "", f->id);
    if (f->measurement_count > 1)
        text_addf(out, " %zu rows", f->measurement_count);
    add_element(out, "span", "", f->sentence);
    if (f->fix != NULL) {
        char *fix = xasprintf("Fix: %s", f->fix);

        add_element(out, "span", "", fix);
        free(fix);
    }
    text_add(out, "</li>\n");
}

/* Rows that failed for one reason; nothing where row `i` is none, or not the first of them. */
static void add_failed(struct text *out, const struct report *r, size_t i)
{
    const struct measurement *m = &r->measurements[i];
    const size_t rows = m->status == ROW_FAILED ? page_count_case(r, i) : 0;

    if (rows == 0)
        return;
    text_add(out, "<li class=\"fault\"><b>failed</b> ");
    html_add(out, m->device);
    text_add(out, " ");
    add_element(out, "code", "", m->experiment);
    if (rows > 1)
        text_addf(out, " %zu rows", rows);
    add_element(out, "span", "", m->reason == NULL ? "no reason given" : m->reason);
    text_add(out, "</li>\n");
}

static void add_found(struct text *verdict, size_t count, const char *what, const char *plural)
{
    if (count > 0)
        text_addf(verdict, "%s%zu %s%s", verdict->length > 0 ? ", " : "Found: ", count, what,
                  count > 1 ? plural : "");
}

static size_t count_failed(const struct report *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->measurement_count; i++)
        count += r->measurements[i].status == ROW_FAILED;
    return count;
}

/* "3 failed rows, 1 fault, 2 notes"; a wrong answer is a finding. */
static void add_verdict(struct text *out, const struct report *r)
{
    struct text verdict = TEXT_EMPTY;

    add_found(&verdict, count_failed(r), "failed row", "s");
    for (size_t severity = SEVERITIES; severity-- > 0;) {
        const bool noun = severity == SEVERITY_NOTE || severity == SEVERITY_FAULT;
        size_t count = 0;

        for (size_t i = 0; i < r->finding_count; i++)
            count += r->findings[i].severity == severity;
        add_found(&verdict, count, severity_names[severity], noun ? "s" : "");
    }
    if (verdict.length == 0)
        text_add(&verdict, "Nothing was found wrong");
    text_add(&verdict, ".");
    add_element(out, "p", "verdict", text_chars(&verdict));
    text_free(&verdict);
}

void html_add_findings(struct text *out, const struct report *r, int level)
{
    if (r->measurement_count == 0)
        return;
    add_heading(out, level, "Verdict");
    text_add(out, "\n");
    add_verdict(out, r);
    if (r->finding_count + count_failed(r) == 0)
        return;
    text_add(out, "\n<ul class=\"findings\">\n");
    for (size_t i = 0; i < r->measurement_count; i++)
        add_failed(out, r, i);
    for (size_t i = 0; i < r->finding_count; i++)
        add_finding(out, &r->findings[i]);
    text_add(out, "</ul>\n");
}
