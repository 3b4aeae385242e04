/* The cards that exist: their facts and their speeds, from the file that RIDGE_VIRTUAL_CARD names.
 */
#ifndef VIRTUAL_CARD_CARD_H
#define VIRTUAL_CARD_CARD_H

#include <stddef.h>
#include <stdint.h>

/* Members have the names of the file's; SI units. */
struct card {
    char name[256], uuid[64], pci_bus_id[32], driver[32];
    double capability_major, capability_minor;
    double sms, memory_bytes, l2_bytes, bus_bits;
    double clock_hz, clock_max_hz, memory_clock_hz;
    double threads_per_sm, blocks_per_sm, registers_per_sm;
    double shared_bytes_per_sm, shared_bytes_per_block, shared_bytes_per_block_optin;
    double shared_bytes_reserved, copy_engines, ecc, driver_version;
    /* speeds */
    double fp32_lanes, fp64_lanes, fp16_lanes; /* fused multiply-adds per SM and clock */
    double fma_cycles;                         /* latency of one in a chain */
    double memory_bytes_per_second, l2_bytes_per_second, memory_seconds, l2_seconds;
    double link_bytes_per_second, link_seconds, pageable_bytes_per_second, pageable_seconds;
    double host_copy_bytes_per_second;
    double launch_seconds, launch_host_seconds, timer_seconds;
    double tensor_fp16_flops, tensor_tf32_flops, gemm_fp32_flops;
    double noise; /* relative standard deviation of durations */
    /* telemetry */
    double power_watts, power_limit_watts, temperature_celsius, slowdown_celsius;
    double link_generation, link_width, event_reasons;
    /* may be left out; what they then are is said in card.cpp */
    double link_generation_idle, link_generation_max, link_generation_max_host, link_width_max;
    double power_limit_default_watts, processes, utilisation_idle, mig;
    double outliers, seed, clock_idle_hz, gemm_watts, link_wakes_seconds, pageable_kink_bytes;
    double memory_taken_bytes, l2_far_bytes_per_second, l2_far_seconds;
    double vgpu, licensed, held_back_share;
    double memory_clock_now_hz, compute_mode;
    double pstate, persistence, confidential;
    double remap_pending, remap_failed, ecc_errors, pcie_replays;
};

extern "C" {
/* How many cards the machine has; the file is read when first asked for. */
__attribute__((visibility("default"))) int card_count(void);
__attribute__((visibility("default"))) const struct card *card_at(int index);
/* Whether it is executing anything at the moment (queue.cpp). */
__attribute__((visibility("default"))) bool card_working(const struct card *card);
/* Its state at the moment (model.cpp). */
__attribute__((visibility("default"))) double card_clock_hz(const struct card *card);
__attribute__((visibility("default"))) double card_power_watts(const struct card *card);
__attribute__((visibility("default"))) bool card_capped(const struct card *card);
__attribute__((visibility("default"))) bool card_link_awake(const struct card *card);
/* Whether RIDGE_VIRTUAL_FAULT holds this name. */
__attribute__((visibility("default"))) bool card_fault(const char *name);
/* The host is busy for so long (clock.cpp). */
__attribute__((visibility("default"))) void card_spend(double seconds);
/* Counts a call of this name; returns the code that RIDGE_VIRTUAL_FAIL orders for it, 0 for none
 * (faults.cpp). */
__attribute__((visibility("default"))) int card_call(const char *name);
}

#endif
