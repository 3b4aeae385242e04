#!/usr/bin/env python3
"""The parts of the virtual card's time model, and what ridge says of each: test_model.py SOURCE BUILD [CASE...]

A small program measures a card whose mood is set, one part alone; then `ridge run` measures one like it.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'truth'))
import card_runs  # noqa: E402
from card_runs import Run, card_file, compare, end, problems  # noqa: E402

TRIAL = card_runs.BUILD / 'tests/virtual_card/virtual_trial'
FMAS = 64 * 1000  # of trial_pace, one after the other
COPY_BYTES, TICK = 400000, 0.5e-6  # events count half microseconds
MIB = 1 << 20


def expect(condition, complaint):
    if not condition:
        problems.append(complaint)


def trial(card, subject):
    """What the trial program says, by the first word of the line."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'card.json'
        path.write_text(json.dumps(card))
        done = subprocess.run([HERE / 'run', path, '--', TRIAL, subject], capture_output=True, text=True,
                              env=dict(os.environ, VIRTUAL_CARD_LIBRARIES=str(card_runs.LIBRARIES)),
                              timeout=card_runs.SECONDS)
    expect(done.returncode == 0, f'{subject}: status {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}')
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


def moods(**changes):
    """A card without noise unless asked for, and seconds by subject (ticks of the timer)."""
    card = card_file('tiny', **{'noise': 0, **changes})
    said = trial(card, 'moods')
    return card, {subject: [int(v) if subject == 'timer' else 1e-3 * float(v) for v in values]
                  for subject, values in said.items()}


def ridge(card, experiments, plan='quick'):
    """Memory for small buffers: a run takes a second or two."""
    card['memory_taken_bytes'] = card['memory_bytes'] - 64 * MIB
    return Run(card, '-d', 'cuda0', '--plan', plan, '-e', experiments)


def doubts(run, role):
    return {doubt for row in run.rows(role) for doubt in row['doubts']}


def pace(card, hz):
    return card['launch_seconds'] + FMAS * card['fma_cycles'] / hz


def clock():
    """It rises as METHOD 11 says; ridge heats the card first."""
    card, said = moods(clock_idle_hz=2e6)
    at = 0
    for i, seconds in enumerate(said['clock']):
        hz = card['clock_hz'] - (card['clock_hz'] - card['clock_idle_hz']) * math.exp(-at / 0.2)
        if i % 20 == 0:
            compare(f'launch after {at:.2f} s of work, s', seconds, pace(card, hz), 0.002)
        at += seconds
    expect(at > 1, f'the clock was watched for {at} s only')
    run = ridge(card, 'vector_peak')
    compare('FMA of a card that was idle, FLOP/s', run.figure('vector_peak', 'best', precision='fp32'),
            2 * card['fp32_lanes'] * card['sms'] * card['clock_hz'], 0.01)
    expect(not doubts(run, 'vector_peak') & {'throttled', 'clock_drift', 'clock_locked'},
           f'doubts about the clock: {doubts(run, "vector_peak")}')


def noise():
    """As wide as the file says, outliers apart; two seeds differ, one seed does not."""
    card, said = moods(noise=0.02, outliers=0.01, seed=5)
    usual = pace(card, card['clock_hz'])
    far = [s for s in said['noise'] if s > 1.3 * usual]
    near = [s for s in said['noise'] if s <= 1.3 * usual]
    compare('noise, of a duration', statistics.stdev(near) / usual, 0.02, 0.05)
    compare('mean without outliers, s', statistics.fmean(near), usual, 0.002)
    compare('outliers, of 2000 durations', len(far), 20, 0.5)  # more than two standard deviations
    compare('an outlier, s', statistics.fmean(far), 1.5 * usual, 0.02)
    expect(moods(noise=0.02, outliers=0.01, seed=5)[1] == said, 'the same seed tells another story')
    expect(moods(noise=0.02, outliers=0.01, seed=6)[1] != said, 'another seed tells the same story')


def timer():
    """The device's timer counts in steps, of which ridge takes as many as its figure needs."""
    card, said = moods(timer_seconds=1024e-9)
    steps = {b - a for a, b in zip(said['timer'], said['timer'][1:])}
    expect(steps == {0, 1024}, f'steps of {steps} ns')
    run = ridge(card, 'memory_latency')
    compare('latency by a coarse timer, s', run.figure('memory_latency', 'latency'), card['memory_seconds'], 0.01)


def link():
    """Asleep it is slow for the first 10 ms of traffic, as often as it falls asleep; ridge wakes it first."""
    card, said = moods(link_generation=3, link_generation_idle=1, link_generation_max=3,
                       link_wakes_seconds=10e-3)
    awake = card['link_seconds'] + COPY_BYTES / card['link_bytes_per_second']
    slow = 2 ** (card['link_generation'] - card['link_generation_idle'])
    for subject in 'link', 'link_again':
        compare(f'{subject}: the first copy, s', said[subject][0], slow * awake, 0.01)
        # 10 ms of traffic are a part of what was asked, and no more
        compare(f'{subject}: all copies, s', sum(said[subject]), len(said[subject]) * awake + 10e-3 * (1 - 1 / slow),
                0.01)
        compare(f'{subject}: the last copy, s', said[subject][-1], awake, 0.01)
    run = ridge(card, 'transfer')
    for role in 'host_to_device', 'device_to_host':
        compare(f'{role}, start-up s', run.figure(role, 'startup_seconds', memory='pinned'), card['link_seconds'],
                0.02)
        compare(f'{role}, B/s', run.figure(role, 'rate', memory='pinned'), card['link_bytes_per_second'], 0.02)
        largest = max(run.rows(role, memory='pinned'), key=lambda row: row['parameters']['bytes'])
        expect(largest['telemetry']['link_generation'] == 3,
               f'{role}: generation {largest["telemetry"]["link_generation"]} under load')


def power():
    """Products of random numbers meet the limit, those of zeros do not; ridge multiplies random ones, and says so."""
    card, said = moods(gemm_watts=40, power_limit_watts=36)
    zeros, random = (statistics.median(said[f'power_{data}'][1:]) for data in ('zeros', 'random'))
    compare('product of random numbers over one of zeros', random / zeros, 40 / 36, 0.005)
    card, said = moods(gemm_watts=40, power_limit_watts=27)
    zeros, random = (statistics.median(said[f'power_{data}'][1:]) for data in ('zeros', 'random'))
    compare('that on a card whose limit both meet', random / zeros, 1 / 0.75, 0.005)
    run = ridge(card_file('tiny', noise=0, gemm_watts=40, power_limit_watts=36), 'gemm')
    compare('FP32 GEMM at the limit, FLOP/s', run.figure('gemm', 'best', precision='fp32'),
            0.9 * card['gemm_fp32_flops'], 0.01)
    expect(doubts(run, 'gemm') == {'power_capped'}, f'doubts are {doubts(run, "gemm")}')
    watts = {row['telemetry']['power_watts'] for row in run.rows('gemm')}
    expect(watts == {36}, f'power is {watts} W')


def kink():
    """Pageable copies of up to 64 KiB are staged and sent, larger ones are a pipeline: rows on both sides."""
    card = card_file('tiny', noise=0, pageable_kink_bytes=64 * 1024, pageable_bytes_per_second=0.16e9)
    run = ridge(card, 'transfer', 'standard')
    rows = run.rows('host_to_device', memory='pageable')
    expect(len({row['parameters']['bytes'] <= 64 * 1024 for row in rows}) == 2, 'no rows on both sides of the kink')
    for row in rows:
        size = row['parameters']['bytes']
        rate = card['pageable_bytes_per_second'] if size > 64 * 1024 else \
            1 / (1 / card['host_copy_bytes_per_second'] + 1 / card['link_bytes_per_second'])
        # the host's clock sees the call and the wait for its end as well
        seconds = card['pageable_seconds'] + size / rate + card['launch_host_seconds']
        compare(f'pageable copy of {size} bytes, s', size / row['value']['median'], seconds,
                0.01 + 5e-6 / seconds)
    # the figures are those of the large copies' line
    compare('rate of large pageable copies, B/s', run.figure('host_to_device', 'rate', memory='pageable'),
            card['pageable_bytes_per_second'], 0.01)
    compare('their start-up, s', run.figure('host_to_device', 'startup_seconds', memory='pageable'),
            card['pageable_seconds'] + card['launch_host_seconds'], 0.2)


def one_engine():
    """With one copy engine copies queue in both directions; ridge does not ask for both at once."""
    trial(card_file('tiny', copy_engines=1), 'together')
    run = ridge(card_file('tiny', noise=0, copy_engines=1), 'transfer')
    reasons = {row['reason'] for row in run.result['measurements'] if row['role'] == 'bidirectional'}
    expect(reasons == {'the card has one copy engine: no copies both ways at once'}, f'reasons are {reasons}')


def levels():
    """Half of L2, all of it, memory: a step each in bandwidth and in latency; ridge's curves show them."""
    card = card_file('tiny', noise=0, l2_bytes=384 * 1024, l2_far_bytes_per_second=2e9, l2_seconds=2e-6,
                     l2_far_seconds=3e-6, memory_seconds=4e-6)
    run = ridge(card, 'cache,memory_latency', 'standard')
    truths = {64: ('l2_bytes_per_second', 'l2_seconds'), 256: ('l2_far_bytes_per_second', 'l2_far_seconds'),
              1024: ('memory_bytes_per_second', 'memory_seconds')}
    for kib, (rate, latency) in truths.items():
        compare(f'bandwidth of {kib} KiB, B/s', run.value('cache_bandwidth', bytes=kib * 1024), card[rate], 0.02)
        compare(f'latency of {kib} KiB, s', run.value('memory_latency', bytes=kib * 1024), card[latency], 0.001)


CASES = clock, noise, timer, link, power, kink, one_engine, levels

if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as root:
        # buffers of the host's caches' size are more than a test has time to fill
        (Path(root) / 'proc').mkdir()
        (Path(root) / 'proc/meminfo').write_text('MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n')
        os.environ['RIDGE_ROOT'] = root
        for case in CASES:
            if case.__name__ in sys.argv[3:] or not sys.argv[3:]:
                case()
    end()
