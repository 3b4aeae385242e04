/* Reads the bands that the build embeds. */
#include "harness/analysis/bands.h"
#include "harness/analysis/csv.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char bands_csv[]; /* made by the build from bands.csv */
extern const size_t bands_csv_length;

enum { COLUMN_WHAT, COLUMN_KEY, COLUMN_LOW, COLUMN_HIGH, COLUMN_FLOOR, COLUMN_SOURCE, COLUMNS };

static struct band *bands;
static size_t band_count;

static void forget_bands(void)
{
    for (size_t i = 0; i < band_count; i++) {
        free(bands[i].what);
        free(bands[i].applies_to);
        free(bands[i].source);
    }
    free(bands);
}

static double number_of(const char *cell)
{
    return *cell == '\0' ? NAN : strtod(cell, NULL);
}

static void add_band(const struct strings *cells)
{
    assert(cells->count == COLUMNS); /* the build's own data, checked by a test */
    bands = xrealloc(bands, (band_count + 1) * sizeof *bands);
    bands[band_count++] = (struct band){
        .what = xstrdup(cells->items[COLUMN_WHAT]),
        .applies_to = xstrdup(cells->items[COLUMN_KEY]),
        .source = xstrdup(cells->items[COLUMN_SOURCE]),
        .low = number_of(cells->items[COLUMN_LOW]),
        .high = number_of(cells->items[COLUMN_HIGH]),
        .floor = number_of(cells->items[COLUMN_FLOOR]),
    };
}

static void read_bands(void)
{
    struct csv_reader reader = {(const char *)bands_csv,
                                (const char *)bands_csv + bands_csv_length};
    struct strings cells = {0};

    for (size_t line = 0; csv_read_record(&reader, &cells) == 1; line++) {
        if (line > 0) /* the first names the columns */
            add_band(&cells);
        strings_free(&cells);
    }
    atexit(forget_bands);
}

const struct band *bands_all(size_t *count)
{
    if (bands == NULL)
        read_bands();
    *count = band_count;
    return bands;
}

const struct band *band_find(const char *what, const char *const *keys)
{
    size_t count;
    const struct band *all = bands_all(&count);

    for (; *keys != NULL; keys++)
        for (size_t i = 0; i < count; i++)
            if (strcmp(all[i].what, what) == 0 && strcmp(all[i].applies_to, *keys) == 0)
                return &all[i];
    return NULL;
}
