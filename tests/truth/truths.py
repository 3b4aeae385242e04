"""What a run must have found on a card, by experiment: each compares a run's figures with the card's file."""
from card_runs import NAN, compare, compare_interval, only

KNEE_SHARE = 0.9  # bench/knee.h
UNKNOWN_ROW = {'work': {'bytes': NAN, 'flops': NAN}, 'value': {'median': NAN}}


def launched(card, work, rate):
    """The rate of launches that each do so much work: no launch is free."""
    return work / (card['launch_seconds'] + work / rate)


def peak_of(card, lanes):
    return 2 * card[lanes] * card['sms'] * card['clock_hz']


def memory(run, card, tolerance):
    for operation, arrays in ('read', 1), ('copy', 2), ('triad', 3):
        rows = run.rows('memory_bandwidth', operation=operation)
        best = max(rows, key=lambda row: row['value']['median'], default=None)
        truth = launched(card, arrays * best['parameters']['bytes'],
                         card['memory_bytes_per_second']) if best else NAN
        compare(f'memory {operation}, B/s', run.figure('memory_bandwidth', 'best', operation=operation),
                truth, tolerance)


def cache(run, card, tolerance):
    row = only(run.rows('cache_bandwidth'), 'cache_bandwidth', {}, UNKNOWN_ROW)
    compare('L2, B/s', run.figure('cache_bandwidth', 'rate', level='L2'),
            launched(card, row['work']['bytes'], card['l2_bytes_per_second']), tolerance)


def intensity(run, card, tolerance):
    """The roofline itself: memory's slope, then the FMA units' ceiling."""
    for fmas in 1, 8, 64:
        row = only(run.rows('intensity', fmas=fmas), 'intensity', {'fmas': fmas}, UNKNOWN_ROW)
        bytes, flops = row['work']['bytes'], row['work']['flops']
        roof = min(peak_of(card, 'fp32_lanes'), flops / bytes * card['memory_bytes_per_second'])
        compare(f'{fmas} FMAs an element, FLOP/s', row['value']['median'], launched(card, flops, roof), tolerance)


def transfer(run, card, tolerance):
    """Pageable copies are fitted above 64 KiB where there are enough: there their start-up is a hundredth of them."""
    for role in 'host_to_device', 'device_to_host':
        for memory, of, call in ('pinned', 'link', 0), ('pageable', 'pageable', card['launch_host_seconds']):
            compare(f'{role} {memory}, B/s', run.figure(role, 'rate', memory=memory),
                    card[of + '_bytes_per_second'], tolerance)
            compare(f'{role} {memory}, start-up s', run.figure(role, 'startup_seconds', memory=memory),
                    card[of + '_seconds'] + call, tolerance * (4 if call else 1))
    compare('both ways over one', run.figure('bidirectional', 'both_over_one'), 2, tolerance)


def gemm(run, card, tolerance):
    peaks = {'fp32': card['gemm_fp32_flops'], 'fp16': card['tensor_fp16_flops']}
    if card['capability_major'] >= 8:
        peaks['tf32'] = card['tensor_tf32_flops']
    for precision, peak in peaks.items():
        best = run.the_figure('gemm', 'best', precision=precision, accumulate='fp32')
        size = best['parameters']['n']
        compare(f'GEMM {precision} of {size:.0f}, FLOP/s', best['value'],
                launched(card, 2 * size ** 3, peak), tolerance)


def memory_latency(run, card, tolerance):
    compare('latency, s', run.figure('memory_latency', 'latency'), card['memory_seconds'], tolerance)


def launch(run, card, tolerance):
    compare('launch, back to back, s', run.figure('launch', 'back_to_back'), card['launch_seconds'], tolerance)


def divergence(run, card, tolerance):
    compare('two paths over one', run.figure('divergence', 'ratio_at_half'), 2, tolerance)
    for paths in 2, 4, 8, 16, 32:
        compare(f'{paths} paths over one', run.figure('divergence', 'ratio_of_paths', paths=paths), paths,
                tolerance)
    compare('two paths by warp', run.figure('divergence', 'ratio_by_warp'), 1, tolerance)


def vector_peak(run, card, tolerance):
    for precision in 'fp32', 'fp64':
        compare(f'FMA {precision}, FLOP/s', run.figure('vector_peak', 'best', precision=precision),
                peak_of(card, precision + '_lanes'), tolerance)


def latency_hiding(run, card, tolerance):
    """A knee lies between two points; how the virtual card's curves bend there, sharply, ridge cannot know."""
    in_flight = card['memory_bytes_per_second'] * card['memory_seconds'] / card['sms']
    compare_interval('knee, B in flight on an SM', run.the_figure('latency_hiding', 'knee_bytes_in_flight'),
                     KNEE_SHARE * in_flight, tolerance)
    compare_interval('knee, warps with a chain of FMAs',
                     run.the_figure('latency_hiding', 'knee_warps', operation='fma', ilp=1),
                     KNEE_SHARE * card['fp32_lanes'] * card['fma_cycles'] / 32, tolerance)
    compare('latency by Little, s', run.figure('latency_hiding', 'implied_latency'),
            card['memory_seconds'], tolerance)
    compare('loads, B/s', run.figure('latency_hiding', 'saturated', ilp=4, access_bytes=16),
            card['memory_bytes_per_second'], tolerance)


def overlap(run, card, tolerance, pieces=8):
    """One piece goes through all stages and the others follow it through the longest; how long the work takes ridge
    itself chooses."""
    work = run.value('overlap', stage='work', pieces=1)
    bytes = run.rows('overlap')[0]['parameters']['bytes'] if run.rows('overlap') else NAN
    starts = card['link_seconds'], card['launch_seconds'], card['link_seconds']
    wholes = [start + bytes / card['link_bytes_per_second'] for start in starts]
    wholes[1] = work
    piece = [start + (whole - start) / pieces for start, whole in zip(starts, wholes)]
    piped = sum(piece) + (pieces - 1) * max(piece)
    compare(f'saved by {pieces} pieces', run.figure('overlap', 'saved', memory='pinned', pieces=pieces),
            (sum(wholes) - piped) / (sum(wholes) - max(wholes)), tolerance)


def ridge_points(run, card, tolerance):
    truths = {'FP32 FMA': peak_of(card, 'fp32_lanes'), 'FP32 GEMM': card['gemm_fp32_flops']}
    for name, peak in truths.items():
        found = [p['flop_per_byte'] for p in run.result['ridge_points']
                 if p['compute'] == name and p['source'] == 'measured']
        compare(f'ridge point of {name}, FLOP/B', found[0] if found else NAN,
                peak / card['memory_bytes_per_second'], tolerance)
