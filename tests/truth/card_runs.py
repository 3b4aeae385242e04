"""Runs of the shipped binary on virtual cards made for one test: a card of tests/virtual_card/cards, some of its
members changed, and what the run found."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
LIBRARIES = BUILD / 'tests/virtual_card/lib'
program = BUILD / 'ridge'  # another one where a mistake is planted
SECONDS = 300  # a run takes seconds; more means that it hangs
problems, table = [], []
NAN = float('nan')
UNKNOWN = {'value': NAN, 'ci_low': NAN, 'ci_high': NAN, 'parameters': {'n': NAN}}


def card_file(name, **changes):
    """The facts of a card, or of both cards of a pair."""
    facts = json.loads((SOURCE / f'tests/virtual_card/cards/{name}.json').read_text())
    for card in facts if isinstance(facts, list) else [facts]:
        card.update(changes)
    return facts


def small_host(folder):
    """A machine with little memory free: buffers of its caches' size are more than a test has time to fill."""
    (folder / 'proc').mkdir(parents=True)
    (folder / 'proc/meminfo').write_text('MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n')
    return str(folder)


class Run:
    """`ridge run` on that card.  Plans' time passes slowly: on a busy machine, too, no row is left out."""

    def __init__(self, card, *arguments, **environment):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'card.json'
            log = Path(folder) / 'log'
            path.write_text(json.dumps(card))
            done = subprocess.run(
                [SOURCE / 'tests/virtual_card/run', path, '--', program, 'run', '-o', Path(folder) / 'out',
                 *arguments], env=dict(os.environ, NO_COLOR='1', LC_ALL='C.UTF-8', RIDGE_VIRTUAL_LOG=str(log),
                                       RIDGE_VIRTUAL_SLOWNESS='20', RIDGE_ROOT=small_host(Path(folder) / 'root'),
                                       VIRTUAL_CARD_LIBRARIES=str(LIBRARIES), **environment),
                capture_output=True, text=True, timeout=SECONDS)
            self.log = log.read_text() if log.exists() else ''
            saved = sorted((Path(folder) / 'out').rglob('*.json'))
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
            self.result = json.loads(saved[-1].read_text()) if saved else {
                'measurements': [], 'figures': [], 'ridge_points': [], 'findings': []}
        if self.status:
            problems.append(f'{arguments}: exit status {self.status}; stderr ends: {self.err[-400:]}')

    def rows(self, role, **parameters):
        return [row for row in self.result['measurements']
                if row['role'] == role and row['status'] == 'ok' and has(row, parameters)]

    def value(self, role, **parameters):
        """The median of the one row; NAN and a complaint where it is not there."""
        return only([row['value']['median'] for row in self.rows(role, **parameters)], role, parameters)

    def the_figure(self, role, name, **parameters):
        """The one figure; an unknown one and a complaint where it is not there."""
        return only([f for f in self.result['figures']
                     if f['role'] == role and f['name'] == name and has(f, parameters)],
                    f'{role} {name}', parameters, UNKNOWN)

    def figure(self, role, name, **parameters):
        return self.the_figure(role, name, **parameters)['value']


def has(item, parameters):
    return all(item['parameters'].get(name) == value for name, value in parameters.items())


def only(values, what, parameters, unknown=NAN):
    if len(values) == 1:
        return values[0]
    problems.append(f'{len(values)} of {what} {parameters}')
    return unknown


def compare(what, found, truth, tolerance):
    """Enters a figure in the table; a complaint where it is too far from the truth, or unknown."""
    table.append(f'{what:44} {found:12.5g} {truth:12.5g} {100 * (found / truth - 1):+7.2f} %')
    if not abs(found / truth - 1) <= tolerance:
        problems.append(f'{what} is {found:.5g}, the card has {truth:.5g}')


def compare_interval(what, figure, truth, tolerance):
    """A figure between two points of a curve: its interval must hold the truth, and be no wide one."""
    found, low, high = figure['value'], figure['ci_low'], figure['ci_high']
    table.append(f'{what:44} {found:12.5g} {truth:12.5g} [{low:.5g}, {high:.5g}]')
    if not low * (1 - tolerance) <= truth <= high * (1 + tolerance) or not high <= 1.6 * low:
        problems.append(f'{what} is {found:.5g} in [{low:.5g}, {high:.5g}], the card has {truth:.5g}')


def end():
    print(*table, *(problems or ['fine']), sep='\n')
    sys.exit(1 if problems else 0)
