#!/usr/bin/env python3
"""Faults with a name, each with what ridge promises of it: named.py SOURCE BUILD"""
import sys
import unittest

from virtual import Run, name_of

HANG = {"RIDGE_HANG_SECONDS": "1"}
# NVML's calls that ridge makes, by what they tell; found by a counting run.
HEALTHY = Run("divergence,transfer")
NVML_CALLS = sorted(c for c in HEALTHY.calls() if c.startswith("nvml"))


def findings(run):
    return {f["id"] for f in run.result["findings"] if f["severity"] != "note"}


class Named(unittest.TestCase):
    def sound(self, run, status, leaves=False):
        """A valid file, the promised status, nothing left on the card unless it was given up."""
        self.assertEqual(run.invalid, [])
        self.assertFalse(run.crashed(), run.err)
        self.assertEqual(run.status, status, run.sentences())
        self.assertEqual(run.promised_status(), status)
        if not leaves:
            self.assertEqual(run.left(), {})
        for row in run.rows():
            self.assertTrue(row["status"] == "ok" or row["reason"], row)

    def given_up(self, run, sentence):
        """The first experiment is kept, the card is given up with a sentence, the run ends."""
        self.sound(run, 4, leaves=True)
        self.assertTrue(run.rows(experiment="divergence"))
        for row in run.rows(experiment="divergence"):
            self.assertEqual(row["status"], "ok", row["reason"])
        failed = run.rows(status="failed")
        self.assertTrue(failed)
        self.assertIn(sentence, failed[0]["reason"])
        self.assertIn(sentence, run.result["devices"][0]["unusable"])
        self.assertTrue(run.result["complete"])

    def middle(self, call):
        """A call in the middle of the second of two experiments."""
        first = Run("divergence").calls().get(call, 0)
        return (first + HEALTHY.calls()[call]) // 2

    def test_healthy(self):
        self.sound(HEALTHY, 0)
        self.assertEqual({r["status"] for r in HEALTHY.rows()}, {"ok"})

    # ---- the card ends ----

    def test_errors_that_last(self):
        for code, sentence in ((700, "touched memory that is not its own"), (719, "kernel failed"),
                               (214, "could not be corrected (ECC)"), (702, "watchdog")):
            with self.subTest(code):
                at = self.middle("cudaLaunchKernel")
                self.given_up(Run("divergence,transfer",
                                  RIDGE_VIRTUAL_FAIL=f"cudaLaunchKernel:{at}:{code}"), sentence)

    def test_an_error_that_lasts_shows_where_the_host_waits(self):
        at = self.middle("cudaEventQuery")
        self.given_up(Run("divergence,transfer",
                          RIDGE_VIRTUAL_FAIL=f"cudaEventQuery:{at}:719"), "kernel failed")

    def test_kernels_that_never_end(self):
        first = Run("divergence").calls()["cudaLaunchKernel"]
        last = HEALTHY.calls()["cudaLaunchKernel"]
        for at in (first + 1, first + 2, first + 4, (first + last) // 2, last):
            with self.subTest(at):
                self.given_up(Run("divergence,transfer", RIDGE_VIRTUAL_FAIL=f"endless:{at}:1",
                                  **HANG), "nothing ended on cuda0 within")

    def test_a_kernel_that_never_ends_at_the_very_first(self):
        run = Run("divergence", RIDGE_VIRTUAL_FAIL="endless:1:1", **HANG)
        self.sound(run, 4, leaves=True)
        self.assertIn("nothing ended on cuda0 within", run.sentences())

    def test_products_that_never_end(self):
        """While they are tuned, while they are measured."""
        made = Run("divergence,gemm").counts["endless_product"]
        for at in (1, 2, made // 2, made):
            with self.subTest(at):
                self.given_up(Run("divergence,gemm", RIDGE_VIRTUAL_FAIL=f"endless_product:{at}:1",
                                  **HANG), "nothing ended on cuda0 within")

    def held(self, run):
        """The driver kept the host inside a call: the program ends, the file has what was saved."""
        self.assertEqual(run.status, 4, run.err)
        self.assertIn("a call of the driver has not returned for 2 s", run.err)
        self.assertEqual(run.invalid, [])
        self.assertFalse(run.result["complete"])
        for row in run.rows():
            self.assertEqual(row["status"], "ok", row["reason"])
        self.assertTrue(run.rows(experiment="divergence"))

    def test_copies_that_never_end(self):
        """Pinned ones are asked for their end; pageable ones hold the host."""
        first = Run("divergence").counts["endless_copy"]
        last = HEALTHY.counts["endless_copy"]
        ends = set()
        for at in [first + 1] + [first + (last - first) * i // 5 for i in range(1, 5)] + [last]:
            with self.subTest(at):
                run = Run("divergence,transfer", RIDGE_VIRTUAL_FAIL=f"endless_copy:{at}:1", **HANG)
                kept = bool(run.result["complete"])
                ends.add(kept)
                if kept:
                    self.given_up(run, "nothing ended on cuda0 within")
                else:
                    self.held(run)
        self.assertEqual(ends, {True, False}, "both kinds of copy were tried")

    # ---- wrong answers ----

    def test_memory_with_a_wrong_bit(self):
        run = Run("divergence,memory", RIDGE_VIRTUAL_FAULT="wrong_bit")
        self.sound(run, 4)
        wrong = run.rows(status="wrong")
        self.assertTrue(wrong)
        for row in wrong:
            self.assertIsNone(row["value"], "a wrong answer has no value")
            self.assertEqual(row["check"], "wrong")
            self.assertGreater(row["rechecks_wrong"], 1, "it comes again")
        self.assertIn("DATA_CORRUPT", findings(run))
        for operation in ("copy", "triad"):
            self.assertFalse([r for r in run.rows(experiment="memory", status="ok")
                              if r["parameters"]["operation"] == operation], operation)

    def test_copies_that_lose_their_last_page(self):
        run = Run("transfer", RIDGE_VIRTUAL_FAULT="short_copy")
        self.sound(run, 4)
        for row in run.rows():
            short = row["parameters"]["bytes"] <= 4096
            self.assertEqual(row["status"], "ok" if short else "wrong", row)
        self.assertIn("numbers arrived wrong", run.sentences())

    # ---- sensing ----

    def test_sensing_costs_the_measurement_nothing(self):
        """Readings that take tens of milliseconds of the host's time change no figure: the card
        is sensed while the work is waited for, and after the host's clock was read."""
        experiments = "divergence,transfer,memory,launch"
        quick, slow = Run(experiments), Run(experiments, RIDGE_VIRTUAL_FAULT="nvml_slow")
        self.sound(slow, 0)
        slow_rows = {name_of(row): row for row in slow.rows(status="ok")}
        compared = sensed = 0
        for row in quick.rows(status="ok"):
            other = slow_rows.get(name_of(row))
            if other:
                self.assertAlmostEqual(other["value"]["median"] / row["value"]["median"], 1,
                                       delta=1e-3, msg=name_of(row))
                compared += 1
                sensed += other["telemetry"]["power_watts"] is not None
        self.assertGreater(compared, 20)
        self.assertGreater(sensed, 20)

    # ---- a part of a card ----

    def test_a_slice_has_a_uuid_of_its_own(self):
        run = Run("divergence", card={"mig": 1})
        self.sound(run, 0)
        self.assertTrue(run.result["devices"][0]["uuid"].startswith("MIG-"))

    # ---- libraries ----

    def test_every_field_of_nvml_that_is_not_supported(self):
        """It costs a fact, and never adds a finding."""
        self.assertGreater(len(NVML_CALLS), 20)
        for call in NVML_CALLS:
            with self.subTest(call):
                run = Run("divergence,transfer", RIDGE_VIRTUAL_FAIL=f"{call}:1+:3")
                self.sound(run, 0)
                self.assertEqual(findings(run) - findings(HEALTHY), set())

    def test_all_of_nvml_not_supported(self):
        orders = ",".join(f"{call}:1+:3" for call in NVML_CALLS
                          if call not in ("nvmlInit_v2", "nvmlDeviceGetHandleByUUID"))
        run = Run("divergence,transfer", RIDGE_VIRTUAL_FAIL=orders)
        self.sound(run, 0)
        self.assertEqual(findings(run) - findings(HEALTHY), set())

    def test_no_nvml(self):
        """All telemetry is unknown, every figure is as it was, and no finding is added."""
        run = Run("divergence,transfer", RIDGE_VIRTUAL_FAULT="nvml_missing")
        self.sound(run, 0)
        self.assertEqual({r["status"] for r in run.rows()}, {"ok"})
        for row in run.rows():
            for name in ("power_watts", "temperature_celsius", "link_width", "event_reasons"):
                self.assertIsNone(row["telemetry"][name], name)
        self.assertEqual(findings(run) - findings(HEALTHY), set())

    def test_a_cublas_that_is_missing_or_too_old(self):
        for fault, why in (("cublas_missing", r"libcublas"),
                           ("cublas_old", r"libcublasLt\.so\.\d+ has no cublasLt")):
            run = Run("gemm,memory_latency", RIDGE_VIRTUAL_FAULT=fault)
            self.sound(run, 0)
            self.assertTrue(run.rows(experiment="gemm"))
            for row in run.rows(experiment="gemm"):
                self.assertEqual(row["status"], "skipped")
                self.assertRegex(row["reason"], why)
            for row in run.rows(experiment="memory_latency"):
                self.assertEqual(row["status"], "ok", row["reason"])

    def test_a_cublas_that_fails_costs_its_row_and_not_the_card(self):
        at = Run("gemm").calls()["cublasLtMatmul"]
        run = Run("gemm,memory_latency", RIDGE_VIRTUAL_FAIL=f"cublasLtMatmul:{at}:13")
        self.sound(run, 4)
        self.assertEqual(len(run.rows(status="failed")), 1)
        self.assertIn("cuBLAS refused it (status 13)", run.sentences())

    # ---- memory is refused ----

    def refused(self, experiments, call, sentence):
        made = Run(experiments).calls()[call]
        for number in range(1, made + 1):
            for good in ("", "+"):
                with self.subTest(f"{experiments} {call}:{number}{good}"):
                    run = Run(experiments, RIDGE_VIRTUAL_FAIL=f"{call}:{number}{good}:2")
                    self.assertIn(run.status, (0, 3), run.sentences())
                    self.sound(run, run.status)
                    for row in run.rows(status="skipped"):
                        self.assertRegex(row["reason"], r"\d", "a number in the reason")
                    without_gate = call == "cudaHostAlloc" and (number, good) == (1, "")
                    if not without_gate:  # which no row needs
                        self.assertRegex(run.sentences(), sentence)

    def test_device_memory_refused_at_each_step(self):
        for experiments in ("memory_latency", "transfer", "gemm"):
            self.refused(experiments, "cudaMalloc", r"of cuda0's memory asked for, [\d.]+ \w+ free")

    def test_pinned_memory_refused_at_each_step(self):
        self.refused("transfer", "cudaHostAlloc", "be pinned")

    def test_little_may_be_pinned(self):
        """What fits below the limit is measured."""
        run = Run("memory_latency,transfer", RIDGE_VIRTUAL_FAULT="pinned_limited")
        self.sound(run, 0)
        for row in run.rows():
            pinned = row["parameters"].get("memory") == "pinned"
            if row["status"] != "ok":
                self.assertTrue(pinned, row)
                self.assertIn("be pinned", row["reason"])
        self.assertTrue(run.rows(status="skipped"))

    def test_nothing_may_be_pinned(self):
        """Rows of pinned copies are skipped with the reason; all else is measured as well."""
        run = Run("memory_latency,transfer", RIDGE_VIRTUAL_FAULT="pinned_refused")
        self.sound(run, 0)
        for row in run.rows():
            pinned = row["parameters"].get("memory") == "pinned"
            self.assertEqual(row["status"], "skipped" if pinned else "ok", row["reason"])
        self.assertIn("the card's memory is not the cause", run.sentences())
        usual = Run("memory_latency").rows()
        for row, gated in zip(run.rows(experiment="memory_latency"), usual):
            self.assertAlmostEqual(row["value"]["median"] / gated["value"]["median"], 1, 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
