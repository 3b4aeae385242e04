#!/usr/bin/env python3
"""Kernels that the compiler hollowed out are refused: planted.py SOURCE_FOLDER OBJECT...

Each object is a kernel file with a mistake planted in it (tests/truth/plant.py), named after the mistake. Skipped (77)
where NVIDIA's disassembler is missing."""
import csv
import re
import sys
from pathlib import Path

import sass
from test_machine_code import check

# mistake: the complaints that must come
CAUGHT = {
    'loop_removed': ['stream_read sm_.*"order LLLL" in loop does not hold',
                     'stream_read sm_.*"count LDG.* = 4" in loop does not hold: 0'],
    'branch_predicated': ['branch_arms_64_64 sm_.*"predicated FFMA = 0" in loop does not hold',
                          'branch_arms_64_64 sm_.*"count BSSY = 1" in loop does not hold: 0'],
}


def main(root, objects):
    folder = sass.tools(root)
    if not folder:
        print('skipped: nvdisasm and cuobjdump are not here')
        return 77
    rules = list(csv.DictReader((root / 'kernels/machine_code.csv').open()))
    missed = set(CAUGHT)
    for path in objects:
        mistake = next(name for name in CAUGHT if name in str(path))
        problems = [p for p in check(sass.disassemble([path], folder), rules) if not p.startswith('no kernel')]
        print(*problems, sep='\n')
        if all(any(re.search(wanted, p) for p in problems) for wanted in CAUGHT[mistake]):
            missed.discard(mistake)
    print('not caught: ' + ', '.join(missed) if missed else 'caught')
    return len(missed)


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1]).resolve(), [Path(name) for name in sys.argv[2:]]))
