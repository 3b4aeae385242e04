#!/usr/bin/env python3
"""In a build with sanitizers every kernel of kernels/ was executed under them: test_checked.py SOURCE BUILD"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
HERE, BUILT = SOURCE / 'tests/virtual_card', BUILD / 'tests/virtual_card'
SECONDS = 300
problems, checked = [], set()


def run(folder, *command):
    """Runs it on the smallest card; notes which kernels were checked."""
    log, root = folder / 'log', folder / 'root'
    (root / 'proc').mkdir(parents=True, exist_ok=True)
    (root / 'proc/meminfo').write_text('MemTotal: 65536 kB\nMemAvailable: 32768 kB\n')
    done = subprocess.run([HERE / 'run', 'mite', '--', *command], capture_output=True, text=True, timeout=SECONDS,
                          env=dict(os.environ, VIRTUAL_CARD_LIBRARIES=str(BUILT / 'lib'), RIDGE_ROOT=str(root),
                                   RIDGE_VIRTUAL_LOG=str(log), RIDGE_VIRTUAL_SLOWNESS='20'))
    if done.returncode not in (0, 3):  # 3: this card has no room for the experiment
        problems.append(f'{command}: status {done.returncode}; stderr ends: {done.stderr[-2000:]}')
    checked.update(re.findall(r'^kernel (\w+): .*, [1-9]\d* checked$', log.read_text(), re.M))


kernels = {name for unit in (BUILT / 'units').glob('*.cpp') if not unit.name.startswith('trial')
           for name in re.findall(r'^VIRTUAL_KERNEL\((\w+)\)', unit.read_text(), re.M)}
with tempfile.TemporaryDirectory() as temporary:
    for experiment in (path.stem for path in (SOURCE / 'bench').glob('*.c')):
        run(Path(temporary), BUILD / 'ridge', 'run', '-d', 'cuda0', '-e', experiment, '--plan', 'standard', '-o',
            Path(temporary) / 'out')
    run(Path(temporary), BUILT / 'virtual_trial')
print(f'{len(kernels & checked)} of {len(kernels)} kernels were executed under the sanitizers')
problems += [f'{name} was not executed under the sanitizers' for name in sorted(kernels - checked)]
print('\n'.join(problems) or 'fine')
sys.exit(1 if problems or not kernels else 0)
