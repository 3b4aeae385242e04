"""Runs the program and remembers what it did not do as promised."""
import subprocess
import sys
from pathlib import Path

RIDGE, FIXTURES = sys.argv[1], Path(sys.argv[2])
CARD, HOST = str(FIXTURES / 'virtual_card.json'), str(FIXTURES / 'virtual_host.json')
failures = []


def ridge(*arguments):
    """Exit status, output, errors."""
    run = subprocess.run([RIDGE, *arguments], capture_output=True, timeout=120)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def expect(condition, what):
    if not condition:
        failures.append(what)


def expect_mistake(words, *arguments):
    """One sentence with these words, nothing else, exit 2."""
    status, out, err = ridge(*arguments)
    expect(status == 2 and out == '' and words in err and err.count('\n') == 1,
           f'{arguments}: status {status}, {err!r}, expected {words!r}')


def finish():
    print('\n'.join(failures) or 'all as promised')
    sys.exit(1 if failures else 0)
