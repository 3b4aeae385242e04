#!/usr/bin/env python3
"""No kernel spills registers: test_spills.py SOURCE_FOLDER BUILD_FOLDER

Reads what ptxas said of every kernel and architecture (the build keeps it beside each object). Skipped
(77) in a build without CUDA.
"""
import re
import sys
from pathlib import Path

FUNCTION = re.compile(r"Compiling entry function '(\w+)' for '(sm_\w+)'")
SPILLS = re.compile(r'(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads')


def read(log):
    """(kernel, architecture, bytes spilled) for every kernel that a log speaks of."""
    kernel = None
    for line in log.splitlines():
        if found := FUNCTION.search(line):
            kernel = found.groups()
        elif (found := SPILLS.search(line)) and kernel:
            yield (*kernel, int(found[2]) + int(found[3]))
            kernel = None


def main(build):
    sample = ("ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
              "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n")
    if list(read(sample)) != [('k', 'sm_90', 8)]:
        print('test_spills: the check itself does not see a spill')
        return 1
    logs = list(build.rglob('*.ptxas'))
    if not logs:
        print('skipped: this build holds no CUDA kernels')
        return 77
    kernels = [k for log in logs for k in read(log.read_text())]
    spilled = [k for k in kernels if k[2]]
    for name, arch, size in spilled:
        print(f'{name} for {arch}: {size} bytes spilled')
    print(f'{len({k[0] for k in kernels})} kernels, {len({k[1] for k in kernels})} architectures, '
          f'{len(spilled)} spill')
    return 1 if spilled or not kernels else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[2]).resolve()))
