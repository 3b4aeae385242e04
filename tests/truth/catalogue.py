#!/usr/bin/env python3
"""Virtual cards are the cards that they are named after: catalogue.py SOURCE

Each fact of tests/virtual_card/cards/NAME.json that the datasheet catalogue knows, too, is as there; what a card
reaches of it is METHOD 11's. A fact that is off by a third must be seen, or this test sees nothing."""
import csv
import json
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1])
CARDS = 't4', 'a100-80', 'h100-sxm', 'h200', 'b200', 'rtx4090'
# METHOD 11: what is reached of the memory's and of the tensor units' peak; nanoseconds of a load; MHz.
REACHED = {'a100-80': (0.90, 0.84, 405, 1410), 'h100-sxm': (0.94, 0.80, 370, 1830), 'h200': (0.90, 0.80, 350, 1980),
           'b200': (0.88, 0.77, 530, 1965), 'rtx4090': (0.94, 1.00, 255, 2520), 't4': (0.76, 0.65, 400, 1590)}
# METHOD 8: warps and blocks of an SM, by compute capability.
RESIDENT = {'7.5': (32, 16), '8.0': (64, 32), '8.9': (48, 24), '9.0': (64, 32), '10.0': (64, 32)}
# METHOD 2: bytes a second of a lane, and the share that copies reach.
LANE = {3: 8e9 / 8 * 128 / 130, 4: 16e9 / 8 * 128 / 130, 5: 32e9 / 8 * 128 / 130}
COPIES = 0.78, 0.90
MIB, GIB = 1 << 20, 1 << 30


def facts(name, card, row):
    """What is compared: (what, of the card, of the catalogue, tolerance)."""
    memory, tensor, latency, mhz = REACHED[name]
    number = {column: float(value) for column, value in row.items() if value.replace('.', '', 1).isdigit()}
    warps, blocks = RESIDENT[row['compute_capability']]
    link = card['link_width'] * LANE[card['link_generation']]
    yield 'capability', card['capability_major'] + card['capability_minor'] / 10, number['compute_capability'], 0
    yield 'SMs', card['sms'], number['sm_count'], 0
    yield 'memory', card['memory_bytes'], number['memory_gb'] * GIB, 0.02
    yield 'L2', card['l2_bytes'], number['l2_mb'] * MIB, 0.01
    yield 'bus', card['bus_bits'], number['bus_bits'], 0
    yield 'highest clock', card['clock_max_hz'], number['boost_mhz'] * 1e6, 0.001
    yield 'clock', card['clock_hz'], mhz * 1e6, 0
    # H200's bus is wider than what is used of it: 4917 GB/s by its clock, 4800 by its datasheet.
    yield ('bandwidth by its clock', 2 * card['memory_clock_hz'] * card['bus_bits'] / 8,
           number['memory_gbs'] * 1e9, 0.025)
    yield 'bandwidth', card['memory_bytes_per_second'], memory * number['memory_gbs'] * 1e9, 0.005
    yield 'latency', card['memory_seconds'], latency * 1e-9, 0
    for precision in 'fp32', 'fp64':  # datasheets round
        yield (precision, 2 * card[precision + '_lanes'] * card['sms'] * card['clock_max_hz'],
               number[precision + '_tflops'] * 1e12, 0.02)
    yield 'FP16 GEMM', card['tensor_fp16_flops'], tensor * number['fp16_tensor_fp32acc_tflops'] * 1e12, 0.005
    yield 'TF32 GEMM', card['tensor_tf32_flops'], tensor * number['tf32_tensor_tflops'] * 1e12, 0.01
    yield 'FP32 GEMM', card['gemm_fp32_flops'], 0.85 * number['fp32_tflops'] * 1e12, 0.1
    yield 'PCIe generation', card['link_generation'], number['pcie_gen'], 0
    yield 'PCIe lanes', card['link_width'], number['pcie_lanes'], 0
    yield ('copies', card['link_bytes_per_second'], sum(COPIES) / 2 * link,
           (COPIES[1] - COPIES[0]) / sum(COPIES) + 0.001)
    yield 'power limit', card['power_limit_watts'], number['tdp_w'], 0
    yield 'threads', card['threads_per_sm'], 32 * warps, 0
    yield 'blocks', card['blocks_per_sm'], blocks, 0


def differences(name, card, row):
    return [f'{name}: {what} is {found:g}, and {wanted:g} in the catalogue'
            for what, found, wanted, tolerance in facts(name, card, row)
            if not abs(found - wanted) <= tolerance * abs(wanted) + 1e-9 * abs(wanted)]


COMPARED = ('sms', 'memory_bytes', 'l2_bytes', 'bus_bits', 'clock_hz', 'clock_max_hz', 'memory_clock_hz',
            'memory_bytes_per_second', 'memory_seconds', 'fp32_lanes', 'fp64_lanes', 'tensor_fp16_flops', 'gemm_fp32_flops',
            'link_bytes_per_second', 'link_width', 'power_limit_watts', 'threads_per_sm', 'blocks_per_sm')


def main():
    rows = {row['name']: row for row in csv.DictReader((SOURCE / 'results/datasheets/cards.csv').open())}
    problems = []
    for name in CARDS:
        card = json.loads((SOURCE / f'tests/virtual_card/cards/{name}.json').read_text())
        if card['name'] not in rows:
            problems.append(f'{name}: the catalogue has no {card["name"]}')
            continue
        row = rows[card['name']]
        problems += differences(name, card, row)
        problems += [f'{name}: a wrong {member} is not seen' for member in COMPARED
                     if not differences(name, card | {member: card[member] * 4 / 3}, row)]
    print(*problems, sep='\n')
    print(f'{len(CARDS)} cards, {len(problems)} differences')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
