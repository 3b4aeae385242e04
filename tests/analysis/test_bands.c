/* What is usual: every band has a source and a card or kind that exists, and figures find theirs.
 */
#include "faults.h"
#include "harness/analysis/bands.h"
#include "harness/analysis/cards.h"
#include "harness/analysis/roofline.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static bool is_known(const char *key)
{
    static const char *const kinds[] = {"gen3",          "gen4",    "gen5", "any", "HBM", "GDDR",
                                        "GDDR with ECC", "GeForce", "8.6",  "8.9", "12.0"};
    const struct card *card = card_named(key);

    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i], key) == 0)
            return true;
    return card != NULL && strcmp(card->id, key) == 0;
}

Test(bands, each_has_a_source_and_bounds_that_make_sense)
{
    size_t count;
    const struct band *bands = bands_all(&count);

    cr_assert_geq(count, 40);
    for (size_t i = 0; i < count; i++) {
        const struct band *b = &bands[i];

        cr_expect_gt(strlen(b->source), 5, "%s %s", b->what, b->applies_to);
        cr_expect(is_known(b->applies_to), "%s", b->applies_to);
        cr_expect(isnan(b->low) == isnan(b->high));
        cr_expect_not(b->low > b->high, "%s %s", b->what, b->applies_to);
        cr_expect_not(b->floor > b->low, "%s %s", b->what, b->applies_to);
        cr_expect(!isnan(b->low) || !isnan(b->floor));
    }
}

Test(bands, none_is_there_twice)
{
    size_t count;
    const struct band *bands = bands_all(&count);

    for (size_t i = 0; i < count; i++) {
        const char *const key[] = {bands[i].applies_to, NULL};

        cr_expect_eq(band_find(bands[i].what, key), &bands[i], "%s %s", bands[i].what, key[0]);
    }
}

Test(bands, the_card_itself_comes_before_its_kind)
{
    static const char *const keys[] = {"h100-pcie", "HBM", NULL};
    static const char *const unknown[] = {"h20", "HBM", NULL};

    cr_expect_str_eq(band_find("memory", keys)->applies_to, "h100-pcie");
    cr_expect_str_eq(band_find("memory", unknown)->applies_to, "HBM");
    cr_expect_null(band_find("poetry", keys));
}

static const struct normal *find(const struct normal *normals, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(normals[i].name, name) == 0)
            return &normals[i];
    return NULL;
}

/* The place of a figure of the healthy report after an edit. */
static enum place place_after(const char *edit, const char *name)
{
    static const struct fault none = {0};
    const char *const edits[EDITS_MAX] = {edit};
    json_t *json = fault_report(&none, edits);
    struct normal *normals;
    struct report r;

    fault_judge(&r, json, NULL);
    analysis_derive(&r);
    const size_t count = normals_of(&r, &normals);
    const struct normal *n = find(normals, count, name);
    const enum place place = n == NULL ? PLACE_UNKNOWN : n->place;
    normals_free(normals, count);
    json_decref(json);
    report_free(&r);
    return place;
}

Test(normals, lie_within_above_or_below)
{
    cr_expect_eq(place_after(NULL, "host to device, pinned"), PLACE_WITHIN);
    cr_expect_eq(place_after(NULL, "DRAM read"), PLACE_WITHIN);
    cr_expect_eq(place_after(NULL, "BF16 GEMM"), PLACE_WITHIN);
    cr_expect_eq(place_after("figure.0.value=2.3e10", "host to device, pinned"), PLACE_BELOW);
    cr_expect_eq(place_after("figure.0.value=2.1e10", "host to device, pinned"), PLACE_BELOW_FLOOR);
    cr_expect_eq(place_after("figure.0.value=2.9e10", "host to device, pinned"), PLACE_ABOVE);
    cr_expect_eq(place_after("bf16.seconds.all*1.1", "BF16 GEMM"), PLACE_BELOW);
}

Test(normals, an_invalid_figure_is_none)
{
    cr_expect_eq(place_after("read.seconds.all*0.8", "DRAM read"), PLACE_UNKNOWN);
}
