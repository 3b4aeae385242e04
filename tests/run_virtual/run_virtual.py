#!/usr/bin/env python3
"""Runs the shipped binary on a virtual card: run_virtual.py SOURCE BUILD CASE

CASE: all (every experiment, answers checked), sustained (which quick leaves out), symbols (the stand-ins have what ridge asks for), folder
(the machine is a folder of the test), or a fault (no_device, old_driver, no_kernel_image, pinned_refused, pinned_limited, cublas_missing,
nvml_missing).
Exits 77 (skipped) where Python has no jsonschema.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print('skipped: Python has no jsonschema')
    sys.exit(77)

SOURCE, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
RIDGE, LIBRARIES = BUILD / 'ridge', BUILD / 'tests/virtual_card/lib'
SECONDS = 300  # a run takes seconds; more means that it hangs
QUICK_SECONDS = 10  # all experiments on the tiny card, on a machine that does nothing else
problems = []


def expect(condition, complaint):
    if not condition:
        problems.append(complaint)


def write_files(folder, files):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# Buffers of the caches' size are more than a test has time to fill.
SMALL_HOST = {'proc/meminfo': 'MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n'}


class Run:
    """One `ridge run` on a virtual card, what it saved, the processor time it took and what the stand-in says
    of it.  `files`: the system's, by path."""

    def __init__(self, *arguments, fault='', card='tiny', files=None):
        with tempfile.TemporaryDirectory() as folder:
            log, root = Path(folder) / 'card.log', Path(folder) / 'root'
            write_files(root, files or SMALL_HOST)
            environment = dict(os.environ, RIDGE_VIRTUAL_FAULT=fault, RIDGE_VIRTUAL_LOG=str(log),
                               RIDGE_ROOT=str(root), NO_COLOR='1', LC_ALL='C.UTF-8')
            if files:
                environment['HWLOC_FSROOT'] = str(root)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [SOURCE / 'tests/virtual_card/run', card, '--', RIDGE, 'run', '-o', folder,
                 *arguments], env=environment, capture_output=True, text=True, timeout=SECONDS)
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.processor_seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            saved = sorted(Path(folder).rglob('*.json'))
            self.result = json.loads(saved[-1].read_text()) if saved else None
            self.log = log.read_text() if log.exists() else ''
        if 'ERROR: AddressSanitizer' in self.err or 'runtime error:' in self.err:
            problems.append('a sanitizer spoke:\n' + self.err)
        if self.result:
            schema = json.loads((SOURCE / 'results/schema.json').read_text())
            for error in jsonschema.Draft202012Validator(schema).iter_errors(self.result):
                path = '.'.join(map(str, error.absolute_path))
                problems.append(f'the result is not valid: {path}: {error.message}')

    def rows(self, **wanted):
        rows = self.result['measurements'] if self.result else []
        return [r for r in rows if all(r[name] == value for name, value in wanted.items())]

    def expect_sound(self, statuses=('ok', 'skipped')):
        """Nothing wrong or without a reason; nothing left in the card's memory."""
        for row in self.rows():
            name = f"{row['experiment']} {row['role']} {row['parameters']}"
            expect(row['status'] in statuses, f"{name}: {row['status']}: {row['reason']}")
            if row['status'] == 'ok':
                expect(row['check'] in ('ok', 'none'), f"{name}: check is {row['check']}")
                expect(row['value']['median'] > 0, f'{name}: no value')
            else:
                expect(row['reason'], f'{name}: {row["status"]} without a reason')
        expect('allocations left: 0\n' in self.log, 'memory was left behind: ' + self.log[:40])

    def expect_status(self, status):
        expect(self.status == status,
               f'exit status {self.status} instead of {status}; stderr ends: {self.err[-600:]}')


def experiments():
    return sorted(path.stem for path in (SOURCE / 'bench').glob('*.c')
                  if f'experiment_{path.stem} =' in path.read_text())


def within(value, truth, tolerance, what):
    expect(abs(value / truth - 1) <= tolerance, f'{what} is {value:.4g}, the card has {truth:.4g}')


def median_of(run, role, **parameters):
    """Of the row with so much; the largest where there are several."""
    rows = [row for row in run.rows(role=role, status='ok')
            if all(row['parameters'].get(name) == value for name, value in parameters.items())]
    if not rows:
        problems.append(f'no row {role} with {parameters}')
        return float('nan')
    return max(rows, key=lambda row: row['parameters'].get('bytes', row['parameters'].get('n', 0)))['value']['median']


def check_truth(run):
    """The headlines are what the card's file says."""
    card = json.loads((SOURCE / 'tests/virtual_card/cards/tiny.json').read_text())
    peak = 2 * card['fp32_lanes'] * card['sms'] * card['clock_hz']
    within(median_of(run, 'memory_bandwidth', operation='triad'),
           card['memory_bytes_per_second'], 0.01, 'triad')
    within(median_of(run, 'host_to_device', memory='pinned'), card['link_bytes_per_second'], 0.02,
           'pinned rate')
    within(median_of(run, 'host_to_device', memory='pageable'), card['pageable_bytes_per_second'],
           0.02, 'pageable rate')
    within(median_of(run, 'memory_latency'), card['memory_seconds'], 0.01, 'latency')
    within(median_of(run, 'vector_peak', precision='fp32', ilp=4), peak, 0.02, 'FP32 FMA')
    within(median_of(run, 'gemm', precision='fp32'), card['gemm_fp32_flops'], 0.02, 'FP32 GEMM')
    within(median_of(run, 'gemm', precision='tf32'), card['tensor_tf32_flops'], 0.02, 'TF32 GEMM')
    halves = [f['value'] for f in run.result['figures'] if f['name'] == 'ratio_at_half']
    expect(len(halves) == 1, f'{len(halves)} figures ratio_at_half')
    if halves:
        within(halves[0], 2, 0.02, 'time of two paths over one')


def case_all():
    run = Run('-d', 'cuda0', '--plan', 'quick')
    run.expect_status(0)
    run.expect_sound()
    if not run.result:
        return
    expect(run.result['complete'] is True, 'the result is not complete')
    expect(run.result['environment']['virtual'] is True, 'the result does not say that it is virtual')
    expect('VIRTUAL CARD' in run.out, 'the report does not say that the card is virtual')
    for experiment in experiments():
        rows = run.rows(experiment=experiment, status='ok')
        # quick does not ask for sustained work at all; case sustained does
        expect(bool(rows) == (experiment != 'sustained'), f'{experiment}: {len(rows)} rows are ok')
    check_truth(run)
    print(f'{run.processor_seconds:.1f} s of processor time')
    if not is_sanitized():
        expect(run.processor_seconds < QUICK_SECONDS, f'all experiments took {run.processor_seconds:.1f} s')


def is_sanitized():
    listed = subprocess.run(['nm', '-D', '--undefined-only', RIDGE], check=True, capture_output=True,
                            text=True).stdout
    return '__asan_init' in listed


def case_folder():
    """System files, and what hwloc reads, are those of a folder: two sockets, the card at the second."""
    files = {'sys/bus/pci/devices/0000:01:00.0/numa_node': '1\n',
             'sys/bus/pci/devices/0000:01:00.0/local_cpulist': '2-3\n', **SMALL_HOST}
    for name, count in ('cpu/online', 4), ('cpu/possible', 4), ('node/online', 2):
        files[f'sys/devices/system/{name}'] = f'0-{count - 1}\n'
    for core in range(4):
        topology = f'sys/devices/system/cpu/cpu{core}/topology'
        files.update({f'{topology}/physical_package_id': f'{core // 2}\n', f'{topology}/core_id': f'{core}\n',
                      f'{topology}/core_cpus': f'{1 << core:x}\n',
                      f'{topology}/package_cpus': 'c\n' if core // 2 else '3\n'})
    for node in range(2):
        files[f'sys/devices/system/node/node{node}/cpumap'] = 'c\n' if node else '3\n'
        files[f'sys/devices/system/node/node{node}/meminfo'] = f'Node {node} MemTotal: 524288 kB\n'
    run = Run('-d', 'cuda0,host', '-e', 'memory_latency', '--plan', 'quick', files=files)
    run.expect_status(0)
    facts = {device['id']: device['facts'] for device in run.result['devices']}
    for device, name, value in (('cuda0', 'host_numa_node', 1), ('host', 'numa_nodes', 2), ('host', 'sockets', 2),
                                ('host', 'units', 4)):
        expect(facts[device][name] == value, f'{name} of {device} is {facts[device][name]}, not {value}')


def case_sustained():
    """Seconds of products, on a card that has room for them: the rate, and what it was over time."""
    run = Run('-d', 'cuda0', '-e', 'sustained', '--plan', 'standard', card='h100-sxm')
    run.expect_status(0)
    run.expect_sound()
    card = json.loads((SOURCE / 'tests/virtual_card/cards/h100-sxm.json').read_text())
    within(median_of(run, 'sustained'), card['tensor_fp16_flops'], 0.02, 'sustained FP16 rate')
    lines = [row['timeline'] for row in run.rows(status='ok')]
    expect(lines and lines[0] and len(lines[0]) > 20, 'there is no time line')
    zeros = [row for row in run.rows(status='ok') if row['parameters']['data'] == 'zeros']
    expect(len(zeros) == 1 and len(zeros[0]['timeline']) == 20, 'there is no series of zeros')


def exported(library):
    """Version (or None) of each symbol that a library defines."""
    listed = subprocess.run(['nm', '-D', '--defined-only', library], check=True, capture_output=True,
                            text=True).stdout
    return {name: version or None for name, version in re.findall(r' [TRDB] (\w+)(?:@@([\w.-]+))?', listed)}


def soname(library):
    listed = subprocess.run(['readelf', '-d', library], check=True, capture_output=True, text=True).stdout
    return re.search(r'soname: \[(.*)\]', listed)[1]


def check_against_vendor(standin, names):
    """The vendor's own library, where the toolkit has it: the same soname, the same versions."""
    cache = (BUILD / 'CMakeCache.txt').read_text()
    compiler = re.search(r'^CMAKE_CUDA_COMPILER:\w+=(.*)$', cache, re.M)
    root = Path(compiler[1]).resolve().parent.parent if compiler else Path('/nowhere')
    real = next((p for p in root.glob(f'**/{standin.name}')), None)
    if not real:
        print(f'{standin.name}: the toolkit does not hold it, versions were not compared')
        return
    expect(soname(standin) == soname(real), f'{standin.name}: soname {soname(standin)}, not {soname(real)}')
    ours, theirs = exported(standin), exported(real)
    for name in sorted(names & set(ours)):
        expect(ours[name] == theirs.get(name, 'missing'),
               f'{standin.name}: {name} has version {ours[name]}, not {theirs.get(name, "missing")}')
    print(f'{standin.name}: {len(names & set(ours))} symbols as in {real}')


def case_symbols():
    """What the binary imports, and looks up by name, is what the stand-ins export."""
    imported = subprocess.run(['nm', '-D', '--undefined-only', RIDGE], check=True,
                              capture_output=True, text=True).stdout
    wanted = set(re.findall(r' U (_*cuda\w+)', imported))
    libraries = {path.name.split('.')[0]: path for path in LIBRARIES.iterdir()}
    expect(len(wanted) > 20, 'the binary imports hardly any of the runtime')
    for name in sorted(wanted - set(exported(libraries['libcudart']))):
        problems.append(f'{libraries["libcudart"].name} lacks {name}')
    device = {path.name: path.read_text() for path in (SOURCE / 'harness/device').glob('*.[ch]')}
    tables = device['libraries.h'] + device['cuda_libraries.c']
    asked = set(re.findall(r'CALL\((cublas\w+)\)', tables))
    asked |= {'nvml' + name for name in re.findall(r'NVML\(\w+,\s*"(\w+)"', tables)}
    asked |= set(re.findall(r'\.name = "(nvml\w+)"', tables))
    expect(len(asked) > 30, 'found hardly any names that are looked up')
    asked |= set(re.findall(r'dlsym\(\w+, "(\w+)"\)', ''.join(device.values())))
    asked.discard('cuInit')  # only where a real driver is loaded, to say which
    for name in sorted(asked - set().union(*map(exported, libraries.values()))):
        problems.append(f'no stand-in has {name}')
    for library in libraries.values():
        expect(soname(library) == library.name, f'{library.name}: its soname is {soname(library)}')
        check_against_vendor(library, (wanted | asked) - {'ridge_virtual_card'})


def case_no_device():
    run = Run('-d', 'cuda0', '--plan', 'quick', fault='no_device')
    run.expect_status(3)
    expect('cuda0' in run.err or 'no card' in run.err, 'stderr does not say why: ' + run.err)


def case_old_driver():
    run = Run('-d', 'cuda0', '--plan', 'quick', fault='old_driver')
    run.expect_status(3)
    expect('driver' in run.err, 'stderr does not name the driver: ' + run.err)


def case_no_kernel_image():
    run = Run('-d', 'cuda0', '--plan', 'quick', fault='no_kernel_image')
    expect(run.status in (3, 4), f'exit status {run.status}, neither 3 nor 4')
    said = run.err + json.dumps(run.result)
    expect('no kernels for the card' in said, 'nobody says that there is no kernel: ' + said[-600:])


def case_pinned_refused():
    """Nothing may be pinned, not even what timing likes: the rest goes on, without a gate."""
    run = Run('-d', 'cuda0', '-e', 'transfer,memory_latency', '--plan', 'quick',
              fault='pinned_refused')
    run.expect_sound()
    run.expect_status(0)
    expect(run.rows(experiment='memory_latency', status='ok'), 'the rest did not go on')
    skipped = [r for r in run.rows(experiment='transfer', status='skipped')
               if r['parameters'].get('memory') == 'pinned']
    expect(skipped, 'no pinned row is skipped')
    expect(all('be pinned' in r['reason'] for r in skipped), 'a reason does not name pinning')


def case_pinned_limited():
    """Large buffers cannot be pinned: their rows are skipped, the rest goes on."""
    run = Run('-d', 'cuda0', '-e', 'transfer,memory_latency', '--plan', 'quick',
              fault='pinned_limited')
    run.expect_sound()
    run.expect_status(0)
    expect(run.rows(experiment='memory_latency', status='ok'), 'the rest did not go on')
    expect(not [r for r in run.rows(experiment='transfer', status='ok')
                if r['parameters'].get('memory') == 'pinned'], 'a pinned copy was measured')
    expect([r for r in run.rows(experiment='transfer', status='skipped')
            if r['parameters'].get('memory') == 'pinned'], 'no pinned row is skipped')


def case_cublas_missing():
    run = Run('-d', 'cuda0', '-e', 'gemm,memory_latency', '--plan', 'quick', fault='cublas_missing')
    run.expect_sound()
    run.expect_status(0)
    expect(run.rows(experiment='gemm'), 'no row of gemm')
    expect(not run.rows(experiment='gemm', status='ok'), 'gemm was measured without cuBLAS')
    expect(any('cublas' in (r['reason'] or '').lower() for r in run.rows(experiment='gemm')),
           'no reason names cuBLAS')
    expect(run.rows(experiment='memory_latency', status='ok'), 'the rest did not go on')


def case_nvml_missing():
    run = Run('-d', 'cuda0', '-e', 'memory_latency', '--plan', 'quick', fault='nvml_missing')
    run.expect_sound()
    run.expect_status(0)
    for row in run.rows(status='ok'):
        expect(row['telemetry']['power_watts'] is None, 'power without NVML')


globals()['case_' + sys.argv[3]]()
print('\n'.join(problems) or 'fine')
sys.exit(1 if problems else 0)
