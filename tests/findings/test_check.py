#!/usr/bin/env python3
"""`ridge check` on saved results: test_check.py RIDGE SOURCE"""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

RIDGE, SOURCE = (os.path.abspath(word) for word in sys.argv[1:3])
HEALTHY = os.path.join(SOURCE, "tests/findings/healthy.json")


def scaled(row, factor):
    """The row with a rate that is `factor` times as high."""
    row["seconds"] = [s / factor for s in row["seconds"]]
    row["value"] = None


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ridge-check-")
        with open(HEALTHY, encoding="utf-8") as file:
            self.result = json.load(file)
        self.rows = self.result["measurements"]
        self.facts = self.result["devices"][0]["facts"]

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def ridge(self, *words, status=0):
        done = subprocess.run([RIDGE, "check", *words], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=60,
                              env={**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def save(self, result=None, name="result.json"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.result if result is None else result, file)
        return path

    def fault(self):
        self.rows[0]["telemetry"]["link_generation"] = 3
        scaled(self.rows[0], 0.5)

    # ---- the verdict ----

    def test_healthy_is_ok_and_says_so_first(self):
        out = self.ridge(HEALTHY).stdout
        self.assertTrue(out.startswith("OK"), out)
        self.assertIn("Is this normal?", out)
        self.assertRegex(out, r"DRAM read +1\.89 TB/s +93 % of 2\.04 TB/s +93-96 % +usual")

    def test_a_fault_ends_with_4(self):
        self.fault()
        out = self.ridge(self.save(), status=4).stdout
        self.assertTrue(out.startswith("FAULT: 1 fault"), out)
        self.assertIn("LINK_GEN_LOW", out)
        self.assertIn("Fix: Reseat the card", out)
        self.assertLess(out.index("LINK_GEN_LOW"), out.index("PAGEABLE"))

    def test_degraded_ends_with_1_or_by_wish_with_0(self):
        self.facts["power_limit_watts"] = 300
        path = self.save()
        self.assertTrue(self.ridge(path, status=1).stdout.startswith("DEGRADED"))
        self.assertIn("LIMIT_LOWERED", self.ridge("--fail-on", "fault", path).stdout)

    def test_an_invalid_main_figure_ends_with_3(self):
        for row in self.rows[3:5]:
            scaled(row, 1.3)
        out = self.ridge(self.save(), status=3).stdout
        self.assertTrue(out.startswith("INCOMPLETE"), out)
        self.assertIn("Missing: memory bandwidth of cuda0", out)

    def test_a_failed_row_ends_with_4(self):
        self.rows[0].update(status="failed", reason="the card fell off the bus", value=None)
        out = self.ridge(self.save(), status=4).stdout
        self.assertIn("FAILED cuda0 transfer: the card fell off the bus", out)

    def test_no_figure_at_all_is_never_ok(self):
        self.result["measurements"] = []
        self.result["figures"] = []
        self.assertIn("none was measured", self.ridge(self.save(), status=3).stdout)

    def test_a_result_without_telemetry_is_judged(self):
        for row in self.rows:
            row["telemetry"] = None
            row["timeline"] = None
        scaled(self.rows[3], 1.4)
        out = self.ridge(self.save(), status=1).stdout
        self.assertIn("ABOVE_ROOF_MEMORY", out)
        self.assertIn("1 invalid figure", out)

    # ---- mistakes ----

    def test_mistakes_are_one_sentence_and_2(self):
        for words in (["nowhere.json"], ["--expect-link", "fast"], ["--expect-power", "-3"],
                      ["--budget", "soon"], ["--fail-on", "note"], ["--explain", "LINK_SLOWLY"],
                      ["--against", "nowhere.json", HEALTHY], ["--nonsense"],
                      ["--prometheus", "/nowhere/x.prom", HEALTHY],
                      ["--thresholds", "nowhere.csv"]):
            done = self.ridge(*words, status=2)
            self.assertRegex(done.stderr, r"^ridge( check)?: .*\n$", words)

    def test_an_unknown_rule_gets_the_nearest_suggested(self):
        self.assertIn("LINK_SLOW?", self.ridge("--explain", "LINK_SLOWLY", status=2).stderr)

    # ---- expectations and the past ----

    def test_expectations(self):
        self.assertIn("LINK_UNEXPECTED",
                      self.ridge("--expect-link", "gen5x16", HEALTHY, status=4).stdout)
        self.assertNotIn("LINK_UNEXPECTED", self.ridge("--expect-link", "gen4x16", HEALTHY).stdout)
        self.assertIn("POWER_UNEXPECTED",
                      self.ridge("--expect-power", "500", HEALTHY, status=4).stdout)
        for row in self.rows:
            row["telemetry"]["link_generation"] = None
        out = " ".join(self.ridge("--expect-link", "gen4x16", self.save(), status=3).stdout.split())
        self.assertIn("--expect-link of cuda0 (link_generation is unknown)", out)
        self.assertIn("CLAIM_MISMATCH",
                      self.ridge("--expect-memory", "96", HEALTHY, status=4).stdout)

    def test_against_itself_nothing_is_slower(self):
        self.assertNotIn("BASELINE", self.ridge("--against", HEALTHY, HEALTHY).stdout)

    def test_against_other_devices_nothing_can_be_said(self):
        self.result["devices"][0]["uuid"] = "GPU-another"
        self.result["devices"][1]["name"] = "another CPU"
        self.assertIn("the baseline holds none of these devices",
                      " ".join(self.ridge("--against", HEALTHY, self.save(), status=3).stdout.split()))

    def test_against_an_earlier_result(self):
        figure = self.result["figures"][4]
        for name in ("value", "ci_low", "ci_high"):
            figure[name] *= 0.9
        out = self.ridge("--against", HEALTHY, self.save(), status=1).stdout
        self.assertIn("BELOW_BASELINE", out)
        self.assertIn("10 % below its own of 2026-01-02T03:04:05Z", " ".join(out.split()))

    def test_files_are_judged_together(self):
        paths = []
        for i in range(4):
            one = copy.deepcopy(self.result)
            one["devices"][0]["uuid"] = f"GPU-{i}"
            if i == 2:
                one["figures"][4]["value"] *= 0.8
            paths.append(self.save(one, f"{i}.json"))
        self.assertIn("median of 4 cards", " ".join(self.ridge(*paths, status=1).stdout.split()))

    def test_runs_of_one_card_are_no_peers(self):
        paths = []
        for i in range(4):
            one = copy.deepcopy(self.result)
            if i == 2:
                one["figures"][4]["value"] *= 0.8
            paths.append(self.save(one, f"{i}.json"))
        out = " ".join(self.ridge(*paths).stdout.split())
        self.assertNotIn("PEER_OUTLIER", out)
        self.assertIn("over 4 runs of this device", out)

    # ---- what rules say of themselves ----

    def test_every_rule_that_speaks_is_explained(self):
        out = self.ridge("--explain", "all").stdout
        ids = re.findall(r"^([A-Z][A-Z0-9_]+) \((note|degraded|invalid|fault|start-up|acceptance "
                         r"file|reading a foreign file)\b[^()]*\)$", out, re.M)
        self.assertGreater(len({i for i, _ in ids}), 70)
        self.assertEqual(out.count("  source: "), len(ids))
        one = self.ridge("--explain", "link_slow").stdout
        for word in ("needs: ", "threshold: 70 %", "source: "):
            self.assertIn(word, one)

    def test_what_the_start_and_the_device_name_is_explained(self):
        """The words behind a sentence of the device are ids, too."""
        root = os.path.join(SOURCE, "harness", "device")
        named = set()
        for name in ("cuda_errors.c", "cuda_memory.c"):
            with open(os.path.join(root, name), encoding="utf-8") as file:
                named |= set(re.findall(r'"([A-Z]+_[A-Z_]+)"|\(([A-Z]+_[A-Z_]+)\)"', file.read()))
        named = {one or other for one, other in named}
        named = {name for name in named if not name.startswith("CUDA_")}
        self.assertGreater(len(named), 15, named)
        for name in named:
            self.assertIn("fix: ", self.ridge("--explain", name).stdout)

    def test_silent_rules_name_what_they_lacked(self):
        self.facts["power_limit_default_watts"] = None
        out = self.ridge("--silent", self.save()).stdout
        self.assertIn("LIMIT_LOWERED lacked power_limit_default_watts", out)

    # ---- exports ----

    def test_one_line(self):
        self.fault()
        self.result["devices"][0]["name"] = "quotes \" and\nlines"
        out = self.ridge("--one-line", self.save(), status=4).stdout
        self.assertRegex(out, r"^ridge: FAULT cuda0 GPU-1111 LINK_GEN_LOW [^\n\"']+; [^\n\"']+\n$")
        self.assertLessEqual(len(out), 201)
        self.assertRegex(self.ridge("--one-line", HEALTHY).stdout, r"^ridge: OK 2 devices\n$")

    def prometheus(self, path, status):
        """Reads as node_exporter does: every name once, its samples together."""
        out = os.path.join(self.folder, "ridge.prom")
        self.ridge("--prometheus", out, path, status=status)
        with open(out, encoding="utf-8", newline="") as file:
            text = file.read()
        self.assertTrue(text.endswith("\n") and "\r" not in text)
        self.assertEqual(os.listdir(self.folder).count("ridge.prom"), 1)
        self.assertEqual([n for n in os.listdir(self.folder) if n.endswith(".prom")],
                         ["ridge.prom"])
        seen, kind, samples = [], {}, {}
        for line in text.splitlines():
            comment = re.fullmatch(r"# (HELP|TYPE) ([a-z_]+) (.+)", line)
            if comment:
                self.assertNotIn((comment[1], comment[2]), kind)
                kind[comment[1], comment[2]] = comment[3]
                continue
            match = re.fullmatch(r'([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)+)\})? '
                                 r"([-+0-9.e]+)", line)
            self.assertIsNotNone(match, line)
            name, labels, value = match.groups()
            if not seen or seen[-1] != name:
                self.assertNotIn(name, seen, "samples of a name stand together")
                seen.append(name)
            self.assertEqual(kind["TYPE", name], "gauge")
            self.assertIn(("HELP", name), kind)
            key = name, tuple(re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', labels or ""))
            self.assertNotIn(key, samples, "a sample twice")
            samples[key] = float(value)
        return samples

    def value(self, samples, name, **labels):
        found = [v for (n, pairs), v in samples.items()
                 if n == name and all(dict(pairs).get(k) == w for k, w in labels.items())]
        self.assertEqual(len(found), 1, (name, labels, found))
        return found[0]

    def test_prometheus_holds_what_the_file_holds(self):
        self.fault()
        samples = self.prometheus(self.save(), 4)
        self.assertEqual(self.value(samples, "ridge_memory_bandwidth_bytes_per_second",
                                    kernel="read", device="cuda0"), 1.89e12)
        self.assertEqual(self.value(samples, "ridge_flops_per_second", input="bf16"), 2.5e14)
        self.assertEqual(self.value(samples, "ridge_link_generation", device="cuda0"), 3)
        self.assertEqual(self.value(samples, "ridge_finding", id="LINK_GEN_LOW",
                                    severity="fault"), 1)
        self.assertEqual(self.value(samples, "ridge_check_exit_code"), 4)
        self.assertEqual(self.value(samples, "ridge_last_run_timestamp_seconds"), 1767323045)

    def test_prometheus_leaves_out_what_must_not_be_used(self):
        scaled(self.rows[3], 1.3)
        self.result["devices"][0]["name"] = 'a "card" \\ with\nlines'
        samples = self.prometheus(self.save(), 1)
        self.assertEqual([k for k in samples if k[0] == "ridge_memory_bandwidth_bytes_per_second"
                          and ("kernel", "read") in k[1]], [])

    def test_node_labels(self):
        out = os.path.join(self.folder, "ridge")
        self.ridge("--nfd", out, HEALTHY)
        with open(out, encoding="ascii") as file:
            lines = file.read().splitlines()
        self.assertRegex(lines[0], r"^# \+expiry-time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        labels = dict(line.split("=") for line in lines[1:])
        for name, value in labels.items():
            self.assertTrue(name.startswith("feature.node.kubernetes.io/ridge-"))
            self.assertRegex(value, r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$")
        prefix = "feature.node.kubernetes.io/ridge-"
        self.assertEqual(labels[prefix + "check"], "ok")
        self.assertEqual(labels[prefix + "link"], "gen4-x16")
        self.assertEqual(labels[prefix + "memory-gbs"], "1800")

    def test_exports_take_one_result(self):
        self.ridge("--prometheus", "x.prom", HEALTHY, HEALTHY, status=2)

    # ---- acceptance files ----

    def thresholds(self, rows, status, *words):
        path = os.path.join(self.folder, "floors.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("card,figure,minimum,unit\n" + rows)
        return self.ridge("--thresholds", path, *words, status=status).stdout

    def test_public_slips_are_found(self):
        out = self.thresholds("h200-sxm,memory,2333,MB/s\na100-sxm4-80gb,memory,137500,MB/s\n"
                              "l40,memory,49050,MB/s\n", 4)
        self.assertEqual(out.count("UNIT_SLIP"), 3, out)
        self.assertEqual(out.count("PASSES_ANYTHING"), 3, out)

    def test_floors_that_say_something_pass(self):
        out = self.thresholds("a100-sxm4-80gb,memory,0.85,roof\na100-sxm4-80gb,link,21,GB/s\n"
                              "a100-sxm4-80gb,bf16,230,TFLOP/s\n", 0)
        self.assertTrue(out.startswith("3 floors judged, 0 findings"), out)

    def test_floors_that_no_card_or_no_good_card_reaches(self):
        self.assertIn("FAILS_EVERYTHING", self.thresholds("l40s,memory,900,GB/s\n", 4))
        self.assertIn("FAILS_GOOD_CARDS", self.thresholds("a100-sxm4-80gb,memory,0.95,roof\n", 1))
        self.assertIn("SPARSE_PEAK", self.thresholds("h100-sxm5-80gb,fp16,1979,TFLOP/s\n", 4))

    def test_a_card_without_a_row_is_not_tested(self):
        self.assertIn("UNKNOWN_CARD", self.thresholds("l4,memory,0.8,roof\n", 4, HEALTHY))

    SKUS = """version: "4"
skus:
  # one that names what it was derived from
  - name: NVIDIA A100-SXM4-80GB
    id: 20b2
    memory_bandwidth:
      is_allowed: true
      # three quarters of 1830000: 1372500
      minimum_bandwidth: 137250.0
    pcie:
      h2d_d2h_single_pinned:
        min_pci_generation: 3.0
        min_pci_width: 16.0
        min_bandwidth: 12.5
  - name: NVIDIA L4
    memory_bandwidth: {minimum_bandwidth: 240000}
"""

    def judged_file(self, text, status, *words):
        path = os.path.join(self.folder, "floors")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = self.ridge("--thresholds", path, *words, status=status)
        return " ".join(done.stdout.split()) + done.stderr

    def test_the_diagnostic_s_yaml(self):
        out = self.judged_file(self.SKUS, 4)
        self.assertIn("5 floors judged", out)
        self.assertEqual(out.count("LINK_FLOOR_WEAK"), 2, out)
        self.assertEqual(out.count("PASSES_ANYTHING"), 2, out)
        for id in ("COMMENT_DIFFERS", "UNIT_SLIP"):
            self.assertEqual(out.count(id), 1, out)
        self.assertIn("a link with 3 passes, the card has 4", out)

    def test_yaml_that_is_none_names_the_line(self):
        self.assertIn("floors: line 3: ", self.judged_file("skus:\n- name: a\n  - {\n", 2))
        self.assertIn("floors: line 4: 'fast' is no number", self.judged_file(
            "skus:\n- name: NVIDIA L4\n  memory_bandwidth:\n    minimum_bandwidth: fast\n", 2))

    def test_nhc_lines_are_for_the_cards_of_the_result(self):
        out = self.judged_file("#  * || check_gpu_bw 1\n * || check_gpu_bw 21 300\n", 0, HEALTHY)
        self.assertIn("1 floor judged, 0 findings", out)
        self.assertIn("LINK_FLOOR_WEAK", self.judged_file("* || check_gpu_bw 12.9\n", 1, HEALTHY))
        self.assertIn("line 2: check_gpu_bw names no card",
                      self.judged_file("\n* || check_gpu_bw 21\n", 2))

    def test_a_boost_clock_cannot_be_held(self):
        self.assertIn("EXACT_CLOCK", self.thresholds("a100-sxm4-80gb,sm_clock,1410,MHz\n", 1))
        self.assertIn("0 findings", self.thresholds("a100-sxm4-80gb,sm_clock,1200,MHz\n", 0))

    def test_unreadable_acceptance_files(self):
        for rows in ("a100-sxm4-80gb,memory,many,GB/s\n", "a100-sxm4-80gb,memory,3,parsecs\n",
                     "a100-sxm4-80gb\n", '"a100\n'):
            self.thresholds(rows, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
