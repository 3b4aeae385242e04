#!/usr/bin/env python3
"""The machine code is what it claims to be: test_machine_code.py SOURCE_FOLDER BUILD_FOLDER [--readme]

Disassembles every kernel of the build, for every architecture in it, with NVIDIA's own tools and holds
it against kernels/machine_code.csv. --readme writes the table of kernels/README.md instead. Skipped (77)
where the tools or the CUDA build are missing.

A rule's scope is the kernel's hot loop (the longest loop without another in it) or all of it. Rules:
  count OPCODE = N        how many instructions' names match the regular expression, suffixes apart
  conditional OPCODE >= N, predicated OPCODE = N   those under a predicate
  share OPCODE >= X       their share of the scope's instructions
  order PATTERN           loads (L), stores (S) and float additions (A) occur in an order that matches
"""
import csv
import fnmatch
import operator
import re
import sys
from pathlib import Path

import sass

COMPARE = {'=': operator.eq, '>=': operator.ge, '<=': operator.le}
LETTERS = (('LDG', 'L'), ('STG', 'S'), ('FADD', 'A'))
MARK_BEGIN, MARK_END = '<!-- machine code -->\n', '<!-- /machine code -->\n'


def matching(code, opcode):
    return [i for i in code if re.fullmatch(opcode + r'(\.\S*)?', i.opcode)]


def order(code):
    return ''.join(letter for i in code for start, letter in LETTERS if i.opcode.startswith(start))


def measured(rule, code):
    """What the rule looks at: a number, or the order of loads and stores."""
    kind, opcode = rule.split()[:2]
    if kind == 'order':
        return order(code)
    found = matching(code, opcode)
    if kind in ('predicated', 'conditional'):
        return sum(1 for i in found if i.predicate)
    return len(found) / max(len(code), 1) if kind == 'share' else len(found)


def holds(rule, code):
    words = rule.split()
    if words[0] == 'order':
        return re.search(words[1], order(code)) is not None
    return COMPARE[words[2]](measured(rule, code), float(words[3]))


def check(kernels, rules):
    problems, used = [], set()
    for kernel in kernels:
        for number, rule in enumerate(rules):
            if not fnmatch.fnmatchcase(kernel.name, rule['kernels']):
                continue
            if rule['architectures'] != '*' and kernel.architecture not in rule['architectures'].split():
                continue
            used.add(number)
            code = kernel.hot_loop() if rule['scope'] == 'loop' else kernel.code
            if not holds(rule['rule'], code):
                problems.append(f'{kernel.name} sm_{kernel.architecture}: "{rule["rule"]}" in {rule["scope"]} '
                                f'does not hold: {measured(rule["rule"], code)}')
    for number, rule in enumerate(rules):
        if number not in used:
            problems.append(f'no kernel for the rule {rule["kernels"]}: {rule["rule"]}')
    return problems


def self_test():
    """Hollowed-out kernels must be refused, or this check checks nothing."""
    head = '\t\tcode for sm_90\n\t\tFunction : k\n'
    lines = ['@P0 BRA 0x20', 'FFMA R0, R0, R1, R2', 'FSEL R1', '@P1 FFMA R0', '@P2 BRA 0x0', 'EXIT', 'BRA 0x60']
    kernel = sass.parse(head + ''.join(f'        /*{16 * n:04x}*/   {line} ;\n' for n, line in enumerate(lines)))[0]
    rule = {'kernels': 'k', 'architectures': '*', 'scope': 'loop'}
    wrong = ['count FFMA = 128', 'predicated FFMA = 0', 'count F?SEL = 0', 'share FFMA >= 0.95', 'order LLLL',
             'count BSSY = 1']
    right = ['count FFMA = 2', 'conditional BRA >= 2', 'count EXIT = 0']
    return (len(check([kernel], [{**rule, 'rule': r} for r in wrong])) == len(wrong)
            and not check([kernel], [{**rule, 'rule': r} for r in right]))


def registers(build):
    """(kernel, architecture) -> registers, from what ptxas said."""
    found = {}
    for log in build.rglob('*.ptxas'):
        key = None
        for line in log.read_text().splitlines():
            if m := re.search(r"Compiling entry function '(\w+)' for 'sm_(\d+)'", line):
                key = m.groups()
            elif (m := re.search(r'Used (\d+) registers', line)) and key:
                found[key] = int(m[1])
    return found


def readme_table(kernels, build):
    used = registers(build)
    architectures = sorted({k.architecture for k in kernels}, key=int)
    cells = {(k.name, k.architecture): f'{len(k.hot_loop()) or len(k.code)} / '
             f'{used.get((k.name, k.architecture), "?")}' for k in kernels}
    lines = ['| kernel | ' + ' | '.join(f'sm_{a}' for a in architectures) + ' |',
             '|---|' + '---|' * len(architectures)]
    lines += [f'| {name} | ' + ' | '.join(cells.get((name, a), '-') for a in architectures) + ' |'
              for name in sorted({k.name for k in kernels})]
    return '\n'.join(lines) + '\n'


def write_readme(path, table):
    text = path.read_text()
    head, rest = text.split(MARK_BEGIN)
    path.write_text(head + MARK_BEGIN + table + MARK_END + rest.split(MARK_END)[1])


def main(root, build, readme):
    if not self_test():
        print('test_machine_code: the check itself does not see a hollow kernel')
        return 1
    folder = sass.tools(root)
    objects = sorted(build.rglob('ridge_kernels.dir/**/*.cu.o'))
    if not folder or not objects:
        print('skipped: ' + ('nvdisasm and cuobjdump are not here' if objects else 'no CUDA kernels in this build'))
        return 77
    kernels = sass.disassemble(objects, folder)
    if readme:
        write_readme(root / 'kernels/README.md', readme_table(kernels, build))
        return 0
    rules = list(csv.DictReader((root / 'kernels/machine_code.csv').open()))
    problems = check(kernels, rules)
    print('\n'.join(problems))
    print(f'{len({k.name for k in kernels})} kernels, {len({k.architecture for k in kernels})} architectures, '
          f'{len(rules)} rules, {len(problems)} broken')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), '--readme' in sys.argv))
