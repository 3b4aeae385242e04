/* Rates by compute capability, from NVIDIA's programming guides and architecture papers. */
#include "harness/analysis/rates.h"
#include "harness/analysis/cards.h"

#include <math.h>
#include <string.h>

/* FMA a clock of the vector units; dense FLOP a clock of the tensor units. */
static const struct rates {
    const char *capability;
    double fp32, fp64;
    double half, tf32, fp8, int8, fp64_tensor; /* half: FP16 and BF16; 0: no such path */
    bool no_bf16;
} rates[] = {
    {"6.1", 128, 4, 0, 0, 0, 0, 0, true},
    {"7.0", 64, 32, 1024, 0, 0, 0, 0, true},
    {"7.5", 64, 2, 1024, 0, 0, 2048, 0, true},
    {"8.0", 64, 32, 2048, 1024, 0, 4096, 128, false},
    {"8.6", 128, 2, 1024, 512, 0, 2048, 0, false},
    {"8.7", 128, NAN, 2048, 1024, 0, 4096, NAN, false},
    {"8.9", 128, 2, 1024, 512, 2048, 2048, 0, false},
    {"9.0", 128, 64, 4096, 2048, 8192, 8192, 256, false},
    {"10.0", 128, 64, 8192, 4096, 16384, 16384, 128, false},
    {"10.3", 128, 2, 8192, 4096, 16384, NAN, 0, false},
    {"11.0", 128, NAN, 8192, NAN, 16384, 16384, NAN, false},
    {"12.0", 128, 2, 1024, 512, 2048, 2048, 0, false},
    {"12.1", 128, 2, 1024, 512, 2048, 2048, 0, false},
};

static const struct rates *rates_of(const char *capability)
{
    for (size_t i = 0; capability != NULL && i < COUNT_OF(rates); i++)
        if (strcmp(rates[i].capability, capability) == 0)
            return &rates[i];
    return NULL;
}

double rate_fp32_fma(const char *capability)
{
    const struct rates *r = rates_of(capability);

    return r == NULL ? NAN : r->fp32;
}

double rate_fp64_fma(const char *capability)
{
    const struct rates *r = rates_of(capability);

    return r == NULL ? NAN : r->fp64;
}

/* The faster of the two paths where a format has both. */
static double rate_of_product(const struct rates *r, const char *precision)
{
    if (strcmp(precision, "fp32") == 0)
        return 2 * r->fp32;
    if (strcmp(precision, "fp64") == 0)
        return isnan(r->fp64_tensor) ? NAN : fmax(2 * r->fp64, r->fp64_tensor);
    if (strcmp(precision, "tf32") == 0)
        return r->tf32;
    if (strcmp(precision, "fp16") == 0 || (strcmp(precision, "bf16") == 0 && !r->no_bf16))
        return r->half;
    if (strcmp(precision, "fp8") == 0)
        return r->fp8;
    return strcmp(precision, "int8") == 0 ? r->int8 : NAN;
}

double rate_products(const char *capability, const char *precision)
{
    const struct rates *r = rates_of(capability);

    return r == NULL ? NAN : rate_of_product(r, precision);
}

static bool halved(const char *name, const char *precision, const char *accumulate)
{
    return strstr(name, "GeForce") != NULL && strcmp(accumulate, "fp32") == 0 &&
           strcmp(precision, "fp32") != 0;
}

double rate_of_row(const struct device_record *d, const struct measurement *m)
{
    const struct rates *r = rates_of(d->facts.capability);
    const char *precision = parameters_word(&m->parameters, "precision");
    const char *accumulate = parameters_word(&m->parameters, "accumulate");
    double rate;

    if (r == NULL || precision == NULL || d->name == NULL)
        return NAN;
    if (strcmp(m->role, "vector_peak") == 0)
        return strcmp(precision, "fp32") == 0   ? 2 * r->fp32
               : strcmp(precision, "fp64") == 0 ? 2 * r->fp64
                                                : NAN;
    if (strcmp(m->role, "gemm") != 0 || accumulate == NULL)
        return NAN;
    rate = rate_of_product(r, precision) / (halved(d->name, precision, accumulate) ? 2 : 1);
    return rate > 0 ? rate : NAN;
}

double rate_of_lane(double generation)
{
    static const double per_second[] = {2.5e9 * 8 / 10,     5e9 * 8 / 10,         8e9 * 128 / 130,
                                        16e9 * 128 / 130.0, 32e9 * 128.0 / 130.0, 64e9 * 236 / 256};

    return generation >= 1 && generation <= 6 && generation == floor(generation)
               ? per_second[(size_t)generation - 1] / 8
               : NAN;
}

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

double rate_of_memory(const struct device_record *d)
{
    if (d->facts.mig == FLAG_YES || d->name == NULL)
        return NAN;
    return pin_rate(&d->facts) * usable_bus_bits(d) / 8;
}
