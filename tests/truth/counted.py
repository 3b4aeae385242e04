"""What a row says that one execution did, against what the virtual card counted when it did it: the bytes by the
compiler's instrumentation, the flops by the twins of kernels/ptx.h.  A row's work comes from kernels/NAME.h."""
import re

from card_runs import problems

LINE = re.compile(r'kernel work of (\w+): (\d+) B, (\d+) FMA, (\d+) times')
STREAM_FLOPS = {'read': 1, 'write': 0, 'copy': 0, 'scale': 1, 'add': 1, 'triad': 2}
ARMS = {'no_branch': 'straight', 'split': 'arms_64_64', 'unequal': 'arms_256_64', 'select': 'select',
        'short_paths': 'ladder_64'}


class Account:
    """Who does the work of a row, how much of the row's it is, and what may come on top."""

    def __init__(self, who, bytes=None, flops=None, beside=0):
        self.who, self.bytes, self.flops, self.beside = who, bytes, flops, beside


def memory(row):
    operation, variant = (row['parameters'][name] for name in ('operation', 'variant'))
    elements = row['parameters']['bytes'] / 4
    if row['work']['flops'] != STREAM_FLOPS[operation] * elements:
        problems.append(f'{operation}: {row["work"]["flops"]} flops are declared')  # plain ones are not counted
    return Account('stream_' + operation + ('_once' if variant == 'one_shot' else ''), row['work']['bytes'])


def gemm(row):
    return Account('product', row['work']['bytes'], row['work']['flops'])


def vector_peak(row):
    double = 'fp64_' if row['parameters']['precision'] == 'fp64' else ''
    return Account(f'fma_{double}{row["parameters"]["ilp"]:.0f}x256', flops=row['work']['flops'])


def divergence(row):
    pattern = row['parameters']['pattern']
    kept = 0.5 if pattern == 'select' else 1  # both arms are computed, one is kept
    return Account('branch_' + ARMS.get(pattern, 'ladder_256'), flops=row['work']['flops'] / kept)


def latency_hiding(row):
    p, work = row['parameters'], row['work']
    if p['operation'] == 'fma':
        return Account(f'hide_fma_{p["ilp"]:.0f}', flops=work['flops'])
    # Threads write a sum, blocks where and when they were.
    return Account(f'hide_load_{p["access_bytes"]:.0f}_{p["ilp"]:.0f}', work['bytes'], beside=0.01)


def cache(row):
    return Account('window_read', row['work']['bytes'], beside=0.01)  # and a sum for each thread


def intensity(row):
    fmas = row['parameters']['fmas']
    return Account('intensity_' + (f'{fmas:.0f}' if fmas <= 16 else 'loop'), row['work']['bytes'],
                   row['work']['flops'], beside=0.01)  # likewise


def memory_latency(row):
    # A walk that is not timed comes before the one that is; where it starts, ends and how long it took.
    return Account('chase', 2 * 4 * row['work']['operations'] + 16)


def transfer(row):
    halves = 2 if row['parameters'].get('direction') == 'sum' else 1
    return Account('copy_out' if 'device_to_host' in (row['role'], row['parameters'].get('direction')) else 'copy_in',
                   row['work']['bytes'] / halves)


def launch(row):
    return Account('instrument_empty', 0, 0)


UNCOUNTED = 'host_memcpy', 'overlap'  # the host's own; an array's way through the card declares no bytes, no flops
ACCOUNTS = {f.__name__: f for f in (memory, cache, gemm, vector_peak, intensity, divergence, latency_hiding,
                                    memory_latency, transfer, launch)}


def matches(counted, declared, beside):
    return declared is None or declared <= counted <= declared * (1 + beside)


def check(run):
    """Each row's executions were so often counted as its samples have them, each with the work that it declares."""
    done = [(who, float(bytes), 2 * float(fmas), int(times)) for who, bytes, fmas, times in LINE.findall(run.log)]
    checked = 0
    for row in run.result['measurements']:
        if row['status'] != 'ok' or row['role'] in UNCOUNTED:
            continue
        if row['experiment'] not in ACCOUNTS:
            problems.append(f'counted.py does not know who does the work of {row["experiment"]}')
            continue
        a = ACCOUNTS[row['experiment']](row)
        times = sum(t for who, bytes, flops, t in done if who == a.who and matches(bytes, a.bytes, a.beside)
                    and matches(flops, a.flops, 0))
        checked += 1
        if times < row['value']['n'] * row['repetitions']:
            problems.append(f'{row["role"]} {row["parameters"]} declares {row["work"]} of {row["value"]["n"]} x '
                            f'{row["repetitions"]} executions; the card counted {times} of {a.who}')
    if not checked and any(row['role'] not in UNCOUNTED for row in run.result['measurements']):
        problems.append('no row whose work could be compared')
