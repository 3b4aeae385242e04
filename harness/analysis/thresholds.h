/* Every threshold of the findings in one table, with whose figure it is. */
#ifndef ANALYSIS_THRESHOLDS_H
#define ANALYSIS_THRESHOLDS_H

/* NAME, value, unit ("%": a share), what it bounds, source. */
#define THRESHOLDS(LIMIT)                                                                          \
    LIMIT(NONE, 0, "", "", "")                                                                     \
    LIMIT(ROOF_MEMORY, 1.25, "%", "rate over the rated memory roof, clock not known", "ours")      \
    LIMIT(ROOF_FLOPS, 1.02, "%", "rate over what the units do at the clock that was there",        \
          "ours: the clock is measured to about a per cent")                                       \
    LIMIT(CACHE_TIMES, 4, "", "bytes touched, in caches", "STREAM's rule for the size of arrays")  \
    LIMIT(LAUNCH_SECONDS, 50e-6, "s", "length of an execution", "ours")                            \
    LIMIT(LAUNCH_TIMES, 10, "", "length of an execution, in launches", "ours")                     \
    LIMIT(FMA_SHARE, 0.90, "%", "share of the issue rate at the clock that was there",             \
          "ours: chains without memory reach 97 % and more")                                       \
    LIMIT(BUSY_BEFORE, 0.05, "%", "utilisation before the run", "ours")                            \
    LIMIT(RAMP, 0.95, "%", "first third's median over the last third's, or the reverse", "ours")   \
    LIMIT(RAMP_CLOCK, 0.98, "%", "first third's clock over the last third's, or the reverse",      \
          "ours: the clock of a rate that scatters stays")                                         \
    LIMIT(LINK_SLOW, 0.70, "%", "rate over the link's roof",                                       \
          "CSCS ReFrame and SuperBench see 76-91 %; Azure NHC accepts 67-76 %")                    \
    LIMIT(LINK_VERY_SLOW, 0.50, "%", "rate over the link's roof", "ours: half is another link")    \
    LIMIT(UPSTREAM, 0.90, "%", "a bridge's link over the card's", "ours")                          \
    LIMIT(LINK_BYTES, 67108864, "B", "least size of a copy that shows the link", "ours")           \
    LIMIT(LEG_SHARE, 0.70, "%", "a direction's rate in company over alone",                        \
          "nvbandwidth's README and issues see 70-95 %")                                           \
    LIMIT(ROLLOFF, 0.85, "%", "rate of large copies over that of medium ones", "ours")             \
    LIMIT(SPILLED_LINK, 0.20, "%", "difference of device memory's and the link's rate", "ours")    \
    LIMIT(SPILLED_ROOF, 0.25, "%", "rate over the memory roof", "ours")                            \
    LIMIT(REPLAYS, 80, "", "replays of packets in a run", "NVIDIA DCGM's default policy")          \
    LIMIT(MAD, 0.02, "%", "median absolute deviation over the median", "ours")                     \
    LIMIT(MEMORY_CLOCK, 0.99, "%", "memory clock over the rated one", "ours")                      \
    LIMIT(MEMORY_CLOCK_P0, 0.95, "%", "memory clock over the rated one, in P0", "ours")            \
    LIMIT(SM_CLOCK, 0.90, "%", "SM clock over the maximum", "ours")                                \
    LIMIT(POWER_FREE, 0.90, "%", "power over its limit, above which the limit explains clocks",    \
          "ours")                                                                                  \
    LIMIT(MARGIN_FREE, 10, "", "degrees to the slowdown, below which heat explains clocks",        \
          "ours")                                                                                  \
    LIMIT(LIMIT_LOWERED, 0.98, "%", "power limit over the default", "ours")                        \
    LIMIT(CAP_SHARE, 0.20, "%", "readings with the power cap", "ours")                             \
    LIMIT(CAP_POWER, 0.95, "%", "power over its limit where the cap is normal", "ours")            \
    LIMIT(CAP_EARLY_SHARE, 0.50, "%", "readings with the power cap", "ours")                       \
    LIMIT(CAP_EARLY_POWER, 0.85, "%", "power over its limit where the cap comes early", "ours")    \
    LIMIT(CAP_SECONDS, 5, "s", "length of a series that settles", "METHOD: sustained is 5 s")      \
    LIMIT(SLOWDOWNS, 2, "", "readings in a row", "ours: the bit flashes at changes of state")      \
    LIMIT(HOT, 5, "", "degrees left to the slowdown", "ours")                                      \
    LIMIT(SLOWDOWN_LOW, 75, "", "degrees at which the card slows down", "ours")                    \
    LIMIT(COLD_BUSY, 0.90, "%", "utilisation", "ours")                                             \
    LIMIT(COLD_POWER, 0.40, "%", "power over its limit", "ours")                                   \
    LIMIT(COLD_RATE, 0.50, "%", "rate over the roof at that clock", "ours")                        \
    LIMIT(MEMORY_HBM, 0.75, "%", "best of reading and triad over the roof, HBM",                   \
          "RRZE gpu-benches and BabelStream see 87-99 %")                                          \
    LIMIT(MEMORY_GDDR, 0.74, "%", "best of reading and triad over the roof, GDDR",                 \
          "RRZE gpu-benches and comments in NVIDIA DCGM see 76-98 %")                              \
    LIMIT(MEMORY_GDDR_ECC, 0.68, "%", "best of reading and triad over the roof, GDDR with ECC",    \
          "pairs of BabelStream results with and without ECC")                                     \
    LIMIT(MEMORY_VERY_LOW, 0.50, "%", "best of reading and triad over the rated roof", "ours")     \
    LIMIT(GEMM_TENSOR, 0.60, "%", "rate over the roof at the clock that was there",                \
          "ml-engineering's MAMF tables see 72-87 % of datasheets")                                \
    LIMIT(GEMM_FP32, 0.45, "%", "rate over the roof at the clock that was there",                  \
          "torch tables see 50-98 % of datasheets")                                                \
    LIMIT(ROOFS_APART, 0.05, "%", "difference of computed and datasheet roof", "ours")             \
    LIMIT(MEMORY_CLAIM, 0.88, "%", "memory reported over memory sold",                             \
          "what drivers and ECC take at most (cards.md)")                                          \
    LIMIT(OTHERS, 0.10, "%", "CPU time that others took", "ours")                                  \
    LIMIT(STEAL, 0.02, "%", "CPU time that the hypervisor took", "ours")                           \
    LIMIT(CPU_CLOCK, 0.80, "%", "clock over the maximum", "ours")                                  \
    LIMIT(PEER_FEW, 0.90, "%", "figure over the median of 3 to 7 cards", "ours")                   \
    LIMIT(PEER_MANY, 0.95, "%", "figure over the median of 8 cards or more", "ours")               \
    LIMIT(PEER_Z, -3, "", "deviation in robust standard deviations", "Iglewicz and Hoaglin: 3.5")  \
    LIMIT(PEER_FAULT, 0.75, "%", "figure over the median of its peers", "ours")                    \
    LIMIT(FLEET_NODES, 10, "", "least nodes of a fleet", "ours")                                   \
    LIMIT(FLEET_GEMM, 0.965, "%", "matrix product over the median of nodes",                       \
          "Azure's node checks")                                                                   \
    LIMIT(FLEET_GEMM_FAULT, 0.93, "%", "matrix product over the median of nodes",                  \
          "Azure's node checks")                                                                   \
    LIMIT(FLEET_MEMORY, 0.97, "%", "memory's rate over the median of nodes", "ours")               \
    LIMIT(FLEET_MEMORY_FAULT, 0.94, "%", "memory's rate over the median of nodes", "ours")         \
    LIMIT(FLEET_LINK, 0.90, "%", "the link's rate over the median of nodes", "ours")               \
    LIMIT(FLEET_LINK_FAULT, 0.75, "%", "the link's rate over the median of nodes", "ours")         \
    LIMIT(WARM, 10, "", "degrees above the median of cards at equal power", "ours")                \
    LIMIT(RUNS, 0.02, "%", "spread of three runs or more over their median", "ours")               \
    LIMIT(RUNS_TIMES, 3, "", "that spread, in deviations within a run", "ours")                    \
    LIMIT(RECHECKS, 2, "", "of three checks after a wrong answer, wrong, too", "ours")             \
    LIMIT(HELD_BY_HEAT, 0.05, "%", "part of the run that the driver held the card back", "ours")   \
    LIMIT(SPANS, 0.05, "%", "the events' span over the host's", "ours")                            \
    LIMIT(SPANS_SECONDS, 20e-6, "s", "the events' span beyond that", "ours")                       \
    LIMIT(BASELINE, 0.95, "%", "figure over the earlier one", "ours")                              \
    LIMIT(FLOOR_ANYTHING, 0.40, "%", "accepted floor over the roof", "ours")                       \
    LIMIT(FLOOR_WEAK, 0.60, "%", "accepted floor over the roof", "ours")                           \
    LIMIT(BASELINE_FAULT, 0.75, "%", "figure over the earlier one", "ours")

#define THRESHOLDS_CONSTANT(name, value, unit, bounds, source) LIMIT_##name,
enum limit { THRESHOLDS(THRESHOLDS_CONSTANT) LIMIT_COUNT };

struct threshold {
    double value;
    const char *unit, *bounds, *source;
};
extern const struct threshold thresholds[LIMIT_COUNT];

#endif
