/* The page of one or several reports as one HTML file. */
#include "harness/output/html.h"
#include "harness/base/version.h"
#include "harness/output/picture.h"
#include "harness/output/writers.h"

#include <stdlib.h>
#include <string.h>

/* Made by the build from harness/output/assets/. */
extern const unsigned char page_css[], page_js[];
extern const size_t page_css_length, page_js_length;

/* gnuplot writes colours into its pictures; the page's style gives each a name that dark mode can
 * change.  It pads them, "rgb(  0, 114, 178)"; legends have them as they are. */
static void add_colours(struct text *out)
{
    text_add(out, ":root{");
    for (size_t i = 0; i < PICTURE_COLOURS; i++)
        text_addf(out, "--c%zu:%s;", i, picture_colour(i));
    text_add(out, "}\n");
    for (size_t i = 0; i < PICTURE_COLOURS; i++) {
        static const char *const paints[] = {"stroke", "fill", "color"};
        const char *hex = picture_colour(i);
        const long rgb = strtol(hex + 1, NULL, 16);

        for (size_t k = 0; k < COUNT_OF(paints); k++)
            text_addf(
                out, "figure [%s=\"rgb(%3ld, %3ld, %3ld)\"],figure [%s=\"%s\"]{%s:var(--c%zu)}\n",
                paints[k], rgb >> 16, rgb >> 8 & 255, rgb & 255, paints[k], hex, paints[k], i);
    }
}

void html_open(struct text *out, const char *title)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    html_add(out, title);
    text_add(out, "</title>\n<style>\n");
    add_colours(out);
    text_add_bytes(out, page_css, page_css_length);
    text_add(out, "</style>\n</head>\n<body>\n");
}

void html_close(struct text *out)
{
    text_addf(out, "<footer><p>Made by ridge %s%s%s. ", version_number,
              *version_commit == '\0' ? "" : ", commit ", version_commit);
    text_add(out, "The pictures are drawn by gnuplot; this file needs no network. Point at a mark, "
                  "or reach it with the Tab and arrow keys, for its value, interval and state; "
                  "point at a name in a legend to pick its series out, press it to hide "
                  "it.</p></footer>\n<script>\n");
    text_add_bytes(out, page_js, page_js_length);
    text_add(out, "</script>\n</body>\n</html>\n");
}

/* "NVIDIA A100-SXM4-80GB, AMD EPYC": all devices, each name once. */
static char *title_of(const struct report *const *reports, size_t count)
{
    struct strings names = {0};
    struct text title = TEXT_EMPTY;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < reports[i]->device_count; k++) {
            const struct device_record *d = &reports[i]->devices[k];
            const char *name = d->name != NULL ? d->name : d->id;

            if (strings_have(&names, name))
                continue;
            strings_add(&names, name);
            text_addf(&title, "%s%s", title.length > 0 ? ", " : "", name);
        }
    strings_free(&names);
    if (title.length == 0)
        text_add(&title, "nothing was measured");
    return text_take(&title);
}

typedef void part(struct page *page, const struct report *r);

/* Adds one part of a report. */
static void add_part(struct text *out, const struct report *r, part *add, int level)
{
    struct page page = {0};

    add(&page, r);
    html_add_blocks(out, &page, level);
    page_free(&page);
}

/* "A" for the first of several reports, as legends have it; "" for one alone. */
static const char *letter_of(char out[2], size_t nth, size_t count)
{
    out[0] = count > 1 ? (char)('A' + nth % 26) : '\0';
    out[1] = '\0';
    return out;
}

static void add_top(struct text *out, const struct report *r, const char *letter)
{
    struct page figures = {0};
    char *title = title_of(&r, 1);

    if (*letter != '\0') {
        text_addf(out, "<h2>%s: ", letter);
        html_add(out, title);
        text_add(out, "</h2>\n");
    }
    free(title);
    add_part(out, r, page_add_head, 2);
    page_add_figures(&figures, r);
    html_add_findings(out, r, *letter != '\0' ? 3 : 2);
    html_add_tiles(out, &figures, *letter != '\0' ? 3 : 2);
    page_free(&figures);
}

static void add_experiments(struct text *out, const struct report *r, const char *letter)
{
    const struct view view = {.all_rows = true};
    struct page page = {0};

    if (*letter != '\0')
        text_addf(out, "<h3>%s</h3>\n", letter);
    page_add_normals(&page, r);
    page_add(&page, BLOCK_SECTION, "Ridge points");
    page_add_ridge_points(&page, r);
    page_add_experiments(&page, r, &view);
    page_add_missing(&page, r);
    html_add_blocks(out, &page, *letter != '\0' ? 4 : 3);
    page_free(&page);
}

static void add_details(struct text *out, const char *letter, const char *what)
{
    text_addf(out, "<details><summary>%s%s%s</summary>\n", letter, *letter == '\0' ? "" : ": ",
              what);
}

static void add_bottom(struct text *out, const struct report *const *reports, size_t count)
{
    char letter[2];

    text_add(out, "<section id=\"tables\"><h2>Tables</h2>\n");
    for (size_t i = 0; i < count; i++)
        add_experiments(out, reports[i], letter_of(letter, i, count));
    text_add(out, "</section>\n<section id=\"everything\"><h2>Everything measured</h2>\n");
    for (size_t i = 0; i < count; i++) {
        add_details(out, letter_of(letter, i, count), "every row");
        html_add_rows(out, reports[i]);
        text_add(out, "</details>\n");
    }
    text_add(out, "</section>\n<section id=\"environment\"><h2>Environment</h2>\n");
    for (size_t i = 0; i < count; i++) {
        add_details(out, letter_of(letter, i, count), "the run, the machine and its devices");
        html_add_facts(out, reports[i]);
        text_add(out, "</details>\n");
    }
    text_add(out, "</section>\n");
}

static int write_html(struct text *out, const struct report *const *reports, size_t count,
                      const struct view *view, struct text *why)
{
    char *title = title_of(reports, count), *window = xasprintf("ridge: %s", title), letter[2];

    (void)view;
    (void)why;
    html_open(out, window);
    text_add(out, "<a class=\"skip\" href=\"#charts\">To the charts</a>\n<header><h1>");
    html_add(out, title);
    text_add(out, "</h1>\n<nav aria-label=\"Sections\"><ul>"
                  "<li><a href=\"#figures\">Figures</a></li><li><a href=\"#charts\">Charts</a></li>"
                  "<li><a href=\"#tables\">Tables</a></li>"
                  "<li><a href=\"#everything\">Everything</a></li>"
                  "<li><a href=\"#environment\">Environment</a></li></ul></nav></header>\n"
                  "<main>\n<section id=\"figures\">\n");
    for (size_t i = 0; i < count; i++)
        add_top(out, reports[i], letter_of(letter, i, count));
    text_add(out, "</section>\n<section id=\"charts\"><h2>Charts</h2>\n");
    html_add_charts(out, reports, count);
    text_add(out, "</section>\n");
    add_bottom(out, reports, count);
    text_add(out, "</main>\n");
    html_close(out);
    free(title);
    free(window);
    return 0;
}

const struct writer writer_html = {
    .name = "html",
    .summary = "one page with charts that opens in a browser",
    .extension = ".html",
    .write = write_html,
};
