#!/usr/bin/env python3
"""Drives the program as a user does: test_command_line.py RIDGE SCHEMA"""
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

RIDGE, SCHEMA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# The fastest experiment there is; no card, so that every machine gives the same answers.
ONE = ["run", "-d", "host", "-e", "vector_peak", "--plan", "quick"]


def environment():
    return {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TERM": "dumb"}


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ridge-test-")

    def tearDown(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def ridge(self, *words, status=0):
        done = subprocess.run([RIDGE, *words], cwd=self.folder, env=environment(),
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def start(self, *words):
        """A run that has said where it saves and has begun to measure."""
        run = subprocess.Popen([RIDGE, *words], cwd=self.folder, env=environment(), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = ""
        while "1 of " not in said:
            line = run.stderr.readline()
            self.assertTrue(line, "ended before it measured: " + said)
            said += line
        return run

    def results(self):
        found = []
        for folder, _, names in os.walk(self.folder):
            found += [os.path.join(folder, name) for name in names]
        return found

    def read_only_result(self):
        found = self.results()
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"/\d{4}-\d\d-\d\dT\d{6}Z\.json$")
        with open(found[0], encoding="utf-8") as file:
            result = json.load(file)
        self.validate(result)
        return result

    def validate(self, result):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with open(SCHEMA, encoding="utf-8") as file:
            jsonschema.validate(result, json.load(file))

    def on_terminal(self, *words, **more):
        """What the program writes on a terminal."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(RIDGE, [RIDGE, *words], {**environment(), "TERM": "xterm", **more})
        said = b""
        try:
            while chunk := os.read(terminal, 4096):
                said += chunk
        except OSError:  # the terminal's other end is closed
            pass
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, said)
        return said.decode()

    # ---- help, version, unknown words

    def test_alone_it_prints_help_and_fails(self):
        self.assertIn("Commands:", self.ridge(status=2).stderr)

    def test_help_names_every_command(self):
        said = self.ridge("--help").stdout
        for name in re.findall(r"^  (\w+) ", said, re.M):
            self.assertIn("Usage: ridge " + name, self.ridge(name, "--help").stdout)

    def test_version_says_commit_or_toolkit(self):
        self.assertRegex(self.ridge("--version").stdout, r"^ridge \d+\.\d+\.\d+.*(CUDA|cuda)")

    def test_unknown_words_get_the_nearest(self):
        for words, nearest in [(["rum"], "'run'"),
                               (["run", "--plann", "quick"], "'--plan'"),
                               (["run", "--plan", "quik"], "'quick'"),
                               (["run", "-e", "memori"], "'memory'"),
                               (["run", "-d", "hots"], "'host'"),
                               (["run", "-f", "txt"], "'text'")]:
            with self.subTest(words):
                said = self.ridge(*words, status=2)
                self.assertIn(nearest, said.stderr)
                self.assertEqual(said.stderr.count("\n"), 1, said.stderr)
                self.assertEqual(self.results(), [])

    def test_superfluous_words_are_refused(self):
        self.ridge("run", "host", status=2)
        self.ridge("list", "all", status=2)

    # ---- list

    def test_list_shows_devices_experiments_and_plans(self):
        said = self.ridge("list").stdout
        for word in ["host", "cores", "vector_peak", "memory", "quick", "15 s", "thorough"]:
            self.assertIn(word, said)
        self.assertNotIn("\033", said)

    # ---- run

    def test_a_run_saves_a_valid_file_and_shows_the_report(self):
        done = self.ridge(*ONE)
        result = self.read_only_result()
        self.assertIn("/results/local/", self.results()[0])
        self.assertIn(os.path.relpath(self.results()[0], self.folder), done.stderr)
        self.assertIn("15 s", done.stderr)
        self.assertTrue(result["complete"])
        self.assertEqual(result["ridge"]["plan"], "quick")
        self.assertEqual(result["ridge"]["arguments"], ONE)
        self.assertGreater(result["seconds"], 0)
        self.assertIn("ok", [row["status"] for row in result["measurements"]])
        self.assertIn("vector_peak", done.stdout)
        self.assertNotIn("\033", done.stdout + done.stderr)

    def test_a_terminal_gets_a_bar_that_goes_away_and_colour(self):
        said = self.on_terminal(*ONE)
        bars = re.findall(r"\r\[[#.]+\] .*? s left", said)
        self.assertGreater(len(bars), 0, said)
        after = said[said.rindex(bars[-1]) + len(bars[-1]):]
        self.assertRegex(after, r"^[^\r\n]*\r\033\[K", "the last bar is taken away")
        self.assertIn("\033[1", after)

    def test_watching_draws_the_newest_sample_under_the_bar(self):
        said = self.on_terminal(*ONE, "--watch")
        drawn = re.findall(r"\r\[[#.]+\] [^\n]*\n([^\033]*)\033\[K\033\[A", said)
        self.assertGreater(len(drawn), 0, said)
        for line in drawn:
            self.assertRegex(line.strip("\r"), r"^  (preparing|\d[\d.]* ?\S+  )", said)
            self.assertLess(len(line), 80)
        self.assertTrue(any("preparing" not in line for line in drawn), drawn)
        after = said[said.rindex("\033[K\033[A"):]
        self.assertIn("\r\033[J", after, "both lines are taken away")
        self.assertNotIn("\033[A", after[len("\033[K\033[A"):])

    def test_watching_without_a_terminal_is_said_and_measures_on(self):
        done = self.ridge(*ONE, "--watch")
        self.assertIn("--watch draws on a terminal", done.stderr)
        self.assertNotIn("\033", done.stderr)
        self.assertIn("s left", done.stderr)

    def test_no_color_is_respected(self):
        said = self.on_terminal(*ONE, NO_COLOR="1")
        self.assertNotRegex(said, r"\033\[[0-9;]*m")

    def test_the_report_can_have_another_format(self):
        done = self.ridge(*ONE, "-o", "here", "-f", "json")
        self.assertEqual(json.loads(done.stdout)["schema"], "ridge-result")
        self.assertTrue(self.results()[0].startswith(self.folder + "/here/"))

    def test_a_missing_card_is_said_and_ends_with_3(self):
        said = self.ridge("run", "-d", "cuda0", status=3).stderr
        self.assertEqual(said.count("\n"), 1, said)
        self.assertRegex(said, "^ridge: .*(CUDA|cuda|device)")
        self.assertEqual(self.results(), [])

    def test_a_folder_that_cannot_be_written_is_said_before_measuring(self):
        with open(os.path.join(self.folder, "file"), "w", encoding="utf-8"):
            pass
        said = self.ridge(*ONE, "-o", "file/below", status=2).stderr
        self.assertIn("file/below", said)
        self.assertNotIn("1 of", said)

    def test_a_result_that_can_no_longer_be_saved_ends_with_2(self):
        run = self.start(*ONE, "-o", "here")
        shutil.rmtree(os.path.join(self.folder, "here"))
        out, said = run.communicate()
        self.assertEqual(run.returncode, 2)
        self.assertIn("not saved", said)
        self.assertIn("vector_peak", out)

    def test_interruption_saves_what_was_measured(self):
        for sent, status in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            with self.subTest(sent):
                run = self.start("run", "-d", "host", "-o", sent.name)
                run.send_signal(sent)
                _, said = run.communicate()
                self.assertEqual(run.returncode, status)
                self.assertIn("interrupted", said)
                self.assertFalse(self.read_only_result()["complete"])
                shutil.rmtree(os.path.join(self.folder, sent.name))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
