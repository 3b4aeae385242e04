#!/usr/bin/env python3
"""A program with a planted mistake must not pass the truth tests: mistakes.py SOURCE BUILD MISTAKE"""
import re
import sys

import card_runs
import truth

# mistake: (the experiment that is run, the complaint that must come)
CAUGHT = {
    'counted_once': ('memory', r'memory copy, B/s is 4\.\d+e\+08, the card has'),
    'declared_bytes': ('memory', r"'operation': 'scale'.* declares .* the card counted 0"),
    'declared_flops': ('latency_hiding', r"'operation': 'fma'.* declares .* the card counted 0"),
    'timed_early': ('memory', r'memory copy, B/s is|of memory_bandwidth best'),
    'cards_swapped': (None, r'Virtual First 1: power_watts is 25, the card has 20'),  # the virtual card's own
}

mistake = sys.argv[3]
experiment, complaint = CAUGHT[mistake]
planted = card_runs.BUILD / f'tests/truth/planted_{mistake}'
if not experiment:
    card_runs.os.environ['RIDGE_VIRTUAL_FAULT'] = mistake
    truth.case_pair()
elif not planted.exists():
    sys.exit(f'{planted} was not built')
else:
    card_runs.program = planted
    truth.find(truth.card_file('tiny', noise=0), 0.01, experiment)
print(*card_runs.table, *card_runs.problems, sep='\n')
caught = any(re.search(complaint, problem) for problem in card_runs.problems)
print('caught' if caught else f'NOT CAUGHT: no complaint like "{complaint}"')
sys.exit(not caught)
