#!/usr/bin/env python3
"""Checks who includes whom: test_layers.py SOURCE_FOLDER [BUILD_FOLDER]

The floors are those of the architecture: a folder may include its own files, the listed ones and
the system's headers. Exits 1 and names every include that goes up or sideways.
"""
import re
import sys
import tempfile
from pathlib import Path

BASE, REPORT, DEVICE, MEASURE = 'harness/base', 'harness/report', 'harness/device', 'harness/measure'
ANALYSIS, OUTPUT, COMMAND = 'harness/analysis', 'harness/output', 'harness/command'
KERNEL = 'kernels/kernel.h'

MAY_INCLUDE = {
    BASE: [],
    REPORT: [BASE],
    # the device runs kernels, and has instruments of its own (gate, clock, heater)
    DEVICE: [REPORT, BASE, KERNEL, 'kernels/instrument.h'],
    ANALYSIS: [REPORT, BASE],
    MEASURE: [DEVICE, REPORT, BASE, KERNEL],
    OUTPUT: [ANALYSIS, REPORT, BASE],
    COMMAND: [OUTPUT, MEASURE, ANALYSIS, DEVICE, REPORT, BASE],
    'harness': [COMMAND, BASE],
    'bench': [MEASURE + '/experiment.h', 'kernels', REPORT, BASE, DEVICE + '/device.h'],
    'bench/lessons': [MEASURE + '/lesson.h', REPORT, ANALYSIS, BASE],
}
# a kernel's files may include its own header (and what its own headers need), these, and the vendor's headers
KERNEL_COMMON = {KERNEL, 'kernels/ptx.h', 'kernels/fill.h', 'kernels/share.h',
                 DEVICE + '/cuda_libraries.h', DEVICE + '/libraries.h',
                 'tests/virtual_card/cuda_on_host.h'}
VENDOR_ONLY_IN_PTX = re.compile(r'\basm\s*(volatile)?\s*\(|__half\b|__nv_bfloat16|__shared__')


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if found:
            yield number, found[1]


def allowed(folder, target):
    own = target.startswith(folder + '/') and '/' not in target[len(folder) + 1:]
    return own or any(target == ok or target.startswith(ok + '/') for ok in MAY_INCLUDE[folder])


def kernel_allowed(path, target, root):
    stem = re.sub(r'(_host|_cuda)$', '', path.stem)
    return target == f'kernels/{stem}.h' or target in KERNEL_COMMON or (
        path.suffix == '.h' and target.startswith('kernels/')) or (
        target.startswith(f'kernels/{stem}') and target.endswith('.h'))


def check(root):
    problems = []
    for folder in MAY_INCLUDE:
        for path in sorted((root / folder).glob('*.[ch]')):
            for number, target in includes(path):
                if not allowed(folder, target):
                    problems.append(f'{path.relative_to(root)}:{number}: may not include {target}')
    for path in sorted((root / 'kernels').iterdir()):
        if path.suffix not in ('.c', '.h', '.cu'):
            continue
        for number, target in includes(path):
            if not kernel_allowed(path, target, root):
                problems.append(f'{path.relative_to(root)}:{number}: may not include {target}')
        if path.suffix == '.cu' and VENDOR_ONLY_IN_PTX.search(path.read_text()):
            problems.append(f'{path.relative_to(root)}: inline PTX and vendor-only words belong in ptx.h')
    names = [p.stem for p in (root / 'bench').glob('*.c')]
    for path in sorted((root / 'harness').rglob('*.[ch]')):
        for name in names:
            if re.search(rf'\bexperiment_{name}\b', path.read_text()):
                problems.append(f'{path.relative_to(root)}: names the experiment {name}')
    uses = [p for p in sorted(root.glob('*/**/*.[chu]*')) if p.suffix in ('.c', '.h', '.cu')
            and p.parts[len(root.parts)] in ('harness', 'kernels', 'bench')
            and re.search(r'#\s*(ifn?def\s+HAVE_CUDA|if.*\bHAVE_CUDA\b)', p.read_text())]
    if len(uses) > 2:
        problems.append('HAVE_CUDA is asked for in more than two places: '
                        + ', '.join(str(p.relative_to(root)) for p in uses))
    return problems


def self_test():
    """A tree with one wrong include must be refused, or this check checks nothing."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in MAY_INCLUDE:
            (root / name).mkdir(parents=True, exist_ok=True)
        (root / 'kernels').mkdir()
        (root / BASE / 'a.c').write_text('#include "harness/report/model.h"\n')
        (root / 'kernels' / 'x.cu').write_text('#include "harness/measure/runner.h"\nasm volatile("");\n')
        return len(check(root)) == 3


if __name__ == '__main__':
    if not self_test():
        sys.exit('test_layers: the check itself does not see a wrong include')
    found = check(Path(sys.argv[1]).resolve())
    print('\n'.join(found) or 'every include stays on its floor')
    sys.exit(1 if found else 0)
