"""How often `ridge compare` errs on pairs of runs of which the truth is known.  test_error_rates.py SOURCE BUILD [NOISE]

Runs of matrix products on a virtual card: of the same card under other seeds of its noise, and of one
that is 3 % slower.  Exits 77 where this build has no virtual card.
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE, BUILD = (Path(word).resolve() for word in sys.argv[1:3])
NOISE = float(sys.argv[3]) if len(sys.argv) > 3 else 0.01  # relative standard deviation of a sample
PAIRS, SLOWER = 24, 0.97
ALARMS_MOST, FOUND_LEAST = 0.05, 0.90
FIGURES = ('FP32 GEMM', 'TF32 GEMM', 'FP16 GEMM', 'BF16 GEMM', 'INT8 GEMM')
SPEEDS = ('gemm_fp32_flops', 'tensor_tf32_flops', 'tensor_fp16_flops')
CARD = json.loads((SOURCE / 'tests/virtual_card/cards/mite.json').read_text())


def measure(folder, name, seed, factor):
    """One run; the path of its result."""
    own = folder / name
    own.mkdir()
    card = {**CARD, 'noise': NOISE, 'seed': seed, **{s: CARD[s] * factor for s in SPEEDS}}
    (own / 'card.json').write_text(json.dumps(card))
    run = subprocess.run([SOURCE / 'tests/virtual_card/run', own / 'card.json', '--', BUILD / 'ridge', 'run',
                          '-d', 'cuda0', '-e', 'gemm', '--plan', 'quick', '-f', 'json', '-o', own / 'out'],
                         capture_output=True, timeout=60, check=False)
    saved = sorted((own / 'out').glob('*.json'))
    if run.returncode not in (0, 1) or not saved:
        sys.exit(f'{name}: the run ended with {run.returncode}: {run.stderr.decode()[-300:]}')
    return saved[0]


def verdicts(a, b):
    """Of the second against the first, by figure."""
    run = subprocess.run([BUILD / 'ridge', 'compare', '-f', 'json', a, b], capture_output=True, timeout=60, check=True)
    said = {f['figure']: f['of'][1]['verdict'] for f in json.loads(run.stdout)['figures']}
    return [said[figure] for figure in FIGURES]


def main():
    if not (BUILD / 'tests/virtual_card/lib').is_dir():
        print('skipped: no virtual card in this build')
        return 77
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = Path(scratch)
        first = list(pool.map(lambda i: measure(folder, f'first{i}', 1 + i, 1), range(PAIRS)))
        again = list(pool.map(lambda i: measure(folder, f'again{i}', 1001 + i, 1), range(PAIRS)))
        slower = list(pool.map(lambda i: measure(folder, f'slower{i}', 2001 + i, SLOWER), range(PAIRS)))
        same = [v for pair in pool.map(verdicts, first, again) for v in pair]
        less = [v for pair in pool.map(verdicts, first, slower) for v in pair]
    alarms = sum(v in ('faster', 'slower') for v in same) / len(same)
    found, turned = less.count('slower') / len(less), less.count('faster')
    print(f'noise {NOISE:.1%}: false alarms {alarms:.1%} of {len(same)} ({same.count("same")} same, '
          f'{same.count("unclear")} unclear); 3 % found in {found:.1%} of {len(less)}, called faster {turned} times')
    return 0 if alarms < ALARMS_MOST and found >= FOUND_LEAST and turned == 0 else 1


sys.exit(main())
