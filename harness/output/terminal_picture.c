/* Pictures for a terminal: trimmed, and with lines in braille, eight dots to a character. */
#include "harness/output/picture.h"

#include <stdlib.h>
#include <string.h>

enum { DOTS_WIDE = 2, DOTS_HIGH = 4 };

/* What the axes of a picture enclose, in characters. */
struct area {
    size_t left, top, columns, rows;
};

/* Where a character of a line stands; NULL beyond its end. */
static const char *character_at(const char *line, size_t column)
{
    for (; *line != '\0' && *line != '\n'; line++)
        if ((*line & 0xC0) != 0x80 && column-- == 0)
            return line;
    return NULL;
}

static char letter_at(const char *line, size_t column)
{
    const char *found = character_at(line, column);

    return found == NULL ? ' ' : *found;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end == NULL ? line + strlen(line) : end + 1;
}

/* The line without blanks at its end, in characters. */
static size_t used_columns(const char *line)
{
    size_t used = 0, column = 0;

    for (; *line != '\0' && *line != '\n'; line++)
        if ((*line & 0xC0) != 0x80) {
            column++;
            used = *line == ' ' ? used : column;
        }
    return used;
}

/* By the left axis, which begins with a '+' at the end of its line; false where there is none. */
static bool find_area(struct area *a, const char *picture)
{
    size_t row = 0;

    for (const char *line = picture; *line != '\0'; line = next_line(line), row++) {
        const size_t used = used_columns(line);

        if (used == 0 || letter_at(line, used - 1) != '+' ||
            letter_at(next_line(line), used - 1) != '|')
            continue;
        *a = (struct area){.left = used - 1, .top = row, .rows = 1};
        do {
            line = next_line(line);
            a->rows++;
        } while (letter_at(line, a->left) == '|');
        a->columns = used_columns(line) - a->left;
        return letter_at(line, a->left) == '+' && used_columns(line) > a->left + 1;
    }
    return false;
}

/* That area alone, with a character for every dot; what lies on the axes stands in the middle of
 * the outer characters, as it does in the picture. */
static void add_frame(struct text *script, const struct area *a)
{
    const double wide = (double)(a->columns * DOTS_WIDE - 1);
    const double high = (double)(a->rows * DOTS_HIGH - 1);
    const double x = (DOTS_WIDE - 1) / 2.0 / wide, y = (DOTS_HIGH - 1) / 2.0 / high;

    text_addf(script,
              "set terminal dumb mono noenhanced size %zu,%zu\n"
              "unset border\nunset tics\nunset key\nunset title\nunset xlabel\nunset ylabel\n"
              "unset label\nunset arrow\nset lmargin at screen %.6f\nset rmargin at screen %.6f\n"
              "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
              a->columns * DOTS_WIDE, a->rows * DOTS_HIGH, x, 1 - x, y, 1 - y);
}

/* Unicode numbers the dots of the upper three rows by columns, then those of the fourth. */
static unsigned dots_at(const char *const *fine, size_t column)
{
    static const unsigned bits[DOTS_HIGH][DOTS_WIDE] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    unsigned dots = 0;

    for (size_t y = 0; y < DOTS_HIGH; y++)
        for (size_t x = 0; x < DOTS_WIDE; x++)
            if (letter_at(fine[y], column * DOTS_WIDE + x) != ' ')
                dots |= bits[y][x];
    return dots;
}

/* The code points U+2800 to U+28FF in UTF-8. */
static void add_dots(struct text *out, unsigned dots)
{
    const char bytes[] = {(char)0xE2, (char)(0xA0 + (dots >> 6)), (char)(0x80 + (dots & 0x3F))};

    text_add_bytes(out, bytes, sizeof bytes);
}

static size_t bytes_of(const char *character)
{
    const char *next = character_at(character, 1);

    return next == NULL ? strcspn(character, "\n") : (size_t)(next - character);
}

/* One line of a picture; fine: the lines of dots below it, NULL where it lies outside. */
static void add_line(struct text *out, const char *line, const char *const *fine,
                     const struct area *a)
{
    const size_t used = used_columns(line);
    const size_t end = fine != NULL && used < a->left + a->columns ? a->left + a->columns : used;

    for (size_t column = 0; column < end; column++) {
        const char *at = character_at(line, column);
        const bool inside = fine != NULL && column >= a->left && column < a->left + a->columns;
        const unsigned dots = inside ? dots_at(fine, column - a->left) : 0;

        if (at == NULL || *at == ' ')
            dots != 0 ? add_dots(out, dots) : text_add(out, " ");
        else if (*at == '*')
            add_dots(out, 0x12); /* a line in the legend */
        else
            text_add_bytes(out, at, bytes_of(at));
    }
    text_add(out, "\n");
}

/* The picture, with the lines of the fine one where it is blank. */
static void add_overlaid(struct text *out, const char *picture, const char *fine,
                         const struct area *a)
{
    size_t row = 0;

    fine += strspn(fine, "\f");
    for (const char *line = picture; *line != '\0'; line = next_line(line), row++) {
        const char *below[DOTS_HIGH];
        const bool inside = row >= a->top && row < a->top + a->rows;

        for (size_t y = 0; inside && y < DOTS_HIGH; y++) {
            below[y] = fine;
            fine = next_line(fine);
        }
        add_line(out, line, inside ? below : NULL, a);
    }
}

int picture_add_braille(struct text *out, const char *picture, const char *axes, const char *plot,
                        struct text *why)
{
    struct text script = TEXT_EMPTY, fine = TEXT_EMPTY, overlaid = TEXT_EMPTY;
    struct area area = {0};
    int result = 0;

    picture += strspn(picture, "\f");
    if (*plot != '\0' && find_area(&area, picture)) {
        text_add(&script, axes);
        add_frame(&script, &area);
        text_add(&script, plot);
        result = gnuplot_run(&fine, text_chars(&script), why);
    }
    add_overlaid(&overlaid, picture, text_chars(&fine), &area);
    if (result == 0)
        picture_add_trimmed(out, text_chars(&overlaid));
    text_free(&script);
    text_free(&fine);
    text_free(&overlaid);
    return result;
}

void picture_add_trimmed(struct text *out, const char *picture)
{
    picture += strspn(picture, "\f\n");
    while (*picture != '\0') {
        const size_t length = strcspn(picture, "\n");
        size_t used = length;

        while (used > 0 && picture[used - 1] == ' ')
            used--;
        text_add_bytes(out, picture, used);
        text_add(out, "\n");
        picture += length + (picture[length] == '\n');
    }
}
