/* Writes a drawing as a script for gnuplot, for a terminal or as a picture. */
#include "harness/base/units.h"
#include "harness/output/drawing.h"
#include "harness/output/picture.h"
#include "harness/output/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* After Okabe and Ito, whose colours colour-blind people can tell apart; the light ones darkened,
 * as they also colour words.  The first is for memory. */
static const char *const colours[] = {"#333333", "#0072B2", "#D55E00", "#009E73", "#B05A8A",
                                      "#B87900", "#3A93CC", "#6B4F00", "#5B3A8E"};
/* gnuplot's numbers of marks; on a terminal they are the letters G, F, T and R. */
static const int marks[][POINT_KINDS] = {{7, 6, 20, 18}, {7, 5, 9, 13}};

static const char *const looks[] = {
    [LINE_MEMORY] = "lt 1 lw 2.5",
    [LINE_COMPUTE] = "lt 1 lw 2.5",
    [LINE_PROMISE] = "lt 1 lw 1.2 dashtype (6,4)",
    [LINE_RIDGE] = "lt 1 lw 1.2 dashtype (2,4)",
    [LINE_LEVEL] = "lt 1 lw 1.2 dashtype (2,3)",
};

/* The frame of a picture in fractions of the whole; labels stand right of it. */
struct frame {
    double left, right, bottom, top, width, height; /* width and height in pixels or characters */
    double gap; /* least distance of labels, in fractions of the frame's height */
};

const char *picture_colour(size_t index)
{
    return index == 0 ? colours[0] : colours[1 + (index - 1) % (COUNT_OF(colours) - 1)];
}

/* Of the ceilings' names, or of their labels. */
static double longest(const struct drawing *d, bool labels)
{
    size_t most = 0;

    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *l = &d->lines[i];

        if (l->kind == LINE_COMPUTE && width_of(labels ? l->label : l->name) > most)
            most = width_of(labels ? l->label : l->name);
    }
    return (double)most;
}

static bool is_terminal(enum picture_form form)
{
    return form == PICTURE_TERMINAL || form == PICTURE_BRAILLE;
}

/* Labels take the room that they need, up to half of the whole; on a terminal each stands in one of
 * the frame's lines. */
static struct frame frame_of(const struct drawing *d, enum picture_form form, size_t columns)
{
    const double lines = 25, below = 3, wide = (double)columns, letter = 8.9, picture = 1200;

    if (is_terminal(form))
        return (struct frame){10 / wide,
                              fmax(0.5, 1 - (longest(d, false) + 3) / wide),
                              below / lines,
                              1 - 1 / lines,
                              wide,
                              lines,
                              1 / (lines - below - 2)};
    return (struct frame){
        0.105, fmax(0.5, 1 - (longest(d, true) * letter + 30) / picture), 0.17, 0.88, picture, 720,
        0.036};
}

static void add_terminal(struct text *s, enum picture_form form, const struct frame *f)
{
    static const char *const terminals[] = {
        [PICTURE_TERMINAL] = "dumb mono noenhanced",
        [PICTURE_BRAILLE] = "dumb mono noenhanced",
        [PICTURE_SVG] = "svg noenhanced font 'sans-serif,14' background '#FFFFFF'",
        [PICTURE_PNG] = "pngcairo noenhanced font 'sans,11' background '#FFFFFF'",
    };

    text_addf(s, "set encoding utf8\nset terminal %s size %.0f,%.0f\n", terminals[form], f->width,
              f->height);
    text_addf(s,
              "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
              "set bmargin at screen %.4f\nset tmargin at screen %.4f\n",
              f->left, f->right, f->bottom, f->top);
}

static void add_axes(struct text *s, const struct drawing *d, enum picture_form form)
{
    text_addf(s, "set logscale xy\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", d->x_low,
              d->x_high, d->y_low, d->y_high);
    text_add(s, "set border 3\nset tics nomirror out\nset mxtics 1\nset mytics 1\n"
                "set format x '%g'\nset xlabel 'flops for every byte of memory traffic'\n");
    if (!is_terminal(form))
        text_add(s, "set format y '%.0s %cFLOP/s'\nset border 3 lc rgb '#777777'\nset mxtics "
                    "10\nset mytics 10\n"
                    "set grid xtics ytics lt 1 lw 0.6 lc rgb '#E4E4E4'\n"
                    "unset key\n");
    else
        text_add(s, "set format y '%.0s %c'\nunset key\nset label 'FLOP/s' at screen 0.02,1\n");
}

static void add_label(struct text *s, const char *label, const char *where)
{
    text_add(s, "set label ");
    gnuplot_quote(s, label);
    text_addf(s, " %s\n", where);
}

static void add_title(struct text *s, const struct drawing *d)
{
    char *title = xasprintf("Roofline of %.110s", d->title);

    add_label(s, title, "at screen 0.02,0.955 left font ',15'");
    free(title);
    if (d->virtual_card)
        add_label(s, "VIRTUAL CARD: nothing here was measured on hardware",
                  "at screen 0.02,0.915 left textcolor rgb '#D55E00'");
}

static bool has_dots(const struct drawing *d, enum point_kind kind)
{
    for (size_t i = 0; i < d->dot_count; i++)
        if (d->dots[i].kind == kind)
            return true;
    return false;
}

static bool has_line(const struct drawing *d, enum line_kind kind)
{
    for (size_t i = 0; i < d->line_count; i++)
        if (d->lines[i].kind == kind)
            return true;
    return false;
}

/* The words of an entry of the legend below the picture; returns where the next one goes. */
static double add_words(struct text *s, double x, const char *words)
{
    text_addf(s, "set label '%s' at screen %.4f,0.04 left textcolor rgb '#333333'\n", words, x);
    return x + 0.023 + 0.0066 * (double)strlen(words);
}

static double add_line_entry(struct text *s, double x, enum line_kind kind, const char *words)
{
    text_addf(s, "set arrow from screen %.4f,0.04 to screen %.4f,0.04 nohead %s lc rgb '#333333'\n",
              x, x + 0.03, looks[kind]);
    return add_words(s, x + 0.037, words);
}

static double add_dot_entry(struct text *s, double x, enum point_kind kind)
{
    text_addf(s, "set label '' at screen %.4f,0.04 point pt %d ps 0.9 lc rgb '#333333'\n",
              x + 0.005, marks[1][kind]);
    return add_words(s, x + 0.017, point_kind_names[kind]);
}

static void add_legend(struct text *s, const struct drawing *d)
{
    double x = add_line_entry(s, 0.105, LINE_COMPUTE, "measured");

    if (has_line(d, LINE_PROMISE))
        x = add_line_entry(s, x, LINE_PROMISE, "promised (measured share in brackets)");
    for (size_t kind = 0; kind < POINT_KINDS; kind++)
        if (has_dots(d, kind))
            x = add_dot_entry(s, x, kind);
}

/* A ceiling's label: where it should stand and where there is room, in fractions of the frame. */
struct tag {
    const struct line *line;
    double wanted, place;
};

static int by_height(const void *a, const void *b)
{
    const struct tag *s = a, *t = b;

    return (s->wanted < t->wanted) - (s->wanted > t->wanted);
}

/* From the top down each label keeps its distance from the one above; those that were pushed off
 * the bottom push back. */
static void spread(struct tag *tags, size_t count, double gap)
{
    for (size_t i = 0; i < count; i++)
        tags[i].place =
            i > 0 ? fmin(tags[i].wanted, tags[i - 1].place - gap) : fmin(tags[i].wanted, 0.98);
    for (size_t i = count; i-- > 0;)
        tags[i].place = fmax(tags[i].place, i + 1 < count ? tags[i + 1].place + gap : 0.01);
}

static double height_of(const struct drawing *d, double y)
{
    return log(y / d->y_low) / log(d->y_high / d->y_low);
}

static void add_tag(struct text *s, const struct tag *t, enum picture_form form)
{
    char *where;

    if (is_terminal(form)) {
        where = xasprintf("at graph 1.02, graph %.4f left", t->place);
    } else {
        text_addf(s, "set arrow from graph 1,%.4f to graph 1.018,%.4f nohead lc rgb '%s'\n",
                  t->wanted, t->place, picture_colour(t->line->colour));
        where = xasprintf("at graph 1.022, graph %.4f left textcolor rgb '%s'", t->place,
                          picture_colour(t->line->colour));
    }
    add_label(s, is_terminal(form) ? t->line->name : t->line->label, where);
    free(where);
}

static void add_tags(struct text *s, const struct drawing *d, enum picture_form form, double gap)
{
    struct tag *tags = xcalloc(d->line_count + 1, sizeof *tags);
    size_t count = 0;

    for (size_t i = 0; i < d->line_count; i++)
        if (d->lines[i].kind == LINE_COMPUTE)
            tags[count++] = (struct tag){&d->lines[i], height_of(d, d->lines[i].y[1]), 0};
    qsort(tags, count, sizeof *tags, by_height);
    spread(tags, count, gap);
    for (size_t i = 0; i < count; i++)
        add_tag(s, &tags[i], form);
    free(tags);
}

/* Along the slope, in the picture's own angle. */
static void add_memory_labels(struct text *s, const struct drawing *d, const struct frame *f)
{
    const double tall = (f->top - f->bottom) * f->height / log(d->y_high / d->y_low);
    const double wide = (f->right - f->left) * f->width / log(d->x_high / d->x_low);
    const double angle = atan2(tall, wide) * 180 / acos(-1);
    /* Slopes of levels may lie side by side: their labels stand one after the other. */
    static const double places[] = {0.78, 0.5, 0.22};
    size_t levels = 0;

    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *l = &d->lines[i];
        double along = 0.45, x;
        char *where;

        if (l->kind != LINE_MEMORY && l->kind != LINE_LEVEL)
            continue;
        if (l->kind == LINE_LEVEL)
            along = places[levels++ % COUNT_OF(places)];
        x = l->x[0] * pow(l->x[1] / l->x[0], along);
        where = xasprintf("at %.9g,%.9g center rotate by %.1f offset -1.2,0.8 textcolor rgb '%s'",
                          x, x * l->y[0] / l->x[0], angle, picture_colour(l->colour));
        add_label(s, l->label, where);
        free(where);
    }
}

static void add_ridge_labels(struct text *s, const struct drawing *d)
{
    size_t nth = 0;

    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *l = &d->lines[i];

        if (l->kind == LINE_RIDGE) {
            char *where =
                xasprintf("at %.9g, graph %.3f left offset 0.6,0 textcolor rgb '%s'", l->x[0],
                          0.03 + 0.045 * (double)(nth++ % 6), picture_colour(l->colour));

            add_label(s, l->label, where);
            free(where);
        }
    }
}

static void add_data(struct text *s, const struct drawing *d)
{
    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *l = &d->lines[i];

        text_addf(s, "$line%zu << END\n%.9g %.9g\n%.9g %.9g\nEND\n", i, l->x[0], l->y[0], l->x[1],
                  l->y[1]);
    }
    for (size_t kind = 0; kind < POINT_KINDS; kind++) {
        text_addf(s, "$dots%zu << END\n", kind);
        for (size_t i = 0; i < d->dot_count; i++)
            if (d->dots[i].kind == kind)
                text_addf(s, "%.9g %.9g 0x%s\n", d->dots[i].x, d->dots[i].y,
                          picture_colour(d->dots[i].colour) + 1);
        text_add(s, "END\n");
    }
}

static void plot_line(struct text *s, const struct line *l, size_t i)
{
    text_addf(s, ", $line%zu with lines %s lc rgb '%s' notitle", i, looks[l->kind],
              picture_colour(l->colour));
}

static void plot_lines(struct text *s, const struct drawing *d, enum picture_form form)
{
    for (size_t i = 0; i < d->line_count; i++) {
        const struct line *l = &d->lines[i];

        if (!is_terminal(form))
            plot_line(s, l, i);
        else if (form == PICTURE_TERMINAL && (l->kind == LINE_MEMORY || l->kind == LINE_COMPUTE))
            text_addf(s, ", $line%zu with lines lt 1 notitle", i);
    }
}

static int add_braille(struct text *out, const struct drawing *d, const char *picture,
                       struct text *why)
{
    struct text axes = TEXT_EMPTY, plot = TEXT_EMPTY;
    int result;

    add_axes(&axes, d, PICTURE_TERMINAL);
    add_data(&plot, d);
    text_addf(&plot, "plot %.9g notitle with lines lt 1 lw 0", d->y_low / 10);
    plot_lines(&plot, d, PICTURE_TERMINAL);
    text_add(&plot, "\n");
    result = picture_add_braille(out, picture, text_chars(&axes), text_chars(&plot), why);
    text_free(&axes);
    text_free(&plot);
    return result;
}

static void plot_dots(struct text *s, const struct drawing *d, enum picture_form form)
{
    for (size_t kind = 0; kind < POINT_KINDS; kind++) {
        if (!has_dots(d, kind))
            continue;
        if (is_terminal(form))
            text_addf(s, ", $dots%zu using 1:2 with points pt %d", kind, marks[0][kind]);
        else
            text_addf(s, ", $dots%zu using 1:2:3 with points pt %d ps 0.9 lc rgb variable", kind,
                      marks[1][kind]);
    }
}

static void write_script(struct text *s, const struct drawing *d, enum picture_form form,
                         size_t columns)
{
    const struct frame f = frame_of(d, form, columns);

    add_terminal(s, form, &f);
    add_axes(s, d, form);
    add_tags(s, d, form, f.gap);
    if (!is_terminal(form)) {
        add_title(s, d);
        add_legend(s, d);
        add_memory_labels(s, d, &f);
        add_ridge_labels(s, d);
    }
    add_data(s, d);
    text_addf(s, "plot %.9g notitle with lines lt 1 lw 0", d->y_low / 10);
    plot_lines(s, d, form);
    plot_dots(s, d, form);
    text_add(s, "\n");
}

/* What the letters and the slope of a terminal picture are. */
static void add_caption(struct text *out, const struct drawing *d)
{
    for (size_t i = 0; i < d->line_count; i++)
        if (d->lines[i].kind == LINE_MEMORY)
            text_addf(out, "  slope: %s\n", d->lines[i].label);
    text_add(out, "  G: GEMM, F: FMA in registers, T: triad, R: reads with FMAs\n");
}

int picture_draw(struct text *out, const struct report *const *reports, size_t count,
                 enum picture_form form, size_t columns, struct text *why)
{
    struct drawing d;
    struct text script = TEXT_EMPTY, picture = TEXT_EMPTY;
    int result = -1;

    drawing_of(&d, reports, count);
    if (d.line_count == 0) {
        text_add(why, "No roofline: no rate of device memory was measured.");
    } else {
        write_script(&script, &d, form, columns);
        result = gnuplot_run(&picture, text_chars(&script), why);
        if (result == 0 && form == PICTURE_BRAILLE)
            result = add_braille(out, &d, text_chars(&picture), why);
        else if (result == 0 && form == PICTURE_TERMINAL)
            picture_add_trimmed(out, text_chars(&picture));
        else if (result == 0)
            text_add_bytes(out, picture.chars, picture.length);
        if (result == 0 && is_terminal(form))
            add_caption(out, &d);
    }
    text_free(&script);
    text_free(&picture);
    drawing_free(&d);
    return result;
}
