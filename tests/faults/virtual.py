"""One `ridge run` on a virtual card with a fault: what tests of faults share."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("skipped: Python has no jsonschema")
    sys.exit(77)

SOURCE, BUILD = (Path(word).resolve() for word in sys.argv[1:3])
RIDGE = BUILD / "ridge"
START = [SOURCE / "tests/virtual_card/run"]
SECONDS = 60  # a run takes less than one; more means that it hangs
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((SOURCE / "results/schema.json").read_text(encoding="utf-8")))
MITE = json.loads((SOURCE / "tests/virtual_card/cards/mite.json").read_text(encoding="utf-8"))

if not (BUILD / "tests/virtual_card/lib").is_dir():
    print("skipped: no virtual card in this build")
    sys.exit(77)


def environment(folder, **variables):
    """Little host memory, so that rings round the caches stay small; no word of the user's."""
    root = Path(folder) / "root"
    (root / "proc").mkdir(parents=True, exist_ok=True)
    (root / "proc/meminfo").write_text("MemTotal: 65536 kB\nMemAvailable: 32768 kB\n")
    return {**os.environ, "RIDGE_ROOT": str(root), "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
            "RIDGE_VIRTUAL_LOG": str(Path(folder) / "card.log"),
            "ASAN_OPTIONS": "detect_leaks=1", "UBSAN_OPTIONS": "print_stacktrace=1", **variables}


def command(folder, experiments, card):
    return [*START, card, "--", RIDGE, "run", "-d", "cuda0", "-e", experiments, "--plan", "quick",
            "-o", Path(folder) / "out"]


def saved_result(folder):
    """The saved result, None where there is none; what is not valid of it."""
    saved = sorted((Path(folder) / "out").glob("*.json"))
    if not saved:
        return None, []
    try:
        result = json.loads(saved[-1].read_text(encoding="utf-8"))
    except ValueError as error:
        return None, [f"the saved file is no JSON: {error}"]
    return result, [f"the saved file: {e.json_path}: {e.message}"
                    for e in SCHEMA.iter_errors(result)]


def name_of(row):
    return json.dumps([row["experiment"], row["role"], row["parameters"]], sort_keys=True)


class Run:
    """What a run did: exit status (None: it hung), what it said, rows, what the card counted."""

    def __init__(self, experiments, card="mite", **variables):
        with tempfile.TemporaryDirectory(prefix="ridge-faults-") as folder:
            if isinstance(card, dict):
                path = Path(folder) / "card.json"
                path.write_text(json.dumps({**MITE, **card}))
                card = path
            try:
                done = subprocess.run(command(folder, experiments, card), capture_output=True,
                                      text=True, timeout=SECONDS, check=False,
                                      env=environment(folder, **variables))
                self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired as hung:
                self.status, self.out = None, ""
                self.err = (hung.stderr or b"").decode(errors="replace")
            self.result, self.invalid = saved_result(folder)
            log = Path(folder) / "card.log"
            lines = log.read_text().splitlines() if log.exists() else []
        pairs = (line.split(": ", 1) for line in lines if not line.startswith("kernel "))
        self.counts = {name: int(count) for name, count in pairs}

    def rows(self, **wanted):
        rows = self.result["measurements"] if self.result else []
        return [r for r in rows if all(r[name] == value for name, value in wanted.items())]

    def kept(self):
        """Statuses by row; a row left out for want of time (a busy machine) was not lost."""
        return {name_of(r): "ok" if (r["reason"] or "").startswith("left out to keep within")
                else r["status"] for r in self.rows()}

    def calls(self):
        return {n: c for n, c in self.counts.items() if n.startswith(("cuda", "cublas", "nvml"))}

    def left(self):
        return {n: c for n, c in self.counts.items() if n.endswith(" left") and c}

    def sentences(self):
        """All that it says of what went wrong."""
        return "\n".join([self.err] + [r["reason"] or "" for r in self.rows()])

    def promised_status(self):
        """By INTERFACE.md, from the rows of the saved file."""
        statuses = {r["status"] for r in self.rows()}
        if statuses & {"failed", "wrong"}:
            return 4
        if "ok" not in statuses:
            return 3
        return 1 if "invalid" in statuses else 0

    def leaked(self):
        """By the sanitizer; its word takes the place of the exit status."""
        return "ERROR: LeakSanitizer" in self.err

    def crashed(self):
        spoken = "ERROR: AddressSanitizer" in self.err or "runtime error:" in self.err
        return self.status is None or self.status < 0 or self.status > 128 or spoken
