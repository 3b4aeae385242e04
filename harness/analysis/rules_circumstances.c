/* Rules about circumstances that change how figures are read. */
#include "harness/analysis/rules.h"

#include <math.h>
#include <string.h>

static void confidential(struct verdict *v)
{
    if (need(v, INPUT_CONFIDENTIAL) == 1)
        found(v, "Confidential computing is on: host copies are encrypted through a bounce buffer; "
                 "about 5 GB/s is expected.");
}

static void mig_slice(struct verdict *v)
{
    if (need(v, INPUT_MIG) == 1)
        found(v,
              "This is a slice of a card with {n} SMs: roofs of arithmetic are scaled, there is "
              "none of its memory.",
              need(v, INPUT_UNITS));
}

static void vgpu(struct verdict *v)
{
    if (need(v, INPUT_VGPU) == 1)
        found(v, "This is a share of a card that a hypervisor gives: others may use it, too.");
}

static void vgpu_unlicensed(struct verdict *v)
{
    if (need(v, INPUT_VGPU) == 1 && need(v, INPUT_VGPU_LICENSED) == 0)
        found(v, "The virtual card has no licence: it slows down minutes after the start.");
}

static void wsl(struct verdict *v)
{
    if (need(v, INPUT_WSL) == 1)
        found(v, "Under WSL pinned memory is limited to about half of the memory, and launches "
                 "cost more.");
}

static void integrated(struct verdict *v)
{
    if (need(v, INPUT_INTEGRATED) == 1)
        found(v, "Card and CPU share their memory: a copy is memory to memory, and the rules of "
                 "the link are off.");
}

static void coherent_link(struct verdict *v)
{
    if (need(v, INPUT_COHERENT) == 1)
        found(v, "The host's link is NVLink-C2C: pinned memory need not beat pageable.");
}

static void ecc_inline(struct verdict *v)
{
    if (need(v, INPUT_ECC) == 1 && need(v, INPUT_MEMORY_IS_GDDR) == 1)
        found(v, "ECC on GDDR takes about 6 % of capacity and 6-12 % of bandwidth.");
}

static void display(struct verdict *v)
{
    if (need(v, INPUT_DISPLAY_TIMEOUT) == 1)
        found(v, "The card drives a screen: long kernels are ended, and the desktop adds noise.");
}

static void persistence_off(struct verdict *v)
{
    if (need(v, INPUT_PERSISTENCE) == 0)
        found(v, "Persistence mode is off: the driver unloads between runs, and first calls are "
                 "slow.");
}

static void jit_code(struct verdict *v)
{
    if (need(v, INPUT_FROM_PTX) == 1)
        found(v, "The driver compiled the kernels from PTX: the shape of their code is not "
                 "verified.");
}

/* Rows beside the headline that were meant to differ in that are no circumstance. */
static bool has_special_data(const struct scene *s)
{
    const char *data = parameters_word(&s->row->parameters, "data");

    return s->row->headline && data != NULL && strcmp(data, "random") != 0;
}

static void special_data(struct verdict *v)
{
    found(v,
          "{w} as data draw less power than random ones (tensor rates are 7-15 % high) and may be "
          "compressed.",
          parameters_word(&v->scene->row->parameters, "data"));
}

static void noisy(struct verdict *v)
{
    const double mad = need(v, INPUT_RELATIVE_MAD);

    if (mad > limit(v, LIMIT_MAD))
        found(v, "Samples deviate from their median by {%}; below {%} is usual.", mad,
              limit(v, LIMIT_MAD));
}

static void two_modes(struct verdict *v)
{
    const double low = need(v, INPUT_LOW_MODE), high = need(v, INPUT_HIGH_MODE);
    const char *unit = v->scene->row->metric.unit;

    if (!(low < high) || unit == NULL)
        return;
    found(v, "Samples have two modes, {%} apart: their mean exists in neither.", high / low - 1);
}

static const struct rule rules[] = {
    {.id = "CONFIDENTIAL",
     .device = "cuda",
     .needs = {INPUT_CONFIDENTIAL},
     .judge = confidential,
     .when = "confidential computing is on",
     .source = "NVIDIA's notes on confidential computing with Hopper"},
    {.id = "MIG_SLICE",
     .device = "cuda",
     .needs = {INPUT_MIG, INPUT_UNITS},
     .judge = mig_slice,
     .when = "the device is an instance of a multi-instance card",
     .source = "NVML's MIG mode"},
    {.id = "VGPU",
     .device = "cuda",
     .needs = {INPUT_VGPU},
     .judge = vgpu,
     .when = "the card is virtual",
     .source = "NVML's virtualisation mode"},
    {.id = "VGPU_UNLICENSED",
     .severity = SEVERITY_FAULT,
     .device = "cuda",
     .needs = {INPUT_VGPU, INPUT_VGPU_LICENSED},
     .judge = vgpu_unlicensed,
     .when = "the card is virtual and unlicensed",
     .fix = "Give the guest its licence server.",
     .source = "NVIDIA's vGPU licensing guide"},
    {.id = "WSL",
     .device = "cuda",
     .needs = {INPUT_WSL},
     .judge = wsl,
     .when = "the system is Windows' subsystem for Linux",
     .source = "NVIDIA's CUDA on WSL guide"},
    {.id = "INTEGRATED",
     .device = "cuda",
     .needs = {INPUT_INTEGRATED},
     .judge = integrated,
     .when = "the device says that it is integrated",
     .source = "NVIDIA's CUDA for Tegra guide"},
    {.id = "COHERENT_LINK",
     .device = "cuda",
     .needs = {INPUT_COHERENT},
     .judge = coherent_link,
     .when = "the card walks the host's page tables",
     .source = "NVIDIA's Grace Hopper guide"},
    {.id = "ECC_INLINE",
     .device = "cuda",
     .needs = {INPUT_ECC, INPUT_MEMORY_IS_GDDR},
     .judge = ecc_inline,
     .when = "ECC is on and the datasheet says GDDR; on HBM it is free",
     .source = "pairs of BabelStream results with and without ECC"},
    {.id = "DISPLAY",
     .device = "cuda",
     .needs = {INPUT_DISPLAY_TIMEOUT},
     .judge = display,
     .when = "the system ends kernels that take long",
     .source = "NVIDIA's CUDA programming guide"},
    {.id = "PERSISTENCE_OFF",
     .device = "cuda",
     .needs = {INPUT_PERSISTENCE},
     .judge = persistence_off,
     .when = "persistence mode is off",
     .fix = "Run nvidia-persistenced.",
     .source = "NVIDIA's driver persistence guide"},
    {.id = "JIT_CODE",
     .device = "cuda",
     .needs = {INPUT_FROM_PTX},
     .judge = jit_code,
     .when = "the build holds no machine code for the card",
     .fix = "Build for this card: scripts/measure does.",
     .source = "the kernels' attributes"},
    {.id = "SPECIAL_DATA",
     .scope = EACH_ROW,
     .device = "cuda",
     .concerns = has_special_data,
     .judge = special_data,
     .when = "a row's data are not random",
     .fix = "Do not compare with figures of random data.",
     .source = "published GEMM rates of zeros and of random data"},
    {.id = "NOISY",
     .scope = EACH_ROW,
     .concerns = is_headline,
     .needs = {INPUT_RELATIVE_MAD},
     .judge = noisy,
     .limits = {LIMIT_MAD},
     .when = "the samples of a headline row scatter",
     .fix = "Take more samples on a quieter machine.",
     .source = "ours"},
    {.id = "TWO_MODES",
     .scope = EACH_ROW,
     .concerns = is_headline,
     .needs = {INPUT_LOW_MODE, INPUT_HIGH_MODE},
     .judge = two_modes,
     .when = "the widest gap between samples parts them into two tight groups",
     .source = "ours"},
};
const struct rules rules_circumstances = {rules, COUNT_OF(rules)};
