/* Rules about the link between host and card. */
#include "harness/analysis/rules.h"

#include <math.h>
#include <string.h>

static void link_idle(struct verdict *v)
{
    const double idle = need(v, INPUT_LINK_GEN_IDLE), most = need(v, INPUT_LINK_GEN_CARD);

    if (idle < most && need(v, INPUT_PSTATE_IDLE) >= 5)
        found(v, "Gen{n} of gen{n} at idle is power saving, not a fault.", idle, most);
}

static void link_below_card(struct verdict *v)
{
    const double now = need(v, INPUT_LINK_GEN), card = need(v, INPUT_LINK_GEN_CARD);
    const double host = known(v, INPUT_LINK_GEN_HOST);

    if (now >= card)
        return;
    found(v, "The card can do gen{n}, the link runs gen{n} under load;", card, now);
    if (isnan(host))
        found(v, "the slot's limit is not visible from here.");
    else
        found(v, "the slot's limit is gen{n}.", host);
}

static void link_gen_low(struct verdict *v)
{
    const double now = need(v, INPUT_LINK_GEN), card = need(v, INPUT_LINK_GEN_CARD);
    const double host = need(v, INPUT_LINK_GEN_HOST);

    if (now < card && now < host)
        found(v,
              "The link trained to gen{n} under load, card and slot both do gen{n}: {B/s} at "
              "most.",
              now, fmin(card, host), need(v, INPUT_LINK_ROOF));
}

static void link_width_low(struct verdict *v)
{
    const double now = need(v, INPUT_LINK_WIDTH), most = need(v, INPUT_LINK_WIDTH_MAX);

    if (now < most)
        found(v,
              "The link has x{n} of x{n} lanes: wiring, bifurcation or seating. Loading takes {n} "
              "times as long; work inside the card is unaffected.",
              now, most, most / now);
}

static void link_unexpected(struct verdict *v)
{
    const double gen = need(v, INPUT_LINK_GEN), width = need(v, INPUT_LINK_WIDTH);
    const double wanted_gen = need(v, INPUT_EXPECTED_GEN);
    const double wanted_width = need(v, INPUT_EXPECTED_WIDTH);

    if (gen < wanted_gen || width < wanted_width)
        found(v, "The link runs gen{n} x{n} under load, gen{n} x{n} was expected.", gen, width,
              wanted_gen, wanted_width);
}

static void link_upstream(struct verdict *v)
{
    const double above = need(v, INPUT_UPSTREAM), own = need(v, INPUT_LINK_ROOF);
    const char *bridge = v->scene->device->facts.link_upstream_bridge;

    if (above < limit(v, LIMIT_UPSTREAM) * own)
        found(v, "Bridge {w} above the card gives {B/s} at most, the card's own link {B/s}.",
              bridge == NULL ? "(unnamed)" : bridge, above, own);
}

/* Copies that are long enough to show the link. */
static bool shows_link(const struct scene *s)
{
    return parameters_match(&s->row->parameters, "memory", "pinned") &&
           parameters_number(&s->row->parameters, "bytes") >= thresholds[LIMIT_LINK_BYTES].value;
}

static void say_slow(struct verdict *v)
{
    const double rate = need(v, INPUT_VALUE), roof = need(v, INPUT_LINK_ROOF);
    const char *iommu = v->scene->device->facts.iommu;

    found(v, "{B/s} is {%} of gen{n} x{n} ({B/s}); 76-91 % is usual.", rate, rate / roof,
          need(v, INPUT_LINK_GEN), need(v, INPUT_LINK_WIDTH), roof);
    if (iommu != NULL && strcmp(iommu, "identity") != 0)
        found(v, "The host's IOMMU translates what the card accesses ({w}).", iommu);
    if (v->scene->report->environment.hypervisor == FLAG_YES)
        found(v, "This is a guest: its host's IOMMU and root port have a say.");
}

static void link_slow(struct verdict *v)
{
    const double share = need(v, INPUT_VALUE) / need(v, INPUT_LINK_ROOF);

    if (share < limit(v, LIMIT_LINK_SLOW) && share >= limit(v, LIMIT_LINK_VERY_SLOW))
        say_slow(v);
}

static void link_very_slow(struct verdict *v)
{
    if (need(v, INPUT_VALUE) / need(v, INPUT_LINK_ROOF) < limit(v, LIMIT_LINK_VERY_SLOW))
        say_slow(v);
}

static bool is_pageable_headline(const struct scene *s)
{
    return s->row->headline && parameters_match(&s->row->parameters, "memory", "pageable");
}

static void pageable(struct verdict *v)
{
    found(v,
          "Copies from and to pageable memory reach {B/s}: the CPU stages them through a buffer "
          "of the driver.",
          need(v, INPUT_VALUE));
}

/* One direction of two at once, of copies that are long beside the time between their starts. */
static bool is_leg(const struct scene *s)
{
    const char *direction = parameters_word(&s->row->parameters, "direction");

    return direction != NULL && strcmp(direction, "sum") != 0 &&
           parameters_number(&s->row->parameters, "bytes") >= thresholds[LIMIT_LINK_BYTES].value;
}

static void numa_differs(struct verdict *v)
{
    if (need(v, INPUT_NEAR) == 0)
        found(v, "The thread that copies runs on another NUMA node than the card's (node {n}).",
              need(v, INPUT_NODE));
}

static void bidir_uneven(struct verdict *v)
{
    const double leg = need(v, INPUT_VALUE), alone = need(v, INPUT_ONE_WAY);
    const char *direction = parameters_word(&v->scene->row->parameters, "direction");

    if (leg < limit(v, LIMIT_LEG_SHARE) * alone)
        found(v,
              "With both directions busy {w} falls to {B/s}, {%} of the {B/s} that it has alone; "
              "70-95 % is usual.",
              strcmp(direction, "host_to_device") == 0 ? "host to device" : "device to host", leg,
              leg / alone, alone);
}

static void size_rolloff(struct verdict *v)
{
    const double small = need(v, INPUT_SMALL_COPY_RATE), large = need(v, INPUT_LARGE_COPY_RATE);

    if (large < limit(v, LIMIT_ROLLOFF) * small)
        found(v,
              "Copies fall from {B/s} at 256 MiB to {B/s} at 1 GiB: address translation, not "
              "the link.",
              small, large);
}

static void spilled(struct verdict *v)
{
    const double rate = need(v, INPUT_READ_RATE), link = need(v, INPUT_DOWNLOAD_RATE);
    const double roof = need(v, INPUT_MEMORY_ROOF);

    if (fabs(rate / link - 1) < limit(v, LIMIT_SPILLED_LINK) &&
        rate < limit(v, LIMIT_SPILLED_ROOF) * roof)
        found(v,
              "Device memory runs at {B/s}, the link's rate ({B/s}), where {B/s} is its roof: the "
              "buffer lies in host memory.",
              rate, link, roof);
}

static void pcie_replays(struct verdict *v)
{
    const double replays = need(v, INPUT_REPLAYS);

    if (replays > 0)
        found(v, "{n} packet{w} had to be sent again during the run; 0 is right.", replays,
              replays > 1 ? "s" : "");
}

static void pcie_replay_storm(struct verdict *v)
{
    const double replays = need(v, INPUT_REPLAYS);

    if (replays > limit(v, LIMIT_REPLAYS))
        found(v, "{n} packets had to be sent again during the run, more than {n}.", replays,
              limit(v, LIMIT_REPLAYS));
}

static bool is_wrong(const struct scene *s)
{
    return s->row->status == ROW_WRONG;
}

static void peer_wrong(struct verdict *v)
{
    const struct measurement *m = v->scene->row;

    found(v,
          "A copy between {w} and {w} arrived altered: IOMMU or access control services stand "
          "between the cards.",
          m->device, m->peer == NULL ? "its peer" : m->peer);
}

#define NOT_PCIE .unless = {INPUT_COHERENT, INPUT_INTEGRATED}
#define COPIES   .scope = EACH_ROW, .device = "cuda", .roles = "host_to_device device_to_host"
static const struct rule rules[] = {
    {.id = "LINK_IDLE",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_LINK_GEN_IDLE, INPUT_LINK_GEN_CARD, INPUT_PSTATE_IDLE},
     NOT_PCIE,
     .judge = link_idle,
     .when = "an idle card in P5 or deeper has a slower link than it can have",
     .source = "NVIDIA: the link's generation follows the performance state"},
    {.id = "LINK_BELOW_CARD",
     .severity = SEVERITY_NOTE,
     COPIES,
     .concerns = is_pinned_headline,
     .needs = {INPUT_LINK_GEN, INPUT_LINK_GEN_CARD},
     NOT_PCIE,
     .judge = link_below_card,
     .when = "under load the link's generation is below the card's",
     .fix = "A slot of the card's generation would make copies faster.",
     .source = "NVML's current and device maximum generation"},
    {.id = "LINK_GEN_LOW",
     .severity = SEVERITY_FAULT,
     COPIES,
     .concerns = is_pinned_headline,
     .needs = {INPUT_LINK_GEN, INPUT_LINK_GEN_CARD, INPUT_LINK_GEN_HOST, INPUT_LINK_ROOF},
     NOT_PCIE,
     .judge = link_gen_low,
     .when = "under load the link's generation is below what card and slot both do",
     .fix = "Reseat the card; check riser or cable, the firmware's link speed, and the driver's "
            "registry key for it.",
     .source = "NVML's current generation, and its maxima of device and system"},
    {.id = "LINK_WIDTH_LOW",
     .severity = SEVERITY_DEGRADED,
     COPIES,
     .concerns = is_pinned_headline,
     .needs = {INPUT_LINK_WIDTH, INPUT_LINK_WIDTH_MAX},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED, INPUT_LINK_EXPECTED},
     .judge = link_width_low,
     .when = "the link has fewer lanes than it can have; width does not save power",
     .fix = "Reseat the card, use another slot, or say --expect-link if it is meant so.",
     .source = "NVML's current and maximum width"},
    {.id = "LINK_UNEXPECTED",
     .severity = SEVERITY_FAULT,
     COPIES,
     .concerns = is_pinned_headline,
     .needs = {INPUT_LINK_GEN, INPUT_LINK_WIDTH, INPUT_EXPECTED_GEN, INPUT_EXPECTED_WIDTH},
     NOT_PCIE,
     .judge = link_unexpected,
     .when = "under load the link is below --expect-link",
     .fix = "Reseat the card; check riser or cable and the slot.",
     .source = "the user's expectation"},
    {.id = "LINK_UPSTREAM",
     .severity = SEVERITY_DEGRADED,
     COPIES,
     .concerns = is_pinned_headline,
     .needs = {INPUT_UPSTREAM, INPUT_LINK_ROOF},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED, INPUT_GUEST}, /* a guest's bridges are made up */
     .judge = link_upstream,
     .limits = {LIMIT_UPSTREAM},
     .when = "a bridge between card and processor has a narrower link than the card",
     .fix = "Use a slot that hangs on the processor, or give the switch all its lanes.",
     .source = "sysfs: lanes in use and the highest rate of every bridge"},
    {.id = "LINK_SLOW",
     .severity = SEVERITY_DEGRADED,
     COPIES,
     .concerns = shows_link,
     .needs = {INPUT_VALUE, INPUT_LINK_ROOF, INPUT_LINK_GEN, INPUT_LINK_WIDTH, INPUT_NEAR},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED, INPUT_CONFIDENTIAL},
     .judge = link_slow,
     .limits = {LIMIT_LINK_SLOW, LIMIT_LINK_VERY_SLOW, LIMIT_LINK_BYTES},
     .when = "a long pinned copy by a near thread stays far below the link in use",
     .fix = "Look at the CPU's load and clock, the IOMMU, and the bridges above the card.",
     .source = "CSCS ReFrame, SuperBench, nvbandwidth issues, Azure NHC"},
    {.id = "LINK_VERY_SLOW",
     .severity = SEVERITY_FAULT,
     COPIES,
     .concerns = shows_link,
     .needs = {INPUT_VALUE, INPUT_LINK_ROOF, INPUT_LINK_GEN, INPUT_LINK_WIDTH, INPUT_NEAR},
     .unless = {INPUT_COHERENT, INPUT_INTEGRATED, INPUT_CONFIDENTIAL},
     .judge = link_very_slow,
     .limits = {LIMIT_LINK_VERY_SLOW, LIMIT_LINK_BYTES},
     .when = "a long pinned copy by a near thread has less than half of the link in use",
     .fix =
         "Look at the CPU's load and clock, the IOMMU, and the bridges above the card; reseat it.",
     .source = "CSCS ReFrame, SuperBench, nvbandwidth issues, Azure NHC"},
    {.id = "PAGEABLE",
     .severity = SEVERITY_NOTE,
     COPIES,
     .concerns = is_pageable_headline,
     .needs = {INPUT_VALUE},
     NOT_PCIE,
     .judge = pageable,
     .when = "copies from or to pageable memory were measured",
     .fix = "Pin, or register, buffers that live long.",
     .source = "NVIDIA's CUDA programming guide"},
    {.id = "NUMA_DIFFERS",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_NEAR, INPUT_NODE},
     NOT_PCIE,
     .judge = numa_differs,
     .when = "card and thread are on different NUMA nodes",
     .fix = "numactl -N NODE -m NODE with the card's node.",
     .source = "sysfs: the card's numa_node"},
    {.id = "BIDIR_UNEVEN",
     .severity = SEVERITY_DEGRADED,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "bidirectional",
     .concerns = is_leg,
     .needs = {INPUT_VALUE, INPUT_ONE_WAY},
     NOT_PCIE,
     .judge = bidir_uneven,
     .limits = {LIMIT_LEG_SHARE, LIMIT_LINK_BYTES},
     .when = "a direction loses more in company than hosts usually take from it",
     .fix = "Try another root port or NUMA node, and relaxed ordering.",
     .source = "nvbandwidth's README and issues"},
    {.id = "SIZE_ROLLOFF",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_SMALL_COPY_RATE, INPUT_LARGE_COPY_RATE},
     NOT_PCIE,
     .judge = size_rolloff,
     .limits = {LIMIT_ROLLOFF},
     .when = "large copies are slower than medium ones",
     .fix = "Work in pieces of 256 MiB.",
     .source = "ours"},
    {.id = "SPILLED",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_READ_RATE, INPUT_DOWNLOAD_RATE, INPUT_MEMORY_ROOF},
     NOT_PCIE,
     .judge = spilled,
     .limits = {LIMIT_SPILLED_LINK, LIMIT_SPILLED_ROOF},
     .when = "device memory is as slow as the link",
     .fix = "Free memory of the card; switch off the driver's fallback to system memory.",
     .source = "NVIDIA's notes on the sysmem fallback policy"},
    {.id = "PCIE_REPLAYS",
     .severity = SEVERITY_NOTE,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_REPLAYS},
     .judge = pcie_replays,
     .when = "the replay counter moved during the run",
     .fix = "Check seat, riser and cable if it goes on.",
     .source = "NVML's replay counter"},
    {.id = "PCIE_REPLAY_STORM",
     .severity = SEVERITY_FAULT,
     .scope = EACH_DEVICE,
     .device = "cuda",
     .needs = {INPUT_REPLAYS},
     .judge = pcie_replay_storm,
     .limits = {LIMIT_REPLAYS},
     .when = "the replay counter moved far during the run",
     .fix = "Check seat, riser and cable.",
     .source = "NVIDIA DCGM's default policy"},
    {.id = "PEER_WRONG",
     .severity = SEVERITY_FAULT,
     .scope = EACH_ROW,
     .device = "cuda",
     .roles = "peer",
     .concerns = is_wrong,
     .judge = peer_wrong,
     .when = "the check of a copy between two cards found it wrong",
     .fix = "Switch the IOMMU or ACS off for these cards, or copy through the host.",
     .source = "NVIDIA NCCL's troubleshooting notes"},
};
const struct rules rules_link = {rules, COUNT_OF(rules)};
