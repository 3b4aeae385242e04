/* Roofs as they are promised: by the datasheet, and by the clocks and widths a device reports. */
#include "harness/analysis/rates.h"
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

static double link_promise(const struct facts *f)
{
    const double generation = fmin(f->link_generation_max, f->link_generation_max_host);

    return isnan(generation) ? NAN : rate_of_lane(generation) * f->link_width_max;
}

static void add_vector_units(struct report *r, const struct device_record *d)
{
    const double clocks = d->facts.units * 2 * d->facts.clock_max_hz;

    roof_add(r, d->id, "compute", "FP32 FMA", "device",
             estimate_exact(clocks * rate_fp32_fma(d->facts.capability)), "FLOP/s");
    roof_add(r, d->id, "compute", "FP64 FMA", "device",
             estimate_exact(clocks * rate_fp64_fma(d->facts.capability)), "FLOP/s");
}

void roofs_add_device(struct report *r, const struct device_record *d)
{
    if (d->kind == NULL || strcmp(d->kind, "cuda") != 0) {
        roof_add(r, d->id, "memory", "DRAM", "device",
                 estimate_exact(d->facts.peak_memory_bytes_per_second), "B/s");
        return;
    }
    roof_add(r, d->id, "memory", "DRAM", "device", estimate_exact(rate_of_memory(d)), "B/s");
    roof_add(r, d->id, "link", "PCIe", "device", estimate_exact(link_promise(&d->facts)), "B/s");
    add_vector_units(r, d);
}
