#!/usr/bin/env python3
"""Checks the house style: test_style.py SOURCE_FOLDER [BUILD_FOLDER]

Files within 400 lines, lines within 100 columns, functions: none over 60 lines, 90 % within 30, median 10 or
fewer; no typedef'd struct; a file opens with a comment; clang-format agrees. Exits 1 and says where.
"""
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

FILE_LINES, LINE_COLUMNS = 400, 100
FUNCTION_MOST, FUNCTION_NINETY, FUNCTION_MEDIAN = 60, 30, 10
FOLDERS = ('harness', 'kernels', 'bench', 'tests')


def functions(text):
    """(first line, length of the body's lines between its braces) of every function at file level."""
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines):
        if line == '{':
            start = number
        elif line.startswith('}') and start is not None:
            head = lines[start - 1] if start else ''
            if line == '}' and head.rstrip().endswith(')'):
                yield start + 1, number - start - 1
            start = None


def strip_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*', lambda m: '\n' * m[0].count('\n'), text, flags=re.S)


def check_file(path, name, lengths):
    text = path.read_text()
    lines = text.splitlines()
    if len(lines) > FILE_LINES:
        yield f'{name}: {len(lines)} lines, {FILE_LINES} are the limit'
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_COLUMNS:
            yield f'{name}:{number}: {len(line)} columns, {LINE_COLUMNS} are the limit'
    if not text.startswith('/*'):
        yield f'{name}: does not open with a sentence on what it is'
    if path.suffix in ('.c', '.h') and re.search(r'typedef\s+(struct|union)\b', strip_comments(text)):
        yield f'{name}: a typedef of a struct'
    for number, length in functions(text):
        if not name.startswith('tests/'):
            lengths.append(length)
        if length > FUNCTION_MOST:
            yield f'{name}:{number}: a function of {length} lines, {FUNCTION_MOST} are the limit'


def check(root):
    problems, lengths, files = [], [], []
    for folder in FOLDERS:
        files += [p for p in sorted((root / folder).rglob('*')) if p.suffix in ('.c', '.cpp', '.h', '.cu')]
    for path in files:
        problems += check_file(path, str(path.relative_to(root)), lengths)
    within = sum(n <= FUNCTION_NINETY for n in lengths) / len(lengths)
    if within < 0.9:
        problems.append(f'only {100 * within:.0f} % of the functions are within {FUNCTION_NINETY} lines')
    if statistics.median(lengths) > FUNCTION_MEDIAN:
        problems.append(f'the median function has {statistics.median(lengths)} lines')
    formatter = shutil.which('clang-format')
    if formatter:
        done = subprocess.run([formatter, '--dry-run', '-Werror', *map(str, files)],
                              capture_output=True, text=True, cwd=root)
        problems += [line.replace(str(root) + '/', '') for line in done.stderr.splitlines()
                     if 'error:' in line]
    else:
        print('clang-format is not installed: formatting was not checked')
    print(f'{len(files)} files, {len(lengths)} functions: median {statistics.median(lengths):.0f} lines, '
          f'{100 * within:.1f} % within {FUNCTION_NINETY}, longest {max(lengths)}')
    return problems


if __name__ == '__main__':
    if [n for _, n in functions('int f(void)\n{\n    a();\n    b();\n}\n')] != [2]:
        sys.exit('test_style: the check itself cannot count the lines of a function')
    found = check(Path(sys.argv[1]).resolve())
    print('\n'.join(found))
    sys.exit(1 if found else 0)
