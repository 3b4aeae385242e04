#!/usr/bin/env python3
"""A run that is killed leaves a valid file or none: kill.py SOURCE BUILD [SEED]"""
import random
import subprocess
import sys
import tempfile
import time

from virtual import command, environment, saved_result

EXPERIMENTS = "divergence,gemm,memory_latency,transfer"
KILLS = 10


def run(seconds):
    """Kills after so long (None: lets it end); (result, complaints, seconds)."""
    with tempfile.TemporaryDirectory(prefix="ridge-kill-") as folder:
        begun = time.monotonic()
        program = subprocess.Popen(command(folder, EXPERIMENTS, "mite"),
                                   env=environment(folder), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            program.wait(seconds)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
        result, invalid = saved_result(folder)
        return result, invalid, time.monotonic() - begun


def main():
    chooser = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 20260102)
    whole, invalid, seconds = run(None)
    if invalid or not whole or not whole["complete"]:
        print("the whole run left no good file", invalid)
        return 1
    broken = partial = absent = 0
    for _ in range(KILLS):
        at = chooser.uniform(0, seconds)
        result, invalid, _ = run(at)
        state = ("broken" if invalid else "absent" if result is None else
                 f"schema version {result['schema_version']}, {len(result['measurements'])} rows, "
                 f"complete: {result['complete']}")
        print(f"killed after {at:.3f} s: {state} {invalid or ''}")
        broken += bool(invalid) or (result is not None and result["schema_version"] != 1)
        absent += result is None
        partial += result is not None and not result["complete"]
    print(f"{KILLS} kills: {broken} broken files, {absent} without a file, {partial} partial")
    if not partial:
        print("no kill came between two experiments: nothing was shown")
    return 1 if broken or not partial else 0


if __name__ == "__main__":
    sys.exit(main())
