#!/usr/bin/env python3
"""The virtual card's residency is that of what ptxas said: test_residency.py SOURCE BUILD

Each kernel's line is worked out again here, from the log of nvcc and the rule of the hardware: registers go to
warps in units of 256, warps to a quarter of an SM each, shared memory to blocks in units of 128 bytes.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
THREADS, REGISTER_UNIT, SHARED_UNIT, QUARTERS = 256, 256, 128, 4
HERE = SOURCE / 'tests/virtual_card'


def round_up(value, unit):
    return -(-value // unit) * unit


def ptxas(kernel):
    """(registers, static shared bytes) of the lowest architecture built."""
    said = {}
    for log in (BUILD / 'tests/virtual_card').rglob('*.cu.o.ptxas'):
        for part in re.split(r'(?=Compiling entry function)', log.read_text()):
            if found := re.match(rf"Compiling entry function '{kernel}' for 'sm_(\d+)", part):
                shared = re.search(r'(\d+) bytes smem', part)
                said[int(found[1])] = (int(re.search(r'Used (\d+) registers', part)[1]),
                                       int(shared[1]) if shared else 0)
    return said[min(said)]


def blocks(card, registers, shared):
    warps = THREADS // 32
    a_quarter = card['registers_per_sm'] // QUARTERS // round_up(32 * registers, REGISTER_UNIT)
    each = round_up(shared + card['shared_bytes_reserved'], SHARED_UNIT)
    return min(card['threads_per_sm'] // THREADS, card['blocks_per_sm'], QUARTERS * a_quarter // warps,
               card['shared_bytes_per_sm'] // each)


card = json.loads((HERE / 'cards/tiny.json').read_text())
done = subprocess.run([HERE / 'run', 'tiny', '--', BUILD / 'tests/virtual_card/virtual_trial', 'residency'],
                      capture_output=True, text=True, timeout=120,
                      env=dict(os.environ, VIRTUAL_CARD_LIBRARIES=str(BUILD / 'tests/virtual_card/lib')))
print(done.stdout, done.stderr)
problems = [f'exit status {done.returncode}'] if done.returncode else []
limits = {'trial_wide': 'registers', 'trial_roomy': 'shared memory'}
for kernel, limit in limits.items():
    registers, shared = ptxas(kernel)
    wanted = f'{kernel} {registers} registers {shared} bytes {blocks(card, registers, shared)} blocks'
    if wanted not in done.stdout:
        problems.append(f'not said: {wanted}')
    if blocks(card, registers, shared) == blocks(card, 32, 0):
        problems.append(f'{kernel} is not limited by its {limit}')
print('\n'.join(problems) or 'fine')
sys.exit(1 if problems else 0)
