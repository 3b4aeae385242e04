#!/usr/bin/env python3
"""What `ridge run` finds is what the card's file says: truth.py SOURCE BUILD CASE

CASE: the name of a card (each experiment, 1 %), noise (tiny with 2 % noise and outliers, 3 %), plan (quick and
standard agree), pair (two cards keep their telemetry apart), clock (it rises, and power caps it).
"""
import sys

from card_runs import Run, card_file, compare, end, problems

KNEE_SHARE = 0.9  # bench/knee.h
MIB = 1 << 20


def launched(card, work, rate):
    """The rate of launches that each do so much work: no launch is free."""
    return work / (card['launch_seconds'] + work / rate)


def peak_of(card, lanes):
    return 2 * card[lanes] * card['sms'] * card['clock_hz']


def with_room(card, mib):
    """So much memory that ridge's buffers (a quarter of what is free) take the time that a test has."""
    return dict(card, memory_taken_bytes=max(0, card['memory_bytes'] - mib * MIB))


def memory(card, tolerance, plan='quick'):
    # Arrays of eight times the L2 of a large card are too much to execute: its L2 is made small.
    small = with_room(dict(card, l2_bytes=min(card['l2_bytes'], 2 * MIB)), 200)
    run = Run(small, '-d', 'cuda0', '-e', 'memory', '--plan', plan)
    for operation, arrays in ('read', 1), ('copy', 2), ('triad', 3):
        rows = run.rows('memory_bandwidth', operation=operation)
        best = max(rows, key=lambda row: row['value']['median'], default=None)
        truth = launched(card, arrays * best['parameters']['bytes'],
                         card['memory_bytes_per_second']) if best else float('nan')
        compare(f'memory {operation}, B/s', run.figure('memory_bandwidth', 'best', operation=operation),
                truth, tolerance)


def transfer(card, tolerance, plan='quick'):
    run = Run(with_room(card, 64), '-d', 'cuda0', '-e', 'transfer', '--plan', plan)
    for role in 'host_to_device', 'device_to_host':
        rate = run.figure(role, 'rate', memory='pinned')
        compare(f'{role}, B/s', rate, card['link_bytes_per_second'], tolerance)
        compare(f'{role}, start-up s', run.figure(role, 'startup_seconds', memory='pinned'),
                card['link_seconds'], tolerance)
        compare(f'{role} pageable, B/s', run.figure(role, 'rate', memory='pageable'),
                card['pageable_bytes_per_second'], tolerance)
    compare('both ways over one', run.figure('bidirectional', 'both_over_one'), 2, tolerance)


def gemm(card, tolerance, plan='quick'):
    run = Run(with_room(card, 3072), '-d', 'cuda0', '-e', 'gemm', '--plan', plan)
    peaks = {'fp32': card['gemm_fp32_flops'], 'fp16': card['tensor_fp16_flops']}
    if card['capability_major'] >= 8:
        peaks['tf32'] = card['tensor_tf32_flops']
    for precision, peak in peaks.items():
        figures = [f for f in run.result['figures'] if f['name'] == 'best' and f['parameters'] ==
                   dict(f['parameters'], precision=precision, accumulate='fp32')]
        size = figures[0]['parameters']['n'] if figures else float('nan')
        compare(f'GEMM {precision} of {size:.0f}, FLOP/s',
                run.figure('gemm', 'best', precision=precision, accumulate='fp32'),
                launched(card, 2 * size ** 3, peak), tolerance)


def memory_latency(card, tolerance, plan='quick'):
    run = Run(with_room(card, 1024), '-d', 'cuda0', '-e', 'memory_latency', '--plan', plan)
    compare('latency, s', run.figure('memory_latency', 'latency'), card['memory_seconds'], tolerance)


def divergence(card, tolerance, plan='quick'):
    run = Run(with_room(card, 256), '-d', 'cuda0', '-e', 'divergence', '--plan', plan)
    compare('two paths over one', run.figure('divergence', 'ratio_at_half'), 2, tolerance)
    for paths in 2, 8, 32:
        compare(f'{paths} paths over one', run.figure('divergence', 'ratio_of_paths', paths=paths), paths,
                tolerance)
    compare('two paths by warp', run.figure('divergence', 'ratio_by_warp'), 1, tolerance)


def vector_peak(card, tolerance, plan='quick'):
    run = Run(with_room(card, 256), '-d', 'cuda0', '-e', 'vector_peak', '--plan', plan)
    for precision in 'fp32', 'fp64':
        compare(f'FMA {precision}, FLOP/s', run.figure('vector_peak', 'best', precision=precision),
                peak_of(card, precision + '_lanes'), tolerance)


def latency_hiding(card, tolerance, plan='quick'):
    run = Run(card, '-d', 'cuda0', '-e', 'latency_hiding', '--plan', plan)
    in_flight = card['memory_bytes_per_second'] * card['memory_seconds'] / card['sms']
    compare('knee, B in flight on an SM', run.figure('latency_hiding', 'knee_bytes_in_flight'),
            KNEE_SHARE * in_flight, tolerance)
    compare('latency by Little, s', run.figure('latency_hiding', 'implied_latency'),
            card['memory_seconds'], tolerance)
    compare('loads, B/s', run.figure('latency_hiding', 'saturated', ilp=4, access_bytes=16),
            card['memory_bytes_per_second'], tolerance)


def ridge_points(card, tolerance):
    run = Run(card, '-d', 'cuda0', '-e', 'memory,gemm,vector_peak', '--plan', 'quick')
    truths = {'FP32 FMA': peak_of(card, 'fp32_lanes'), 'FP16 GEMM': card['tensor_fp16_flops']}
    for name, peak in truths.items():
        found = [p['flop_per_byte'] for p in run.result['ridge_points']
                 if p['compute'] == name and p['source'] == 'measured']
        compare(f'ridge point of {name}, FLOP/B', found[0] if found else float('nan'),
                peak / card['memory_bytes_per_second'], tolerance)


WHOLE = memory, transfer, gemm, memory_latency, divergence, vector_peak, latency_hiding


def case_tiny():
    card = card_file('tiny', noise=0)
    for experiment in WHOLE:
        experiment(card, 0.01)
    ridge_points(card, 0.01)


def case_noise():
    card = card_file('tiny', noise=0.02, outliers=0.01, seed=3)
    for experiment in WHOLE:
        experiment(card, 0.03)
    ridge_points(card, 0.03)


def case_plan():
    """One truth for all plans: what quick finds, standard finds."""
    card = card_file('tiny', noise=0)
    for plan in 'quick', 'standard':
        for experiment in transfer, memory_latency, divergence:
            experiment(card, 0.01, plan)


def large(name):
    """A card too large to be executed whole: arithmetic is that of one of its SMs (H200's and B200's are much like
    H100's)."""
    card = card_file(name)
    for experiment in memory, transfer, gemm, memory_latency:
        experiment(card, 0.01)
    for experiment in () if name in ('h200', 'b200') else (divergence, vector_peak):
        experiment(dict(card, sms=1), 0.01)


def case_pair():
    """NVML lists them the other way round; clock, power and facts of each are its own."""
    cards = card_file('pair')
    run = Run(cards, '-d', 'cuda', '-e', 'memory_latency', '--plan', 'quick')
    for index, card in enumerate(cards):
        rows = [row for row in run.rows('memory_latency') if row['device'] == f'cuda{index}']
        if len(rows) != 1:
            problems.append(f'{len(rows)} rows of cuda{index}')
            continue
        state = rows[0]['telemetry']
        compare(f'{card["name"]}: latency, s', rows[0]['value']['median'], card['memory_seconds'], 0.01)
        compare(f'{card["name"]}: power, W', state['power_watts'], card['power_watts'], 1e-3)
        compare(f'{card["name"]}: temperature, C', state['temperature_celsius'],
                card['temperature_celsius'], 1e-3)


def case_clock():
    """An idle card is brought to its clock before it is measured."""
    card = card_file('tiny', noise=0, clock_idle_hz=2e6)
    vector_peak(card, 0.01)


if __name__ == '__main__':
    case = sys.argv[3]
    globals().get('case_' + case, lambda: large(case))()
    end()
