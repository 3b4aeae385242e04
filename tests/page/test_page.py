"""What stands in the page of a report.  test_page.py RIDGE FIXTURES

Its numbers are those of the file, its markup is sound, it asks no other machine for anything, and
it is complete without gnuplot.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from document import Document, addresses, duplicate_ids

RIDGE, FIXTURES = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
CARD, HOST = FIXTURES / 'virtual_card.json', FIXTURES / 'virtual_host.json'
SIZE_MOST = 1.5e6
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def page_of(*paths, **environment):
    run = subprocess.run([RIDGE, 'report', '-f', 'html', *paths], capture_output=True, timeout=60,
                         env={**os.environ, **environment})
    expect(run.returncode == 0 and run.stderr == b'', f'{paths}: {run.returncode}, {run.stderr.decode()}')
    return run.stdout.decode()


def has_gnuplot():
    return any(os.access(Path(p) / 'gnuplot', os.X_OK) for p in os.environ['PATH'].split(os.pathsep))


def check_markup(text, document, what):
    expect(not document.problems, f'{what}: {document.problems[:3]}')
    expect(not duplicate_ids(document), f'{what}: ids twice: {duplicate_ids(document)}')
    expect(not addresses(text), f'{what}: addresses: {addresses(text)[:3]}')
    expect(len(text.encode()) < SIZE_MOST, f'{what}: {len(text)} characters')
    levels = [int(e.name[1]) for e in document.root.walk() if e.name in ('h1', 'h2', 'h3', 'h4', 'h5')]
    expect(levels.count(1) == 1 and levels[0] == 1, f'{what}: one h1 comes first')
    expect(all(b <= a + 1 for a, b in zip(levels, levels[1:])), f'{what}: headings leave a level out')
    targets = {e.attributes.get('id') for e in document.root.walk()}
    for link in document.root.find('a'):
        expect(link.attributes['href'][1:] in targets, f'{what}: nothing at {link.attributes["href"]}')


def check_rows(document, paths):
    """The table of everything has the files' medians to the last digit."""
    rows = [row for table in document.root.find('table', 'rows') for row in table.find('tr')[1:]]
    measured = [m for p in paths for m in json.loads(p.read_text())['measurements']]
    expect(len(rows) == len(measured), f'{len(rows)} rows for {len(measured)} measurements')
    for row, m in zip(rows, measured):
        cells = [c for c in row.children]
        shown = [d.attributes['value'] for d in cells[4].find('data')]
        median = (m.get('value') or {}).get('median')
        expect(cells[0].all_text() == m['experiment'] and m['status'] in cells[7].all_text(),
               f'a row of {m["experiment"]}, {m["status"]} reads {row.all_text()}')
        expect((shown == []) if median is None else (len(shown) == 1 and float(shown[0]) == median),
               f'{m["role"]} {m["parameters"]}: {shown} for {median}')


def scaled(value, unit):
    """As base/units writes it, for the units of the main figures."""
    for factor, prefix in ((1e12, 'T'), (1e9, 'G'), (1e6, 'M')):
        if value >= factor:
            digits = f'{value / factor:.3g}'
            return f'{float(digits):.{max(0, 2 - len(digits.split(".")[0]) + 1)}f}', f'{prefix}{unit}'
    return f'{value:.3g}', unit


def check_marks(document, paths):
    """Every mark says what a row has: its value, its interval and its state."""
    notes = [m.find('title')[0].all_text() for m in document.root.find('g', 'mark')]
    expect(len(notes) > 50, f'only {len(notes)} marks')
    for note in notes:
        expect(', ok' in note and 'sample' in note, f'a mark says {note!r}')
    gemm = [m for p in paths for m in json.loads(p.read_text())['measurements']
            if m['role'] == 'gemm' and m['status'] == 'ok']
    for m in gemm:
        number, unit = scaled(m['value']['median'], 'FLOP/s')
        expect(any(f'{number} {unit}' in note and f'{m["value"]["n"]} sample' in note for note in notes),
               f'no mark for {number} {unit} of {m["parameters"]}')


def check_pictures(document, least):
    figures = document.root.find('figure')
    expect(len(figures) >= least, f'{len(figures)} figures')
    for figure in figures:
        name = figure.attributes['id']
        expect(figure.find('figcaption') or name == 'chart-host-transfer', f'{name} says nothing')
        expect(figure.find('svg') and figure.find('path'), f'{name} is empty')
        owners = {e.attributes['data-series'] for e in figure.find('g', 'series')}
        legend = {e.attributes['data-of'] for e in figure.find('li')}
        expect(owners == legend and legend, f'{name}: series {owners}, legend {legend}')
        for use in figure.find('use'):
            expect(use.attributes['href'].startswith('#gpPt'), f'{name}: a mark of another file')


def test_pages():
    for paths, least in (((CARD,), 9), ((HOST,), 4), ((CARD, HOST), 13)):
        text = page_of(*paths)
        document = Document(text)
        what = '+'.join(p.stem for p in paths)
        check_markup(text, document, what)
        check_rows(document, paths)
        expect('VIRTUAL CARD' in document.root.all_text(), f'{what}: a virtual card is not named')
        for p in paths:
            for device in json.loads(p.read_text())['devices']:
                expect(device['name'] in document.root.find('h1')[0].all_text(), f'{what}: {device["name"]}')
        if has_gnuplot():
            check_pictures(document, least)
            check_marks(document, paths)
    return has_gnuplot()


def test_colours():
    """A device has one colour in every chart."""
    colours = {}
    for entry in Document(page_of(CARD, HOST, CARD)).root.find('li'):
        name = re.match(r'([A-Z]:\w+) ', entry.all_text())
        if name and 'data-of' in entry.attributes:
            colours.setdefault(name[1], set()).add(entry.find('path')[0].attributes['stroke'])
    expect(set(colours) == {'A:cuda0', 'B:host', 'C:cuda0'} and all(len(c) == 1 for c in colours.values()) and
           len(set.union(*colours.values())) == 3, f'colours of devices: {colours}')


def test_without_gnuplot():
    with tempfile.TemporaryDirectory() as empty:
        text = page_of(CARD, PATH=empty)
    document = Document(text)
    check_markup(text, document, 'without gnuplot')
    check_rows(document, [CARD])
    said = document.root.all_text()
    expect('gnuplot' in said and 'apt-get install gnuplot' in said or 'gnuplot-nox' in said, 'how to get gnuplot')
    expect(not document.root.find('figure') and 'Little' in said, 'the sentences stay')


def test_hostile(folder):
    """What a file says is shown, not obeyed."""
    report = json.loads(CARD.read_text())
    evil = '<script>alert("x")</script>&\'"'
    report['devices'][0]['name'] = evil
    report['environment']['cpu'] = evil
    for m in report['measurements']:
        m['parameters']['note'] = evil
        if m['role'] == 'divergence':
            m['parameters']['pattern'] = evil
        if m['role'] == 'memory_bandwidth':
            m['parameters']['operation'] = evil + m['parameters']['operation']
    path = Path(folder) / 'hostile.json'
    path.write_text(json.dumps(report))
    text = page_of(path)
    document = Document(text)
    expect(not document.problems, f'hostile: {document.problems[:3]}')
    expect(len(document.root.find('script')) == 1, 'a script of the file runs')
    expect(evil in document.root.find('h1')[0].all_text(), 'the name is not shown as it is')


def test_twenty(folder):
    """Twenty cards on one page: in 3 s, one in 1 s, of a processor's time, which others do not lengthen."""
    paths = [Path(folder) / f'card{i}.json' for i in range(20)]
    for path in paths:
        path.write_bytes(CARD.read_bytes())
    for some, most in ((paths[:1], 1), (paths, 3)):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        document = Document(page_of(*some))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        check_rows(document, some)
        if 'ASAN_OPTIONS' not in os.environ:
            expect(seconds < most, f'{len(some)} results take {seconds:.2f} s')


def test_figures():
    """The help names every figure that a result can have."""
    offered = subprocess.run([RIDGE, 'report', '--help'], capture_output=True, text=True, check=True).stdout
    offered = ' '.join(offered.split())
    for name in [f.attributes['id'][len('chart-'):] for f in Document(page_of(CARD, HOST)).root.find('figure')]:
        expect(re.search(rf'[ :]{name.removeprefix("host-")}[,;]', offered) or name == 'roofline',
               f'ridge report --help does not name {name}')


def test_findings(folder):
    """A finding stands on the page with its severity, and so does the row that it is about."""
    report = json.loads(CARD.read_text())
    for m in report['measurements']:
        if m['role'] == 'memory_bandwidth' and m['status'] == 'ok':
            m['seconds'] = [s / 20 for s in m['seconds']]
    path = Path(folder) / 'impossible.json'
    path.write_text(json.dumps(report))
    document = Document(page_of(path))
    found = [e for e in document.root.find('li') if e.attributes.get('class') == 'invalid']
    expect(found and 'invalid' in document.root.find('p', 'verdict')[0].all_text(), 'an impossible rate is not told')
    expect(document.root.find('tr', 'invalid'), 'its rows are not marked')


def test_caches(folder):
    """The host's caches have a chart of their own beside the card's."""
    paths = []
    for source in (CARD, HOST):
        report = json.loads(source.read_text())
        rows = [m for m in report['measurements'] if m['role'] == 'memory_bandwidth' and m['status'] == 'ok'][:2]
        for bytes_, m in zip((65536, 1048576), rows):
            m.update(role='cache_bandwidth', parameters={'bytes': bytes_})
        paths.append(Path(folder) / f'caches{len(paths)}.json')
        paths[-1].write_text(json.dumps(report))
    document = Document(page_of(*paths))
    expect(not duplicate_ids(document), f'ids twice: {duplicate_ids(document)}')
    names = [f.attributes['id'] for f in document.root.find('figure')]
    expect(not has_gnuplot() or {'chart-cache', 'chart-host-cache'} <= set(names), f'charts of caches: {names}')


def test_absurd_numbers(folder):
    """Rates without end or of nothing, and places beyond reason, neither hang the page nor take its charts."""
    for name, change in {
            'endless': lambda m: m.update(seconds=[1e-308 for _ in m['seconds']]),
            'never': lambda m: m.update(seconds=[1e308 for _ in m['seconds']]),
            'far': lambda m: m['parameters'].update({k: 1e308 for k in ('lanes_in_if', 'bytes', 'm', 'paths')
                                                     if k in m['parameters']}),
            'nowhere': lambda m: m['parameters'].update({k: 0 for k in m['parameters'] if k != 'precision'})}.items():
        report = json.loads(CARD.read_text())
        for m in report['measurements'][::3]:
            change(m)
        path = Path(folder) / f'{name}.json'
        path.write_text(json.dumps(report))
        text = page_of(path)
        expect('could not draw' not in text, f'{name}: {text[text.find("could not draw"):][:100]}')
        expect(not has_gnuplot() or '<figure' in text, f'{name}: no chart is left')


def test_lost_device(folder):
    """A card that was given up is no card with nothing wrong."""
    report = json.loads(CARD.read_text())
    report['devices'][0]['unusable'] = 'a kernel hangs'
    for m in report['measurements']:
        m.update(status='failed', reason='a kernel hangs', seconds=[], value=None)
    path = Path(folder) / 'lost.json'
    path.write_text(json.dumps(report))
    document = Document(page_of(path))
    verdict = document.root.find('p', 'verdict')[0].all_text()
    expect(f'{len(report["measurements"])} failed rows' in verdict, f'of a lost card the page says: {verdict}')
    listed = [e.all_text() for e in document.root.find('li') if e.attributes.get('class') == 'fault']
    expect(len(listed) == len({m['experiment'] for m in report['measurements']}) and
           all('a kernel hangs' in words for words in listed), f'what failed is listed: {listed[:3]}')
    expect(any('a kernel hangs' in p.all_text() for p in document.root.find('p', 'banner')), 'a lost card has no banner')
    check = subprocess.run([RIDGE, 'check', path], capture_output=True, text=True, timeout=60)
    reasons = check.stdout.count('FAILED cuda0')
    expect(check.returncode == 4 and 0 < reasons <= len({m['experiment'] for m in report['measurements']}),
           f'check: {check.returncode}, a reason is said {reasons} times')


if test_pages():
    test_colours()
test_without_gnuplot()
test_figures()
with tempfile.TemporaryDirectory() as scratch:
    test_hostile(scratch)
    test_findings(scratch)
    test_lost_device(scratch)
    test_absurd_numbers(scratch)
    test_caches(scratch)
    test_twenty(scratch)
print('\n'.join(failures[:40]) or 'all as promised')
sys.exit(1 if failures else 0)
