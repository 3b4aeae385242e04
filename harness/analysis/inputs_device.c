/* Inputs that are computed from what is known about a device, and from what is expected of it. */
#include "harness/analysis/cards.h"
#include "harness/analysis/inputs.h"
#include "harness/analysis/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above this difference the catalogue's figure is used (METHOD 1.5). */
static const double roofs_agree = 0.015;

static double capability_number(const struct scene *s)
{
    const char *capability = s->device->facts.capability;

    return capability == NULL ? NAN : strtod(capability, NULL);
}

/* All that a card is recognised by: with a part of it unknown, another roof could seem right. */
static bool is_recognised(const struct scene *s)
{
    const struct facts *f = &s->device->facts;

    return s->device->name != NULL && f->units > 0 && f->memory_bytes > 0 && f->capability != NULL;
}

double input_memory_roof_computed(const struct scene *s)
{
    return is_recognised(s) && s->device->facts.memory_clock_hz > 0 ? rate_of_memory(s->device)
                                                                    : NAN;
}

double input_memory_roof_datasheet(const struct scene *s)
{
    const struct card *card =
        is_recognised(s) && s->device->facts.memory_clock_hz > 0 && s->device->facts.mig != FLAG_YES
            ? card_of_device(s->device, NULL)
            : NULL;

    return card == NULL ? NAN : card->memory_bytes_per_second;
}

double input_memory_roof(const struct scene *s)
{
    const double computed = input_memory_roof_computed(s),
                 promised = input_memory_roof_datasheet(s);

    return isnan(promised) || fabs(computed / promised - 1) <= roofs_agree ? computed : promised;
}

double input_memory_is_gddr(const struct scene *s)
{
    const struct card *card = is_recognised(s) ? card_of_device(s->device, NULL) : NULL;

    return card == NULL || card->memory_type == NULL ? NAN
                                                     : strncmp(card->memory_type, "GDDR", 4) == 0;
}

/* Both came with compute capability 9.0: before it they are known to be off. */
static double off_before_hopper(const struct scene *s, enum flag flag)
{
    if (flag != FLAG_UNKNOWN)
        return flag;
    return capability_number(s) < 9 ? 0 : NAN;
}

double input_coherent(const struct scene *s)
{
    return off_before_hopper(s, s->device->facts.coherent_link);
}

double input_confidential(const struct scene *s)
{
    return off_before_hopper(s, s->device->facts.confidential);
}

double input_from_ptx(const struct scene *s)
{
    const char *code = s->device->facts.code;

    return code == NULL ? NAN : strcmp(code, "compiled from PTX") == 0;
}

double input_powersave(const struct scene *s)
{
    const char *governor = s->device->facts.governor;

    return governor == NULL ? NAN : strcmp(governor, "powersave") == 0;
}

double input_link_roof_most(const struct scene *s)
{
    return rate_of_lane(input_get(INPUT_LINK_GEN_CARD, s)) * input_get(INPUT_LINK_WIDTH_MAX, s);
}

/* The counter's highest reading during the run, less what it stood at before. */
static double counted_in_run(const struct scene *s, size_t offset, double before)
{
    double most = NAN, now;

    for (size_t i = 0; i < s->report->measurement_count; i++) {
        const struct measurement *m = &s->report->measurements[i];

        if (!same_word(m->device, s->device->id))
            continue;
        memcpy(&now, (const char *)&m->telemetry + offset, sizeof now);
        most = fmax(most, now);
    }
    return most >= before ? most - before : NAN;
}

double input_replays(const struct scene *s)
{
    return counted_in_run(s, offsetof(struct telemetry, pcie_replays),
                          s->device->facts.pcie_replays);
}

double input_ecc_errors(const struct scene *s)
{
    return counted_in_run(s, offsetof(struct telemetry, ecc_uncorrected),
                          s->device->facts.ecc_uncorrected);
}

double input_sw_thermal(const struct scene *s)
{
    return counted_in_run(s, offsetof(struct telemetry, sw_thermal_seconds),
                          s->device->facts.sw_thermal_seconds);
}

double input_hw_thermal(const struct scene *s)
{
    return counted_in_run(s, offsetof(struct telemetry, hw_thermal_seconds),
                          s->device->facts.hw_thermal_seconds);
}

double input_power_brake(const struct scene *s)
{
    return counted_in_run(s, offsetof(struct telemetry, power_brake_seconds),
                          s->device->facts.power_brake_seconds);
}

double input_run_seconds(const struct scene *s)
{
    return s->report->seconds > 0 ? s->report->seconds : NAN;
}

/* The first of the card's Xid numbers that is on the list, 0: none of them; NAN: log not read. */
static double xid_among(const struct scene *s, const unsigned long *list, size_t count)
{
    const char *at = s->device->facts.xids;
    char *end;

    if (at == NULL)
        return NAN;
    for (unsigned long xid = strtoul(at, &end, 10); end > at; xid = strtoul(at, &end, 10)) {
        for (size_t i = 0; i < count; i++)
            if (list[i] == xid)
                return (double)xid;
        at = end;
    }
    return 0;
}

double input_xid(const struct scene *s)
{
    static const unsigned long of_the_card[] = {46, 48, 62, 64, 74, 79, 94, 95, 119, 120};

    return xid_among(s, of_the_card, COUNT_OF(of_the_card));
}

double input_xid_program(const struct scene *s)
{
    static const unsigned long of_programs[] = {13, 31, 43, 45};

    return xid_among(s, of_programs, COUNT_OF(of_programs));
}

double input_expected_gen(const struct scene *s)
{
    return s->given->link_generation;
}

double input_expected_width(const struct scene *s)
{
    return s->given->link_width;
}

double input_expected_power(const struct scene *s)
{
    return s->given->power_watts;
}

double input_expected_memory(const struct scene *s)
{
    return s->given->memory_bytes;
}

double input_link_expected(const struct scene *s)
{
    return !isnan(s->given->link_width);
}

double input_power_expected(const struct scene *s)
{
    return !isnan(s->given->power_watts);
}
