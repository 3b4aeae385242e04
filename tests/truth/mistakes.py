#!/usr/bin/env python3
"""A program with a planted mistake must not pass the truth tests: mistakes.py SOURCE BUILD MISTAKE"""
import re
import sys

import card_runs
import truth

mistake = sys.argv[3]
CAUGHT = {
    # mistake: (what is run, the complaint that must come)
    'counted_once': (lambda: truth.find(tiny, 0.01, 'memory'), r'memory copy, B/s is 4\.\d+e\+08, the card has'),
    'timed_early': (lambda: truth.find(tiny, 0.01, 'memory'), r'memory copy, B/s is|of memory_bandwidth best'),
    'cards_swapped': (truth.case_pair, r'Virtual First 1: power_watts is 25, the card has 20'),
}
tiny = truth.card_file('tiny', noise=0)
planted = card_runs.BUILD / f'tests/truth/planted_{mistake}'
if planted.exists():
    card_runs.program = planted
elif mistake != 'cards_swapped':
    sys.exit(f'{planted} was not built')
run, complaint = CAUGHT[mistake]
if mistake == 'cards_swapped':
    card_runs.os.environ['RIDGE_VIRTUAL_FAULT'] = mistake
run()
print(*card_runs.table, *card_runs.problems, sep='\n')
caught = any(re.search(complaint, problem) for problem in card_runs.problems)
print('caught' if caught else f'NOT CAUGHT: no complaint like "{complaint}"')
sys.exit(not caught)
