#!/usr/bin/env python3
"""Faults of virtual cards are named by `ridge check`: test_virtual_faults.py RIDGE SOURCE

Each card is the tiny one with something changed; one experiment is measured on it with the shipped
program, and the result is judged.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RIDGE, SOURCE = (Path(word).resolve() for word in sys.argv[1:3])
RUN = SOURCE / "tests/virtual_card/run"
TINY = json.loads((SOURCE / "tests/virtual_card/cards/tiny.json").read_text())
HIGH = {"FAULT", "INVALID", "DEGRADED"}

# What is changed, the experiment that shows it, the finding, the exit status of check.
FAULTS = [
    ({"event_reasons": 0x80}, "memory", "POWER_BRAKE", 4),
    ({"event_reasons": 0x40}, "memory", "HW_THERMAL", 4),
    ({"event_reasons": 0x20}, "memory", "SW_THERMAL", 1),
    ({"memory_bytes_per_second": 0.4e9}, "memory", "MEMORY_VERY_LOW", 4),
    ({"gemm_fp32_flops": 1e9}, "gemm", "GEMM_LOW", 1),
    ({"link_bytes_per_second": 0.4e9}, "transfer", "ABOVE_ROOF_LINK", 3),
    ({"vgpu": 1, "licensed": 0}, "memory", "VGPU_UNLICENSED", 4),
]


class VirtualFaults(unittest.TestCase):
    def judged(self, change, experiment, **variables):
        """Findings above a note by id, and check's exit status."""
        with tempfile.TemporaryDirectory() as folder:
            card = Path(folder) / "card.json"
            card.write_text(json.dumps({**TINY, **change}))
            environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", **variables}
            run = subprocess.run([RUN, card, "--", RIDGE, "run", "-d", "cuda0", "-e", experiment,
                                  "--plan", "quick", "-o", folder], env=environment,
                                 capture_output=True, text=True, timeout=300, check=False)
            self.assertIn(run.returncode, (0, 1, 3, 4), run.stderr)
            saved = [p for p in Path(folder).glob("*.json") if p != card]
            self.assertEqual(len(saved), 1, run.stderr)
            check = subprocess.run([RIDGE, "check", saved[0]], env=environment,
                                   capture_output=True, text=True, timeout=60, check=False)
            self.result = result = json.loads(saved[0].read_text())
        ids = {f["id"] for f in result["findings"] if f["severity"] != "note"}
        for name in ids:
            self.assertIn(name, check.stdout)
        return ids, check.returncode, run.returncode

    def test_healthy(self):
        for experiment in ("memory", "transfer", "gemm"):
            with self.subTest(experiment):
                self.assertEqual(self.judged({}, experiment), (set(), 0, 0))

    def test_each_fault_is_named(self):
        for change, experiment, name, status in FAULTS:
            with self.subTest(name):
                ids, check, _ = self.judged(change, experiment)
                self.assertIn(name, ids)
                self.assertEqual(check, status)
                self.assertEqual(ids, {name}, "others come with it")

    def test_a_counter_tells_of_what_no_reading_saw(self):
        """The reason's bit is there too: the sentence says for how long."""
        ids, check, _ = self.judged({"event_reasons": 0x40, "held_back_share": 0.5}, "memory")
        self.assertEqual((ids, check), ({"HW_THERMAL"}, 4))

    def test_a_clock_that_errs(self):
        ids, check, _ = self.judged({}, "memory", RIDGE_VIRTUAL_FAULT="long_events")
        self.assertEqual((ids, check), ({"CLOCKS_DISAGREE"}, 3))

    def test_the_system_s_files(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(f"{root}/dev")
            group = Path(f"{root}/sys/bus/pci/devices/0000:01:00.0/iommu_group")
            group.mkdir(parents=True)
            (group / "type").write_text("DMA-FQ\n")
            Path(f"{root}/dev/kmsg").write_text(
                "3,1,9000000000000,-;NVRM: Xid (PCI:0000:01:00): 79, fallen off the bus\n")
            ids, check, _ = self.judged({}, "memory", RIDGE_ROOT=root)
        self.assertEqual((ids, check), ({"XID"}, 4))
        self.assertEqual(self.result["devices"][0]["facts"]["iommu"], "DMA-FQ")

    def test_a_run_with_invalid_rows_says_so_by_its_status(self):
        _, _, status = self.judged({"link_bytes_per_second": 0.4e9}, "transfer")
        self.assertIn(status, (1, 3))


if __name__ == "__main__":
    if not (RIDGE.parent / "tests/virtual_card/lib").is_dir() and \
            "VIRTUAL_CARD_LIBRARIES" not in os.environ:
        print("skipped: no virtual card in this build")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
