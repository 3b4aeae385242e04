#!/usr/bin/env python3
"""`ridge check` names the cause of every fault of the virtual card: check.py SOURCE BUILD [--write]

One row a fault: what is wrong with the card, what names it (a finding, or words where no rule can
speak), the exit status of check.  README.md shows the rows; --write writes them there anew.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from virtual import RIDGE, SOURCE, START, environment, saved_result

README = SOURCE / "tests/faults/README.md"
BUDGET = 60  # seconds of a check that measures
MEASURED = "transfer,memory,gemm,vector_peak"  # what check measures
# As small as the mite, with clocks that a sensor may show.
CARD = json.loads((SOURCE / "tests/virtual_card/cards/brisk.json").read_text(encoding="utf-8"))
ALWAYS = {"PAGEABLE"}  # a note on what pageable copies are
EXPLAINS = {"DATA_CORRUPT": "WRONG_ANSWER"}  # both stay (FINDINGS 3)
WITHOUT_NUMBERS = {"VGPU_UNLICENSED", "XID"}  # nothing is compared


def card(fault, cause, status, experiments=MEASURED, **members):
    return fault, cause, status, experiments, {k.removesuffix("_"): v for k, v in members.items()}


def ordered(fault, cause, status, experiments=MEASURED, **variables):
    return fault, cause, status, experiments, {f"RIDGE_{k}": v for k, v in variables.items()}


HANG = {"HANG_SECONDS": "1"}
FAULTS = [
    # ---- the link ----
    card("link at half width", "LINK_WIDTH_LOW", 1, "transfer", link_width_max=2),
    card("link at a lower generation than card and slot", "LINK_GEN_LOW", 4, "transfer",
         link_generation_max=3),
    card("slot of a lower generation than the card", "LINK_BELOW_CARD", 0, "transfer",
         link_generation_max=3, link_generation_max_host=1),
    card("link at a lower generation only when idle", "", 0, "transfer", link_generation=3,
         link_generation_idle=1, link_bytes_per_second=0.8e9),
    card("a clock that makes copies faster than the link", "ABOVE_ROOF_LINK", 3, "transfer",
         link_bytes_per_second=0.4e9),
    card("some packets sent again", "PCIE_REPLAYS", 0, "transfer", pcie_replays=5),
    card("a storm of packets sent again", "PCIE_REPLAY_STORM", 4, "transfer", pcie_replays=200),
    # ---- who else ----
    card("another process that computes", "OTHER_PROCESS", 3, processes=1, utilisation_idle=60),
    card("another process that holds the card", "OTHER_PROCESS_PRESENT", 0, processes=1),
    card("another process that holds the memory", "32 MiB were free", 3, "memory",
         memory_taken_bytes=33e6),
    ordered("a card in exclusive mode that is taken", "another process", 4,
            VIRTUAL_FAIL="cudaFree:1:46"),
    card("a slice of a card (MIG)", "MIG_SLICE", 0, mig=1),
    card("a share of a card (vGPU)", "VGPU", 0, "memory", vgpu=1),
    card("a share of a card without a licence", "VGPU_UNLICENSED", 4, "memory", vgpu=1,
         licensed=0),
    card("confidential computing", "CONFIDENTIAL", 0, "transfer", confidential=1),
    # ---- clocks, power, heat ----
    card("clock locked low", "SM_CLOCK_HELD", 1, "memory", clock_hz=8.5e6),
    card("application clocks", "APPLICATION_CLOCKS", 0, "memory", clock_hz=8.5e6,
         event_reasons=0x2),
    card("memory clock locked low", "MEM_CLOCK_LOCKED", 1, "memory", memory_clock_now_hz=45e6,
         memory_bytes_per_second=0.65e9),
    card("memory clock low by the driver's policy", "MEM_CLOCK_LOW", 0, "memory",
         memory_clock_now_hz=56e6, memory_bytes_per_second=0.8e9, pstate=2),
    card("power limit lowered", "LIMIT_LOWERED", 1, "gemm", power_limit_watts=24,
         power_limit_default_watts=30),
    card("products at the power limit", "CAP_NORMAL", 0, "gemm", gemm_watts=40),
    card("power cap far below the limit", "CAP_EARLY", 4, "gemm", event_reasons=0x4, clock_hz=2e6,
         clock_max_hz=2e6, gemm_fp32_flops=0.22e9, tensor_tf32_flops=1.6e9,
         tensor_fp16_flops=3.2e9),
    card("power brake", "POWER_BRAKE", 4, "memory", event_reasons=0x80),
    card("hardware slowdown", "HW_SLOWDOWN", 4, event_reasons=0x8),
    card("thermal slowdown by the hardware", "HW_THERMAL", 4, "memory", event_reasons=0x40),
    card("thermal slowdown for half of the time, by its counter", "HW_THERMAL", 4, "memory",
         event_reasons=0x40, held_back_share=0.5),
    card("thermal slowdown by the driver", "SW_THERMAL", 1, "memory", event_reasons=0x20),
    card("few degrees to the slowdown", "HOT", 0, "memory", temperature_celsius=87),
    card("slowdown at a low temperature", "HEAT_LIMIT_ODD", 0, "memory", slowdown_celsius=70),
    card("persistence mode off", "PERSISTENCE_OFF", 0, "transfer", persistence=0),
    # ---- memory and arithmetic ----
    card("memory at less than half its rate", "MEMORY_VERY_LOW", 4, "memory",
         memory_bytes_per_second=0.4e9),
    card("work of a kernel that was dropped", "ABOVE_ROOF_MEMORY", 1, "memory",
         memory_bytes_per_second=2e9, l2_bytes_per_second=9e9),
    card("products at a third of their rate", "GEMM_LOW", 1, "gemm", gemm_fp32_flops=0.4e9),
    card("samples that scatter", "NOISY", 0, "memory", noise=0.1),
    card("errors of memory that ECC could not correct", "ECC_ERRORS", 4, "memory", ecc=1,
         ecc_errors=3),
    card("rows of memory that wait for a reset", "REMAP_PENDING", 1, "memory", remap_pending=1),
    card("rows of memory that could not be replaced", "REMAP_FAILED", 4, "memory",
         remap_failed=1),
    ordered("memory with a wrong bit", "DATA_CORRUPT", 4, "memory", VIRTUAL_FAULT="wrong_bit"),
    ordered("copies that lose their last page", "DATA_CORRUPT", 4, "transfer",
            VIRTUAL_FAULT="short_copy"),
    ordered("events that run long by a fifth", "CLOCKS_DISAGREE", 3, "memory",
            VIRTUAL_FAULT="long_events"),
    # ---- the card ends ----
    ordered("a kernel that fails", "kernel failed", 4, "memory,transfer",
            VIRTUAL_FAIL="cudaLaunchKernel:2000:719"),
    ordered("a kernel that never ends", "nothing ended on cuda0 within", 4, "memory,transfer",
            VIRTUAL_FAIL="endless:2000:1", **HANG),
    ordered("a product that never ends", "nothing ended on cuda0 within", 4, "gemm",
            VIRTUAL_FAIL="endless_product:20:1", **HANG),
    ordered("a copy that never ends", "a call of the driver has not returned", 4, "",
            VIRTUAL_FAIL="endless_copy:2:1", **HANG),
    # ---- software ----
    ordered("no driver that is new enough", "this build needs", 3, "",
            VIRTUAL_FAULT="old_driver"),
    ordered("no card", "no card is visible", 3, "", VIRTUAL_FAULT="no_device"),
    ordered("a build for other cards", "machine code for", 4, VIRTUAL_FAULT="no_kernel_image"),
    ordered("no NVML", "", 0, VIRTUAL_FAULT="nvml_missing"),
    ordered("no cuBLAS", "libcublas", 0, VIRTUAL_FAULT="cublas_missing"),
    ordered("a cuBLAS that is too old", "libcublas", 0, VIRTUAL_FAULT="cublas_old"),
    ordered("a product that cuBLAS refuses", "cuBLAS refused it (status 13)", 4, "gemm",
            VIRTUAL_FAIL="cublasLtMatmul:200:13"),
    ordered("a host that lets nothing be pinned", "be pinned", 3, VIRTUAL_FAULT="pinned_refused"),
    ordered("a host that lets little be pinned", "be pinned", 3, VIRTUAL_FAULT="pinned_limited"),
    ordered("device memory refused", "memory asked for", 3, VIRTUAL_FAIL="cudaMalloc:1+:2"),
]


class Verdict:
    """What check says of a saved run, or (no experiments) of what it measures itself."""

    def __init__(self, experiments, change, facts=None):
        variables = {k: v for k, v in change.items() if k.startswith("RIDGE_")}
        members = {k: v for k, v in change.items() if k not in variables}
        with tempfile.TemporaryDirectory(prefix="ridge-check-") as folder:
            path = Path(folder) / "card.json"
            path.write_text(json.dumps({**(facts or CARD), **members}))
            self.words = environment(folder, **variables)
            self.seconds = time.monotonic()
            if experiments:
                ran = self.call([*START, path, "--", RIDGE, "run", "-d", "cuda0", "-e",
                                 experiments, "--plan", "quick", "-o", Path(folder) / "out"])
                self.result, self.invalid = saved_result(folder)
                saved = next((Path(folder) / "out").glob("*.json"))
                done = self.call([RIDGE, "check", saved])
                done.stderr += ran.stderr
            else:
                self.result, self.invalid = None, []
                done = self.call([*START, path, "--", RIDGE, "check", "-d", "cuda0"])
            self.seconds = time.monotonic() - self.seconds
        self.status = done.returncode
        self.text = " ".join((done.stdout + done.stderr).split())

    def call(self, words):
        return subprocess.run(words, env=self.words, capture_output=True, text=True, check=False,
                              timeout=2 * BUDGET)

    def findings(self):
        return self.result["findings"] if self.result else []


def is_finding(cause):
    return re.fullmatch(r"[A-Z][A-Z_]+", cause)


def table():
    rows = ["| fault | named by | exit status |", "|---|---|---|"]
    for fault, cause, status, *_ in FAULTS:
        name = cause if is_finding(cause) else f"“{cause}”" if cause else "nobody: it is no fault"
        rows.append(f"| {fault} | {name} | {status} |")
    return "\n".join(rows) + "\n"


class Named(unittest.TestCase):
    def high(self, verdict):
        return {f["id"] for f in verdict.findings() if f["severity"] != "note"}

    def by_finding(self, verdict, cause):
        """It is there with numbers and a fix, and no other above a note."""
        mine = [f for f in verdict.findings() if f["id"] == cause]
        self.assertTrue(mine, verdict.text)
        self.assertIn(cause, verdict.text)
        self.assertLessEqual(self.high(verdict), {cause, EXPLAINS.get(cause)}, verdict.text)
        for finding in mine if cause in self.high(verdict) else ():
            numbers = re.findall(r"\d[\d.]*", finding["sentence"])
            self.assertGreaterEqual(len(numbers), 0 if cause in WITHOUT_NUMBERS else 2,
                                    finding["sentence"])
            self.assertTrue(finding["fix"], finding)

    def by_words(self, verdict, cause):
        self.assertIn(cause, verdict.text)
        self.assertEqual(self.high(verdict), set(), verdict.text)
        if not cause:
            self.assertEqual({f["id"] for f in verdict.findings()} - ALWAYS, set())

    def test_each_fault(self):
        with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            verdicts = pool.map(lambda f: Verdict(*f[3:]), FAULTS)
        for (fault, cause, status, *_), verdict in zip(FAULTS, verdicts):
            with self.subTest(fault):
                self.assertEqual(verdict.invalid, [])
                (self.by_finding if is_finding(cause) else self.by_words)(verdict, cause)
                self.assertEqual(verdict.status, status, verdict.text)

    def test_what_the_system_s_files_tell(self):
        with tempfile.TemporaryDirectory(prefix="ridge-root-") as root:
            group = Path(root) / "sys/bus/pci/devices" / CARD["pci_bus_id"] / "iommu_group"
            group.mkdir(parents=True)
            (group / "type").write_text("DMA-FQ\n")
            (Path(root) / "dev").mkdir()
            (Path(root) / "dev/kmsg").write_text(
                f"3,1,9000000000000,-;NVRM: Xid (PCI:{CARD['pci_bus_id'][:-2]}): 79, fallen off\n")
            (Path(root) / "proc").mkdir()
            (Path(root) / "proc/meminfo").write_text(
                "MemTotal: 65536 kB\nMemAvailable: 32768 kB\n")
            verdict = Verdict("memory", {"RIDGE_ROOT": root})
        self.by_finding(verdict, "XID")
        self.assertEqual(verdict.status, 4)
        self.assertEqual(verdict.result["devices"][0]["facts"]["iommu"], "DMA-FQ")

    def test_healthy_cards(self):
        """Of the large ones the link alone: emulated, their memory takes minutes."""
        for path in sorted((SOURCE / "tests/virtual_card/cards").glob("*.json")):
            facts = json.loads(path.read_text(encoding="utf-8"))
            if path.stem in ("mite", "pair"):  # slow beyond what is healthy; two cards
                continue
            small = path.stem in ("tiny", "brisk")
            with self.subTest(path.stem):
                verdict = Verdict(MEASURED if small else "transfer", {}, facts)
                self.assertEqual(self.high(verdict), set(), verdict.text)
                self.assertEqual(verdict.status, 0, verdict.text)

    def test_a_check_that_measures_says_the_same_within_its_time(self):
        for change, cause, status in (({}, "OK:", 0), ({"link_width_max": 2}, "LINK_WIDTH_LOW", 1),
                                      ({"RIDGE_VIRTUAL_FAULT": "nvml_missing",
                                        "memory_bytes_per_second": 0.4e9}, "MEMORY_VERY_LOW", 4)):
            with self.subTest(cause):
                verdict = Verdict("", change)
                self.assertIn(cause, verdict.text)
                self.assertEqual(verdict.status, status, verdict.text)
                self.assertLess(verdict.seconds, BUDGET)

    def test_the_readme_has_the_table(self):
        self.assertIn(table(), README.read_text(encoding="utf-8"), "check.py ... --write")


def write():
    text = README.read_text(encoding="utf-8")
    begin, end = text.index("| fault |"), text.rindex("|\n") + 2
    README.write_text(text[:begin] + table() + text[end:], encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
        sys.exit(0)
    print(table())
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
