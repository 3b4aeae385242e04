/* Whether the figures of a card can be true: what check_cards.py asks of ours, for a user's rows.
 */
#include "harness/analysis/catalogue.h"
#include "harness/analysis/rates.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const double tolerance = 0.01, dense_tolerance = 1.02;

static int check_id(const char *id, struct text *why)
{
    for (const char *c = id; *c != '\0'; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '-') {
            text_add(why, "an id is of lower case letters, digits and '-'");
            return -1;
        }
    return 0;
}

/* What a comparison hangs on. */
static int check_needed(const struct card *c, struct text *why)
{
    const struct {
        const char *column;
        double value;
    } needed[] = {{"memory_gb", c->memory_bytes},
                  {"memory_gbs", c->memory_bytes_per_second},
                  {"fp32_tflops", c->peak[CARD_FP32]}};

    for (size_t i = 0; i < COUNT_OF(needed); i++)
        if (!(needed[i].value > 0) || !isfinite(needed[i].value)) {
            text_addf(why, "%s must be a number above 0", needed[i].column);
            return -1;
        }
    return 0;
}

/* Empty is unknown, 0 is none: anything below is a slip. */
static int check_signs(const struct card *c, struct text *why)
{
    const double others[] = {c->sm_count,
                             c->boost_hz,
                             c->bus_bits,
                             c->l2_bytes,
                             c->power_watts,
                             c->link_width,
                             c->link_generation,
                             c->memory_pin_bits_per_second,
                             c->nvlink_bytes_per_second};

    for (size_t i = 0; i < CARD_PEAKS; i++)
        if (c->peak[i] < 0 || isinf(c->peak[i])) {
            text_addf(why, "the peak of %s is below 0 or endless", card_peak_names[i]);
            return -1;
        }
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (others[i] < 0 || isinf(others[i])) {
            text_add(why, "a number is below 0 or endless");
            return -1;
        }
    return 0;
}

static int check_equal(double given, double computed, const char *what, struct text *why)
{
    const double off = given / computed - 1;

    if (!isfinite(off) || fabs(off) <= tolerance)
        return 0;
    text_addf(why, "%s gives %.4g, %.1f %% from the %.4g in the row", what, computed,
              fabs(off) * 100, given);
    return -1;
}

static int check_arithmetic(const struct card *c, struct text *why)
{
    const double fma = rate_fp32_fma(c->capability);

    if (check_equal(c->peak[CARD_FP32] / 1e12, c->sm_count * fma * 2 * c->boost_hz / 1e12,
                    "fp32_tflops: SMs x lanes x 2 x boost clock", why) != 0)
        return -1;
    return check_equal(c->memory_bytes_per_second / 1e9,
                       c->bus_bits * c->memory_pin_bits_per_second / 8 / 1e9,
                       "memory_gbs: bus width x pin rate / 8", why);
}

/* A sparse figure, or the rate of another chip, is caught here. */
static int check_dense(const struct card *c, struct text *why)
{
    static const struct {
        enum card_peak peak;
        const char *precision;
    } products[] = {{CARD_TF32, "tf32"},       {CARD_FP16, "fp16"}, {CARD_FP16_ACC16, "fp16"},
                    {CARD_BF16, "bf16"},       {CARD_FP8, "fp8"},   {CARD_INT8, "int8"},
                    {CARD_FP64_TENSOR, "fp64"}};
    const double fma = rate_fp32_fma(c->capability);
    const double clocks =
        c->boost_hz > 0 ? c->sm_count * c->boost_hz : c->peak[CARD_FP32] / (2 * fma);

    for (size_t i = 0; i < COUNT_OF(products); i++) {
        const double bound = clocks * rate_products(c->capability, products[i].precision);

        if (c->peak[products[i].peak] > dense_tolerance * bound) {
            text_addf(why, "%s: %.4g TFLOP/s is above the dense limit of %.4g; a sparse figure?",
                      card_peak_names[products[i].peak], c->peak[products[i].peak] / 1e12,
                      bound / 1e12);
            return -1;
        }
    }
    return 0;
}

int catalogue_check(const struct card *card, struct text *why)
{
    if (check_id(card->id, why) != 0 || check_needed(card, why) != 0 ||
        check_signs(card, why) != 0 || check_arithmetic(card, why) != 0)
        return -1;
    return check_dense(card, why);
}
