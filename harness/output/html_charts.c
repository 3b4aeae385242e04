/* Charts on a page: the picture, what tells its series apart, and what it says. */
#include "harness/output/html.h"
#include "harness/output/picture.h"

#include <string.h>

/* Marks of gnuplot's pictures, by the number of a series. */
static const int shapes[] = {6, 4, 8, 10, 12, 14};

static void add_swatch(struct text *out, const struct series *s)
{
    const char *colour = picture_colour(s->colour);

    text_addf(out,
              "<svg viewBox=\"-13 -6 26 12\" aria-hidden=\"true\"><path d=\"M-13,0H13\" "
              "stroke=\"%s\" stroke-width=\"2\"%s/>",
              colour,
              s->look == LOOK_PROMISE ? " stroke-dasharray=\"5,3\""
              : s->look == LOOK_LEVEL ? " stroke-dasharray=\"2,3\""
                                      : "");
    if (s->look == LOOK_LINE || s->look == LOOK_POINTS)
        text_addf(out, "<use href=\"#gpPt%d\" transform=\"scale(4)\" color=\"%s\"/>",
                  shapes[s->mark % COUNT_OF(shapes)], colour);
    text_add(out, "</svg>");
}

static void add_legend(struct text *out, const struct chart *c)
{
    text_add(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < c->count; i++)
        if (c->series[i].owner == i) {
            text_addf(out, "<li data-of=\"%zu\">", i);
            add_swatch(out, &c->series[i]);
            text_add(out, "<span>");
            html_add(out, c->series[i].name);
            text_add(out, "</span></li>");
        }
    text_add(out, "</ul>\n");
}

/* Up to so many entries stand beside a wide picture, more below it. */
enum { BESIDE_MOST = 12 };

static size_t count_entries(const struct chart *c)
{
    size_t entries = 0;

    for (size_t i = 0; i < c->count; i++)
        entries += c->series[i].owner == i;
    return entries;
}

/* The first picture is the roofline, and stands across the page. */
static void add_figure(struct text *out, const struct chart *c, const char *picture,
                       const char *wide)
{
    text_addf(out, "<figure id=\"chart-%s\"%s><h3>", c->name,
              wide == NULL                      ? ""
              : count_entries(c) <= BESIDE_MOST ? " class=\"whole beside\""
                                                : " class=\"whole\"");
    html_add(out, c->title);
    text_add(out, "</h3>\n");
    if (wide != NULL)
        text_addf(out, "<div class=\"picture wide\">\n%s</div>\n", wide);
    text_addf(out, "<div class=\"picture %s\">\n%s</div>\n", wide == NULL ? "" : "narrow", picture);
    text_add(out, "<div class=\"words\">\n");
    add_legend(out, c);
    if (*c->sentence != '\0') {
        text_add(out, "<figcaption>");
        html_add(out, c->sentence);
        text_add(out, "</figcaption>");
    }
    text_add(out, "</div></figure>\n");
}

static void add_missing(struct text *out, const struct charts *charts, const char *why)
{
    text_add(out, "<p>");
    html_add(out, why);
    text_add(out, " The tables below hold all that the charts would show.</p>\n");
    for (size_t i = 0; i < charts->count; i++) {
        text_add(out, "<p><b>");
        html_add(out, charts->items[i].title);
        text_add(out, ".</b> ");
        html_add(out, charts->items[i].sentence);
        text_add(out, "</p>\n");
    }
}

void html_add_charts(struct text *out, const struct report *const *reports, size_t count)
{
    struct charts charts;
    struct strings pictures = {0}, wide = {0};
    struct text why = TEXT_EMPTY;

    charts_of(&charts, reports, count);
    if (charts.count == 0) {
        text_add(out, "<p>Nothing was measured that a chart could show.</p>\n");
    } else if (charts_draw(&pictures, &charts, CHART_PAGE, &why) != 0) {
        add_missing(out, &charts, text_chars(&why));
    } else {
        const struct charts first = {charts.items, strcmp(charts.items[0].name, "roofline") == 0};

        charts_draw(&wide, &first, CHART_WIDE, &why);
        text_add(out,
                 "<p class=\"note\">A hollow mark is in doubt; the stroke through a mark is its "
                 "95 % interval; a dashed line is a promise or a prediction.</p>\n"
                 "<div class=\"charts\">\n");
        for (size_t i = 0; i < charts.count; i++)
            add_figure(out, &charts.items[i], pictures.items[i],
                       i < wide.count ? wide.items[i] : NULL);
        text_add(out, "</div>\n");
    }
    strings_free(&pictures);
    strings_free(&wide);
    text_free(&why);
    charts_free(&charts);
}
