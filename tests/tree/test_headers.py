#!/usr/bin/env python3
"""Every header compiles alone, as C: test_headers.py SOURCE_FOLDER [BUILD_FOLDER]"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NOT_ALONE = {'kernels/ptx.h'}  # C++
TOOLKIT_FOLDERS = [f'-I{f}' for f in ('/usr/local/cuda/include', 'build/toolkit/include') if Path(f).is_dir()]
TOOLKIT = re.compile(r'fatal error: (cuda\w*|cublas\w*|driver_types)\.h: No such file')


def compiles(root, header):
    done = subprocess.run(['cc', '-std=c11', '-D_GNU_SOURCE', '-I', str(root), *TOOLKIT_FOLDERS, '-Wall', '-Wextra', '-Wpedantic',
                           '-Werror', '-fsyntax-only', '-x', 'c', str(header)],
                          capture_output=True, text=True)
    if TOOLKIT.search(done.stderr):
        print(f'{header.name}: not checked, there is no CUDA toolkit')
        return ''
    return done.stderr if done.returncode else ''


def main(root):
    headers = [h for folder in ('harness', 'kernels') for h in sorted((root / folder).rglob('*.h'))
               if str(h.relative_to(root)) not in NOT_ALONE]
    with ThreadPoolExecutor(2) as pool:
        problems = [p for p in pool.map(lambda h: compiles(root, h), headers) if p]
    print('\n'.join(problems) or f'{len(headers)} headers compile alone')
    return 1 if problems or not headers else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1]).resolve()))
