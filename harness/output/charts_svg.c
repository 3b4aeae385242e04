/* gnuplot's SVG, rewritten line by line: marks say what they are, series can be told apart. */
#include "harness/output/charts_script.h"

#include <stdlib.h>
#include <string.h>

void markup_add(struct text *out, const char *chars)
{
    for (; *chars != '\0'; chars++)
        switch (*chars) {
        case '<':
            text_add(out, "&lt;");
            break;
        case '>':
            text_add(out, "&gt;");
            break;
        case '&':
            text_add(out, "&amp;");
            break;
        case '"':
            text_add(out, "&quot;");
            break;
        default:
            text_add_bytes(out, chars, 1);
        }
}

/* One picture while it is rewritten. */
struct rewriting {
    struct text *out;
    const struct script_key *key;
    bool in_page, definitions; /* definitions are kept */
    bool in_definitions;
};

/* The number after `before` in the line, or -1. */
static long number_after(const char *line, const char *before)
{
    const char *found = strstr(line, before);

    return found == NULL ? -1 : strtol(found + strlen(before), NULL, 10);
}

static bool add_mark(struct rewriting *w, const char *line)
{
    const long note = number_after(line, "showHypertext(evt,'");

    if (note < 0 || (size_t)note >= w->key->note_count)
        return false;
    text_add(w->out, "<g class=\"mark\"><title>");
    markup_add(w->out, w->key->notes[note]);
    text_add(w->out, "</title>\n");
    return true;
}

static bool add_series(struct rewriting *w, const char *line)
{
    const long plot = number_after(line, "_plot_");

    if (strstr(line, "<g id=\"") == NULL || plot < 1 || (size_t)plot > w->key->owner_count)
        return false;
    text_addf(w->out, "<g class=\"series\" data-series=\"%zu\">\n", w->key->owners[plot - 1]);
    return true;
}

/* Names of other pictures' parts, and what a page does not need. */
static bool is_dropped(struct rewriting *w, const char *line)
{
    bool definitions = w->in_definitions;

    if (strncmp(line, "<defs>", 6) == 0)
        definitions = w->in_definitions = true;
    if (strncmp(line, "</defs>", 7) == 0)
        w->in_definitions = false;
    if (definitions)
        return !w->definitions;
    return strncmp(line, "<title>chart", 12) == 0 || strncmp(line, "<desc>", 6) == 0 ||
           *line == '\0';
}

/* What gnuplot says of every element; on a page the style says it once. */
static const char *add_pen(struct text *out, const char *line)
{
    static const char pen[] = "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" ";

    if (strncmp(line, pen, sizeof pen - 1) != 0)
        return line;
    line += sizeof pen - 1;
    text_addf(out, "<g class=\"pen\" %.*s>", (int)strcspn(line, " >"), line);
    return line + strcspn(line, ">") + 1;
}

/* References are plain in HTML and SVG 2. */
static void add_plain(struct text *out, const char *line)
{
    static const char old[] = "xlink:href=";
    const char *found;

    line = add_pen(out, line);
    for (; (found = strstr(line, old)) != NULL; line = found + sizeof old - 1) {
        text_add_bytes(out, line, (size_t)(found - line));
        text_add(out, "href=");
    }
    text_addf(out, "%s\n", line);
}

static void add_line(struct rewriting *w, const char *line)
{
    if (add_mark(w, line) || add_series(w, line) || (w->in_page && is_dropped(w, line)))
        return;
    if (!w->in_page)
        text_addf(w->out, "%s\n", line);
    else if (strstr(line, "gnuplot_canvas") != NULL)
        text_add(w->out, "<g>\n");
    else
        add_plain(w->out, line);
}

/* Groups that hold nothing: half of what gnuplot writes. */
static bool is_empty_group(const char *line, const char *next)
{
    return strncmp(line, "<g fill=\"none\"", 14) == 0 && strncmp(next, "</g>", 4) == 0;
}

/* The page's own opening: no namespaces, which are addresses, and no size, which its style gives.
 */
static const char *add_opening(struct text *out, const char *svg, const char *label)
{
    const char *box = strstr(svg, "viewBox=\""), *end = strstr(svg, "\n>\n");

    if (box == NULL || end == NULL)
        return svg;
    text_addf(out, "<svg %.*s role=\"group\" aria-label=\"", (int)(strcspn(box + 9, "\"") + 10),
              box);
    markup_add(out, label);
    text_add(out, "\">\n");
    return end + 3;
}

void svg_add(struct text *out, const char *svg, const char *end, const struct script_key *key,
             const char *label, bool in_page, bool definitions)
{
    struct rewriting w = {out, key, in_page, definitions, false};

    if (in_page)
        svg = add_opening(out, svg, label);
    while (svg < end) {
        const size_t length = strcspn(svg, "\n");
        const char *next = svg + length + (svg[length] == '\n');
        char *line = xasprintf("%.*s", (int)length, svg);

        if (is_empty_group(line, next))
            next += strcspn(next, "\n") + 1;
        else
            add_line(&w, line);
        free(line);
        svg = next;
    }
}
