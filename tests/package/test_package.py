#!/usr/bin/env python3
"""The tarball runs from any folder and brings what it needs: test_package.py BUILD_FOLDER VERSION

Packs, unpacks elsewhere, runs the program there without the environment, and checks that every library that anything in
it needs is packed too or belongs to every Linux (glibc).
"""
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

EVERY_LINUX = re.compile(r'(ld-linux.*|lib(c|m|dl|rt|pthread))\.so\.\d+')


def needed(path):
    done = subprocess.run(['readelf', '-d', path], capture_output=True, text=True)
    return re.findall(r'\(NEEDED\).*\[(.+)\]', done.stdout)


def unpack(build, scratch):
    done = subprocess.run(['cpack', '--config', build / 'CPackConfig.cmake', '-B', scratch / 'packed'], cwd=scratch,
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f'cpack failed: {done.stdout}{done.stderr}')
    with tarfile.open(next((scratch / 'packed').glob('*.tar.gz'))) as tar:
        tar.extractall(scratch / 'elsewhere')
    return next((scratch / 'elsewhere').iterdir())


def main(build, version):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        root = unpack(build, Path(folder))
        packed = {p.name for p in (root / 'lib').iterdir()}
        for path in [root / 'bin/ridge', *(root / 'lib').iterdir()]:
            problems += [f'{path.name} needs {name}, which is not packed' for name in needed(path)
                         if name not in packed and not EVERY_LINUX.fullmatch(name)]
        for words in (['--version'], ['list'], ['cards', 'h100']):
            done = subprocess.run([root / 'bin/ridge', *words], capture_output=True, text=True, env={}, cwd='/')
            if done.returncode:
                problems.append(f'ridge {" ".join(words)} ends with {done.returncode}: {done.stderr.strip()}')
            elif words == ['--version'] and version not in done.stdout:
                problems.append(f'--version says {done.stdout.strip()}, not {version}')
        print('\n'.join(problems) or f'{len(packed)} libraries packed, nothing else needed')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2]))
