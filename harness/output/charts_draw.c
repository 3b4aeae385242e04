/* Draws charts: a script of all of them for one run of gnuplot. */
#include "harness/base/units.h"
#include "harness/output/charts_script.h"
#include "harness/output/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* gnuplot's numbers of marks, filled and hollow: a hollow one is in doubt. */
static const int filled[] = {7, 5, 9, 11, 13, 15};
/* Series that are shifted aside where points stand for names. */
static const double aside = 0.16;

struct size {
    double width, height;
};

/* Of a page's pictures so small that their words can be read on a phone. */
static struct size size_of(enum chart_form form, size_t columns)
{
    static const struct size sizes[] = {
        [CHART_PAGE] = {440, 305}, [CHART_WIDE] = {760, 470},  [CHART_SVG] = {960, 600},
        [CHART_PNG] = {1280, 800}, [CHART_TERMINAL] = {0, 26},
    };

    return form == CHART_TERMINAL ? (struct size){(double)columns, sizes[form].height}
                                  : sizes[form];
}

static bool for_page(enum chart_form form)
{
    return form == CHART_PAGE || form == CHART_WIDE;
}

static void add_terminal(struct text *s, enum chart_form form, size_t columns, size_t nth)
{
    static const char *const terminals[] = {
        [CHART_PAGE] = "svg noenhanced font 'sans-serif,13'",
        [CHART_WIDE] = "svg noenhanced font 'sans-serif,13'",
        [CHART_SVG] = "svg noenhanced font 'sans-serif,15' background '#FFFFFF'",
        [CHART_PNG] = "pngcairo noenhanced font 'sans,14' background '#FFFFFF'",
        [CHART_TERMINAL] = "dumb mono noenhanced",
    };
    const struct size size = size_of(form, columns);

    text_addf(s, "reset\nset encoding utf8\nset output\nset terminal %s size %.0f,%.0f",
              terminals[form], size.width, size.height);
    if (form == CHART_PAGE || form == CHART_WIDE || form == CHART_SVG)
        text_addf(s, " name 'chart%zu'", nth);
    text_add(s, "\n");
}

/* The legend of a terminal leaves no room below the axis, so its label stands in the title. */
static void add_frame(struct text *s, const struct chart *c, enum chart_form form)
{
    char *title;

    text_add(s, "set border 3\nset tics nomirror out\n");
    if (form != CHART_TERMINAL)
        text_add(s, "set border 3 lc rgb '#777777'\n"
                    "set grid xtics ytics lt 1 lw 0.6 lc rgb '#E4E4E4'\n");
    if (for_page(form)) {
        text_add(s, "unset key\n");
        return;
    }
    text_addf(s, "set key outside bottom center horizontal Left reverse%s\nset title ",
              form == CHART_TERMINAL ? " samplen 2" : " samplen 2 height 0.8");
    title = strstr(c->title, c->x.label) != NULL || strstr(c->title, ", by ") != NULL
                ? xstrdup(c->title)
                : xasprintf("%s, by %s", c->title, c->x.label);
    gnuplot_quote(s, form == CHART_TERMINAL ? title : c->title);
    text_add(s, "\n");
    free(title);
    if (c->virtual_card && form != CHART_TERMINAL)
        text_add(s, "set label 'VIRTUAL CARD: nothing here was measured on hardware' at graph "
                    "0.02,0.97 left textcolor rgb '#D55E00'\n");
}

/* A picture in braille is two for a terminal: marks, and the lines below them. */
enum layer { LAYER_BOTH, LAYER_MARKS, LAYER_LINES };

/* A script while it is written. */
struct script {
    struct text text;
    const struct chart *chart;
    enum chart_form form;
    size_t nth;
    struct script_key *key;
    enum layer layer;
};

static double shift_of(const struct chart *c, const struct series *series)
{
    size_t own = 0;

    for (size_t i = 0; i < c->count; i++)
        own += c->series[i].look == LOOK_POINTS;
    return c->x.scale == AXIS_NAMES && series->look == LOOK_POINTS
               ? aside * ((double)(series - c->series) - ((double)own - 1) / 2)
               : 0;
}

static size_t add_note(struct script_key *key, const char *note)
{
    key->notes = xrealloc(key->notes, (key->note_count + 1) * sizeof *key->notes);
    key->notes[key->note_count] = note;
    return key->note_count++;
}

/* Which points of a series an element shows. */
enum part { PART_ALL, PART_INTERVALS, PART_SOUND, PART_DOUBTFUL };
static const char *const part_names[] = {"all", "interval", "sound", "doubtful"};

static bool is_part(const struct chart *c, const struct chart_point *p, enum part part)
{
    if (!point_is_drawable(c, p))
        return false;
    switch (part) {
    case PART_INTERVALS:
        return p->high > p->low && fabs(p->high) <= 1e30 && fabs(p->low) <= 1e30;
    case PART_SOUND:
        return p->note != NULL && !p->doubtful;
    case PART_DOUBTFUL:
        return p->note != NULL && p->doubtful;
    default:
        return true;
    }
}

static bool has_part(const struct chart *c, const struct series *series, enum part part)
{
    for (size_t i = 0; i < series->count; i++)
        if (is_part(c, &series->points[i], part))
            return true;
    return false;
}

static void add_data(struct script *s, const struct series *series, enum part part)
{
    const double shift = shift_of(s->chart, series);

    text_addf(&s->text, "$%s%zu_%zu << END\n", part_names[part], s->nth,
              (size_t)(series - s->chart->series));
    for (size_t i = 0; i < series->count; i++) {
        const struct chart_point *p = &series->points[i];

        if (!is_part(s->chart, p, part))
            continue;
        text_addf(&s->text, "%.9g %.9g", p->x + shift, part == PART_INTERVALS ? p->low : p->y);
        if (part == PART_INTERVALS)
            text_addf(&s->text, " 0 %.9g", p->high - p->low);
        else if (part != PART_ALL)
            text_addf(&s->text, " %zu", add_note(s->key, p->note));
        text_add(&s->text, "\n");
    }
    text_add(&s->text, "END\n");
}

static bool has_line(const struct script *s, const struct series *series)
{
    return series->look != LOOK_POINTS || s->chart->x.scale == AXIS_NAMES;
}

/* On a terminal a line hides the letters of its points, and fits those of their series. */
static bool has_line_alone(const struct script *s, const struct series *series)
{
    return series->owner == (size_t)(series - s->chart->series) && series->look != LOOK_LINE &&
           series->look != LOOK_POINTS;
}

/* Whether the element is drawn at all; data and plot have to agree. */
static bool is_drawn(const struct script *s, const struct series *series, enum part part)
{
    if (!has_part(s->chart, series, part))
        return false;
    if (s->layer == LAYER_LINES)
        return part == PART_ALL && has_line(s, series);
    if (part == PART_ALL)
        return s->form != CHART_TERMINAL ? has_line(s, series)
                                         : s->layer == LAYER_BOTH && has_line_alone(s, series);
    return part != PART_INTERVALS || s->form != CHART_TERMINAL;
}

static const char *line_style(const struct script *s, const struct series *series)
{
    if (s->form == CHART_TERMINAL)
        return s->chart->x.scale == AXIS_NAMES && series->look == LOOK_POINTS ? "with impulses lt 1"
                                                                              : "with lines lt 1";
    if (s->chart->x.scale == AXIS_NAMES && series->look == LOOK_POINTS)
        return "with impulses lt 1 lw 9";
    if (series->look == LOOK_PROMISE)
        return "with lines lt 1 lw 1.3 dashtype (6,4)";
    if (series->look == LOOK_LEVEL)
        return "with lines lt 1 lw 2 dashtype (1,2)";
    return series->look == LOOK_CURVE && series->owner != (size_t)(series - s->chart->series)
               ? "with lines lt 1 lw 1.4"
               : "with lines lt 1 lw 2";
}

static void plot_marks(struct script *s, const struct series *series, enum part part)
{
    const int mark = filled[series->mark % COUNT_OF(filled)] - (part == PART_DOUBTFUL);

    if (s->form == CHART_TERMINAL)
        text_addf(&s->text, "using 1:2 with points pt %zu", series->mark + 1);
    else if (s->form == CHART_PNG)
        text_addf(&s->text, "using 1:2 with points pt %d ps 1.2 lw 1.5", mark);
    else
        text_addf(&s->text, "using 1:2:3 with labels hypertext point pt %d ps 0.6 lw 1.5", mark);
}

static void plot_element(struct script *s, const struct series *series, enum part part)
{
    struct script_key *key = s->key;

    text_addf(&s->text, "%s$%s%zu_%zu ", key->owner_count > 0 ? ", " : "plot ", part_names[part],
              s->nth, (size_t)(series - s->chart->series));
    if (part == PART_ALL)
        text_add(&s->text, line_style(s, series));
    else if (part == PART_INTERVALS)
        text_add(&s->text, "with vectors nohead lt 1 lw 1.2");
    else
        plot_marks(s, series, part);
    if (s->form != CHART_TERMINAL)
        text_addf(&s->text, " lc rgb '%s'", picture_colour(series->colour));
    text_add(&s->text, " notitle");
    key->owners = xrealloc(key->owners, (key->owner_count + 1) * sizeof *key->owners);
    key->owners[key->owner_count++] = series->owner;
}

static void each_element(struct script *s, bool data)
{
    for (size_t i = 0; i < s->chart->count; i++) {
        const struct series *series = &s->chart->series[i];

        for (int part = PART_ALL; part <= PART_DOUBTFUL; part++) {
            if (!is_drawn(s, series, (enum part)part))
                continue;
            if (data)
                add_data(s, series, (enum part)part);
            else
                plot_element(s, series, (enum part)part);
        }
    }
}

static bool has_marks(const struct script *s, const struct series *series)
{
    return has_part(s->chart, series, PART_SOUND) || has_part(s->chart, series, PART_DOUBTFUL);
}

/* A legend of those series that stand for themselves. */
static void add_legend(struct script *s)
{
    for (size_t i = 0; i < s->chart->count; i++) {
        const struct series *series = &s->chart->series[i];
        const bool marked = series->look == LOOK_LINE || series->look == LOOK_POINTS ||
                            (s->form == CHART_TERMINAL && has_marks(s, series));

        if (series->owner != i)
            continue;
        text_add(&s->text, ", keyentry ");
        if (!marked)
            text_add(&s->text, line_style(s, series));
        else if (s->form == CHART_TERMINAL)
            text_addf(&s->text, "with points pt %zu", series->mark + 1);
        else
            text_addf(&s->text, "with %s lw 2 pt %d", series->look == LOOK_LINE ? "lp" : "points",
                      filled[series->mark % COUNT_OF(filled)]);
        if (s->form != CHART_TERMINAL)
            text_addf(&s->text, " lc rgb '%s'", picture_colour(series->colour));
        text_add(&s->text, " title ");
        gnuplot_quote(&s->text, series->name);
    }
}

static void script_add(struct text *text, const struct chart *c, enum chart_form form,
                       size_t columns, size_t nth, struct script_key *key)
{
    const bool braille = form == CHART_BRAILLE;
    struct script s = {*text, c,   braille ? CHART_TERMINAL : form,
                       nth,   key, braille ? LAYER_MARKS : LAYER_BOTH};

    add_terminal(&s.text, s.form, columns, nth);
    add_frame(&s.text, c, s.form);
    script_add_axis(&s.text, c, false);
    script_add_axis(&s.text, c, true);
    if (s.form == CHART_TERMINAL)
        text_add(&s.text, "unset xlabel\n");
    each_element(&s, true);
    each_element(&s, false);
    if (!for_page(form))
        add_legend(&s);
    text_add(&s.text, "\n");
    *text = s.text;
}

static void keys_free(struct script_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(keys[i].owners);
        free(keys[i].notes);
    }
    free(keys);
}

/* Where the next picture begins. */
static const char *next_svg(const char *at)
{
    const char *next = strstr(at + 1, "<?xml ");

    return next == NULL ? at + strlen(at) : next;
}

int charts_draw(struct strings *out, const struct charts *charts, enum chart_form form,
                struct text *why)
{
    struct script_key *keys = xcalloc(charts->count + 1, sizeof *keys);
    struct text script = TEXT_EMPTY, drawn = TEXT_EMPTY;
    const char *at;
    int result;

    for (size_t i = 0; i < charts->count; i++)
        script_add(&script, &charts->items[i], form, 0, i, &keys[i]);
    result = gnuplot_run(&drawn, text_chars(&script), why);
    at = strstr(text_chars(&drawn), "<?xml ");
    for (size_t i = 0; result == 0 && i < charts->count; i++) {
        const char *end = at == NULL ? NULL : next_svg(at);
        struct text one = TEXT_EMPTY;

        if (at != NULL)
            svg_add(&one, at, end, &keys[i], charts->items[i].title, true,
                    i == 0 && form == CHART_PAGE);
        strings_add(out, text_chars(&one));
        text_free(&one);
        at = end;
    }
    keys_free(keys, charts->count);
    text_free(&script);
    text_free(&drawn);
    return result;
}

/* Of a chart for a terminal: the axes, and apart from them the lines, where there are any. */
static void script_lines(struct text *axes, struct text *plot, const struct chart *c)
{
    struct script_key key = {0};
    struct script s = {TEXT_EMPTY, c, CHART_TERMINAL, 0, &key, LAYER_LINES};

    script_add_axis(axes, c, false);
    script_add_axis(axes, c, true);
    each_element(&s, true);
    each_element(&s, false);
    if (key.owner_count > 0)
        text_addf(plot, "%s\n", text_chars(&s.text));
    free(key.owners);
    text_free(&s.text);
}

static int draw_braille(struct text *out, const struct chart *c, const char *marks,
                        struct text *why)
{
    struct text axes = TEXT_EMPTY, plot = TEXT_EMPTY;
    int result;

    script_lines(&axes, &plot, c);
    result = picture_add_braille(out, marks, text_chars(&axes), text_chars(&plot), why);
    text_free(&axes);
    text_free(&plot);
    return result;
}

int chart_draw(struct text *out, const struct chart *c, enum chart_form form, size_t columns,
               struct text *why)
{
    struct script_key *key = xcalloc(1, sizeof *key);
    struct text script = TEXT_EMPTY, drawn = TEXT_EMPTY;
    int result;

    script_add(&script, c, form, columns, 0, key);
    result = gnuplot_run(&drawn, text_chars(&script), why);
    if (result == 0 && form == CHART_SVG)
        svg_add(out, text_chars(&drawn), text_chars(&drawn) + drawn.length, key, c->title, false,
                true);
    else if (result == 0 && form == CHART_TERMINAL)
        picture_add_trimmed(out, text_chars(&drawn));
    else if (result == 0 && form == CHART_BRAILLE)
        result = draw_braille(out, c, text_chars(&drawn), why);
    else if (result == 0)
        text_add_bytes(out, drawn.chars, drawn.length);
    keys_free(key, 1);
    text_free(&script);
    text_free(&drawn);
    return result;
}
