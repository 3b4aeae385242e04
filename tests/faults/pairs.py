#!/usr/bin/env python3
"""Two faults at once: pairs.py SOURCE BUILD [--pairs N] [--seed N]

The second is a call that fails, memory that is refused, a kernel that fails or work that never ends;
the first is another of these, or a circumstance: a library that is missing, memory with a wrong bit,
a host that pins nothing, a card that is hot ...  After each pair the same holds as after one fault:
no crash, no leak, no row lost that was measured before, the promised exit status, a valid file.
"""
import concurrent.futures
import functools
import os
import random
import sys

from sweep import SETS, error_of, may_leave
from virtual import Run, name_of

PAIRS = 40
SETTINGS = {  # what holds for the whole run: variables, members of the card
    "healthy": ({}, {}),
    "nvml_missing": ({"RIDGE_VIRTUAL_FAULT": "nvml_missing"}, {}),
    "pinned_refused": ({"RIDGE_VIRTUAL_FAULT": "pinned_refused"}, {}),
    "pinned_limited": ({"RIDGE_VIRTUAL_FAULT": "pinned_limited"}, {}),
    "cublas_missing": ({"RIDGE_VIRTUAL_FAULT": "cublas_missing"}, {}),
    "cublas_old": ({"RIDGE_VIRTUAL_FAULT": "cublas_old"}, {}),
    "wrong_bit": ({"RIDGE_VIRTUAL_FAULT": "wrong_bit"}, {}),
    "short_copy": ({"RIDGE_VIRTUAL_FAULT": "short_copy"}, {}),
    "hot": ({}, {"event_reasons": 0x40, "clock_hz": 1.2e6}),
    "narrow_link": ({}, {"link_width_max": 2}),
    "busy": ({}, {"processes": 1, "utilisation_idle": 60}),
    "nvml_missing,pinned_refused": ({"RIDGE_VIRTUAL_FAULT": "nvml_missing,pinned_refused"}, {}),
    "cublas_missing,pinned_refused": ({"RIDGE_VIRTUAL_FAULT": "cublas_missing,pinned_refused"}, {}),
}
KINDS = ["call", "call", "call", "memory", "kernel", "endless"]
KERNEL_FAILED, NO_MEMORY = 719, 2


def run_of(setting, experiments, orders=()):
    variables, card = SETTINGS[setting]
    if orders:
        variables = {**variables, "RIDGE_VIRTUAL_FAIL": ",".join(orders), "RIDGE_HANG_SECONDS": "1"}
    return Run(experiments, card=card, **variables)


@functools.lru_cache(maxsize=None)
def plan_of(setting, experiments):
    """How often each call is made, and after how many which rows were measured."""
    names = experiments.split(",")
    parts = [run_of(setting, ",".join(names[:i + 1])) for i in range(len(names))]
    counts = {name: count for name, count in parts[-1].counts.items()
              if name in parts[-1].calls() or name.startswith("endless")}
    return counts, [(p.counts, {name_of(r) for r in p.rows(status="ok")}) for p in parts]


def failure(chooser, counts):
    """(call, number, order) of one failure."""
    kind = chooser.choice(KINDS)
    names = {"memory": ["cudaMalloc", "cudaHostAlloc"], "kernel": ["cudaLaunchKernel"],
             "endless": ["endless", "endless_product"]}.get(
                 kind, [n for n in counts if not n.startswith("endless")])
    name = chooser.choice(sorted(n for n in names if n in counts) or ["cudaLaunchKernel"])
    code = {"memory": NO_MEMORY, "kernel": KERNEL_FAILED, "endless": 1}.get(kind, error_of(name))
    number = chooser.randint(1, counts[name])
    good = chooser.choice(["", "+"]) if kind in ("call", "memory") else ""
    return name, number, f"{name}:{number}{good}:{code}"


def pair(chooser):
    """(setting, experiments, failures); where the setting is a fault, one failure is enough."""
    setting = chooser.choice(["healthy"] * 12 + sorted(SETTINGS))
    experiments = chooser.choice(SETS[1:])
    counts, _ = plan_of(setting, experiments)
    return setting, experiments, [failure(chooser, counts)
                                  for _ in range(2 if setting == "healthy" else 1)]


def lost_rows(case, run):
    """Rows of experiments that had ended before each of the failures are there, and ok."""
    setting, experiments, failures = case
    have = run.kept()
    return [("row", f"{name} is {have.get(name, 'gone')}")
            for counts, names in plan_of(setting, experiments)[1]
            if all(counts.get(call, 0) < 0.9 * number for call, number, _ in failures)
            for name in names if have.get(name) != "ok"]


def complaints(case, run):
    if run.crashed():
        return [("crash", f"exit status {run.status}: {run.err[-300:]}")]
    found = [("file", sentence) for sentence in run.invalid]
    lost = run.result and run.result["devices"][0]["unusable"]
    may = any(may_leave(call) for call, *_ in case[2])
    if run.leaked() and not may:
        found.append(("leak", run.err[-300:]))
    elif not run.leaked() and run.status != (run.promised_status() if run.result else 3):
        found.append(("status", f"{run.status}, the rows mean {run.promised_status()}"))
    if run.left() and not lost and not may:
        found.append(("leak", str(run.left())))
    for row in run.rows():
        if row["status"] != "ok" and not row["reason"] and row["status"] != "invalid":
            found.append(("reason", f"{name_of(row)} is {row['status']} without a reason"))
    if run.status in (3, 4) and not run.sentences().strip():
        found.append(("cause", "nobody names it"))
    return found + lost_rows(case, run)


def try_one(case):
    setting, experiments, failures = case
    return case, complaints(case, run_of(setting, experiments, [order for *_, order in failures]))


def table(results):
    kinds = ["crash", "leak", "row", "status", "file", "cause", "reason"]
    lines = [f"{'together with':30} {'tried':>6} " + " ".join(f"{k:>7}" for k in kinds)]
    for setting in SETTINGS:
        mine = [found for case, found in results if case[0] == setting]
        counts = [sum(any(kind == k for kind, _ in found) for found in mine) for k in kinds]
        name = "a second failure" if setting == "healthy" else setting
        lines.append(f"{name:30} {len(mine):>6} " + " ".join(f"{c:>7}" for c in counts))
    broken = [kind for _, found in results for kind in {kind for kind, _ in found}]
    lines.append(f"{len(results)} pairs tried: {broken.count('crash')} crashes, "
                 f"{broken.count('leak')} leaks, {broken.count('row')} lost rows, "
                 f"{sum(k not in ('crash', 'leak', 'row') for k in broken)} other broken promises")
    return "\n".join(lines), len(broken)


def main():
    words = sys.argv[3:]
    number = {w: int(words[words.index(w) + 1]) for w in ("--pairs", "--seed") if w in words}
    chooser = random.Random(number.get("--seed", 20260102))
    cases = [pair(chooser) for _ in range(number.get("--pairs", PAIRS))]
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        results = list(pool.map(try_one, cases))
    for (setting, experiments, failures), found in results:
        for kind, sentence in found:
            print(f"{setting}, {' '.join(o for *_, o in failures)} in {experiments}: "
                  f"{kind}: {sentence}")
    text, broken = table(results)
    print(text)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
