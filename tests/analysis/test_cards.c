/* The catalogue, and which of its rows a device finds. */
#include "harness/analysis/cards.h"
#include "harness/analysis/catalogue.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char cuda[] = "cuda";

/* The id of the row that a device of these facts finds; "" for none. */
static const char *found(const char *name, double sms, double gib, double memory_clock_hz)
{
    struct device_record d = {.kind = cuda, .name = xstrdup(name)};
    const struct card *card;

    facts_init(&d.facts);
    d.facts.units = sms;
    d.facts.memory_bytes = gib * 1073741824.0;
    d.facts.memory_clock_hz = memory_clock_hz;
    card = card_of_device(&d, NULL);
    facts_free(&d.facts);
    free(d.name);
    return card == NULL ? "" : card->id;
}

static size_t variants_of(const char *name, double sms, double gib, double memory_clock_hz)
{
    struct device_record d = {.kind = cuda, .name = xstrdup(name)};
    size_t variants;

    facts_init(&d.facts);
    d.facts.units = sms;
    d.facts.memory_bytes = gib * 1073741824.0;
    d.facts.memory_clock_hz = memory_clock_hz;
    card_of_device(&d, &variants);
    facts_free(&d.facts);
    free(d.name);
    return variants;
}

Test(cards, units_unknown_and_none)
{
    const struct card *t4 = card_named("tesla-t4"), *gh200 = card_named("gh200-144gb");

    cr_assert_eq(cards_all(&(size_t){0}), cards_all(&(size_t){0}));
    cr_assert_eq(t4->peak[CARD_FP32], 8.1e12);
    cr_assert_eq(t4->peak[CARD_BF16], 0); /* no such path */
    cr_assert_eq(t4->memory_bytes_per_second, 320e9);
    cr_assert_eq(t4->boost_hz, 1590e6);
    cr_assert(t4->weak[CARD_FP64] && !t4->weak[CARD_FP32] && !t4->memory_weak);
    cr_assert(isnan(gh200->bus_bits)); /* unknown */
    cr_assert_str_eq(gh200->grade, "C");
}

Test(cards, whole_names_only)
{
    cr_expect_str_eq(found("NVIDIA A10", 72, 22.5, NAN), "a10");
    cr_expect_str_eq(found("NVIDIA A100-SXM4-80GB", 108, 79.3, NAN), "a100-sxm4-80gb");
    cr_expect_str_eq(found("NVIDIA A1", 72, 22.5, NAN), "");
    cr_expect_str_eq(found("NVIDIA A10G", 80, 22.5, NAN), "");
    cr_expect_str_eq(found("nvidia a10", 72, 22.5, NAN), "");
    cr_expect_str_eq(found("NVIDIA L4", 58, 22.0, NAN), "l4");
    cr_expect_str_eq(found("NVIDIA L40", 142, 44.5, NAN), "l40");
    cr_expect_str_eq(found("NVIDIA L40S", 142, 44.5, NAN), "l40s");
    cr_expect_str_eq(found("NVIDIA H100", 132, 79.6, NAN), "");
    cr_expect_str_eq(found("NVIDIA T4", 40, 14.6, NAN), "tesla-t4"); /* another driver's name */
}

Test(cards, sm_count_and_memory_tell_apart)
{
    cr_expect_str_eq(found("NVIDIA GeForce RTX 3080", 68, 9.8, NAN), "rtx-3080-10gb");
    cr_expect_str_eq(found("NVIDIA GeForce RTX 3080", 70, 11.8, NAN), "rtx-3080-12gb");
    cr_expect_str_eq(found("NVIDIA GeForce RTX 3080", 68, 11.8, NAN), "");
    cr_expect_str_eq(found("NVIDIA GeForce RTX 4060 Ti", 34, 7.6, NAN), "rtx-4060-ti-8gb");
    cr_expect_str_eq(found("NVIDIA GeForce RTX 4060 Ti", 34, 15.6, NAN), "rtx-4060-ti-16gb");
    cr_expect_str_eq(found("Orin", 14, 29.9, NAN), "jetson-agx-orin-32gb");
    cr_expect_str_eq(found("NVIDIA GeForce RTX 3060", 28, 7.8, NAN), "");
}

Test(cards, edges_of_the_memory_window)
{
    cr_expect_str_eq(found("NVIDIA A10", 72, 24 * 0.8801, NAN), "a10");
    cr_expect_str_eq(found("NVIDIA A10", 72, 24 * 0.8799, NAN), "");
    cr_expect_str_eq(found("NVIDIA A10", 72, 24 * 1.0199, NAN), "a10");
    cr_expect_str_eq(found("NVIDIA A10", 72, 24 * 1.0201, NAN), "");
    cr_expect_str_eq(found("NVIDIA A10", 72, NAN, NAN), "");
    cr_expect_str_eq(found("NVIDIA A10", NAN, 22.5, NAN), "");
}

Test(cards, variants_by_memory_clock)
{
    const char *name = "NVIDIA GeForce RTX 4070";

    cr_expect_str_eq(found(name, 46, 11.7, 10.501e9), "rtx-4070");
    cr_expect_str_eq(found(name, 46, 11.7, 10.001e9), "rtx-4070-gddr6");
    cr_expect_str_eq(found(name, 46, 11.7, NAN), "rtx-4070");
    cr_expect_eq(variants_of(name, 46, 11.7, NAN), 2);
    cr_expect_eq(variants_of(name, 46, 11.7, 10.501e9), 1);
    cr_expect_eq(variants_of("NVIDIA A10", 72, 22.5, NAN), 1);
    cr_expect_eq(variants_of("NVIDIA A11", 72, 22.5, NAN), 0);
}

/* Every row that can be matched is found by its own key: nothing hides it. */
Test(cards, every_row_finds_itself)
{
    size_t count;
    const struct card *cards = cards_all(&count);

    cr_assert_geq(count, 60);
    for (size_t i = 0; i < count; i++)
        if (cards[i].match_name != NULL)
            cr_expect_str_eq(found(cards[i].match_name, cards[i].match_sm,
                                   cards[i].match_memory_gb * 0.95,
                                   cards[i].memory_pin_bits_per_second / 2),
                             cards[i].id);
}

Test(cards, named_by_hand)
{
    char h100[] = "h100", nvl[] = "nvl", nothing[] = "voodoo", hopper[] = "hopper";

    cr_expect_str_eq(card_named("H100-SXM5-80GB")->id, "h100-sxm5-80gb");
    cr_expect_str_eq(card_named("Tesla T4")->id, "tesla-t4");
    cr_expect_null(card_named("voodoo"));
    cr_expect(card_has_words(card_named("h100-nvl"), (char *[]){h100, nvl}, 2));
    cr_expect_not(card_has_words(card_named("h100-pcie"), (char *[]){h100, nvl}, 2));
    cr_expect_not(card_has_words(card_named("h100-pcie"), (char *[]){nothing}, 1));
    cr_expect(card_has_words(card_named("h200-sxm"), (char *[]){hopper}, 1));
    cr_expect_not(card_has_words(card_named("h200-sxm"), (char *[]){h100}, 1));
}

Test(cards, text_that_is_no_catalogue)
{
    static const char *const wrong[] = {
        "", "id,name\na\n", "id,name,sm_count\na,b,many\n", "id,name\n\"a,b\n", "id\na\n",
    };
    size_t count;

    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        cr_expect_null(catalogue_parse(wrong[i], strlen(wrong[i]), &count), "%s", wrong[i]);
}
