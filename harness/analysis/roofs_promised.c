/* Roofs as they are promised: by the datasheet, and by the clocks and widths a device reports. */
#include "harness/analysis/roofs.h"

#include <math.h>
#include <string.h>

void roofs_add_datasheet(struct report *r, const struct device_record *d)
{
    const struct card *card = card_of_device(d, NULL);

    if (card == NULL)
        return;
    roof_add(r, d->id, "memory", "DRAM", "datasheet", estimate_exact(card->memory_bytes_per_second),
             "B/s");
    for (size_t i = 0; i < CARD_PEAKS; i++)
        roof_add(r, d->id, "compute", card_peak_names[i], "datasheet",
                 estimate_exact(card->peak[i]), "FLOP/s");
}

/* FMA per clock and SM by compute capability (METHOD 1.5, cards.md); NAN: not published. */
static const struct lanes {
    const char *capability;
    double fp32, fp64;
} lanes[] = {
    {"6.1", 128, 4},    {"7.0", 64, 32},  {"7.5", 64, 2},   {"8.0", 64, 32},   {"8.6", 128, 2},
    {"8.7", 128, NAN},  {"8.9", 128, 2},  {"9.0", 128, 64}, {"10.0", 128, 64}, {"10.3", 128, 2},
    {"11.0", 128, NAN}, {"12.0", 128, 2}, {"12.1", 128, 2},
};

static bool capability_is(const struct facts *f, const char *capability)
{
    return f->capability != NULL && strcmp(f->capability, capability) == 0;
}

/* The data rate of one pin; GB10 reports it as its clock, and what Orin and Thor report means
 * nothing. */
static double pin_rate(const struct facts *f)
{
    if (capability_is(f, "8.7") || capability_is(f, "11.0"))
        return NAN;
    return capability_is(f, "12.1") ? f->memory_clock_hz : 2 * f->memory_clock_hz;
}

/* Recent HBM parts report a wider bus than they can use: the catalogue knows the usable width, but
 * for the H200, whose datasheet's rate follows from 6016 bit. */
static double usable_bus_bits(const struct device_record *d)
{
    const struct card *card = card_of_device(d, NULL);
    double bits = d->facts.bus_bits;

    if (strcmp(d->name, "NVIDIA H200") == 0)
        return fmin(bits, 6016);
    return card != NULL && card->bus_bits < bits ? card->bus_bits : bits;
}

/* A slice of a card reports the clock and the bus of the whole one. */
static double memory_promise(const struct device_record *d)
{
    if (d->facts.mig == FLAG_YES || d->name == NULL)
        return NAN;
    return pin_rate(&d->facts) * usable_bus_bits(d) / 8;
}

/* Bytes a second of one lane, both line codes counted: 8, 16 and 32 GT/s at 128/130. */
static double lane_rate(double generation)
{
    if (generation < 3 || generation > 5)
        return NAN;
    return 8e9 * exp2(generation - 3) * 128 / 130 / 8;
}

static double link_promise(const struct facts *f)
{
    const double generation = fmin(f->link_generation_max, f->link_generation_max_host);

    return isnan(generation) ? NAN : lane_rate(generation) * f->link_width_max;
}

static void add_vector_units(struct report *r, const struct device_record *d)
{
    const struct facts *f = &d->facts;

    for (size_t i = 0; i < COUNT_OF(lanes); i++)
        if (capability_is(f, lanes[i].capability)) {
            const double clocks = f->units * 2 * f->clock_max_hz;

            roof_add(r, d->id, "compute", "FP32 FMA", "device",
                     estimate_exact(clocks * lanes[i].fp32), "FLOP/s");
            roof_add(r, d->id, "compute", "FP64 FMA", "device",
                     estimate_exact(clocks * lanes[i].fp64), "FLOP/s");
        }
}

void roofs_add_device(struct report *r, const struct device_record *d)
{
    if (d->kind == NULL || strcmp(d->kind, "cuda") != 0) {
        roof_add(r, d->id, "memory", "DRAM", "device",
                 estimate_exact(d->facts.peak_memory_bytes_per_second), "B/s");
        return;
    }
    roof_add(r, d->id, "memory", "DRAM", "device", estimate_exact(memory_promise(d)), "B/s");
    roof_add(r, d->id, "link", "PCIe", "device", estimate_exact(link_promise(&d->facts)), "B/s");
    add_vector_units(r, d);
}
