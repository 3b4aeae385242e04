#!/usr/bin/env python3
"""What `ridge run` finds is what the card's file says: truth.py SOURCE BUILD CASE

CASE: the name of a card (1 %), that name with _noise (2 % noise, 1 % outliers: 3 %), plan (quick and standard agree),
pair (two cards keep their telemetry apart), clock (an idle card is brought to its clock).
"""
import sys

import counted
import truths
from card_runs import Run, card_file, compare, end, problems

MIB = 1 << 20
SMALL = ('tiny',)  # executed as they are
SEEDS = 3, 4, 5
SHARED = ('memory_bytes_per_second', 'l2_bytes_per_second', 'memory_clock_hz', 'gemm_fp32_flops',
          'tensor_tf32_flops', 'tensor_fp16_flops')


def with_room(card, mib):
    """So much memory that ridge's buffers (a quarter of what is free) take the time that a test has; and an L2
    that these are far beyond."""
    return dict(card, memory_taken_bytes=max(0, card['memory_bytes'] - mib * MIB),
                l2_bytes=min(card['l2_bytes'], MIB / 4))


def one_sm(card, slower):
    """One SM with its share of the rest, all of it so many times slower: what a large card would execute takes too
    long, but in this one all that is a ratio is the card's own."""
    shares = {name: card[name] / card['sms'] for name in SHARED}
    rates = {name: value / slower for name, value in (card | shares).items() if name in SHARED or '_hz' in name}
    return card | rates | {'sms': 1, 'memory_seconds': card['memory_seconds'] * slower,
                           'l2_seconds': card['l2_seconds'] * slower}


def find(card, tolerance, *experiments, judges=None, plan='quick'):
    """One run of these experiments: what it finds must be the card's, and what rows declare must have been done."""
    run = Run(card, '-d', 'cuda0', '-e', ','.join(experiments), '--plan', plan)
    counted.check(run)
    for judge in judges or experiments:
        getattr(truths, judge)(run, card, tolerance)


def small(card, tolerance):
    find(card, tolerance, 'memory', 'gemm', 'vector_peak', judges=('memory', 'gemm', 'vector_peak', 'ridge_points'))
    for experiment in ('cache', 'intensity', 'transfer', 'overlap', 'memory_latency', 'divergence',
                       'latency_hiding', 'launch'):
        find(card, tolerance, experiment)


def large(card, tolerance):
    find(with_room(card, 100), tolerance, 'memory_latency', 'transfer')
    # Arrays have 4 MiB instead of 1 GiB, and the launch is as much shorter.
    find(with_room(card | {'launch_seconds': card['launch_seconds'] / 256}, 50), tolerance, 'memory')
    find(with_room(one_sm(card, 16), 208), tolerance, 'gemm', 'cache', 'intensity')
    part = with_room(one_sm(card, 64), 48)
    find(part, tolerance, 'memory', 'gemm', 'vector_peak', judges=('memory', 'vector_peak', 'ridge_points'))
    find(part, tolerance, 'divergence')
    find(part, tolerance, 'latency_hiding')


def case_card(name):
    name, _, noise = name.partition('_')
    kind = small if name in SMALL else large
    if not noise:
        kind(card_file(name, noise=0), 0.01)
    for seed in SEEDS[:len(SEEDS) if name in SMALL else 1] if noise else ():
        kind(card_file(name, noise=0.02, outliers=0.01, seed=seed), 0.03)


def case_plan():
    """One truth for all plans: what quick finds, standard finds."""
    card = card_file('tiny', noise=0)
    for plan in 'quick', 'standard':
        for experiment in 'transfer', 'memory_latency', 'divergence':
            find(card, 0.01, experiment, plan=plan)


# What the second card of a pair has beside the file's: nothing that NVML says is the same of both.
UNLIKE = {'link_generation': 3, 'link_width': 8, 'processes': 2, 'memory_clock_hz': 70e6, 'power_limit_watts': 33,
          'slowdown_celsius': 85, 'event_reasons': 1}
STATE = {  # in a row's telemetry: in the card's file
    'nvml_sm_clock_hz': 'clock_hz', 'memory_clock_hz': 'memory_clock_hz', 'power_watts': 'power_watts',
    'power_limit_watts': 'power_limit_watts', 'temperature_celsius': 'temperature_celsius',
    'link_generation': 'link_generation', 'link_width': 'link_width', 'event_reasons': 'event_reasons'}
FACTS = {  # in a device's facts: in the card's file
    'pci_id': 'pci_bus_id', 'processes': 'processes', 'link_width_max': 'link_width',
    'link_generation_max': 'link_generation', 'slowdown_celsius': 'slowdown_celsius',
    'power_limit_watts': 'power_limit_watts'}


def same(what, found, wanted):
    if found != wanted:
        problems.append(f'{what} is {found}, the card has {wanted}')


def case_pair():
    """CUDA and NVML list them in opposite orders; what is told of each card is its own."""
    first, second = card_file('pair')
    cards = [first | {'processes': 0, 'memory_clock_hz': 62e6}, second | UNLIKE]  # NVML tells whole MHz
    run = Run(cards, '-d', 'cuda', '-e', 'memory_latency', '--plan', 'quick')
    for index, card in enumerate(cards):
        rows = [row for row in run.rows('memory_latency') if row['device'] == f'cuda{index}']
        facts = [d['facts'] for d in run.result['devices'] if d['name'] == card['name']]
        if len(rows) != 1 or len(facts) != 1:
            problems.append(f'{len(rows)} rows and {len(facts)} devices of cuda{index}')
            continue
        compare(f'{card["name"]}: latency, s', rows[0]['value']['median'], card['memory_seconds'], 0.01)
        compare(f'{card["name"]}: clock, Hz', rows[0]['telemetry']['sm_clock_hz'], card['clock_hz'], 0.01)
        for name, member in STATE.items():
            same(f'{card["name"]}: {name}', rows[0]['telemetry'][name], card[member])
        for name, member in FACTS.items():
            same(f'{card["name"]}: {name}', facts[0][name], card[member])


def case_clock():
    """An idle card is brought to its clock before it is measured."""
    find(card_file('tiny', noise=0, clock_idle_hz=2e6), 0.01, 'vector_peak')


if __name__ == '__main__':
    case = sys.argv[3]
    globals().get('case_' + case, lambda: case_card(case))()
    end()
