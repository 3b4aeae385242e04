#!/usr/bin/env python3
"""Every call that ridge makes fails once: sweep.py SOURCE BUILD [--all | --cases N] [--seed N] [CALL...]

Of every entry point of CUDA, cuBLAS and NVML the first, second, middle and last call fails, once
and for good.  A counting run finds the calls.  After each failure: no crash, no hang, the promised
exit status, a valid file, no row lost, nothing left on the card, the cause named.  Without --all a
part that the seed chooses, with every entry point in it unless N is less.
"""
import concurrent.futures
import os
import random
import sys

from virtual import Run, name_of

# The experiments that the calls are taken from; first those of which a run is shortest.
SETS = ["divergence,memory_latency", "divergence,transfer", "gemm,memory_latency"]
CUDA_ERROR, CUBLAS_ERROR, NVML_ERROR = 1, 14, 3  # invalid value, internal error, not supported
SAMPLED = 160  # failures tried without --all

# These cost a fact, a candidate or a convenience, which nobody needs a sentence for.
SILENT = {"cudaSetDeviceFlags", "cudaDeviceGetAttribute", "cudaDeviceGetPCIBusId",
          "cudaRuntimeGetVersion", "cudaDriverGetVersion", "cudaGetDeviceCount", "cublasLtMatmul",
          "cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmulPreferenceCreate",
          "cublasLtMatmulPreferenceSetAttribute", "cublasGemmEx", "cublasSetStream_v2",
          "cublasSetWorkspace_v2"}
# These give something back: what they refuse to take back is left, and there is no row to say it.
GIVES_BACK = ("cudaFree", "cudaFreeHost", "cudaHostUnregister", "cudaStreamDestroy",
              "cudaEventDestroy", "cublasLtMatmulPreferenceDestroy")


def error_of(call):
    return (CUDA_ERROR if call.startswith("cuda") else
            CUBLAS_ERROR if call.startswith("cublas") else NVML_ERROR)


def is_named(call, run):
    """A sentence has the error, or rows say that their card could not be warmed up before."""
    said = run.sentences()
    if call.startswith("cublas"):
        return "cuBLAS" in said or "status 14" in said or "cudaErrorUnknown" in said
    return "cudaErrorInvalidValue" in said or any("cold" in r["doubts"] for r in run.rows())


def is_silent(call, number, count):
    """The last cudaSetDevice comes before what gives back."""
    return (call.startswith("nvml") or call in SILENT or call in GIVES_BACK or
            (call, number) == ("cudaSetDevice", count))


def may_leave(call):
    return call in GIVES_BACK


def complaints(call, number, run, count, whole):
    """What is not as promised, by kind."""
    found = []
    if run.crashed():
        return [("crash", f"exit status {run.status}: {run.err[-300:]}")]
    found += [("file", sentence) for sentence in run.invalid]
    if run.leaked() and not may_leave(call):
        found.append(("leak", run.err[-300:]))
    elif run.leaked():
        pass
    elif run.result and run.status != run.promised_status():
        found.append(("status", f"{run.status}, the rows mean {run.promised_status()}"))
    elif not run.result and run.status != 3:
        found.append(("status", f"{run.status} without a file"))
    if run.left() and not may_leave(call):
        found.append(("leak", str(run.left())))
    for row in run.rows():
        if row["status"] != "ok" and not row["reason"]:
            found.append(("reason", f"{name_of(row)} is {row['status']} without a reason"))
    if not is_silent(call, number, count) and not is_named(call, run):
        found.append(("cause", "nobody names it: " + run.sentences()[-300:]))
    return found + lost_rows(number, run, whole)


def lost_rows(number, run, whole):
    """Rows of experiments that had ended when the call failed are there, and ok."""
    have = run.kept()
    return [("row", f"{name} is {have.get(name, 'gone')}")
            for boundary, names in whole for name in names
            if boundary < 0.9 * number and have.get(name) != "ok"]


def count_calls():
    """For every call: the set of experiments, how often it is made there, and which rows were
    measured after how many of them."""
    plan = {}
    for experiments in SETS:
        names = experiments.split(",")
        parts = [Run(",".join(names[:i + 1])) for i in range(len(names))]
        for call, count in parts[-1].calls().items():
            if call in plan:
                continue
            ended = [(p.calls().get(call, 0), {name_of(r) for r in p.rows(status="ok")})
                     for p in parts]
            plan[call] = experiments, count, ended
    return plan


def positions(count):
    return sorted({1, min(2, count), (count + 1) // 2, count})


def cases_of(plan, wanted):
    return [(call, number, good) for call, (_, count, _) in sorted(plan.items())
            for number in positions(count) for good in ("", "+")
            if not wanted or call in wanted]


def sampled(cases, seed, wanted):
    chooser = random.Random(seed)
    if wanted < len({case[0] for case in cases}):
        return sorted(chooser.sample(cases, wanted))
    first = {case[0]: case for case in chooser.sample(cases, len(cases))}
    rest = [case for case in cases if first[case[0]] != case]
    more = max(0, wanted - len(first))
    return sorted(first.values()) + sorted(chooser.sample(rest, min(more, len(rest))))


def try_one(case, plan):
    call, number, good = case
    experiments, count, ended = plan[call]
    run = Run(experiments, RIDGE_VIRTUAL_FAIL=f"{call}:{number}{good}:{error_of(call)}")
    return case, complaints(call, number, run, count, ended)


def table(results, plan):
    kinds = ["crash", "leak", "row", "status", "file", "cause", "reason"]
    lines = [f"{'call':42} {'made':>6} {'tried':>6} " + " ".join(f"{k:>7}" for k in kinds)]
    total = {k: 0 for k in kinds}
    for call in sorted({case[0] for case, _ in results}):
        mine = [found for case, found in results if case[0] == call]
        counts = {k: sum(any(kind == k for kind, _ in found) for found in mine) for k in kinds}
        total = {k: total[k] + counts[k] for k in kinds}
        lines.append(f"{call:42} {plan[call][1]:>6} {len(mine):>6} " +
                     " ".join(f"{counts[k]:>7}" for k in kinds))
    lines.append(f"{len({c[0] for c, _ in results})} calls, {len(results)} failures tried: "
                 f"{total['crash']} crashes, {total['leak']} leaks, {total['row']} lost rows, "
                 f"{sum(total[k] for k in kinds[3:])} other broken promises")
    return "\n".join(lines), sum(total.values())


def main():
    words = sys.argv[3:]
    number = {w: int(words[words.index(w) + 1]) for w in ("--seed", "--cases") if w in words}
    plan = count_calls()
    cases = cases_of(plan, [w for w in words if w.startswith(("cuda", "cublas", "nvml"))])
    if "--all" not in words:
        cases = sampled(cases, number.get("--seed", 20260102), number.get("--cases", SAMPLED))
    with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        results = list(pool.map(lambda case: try_one(case, plan), cases))
    for (call, number, good), found in results:
        for kind, sentence in found:
            print(f"{call}:{number}{good}: {kind}: {sentence}")
    text, broken = table(results, plan)
    print(text)
    return 1 if broken or len(plan) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
