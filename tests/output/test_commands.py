"""What `ridge report` and `ridge cards` answer: exit status, sentence, form.  test_commands.py RIDGE FIXTURES"""
import csv
import io
import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RIDGE, FIXTURES = sys.argv[1], Path(sys.argv[2])
CARD, HOST = str(FIXTURES / 'virtual_card.json'), str(FIXTURES / 'virtual_host.json')
failures = []


def ridge(*arguments):
    run = subprocess.run([RIDGE, *arguments], capture_output=True, timeout=60)
    return run.returncode, run.stdout, run.stderr.decode()


def expect(condition, what):
    if not condition:
        failures.append(what)


def expect_mistake(words, *arguments):
    status, out, err = ridge(*arguments)
    expect(status == 2 and out == b'' and words in err and err.count('\n') == 1,
           f'{arguments}: status {status}, {err!r}')


def on_terminal(*arguments, **environment):
    """The output on a pseudo-terminal and the exit status."""
    parent, child = pty.openpty()
    run = subprocess.Popen([RIDGE, *arguments], stdout=child, stderr=child,
                           env={**os.environ, 'TERM': 'xterm', **environment})
    os.close(child)
    out = b''
    try:
        while chunk := os.read(parent, 65536):
            out += chunk
    except OSError:  # the other end is closed
        pass
    return run.wait(timeout=60), out


def test_mistakes(folder):
    expect_mistake('needs a result file', 'report')
    expect_mistake('no-such-file.json', 'report', 'no-such-file.json')
    expect_mistake("did you mean 'text'", 'report', '-f', 'txet', CARD)
    expect_mistake("by the end of 'x.pdf'", 'report', '-o', 'x.pdf', CARD)
    expect_mistake('lists them', 'report', '--figure', 'nope', CARD)
    expect_mistake('cannot write', 'report', '-o', f'{folder}/none/x.csv', CARD)
    expect_mistake('one result', 'report', '-f', 'json', CARD, HOST)
    for name, content in {'empty': '', 'cut': Path(CARD).read_text()[:5000], 'other': '{"schema": "x"}',
                          'newer': Path(CARD).read_text().replace('"schema_version":1', '"schema_version":99'),
                          'wrong': Path(CARD).read_text().replace('"seconds":14.2', '"seconds":"long"')}.items():
        path = Path(folder) / f'{name}.json'
        path.write_text(content)
        expect_mistake(f'{name}.json', 'report', str(path))
        expect_mistake(f'{name}.json', 'report', CARD, str(path))
    expect_mistake("nearest name is 'tesla-t4'", 'cards', 'tesla-t5')


def test_forms(folder):
    for form in ('text', 'markdown', 'csv', 'json', 'svg', 'png'):
        status, out, err = ridge('report', '-f', form, CARD)
        expect(status == 0 and len(out) > 1000 and err == '', f'{form}: {status} {err}')
    rows = list(csv.DictReader(io.StringIO(ridge('report', '-f', 'csv', CARD, HOST)[1].decode(), newline='')))
    files = [json.loads(Path(p).read_text()) for p in (CARD, HOST)]
    expect(len(rows) == sum(len(f['measurements']) for f in files), 'csv: rows')
    derived = json.loads(ridge('report', '-f', 'json', CARD)[1])
    expect(derived['roofs'] and derived['ridge_points'], 'json: roofs are derived')
    expect(len(derived['measurements']) == len(files[0]['measurements']), 'json: rows')
    lines = [json.loads(line) for line in ridge('report', '-f', 'jsonl', CARD, HOST)[1].decode().splitlines()]
    expect([r['machine'] for r in lines if r['record'] == 'measurement'] ==
           [f['environment']['machine'] for f in files for _ in f['measurements']], 'jsonl: a line a row')
    rows = [r for r in lines if r['record'] == 'measurement']
    for row, m in zip(rows, [m for f in files for m in f['measurements']]):
        expect(row['seconds'] == m['seconds'] and row['parameters'] == m['parameters'] and
               row['time'].endswith('Z') and 'uuid' in row, f'jsonl: {m["role"]}')
    heads = [r for r in lines if r['record'] == 'report']
    expect(len(heads) == 2 and heads[0]['schema_version'] == 1 and 'measurements' not in heads[0] and
           'findings' not in heads[0] and heads[1]['roofs'], 'jsonl: a line a report')
    expect(rows[0]['uuid'] == files[0]['devices'][0]['uuid'], 'jsonl: the uuid')
    expect(len(lines) == len(rows) + 2 + len([r for r in lines if r['record'] == 'finding']), 'jsonl: records')
    out = Path(folder) / 'both.svg'
    status, shown, _ = ridge('report', CARD, HOST, '-o', str(out))
    expect(status == 0 and shown == b'' and '</svg>' in out.read_text(), 'the name decides the form')


def test_terminal():
    status, out = on_terminal('report', '-f', 'png', CARD)
    expect(status == 2 and b'not for a terminal' in out, 'png on a terminal')
    expect(b'\x1b[' in on_terminal('report', HOST)[1], 'colour on a terminal')
    expect(b'\x1b[' not in on_terminal('report', HOST, NO_COLOR='1')[1], 'NO_COLOR')
    expect(b'\x1b[' not in ridge('report', HOST)[1], 'no colour in a pipe')


def test_plot(folder):
    """Charts in braille: all of them or one, within 80 columns, each with what it says."""
    status, out, err = ridge('report', '--plot', CARD)
    shown = out.decode()
    expect(status == 0 and err == '' and 'VIRTUAL CARD' in shown, f'plot: {status} {err}')
    expect(max(map(len, shown.splitlines())) <= 80, f'plot: {max(map(len, shown.splitlines()))} columns')
    expect(sum(0x2800 < ord(c) <= 0x28FF for c in shown) > 500, 'plot: no braille')
    for words in ('Roofline of', 'Copies between host and card', 'A branch that splits a warp', 'A  FP32 GEMM'):
        expect(words in shown, f'plot: {words}')
    status, one, _ = ridge('report', '--plot', '--figure', 'gemm', CARD)
    expect(status == 0 and one.decode().split('\n', 1)[1] in shown, 'plot: one figure is that of all')
    plain = ridge('report', '--figure', 'gemm', CARD)[1].decode()
    expect(not any(0x2800 <= ord(c) <= 0x28FF for c in plain), 'a figure in plain characters')
    expect_mistake('it is for text, not for html', 'report', '--plot', '-f', 'html', CARD)
    run = subprocess.run([RIDGE, 'report', '--plot', CARD], capture_output=True, env={**os.environ, 'PATH': folder})
    expect(run.returncode == 2 and b'apt-get install gnuplot' in run.stderr, 'plot: no gnuplot')


def test_promises_name_their_source(folder):
    """A card without a datasheet is held against its own clocks, and the table says so."""
    report = json.loads(Path(CARD).read_text())
    report['devices'][0]['name'] = 'Nobody 1'
    path = Path(folder) / 'nobody.json'
    path.write_text(json.dumps(report))
    for which, words, others in ((CARD, 'of the datasheet', 'of its memory clock'),
                                 (str(path), 'of its memory clock', 'of the datasheet')):
        said = ' '.join(ridge('report', which)[1].decode().split())
        expect(words in said and others not in said, f'{which}: promises are not {words}')


def test_cards():
    status, out, _ = ridge('cards')
    lines = out.decode().splitlines()
    expect(status == 0 and len(lines) > 40 and max(map(len, lines)) <= 80, 'all cards, in 80 columns')
    t4 = next(line.split() for line in lines if line.startswith('  tesla-t4 '))
    expect(t4 == ['tesla-t4', '16', '320', '8.1', '65.0', '25.3', '203'], f'a line of the catalogue: {t4}')
    one = ridge('cards', 'rtx', '4090')[1].decode()
    expect('FP8 tensor' in one and 'boost clock' in one, 'one card in full')
    several = ridge('cards', 'h100')[1].decode()
    expect('h100-nvl' in several and 'h200' not in several and 'boost clock' not in several, 'cards by words')
    expect('boost clock' in ridge('cards', '-a', 'h100')[1].decode(), 'all columns on demand')


with tempfile.TemporaryDirectory() as scratch:
    test_mistakes(scratch)
    test_forms(scratch)
    test_promises_name_their_source(scratch)
    if shutil.which('gnuplot'):
        test_plot(scratch)
test_terminal()
test_cards()
print('\n'.join(failures) or 'all as promised')
sys.exit(1 if failures else 0)
