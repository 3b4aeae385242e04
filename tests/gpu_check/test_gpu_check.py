#!/usr/bin/env python3
"""scripts/gpu-check, packed and unpacked elsewhere, on the virtual card: test_gpu_check.py SOURCE BUILD

The tools that only a machine with a card has are stood in for: what they print is read, good and bad.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE, BUILD = (Path(word).resolve() for word in sys.argv[1:3])
PACKED_MOST = 64 << 20
EVERY_LINUX = re.compile(r'(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv))\.so')

# What is measured goes on as it would; ncu's counts are the declared ones times FACTOR.
NCU = '''#!/usr/bin/env python3
import json, os, subprocess, sys
from pathlib import Path
words = sys.argv[1:]
def after(name):
    return words[words.index(name) + 1]
program = words[next(i for i, w in enumerate(words) if w.endswith('/ridge')):]
subprocess.run(program, check=True)
if os.environ.get('DENIED'):
    Path(after('--log-file')).write_text('==ERROR== %s\\n' % os.environ['DENIED'])
    sys.exit(1)
saved = next(Path(program[program.index('-o') + 1]).glob('*.json'))
kernel = after('--kernel-name')
for row in json.loads(saved.read_text())['measurements']:
    p = row['parameters']
    if kernel == 'stream_read' and p.get('operation') == 'read' and p.get('variant') == 'grid_stride':
        value = row['work']['bytes']
    if kernel == 'fma_4x256' and p.get('precision') == 'fp32' and p.get('ilp') == 4:
        value = row['work']['flops'] / 2
Path(after('--log-file')).write_text(
    '==PROF== Connected to process 1\\n"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\\n'
    '"0","1","%s(const float4 *, unsigned long)","%s","","%s"\\n'
    % (kernel, after('--metrics'), format(int(value * float(os.environ['FACTOR'])), ',')))
'''
SANITIZER = '''#!/bin/sh
while [ $# -gt 0 ]; do case $1 in */ridge) break ;; esac; shift; done
[ -z "${UNSUPPORTED:-}" ] || { echo '========= Error: Device not supported'; exit 1; }
"$@" || exit
echo "========= ERROR SUMMARY: ${ERRORS:-0} errors"
[ "${ERRORS:-0}" = 0 ] || exit 9
'''
TORCH = '''import json, sys
print(json.dumps({'host_to_device': 2e7, 'device_to_host': 2e7, 'fp16_gemm': 1.6e9}))
sys.exit(0)
'''
SMALL = ['--plan', 'quick']


def unpack(folder):
    packed = Path(folder) / 'ridge-gpu.tar.gz'
    subprocess.run([SOURCE / 'scripts/gpu-check', '--build', BUILD, '--pack', packed], check=True)
    assert packed.stat().st_size < PACKED_MOST
    subprocess.run(['tar', 'xf', packed], cwd=folder, check=True)
    return Path(folder) / 'ridge-gpu'


class GpuCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix='ridge-gpu-check-')
        cls.folder = Path(cls.scratch.name)
        cls.packed = unpack(cls.folder)
        tools = cls.folder / 'tools'
        tools.mkdir()
        for name, text in (('ncu', NCU), ('compute-sanitizer', SANITIZER), ('torch.py', TORCH)):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def check(self, *words, tools=True, out='out', **variables):
        """Exit status, and the table by step: (outcome, detail)."""
        root = self.folder / 'root/proc'
        root.mkdir(parents=True, exist_ok=True)
        (root / 'meminfo').write_text('MemTotal: 65536 kB\nMemAvailable: 32768 kB\n')
        path = '/usr/bin:/bin'
        words_of_tools = {'PATH': f'{self.folder}/tools:{path}', 'PYTHONPATH': f'{self.folder}/tools'}
        done = subprocess.run(
            [SOURCE / 'tests/virtual_card/run', 'brisk', '--', self.packed / 'scripts/gpu-check', '-o',
             self.folder / out, *words], cwd=self.folder, capture_output=True, text=True, timeout=500, check=False,
            env={'PATH': path, 'LC_ALL': 'C.UTF-8', 'RIDGE_ROOT': str(root.parent), **(words_of_tools if tools else {}),
                 'VIRTUAL_CARD_LIBRARIES': str(BUILD / 'tests/virtual_card/lib'), 'FACTOR': '1', **variables})
        summary = self.folder / out / 'summary.txt'
        self.assertTrue(summary.exists(), done.stderr)
        rows = [re.match(r'(.+?) {2,}(\w+) ?(.*)', line) for line in summary.read_text().splitlines()[:-1]]
        return done.returncode, {r[1].strip(): (r[2], r[3].strip()) for r in rows}

    def test_libraries_are_brought_along(self):
        packed = {p.name for p in (self.packed / 'lib').iterdir()}
        self.assertTrue(any(n.startswith('libcudart') for n in packed))
        self.assertFalse([n for n in packed if 'cublas' in n or n.startswith(('libcuda.', 'libnvidia'))])
        for path in [*(self.packed / 'bin').iterdir(), *(self.packed / 'lib').iterdir()]:
            said = subprocess.run(['readelf', '-d', path], capture_output=True, text=True, check=True).stdout
            for name in re.findall(r'\(NEEDED\).*\[(.+)\]', said):
                self.assertTrue(name in packed or EVERY_LINUX.match(name), f'{path.name} needs {name}')
        subprocess.run([self.packed / 'bin/ridge', 'list'], env={}, cwd='/', check=True, capture_output=True)

    def test_all_of_it(self):
        status, table = self.check(*SMALL)
        self.assertEqual({step: row for step, row in table.items() if row[0] == 'FAILED'}, {})
        self.assertEqual(status, 0)
        self.assertEqual(table['card'][0], 'VIRTUAL')
        for step in ('ridge run --plan quick', 'ridge check', 'counters of stream_read', 'counters of fma_4x256',
                     'compute-sanitizer divergence', 'compute-sanitizer memory_latency', 'test_device on the card',
                     'test_bench on the card', 'PyTorch host_to_device', 'PyTorch fp16_gemm'):
            self.assertEqual(table[step][0], 'passed', step)
        self.assertIn('ridge / PyTorch', table['PyTorch fp16_gemm'][1])
        self.assertIn('(+0.00 %)', table['counters of stream_read'][1])
        saved = next((self.folder / 'out').glob('*.json'))
        self.assertTrue(json.loads(saved.read_text())['environment']['virtual'])
        self.assertTrue((self.folder / 'out/report.html').exists())

    def test_what_a_machine_lacks_is_said(self):
        status, table = self.check('--only', 'pytorch', '--only', 'counters', '--only', 'sanitizer', tools=False,
                                   out='lacks')
        self.assertEqual(status, 0)
        for step in ('PyTorch', 'hardware counters', 'compute-sanitizer'):
            self.assertEqual(table[step][0], 'skipped', step)
            self.assertTrue(table[step][1].startswith('because '), table[step])

    def test_what_a_tool_finds_fails(self):
        status, table = self.check('--only', 'counters', '--only', 'sanitizer', out='bad', FACTOR='1.05', ERRORS='3')
        self.assertEqual(status, 1)
        for step in ('counters of stream_read', 'counters of fma_4x256', 'compute-sanitizer divergence'):
            self.assertEqual(table[step][0], 'FAILED', step)
        self.assertIn('3 errors', table['compute-sanitizer divergence'][1])
        self.assertRegex(table['counters of stream_read'][1], r'counted \S+, declared \S+ \(\+5\.0')

    def test_tools_that_do_not_work_here(self):
        for said, why in (('ERR_NVGPUCTRPERM - The user does not have permission', 'this user may not read them'),
                          ('Failed to initialize the profiler', 'ncu says: Failed to initialize the profiler')):
            status, table = self.check('--only', 'counters', out=f'denied-{len(said)}', DENIED=said)
            self.assertEqual(status, 0)
            self.assertEqual(table['counters of stream_read'], ('skipped', f'because {why}'))
        status, table = self.check('--only', 'sanitizer', out='unsupported', UNSUPPORTED='1')
        self.assertEqual(status, 0)
        self.assertEqual(table['compute-sanitizer divergence'][0], 'skipped')

    def test_a_virtual_card_leaves_nothing_with_the_measured(self):
        done = subprocess.run([self.packed / 'scripts/gpu-check', '-o', self.packed / 'results/measured/here'],
                              env={**os.environ, 'RIDGE_VIRTUAL_CARD': 'mite'}, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn('does not belong below results/measured', done.stderr)


if __name__ == '__main__':
    if not (BUILD / 'tests/virtual_card/lib').is_dir() or not shutil.which('patchelf'):
        print('skipped: no virtual card in this build, or no patchelf')
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
