"""Measures Weft against other tools, in one run: `make bench`, or `bench.py NAME…` for the
workloads whose names contain one of these.

For each workload every tool computes its result, which is held against the reference;
then all take turns, round after round. Compilation and warming up are not timed. A ratio
is the peer's least time over ours: above 1 we are faster.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import machine
import process
import report
from workload import HERE, ROOT, load_all

WEFT = ROOT / "target" / "release" / "weft"
BENCH = ROOT / "target" / "bench"
# A tool that takes longer to start is reported as missing.
START_SECONDS = 180


class Failed(Exception):
    """A tool that gave no result."""


class Worker:
    """A peer in a process of its own."""

    def __init__(self, workload, tool, threads):
        command = [sys.executable, HERE / "worker.py", workload.name, tool, str(threads)]
        self.log = open(BENCH / f"{tool}.log", "w+")
        pipe, environment = subprocess.PIPE, {**os.environ, **workload.environment}
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self.log, text=True,
                                        env=environment)
        ready, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        if not ready or self.process.stdout.readline() != "ready\n":
            self.close()
            self.log.seek(0)
            raise Failed((self.log.read().strip().splitlines() or ["no answer"])[-1])
        self.result = np.load(BENCH / f"result-{tool}.npy")
        self.times = []

    def round(self, seconds):
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        self.times += json.loads(self.process.stdout.readline())

    def close(self):
        self.process.kill()
        self.process.wait()


class Weft:
    """Weft itself, a process for each round: its kernels are on disk after the first."""

    def __init__(self, workload, inputs, threads):
        self.threads, self.times = threads, []
        program = HERE / "programs" / workload.program
        given = []
        for name, value in inputs.items():
            path = BENCH / f"input-{name}.npy"
            if hasattr(value, "dtype"):
                np.save(path, value)
            given += ["--input", f"{name}={path if hasattr(value, 'dtype') else value}"]
        self.common = [str(program), *given, "--tier", "native", "--threads", str(threads),
                       *workload.flags]
        self.output = workload.output
        out = BENCH / "result-weft.npy"
        self.call("run", "--output", f"{self.output}={out}")
        self.result = np.load(out)

    def call(self, command, *more):
        pin = lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: self.threads])
        environment = {**os.environ, "WEFT_CACHE_DIR": str(BENCH / "kernels")}
        run = subprocess.run([str(WEFT), command, *self.common, *more], capture_output=True,
                             text=True, preexec_fn=pin, env=environment, timeout=START_SECONDS)
        if run.returncode != 0:
            raise Failed(run.stderr.strip().splitlines()[0])
        return run.stdout

    def round(self, seconds):
        text = self.call("bench", "--output", self.output, "--seconds", str(seconds), "--json")
        self.report = json.loads(text)
        # The spread of a round stands for its runs.
        self.times += [self.report["min_ms"], self.report["median_ms"]]

    def close(self):
        pass


def start(workload, inputs, threads, missing):
    """Every tool that runs the workload and gives the right result."""
    expected = np.asarray(workload.reference(inputs), dtype=np.float64)
    scale = np.abs(expected).max() or 1.0
    started = {}
    makers = {"weft": lambda: Weft(workload, inputs, threads)}
    for tool in workload.tools():
        makers[tool] = lambda tool=tool: Worker(workload, tool, threads)
    for tool, make in makers.items():
        try:
            runner = make()
        except (Failed, subprocess.TimeoutExpired, OSError) as e:
            missing.setdefault(tool, str(e))
            continue
        if runner.result.shape != expected.shape:
            missing[tool] = f"the shape is {runner.result.shape}, not {expected.shape}"
        elif (off := np.abs(runner.result - expected).max() / scale) > workload.tolerance:
            missing[tool] = f"the result is off by {off:.2e}"
        else:
            started[tool] = runner
            continue
        runner.close()
    return started


def measure(workload, threads, rounds, seconds):
    inputs, missing = workload.inputs(), {}
    runners = start(workload, inputs, threads, missing)
    for n in range(rounds):
        order = list(runners.values())
        for runner in order[n % len(order):] + order[: n % len(order)] if order else []:
            runner.round(seconds)
    line = {"name": workload.name, "dtype": workload.dtype, "threads": threads,
            "goals": workload.goals, "missing": missing, "tools": {}}
    for tool, runner in runners.items():
        times = sorted(runner.times)
        line["tools"][tool] = {"min_ms": times[0], "median_ms": times[len(times) // 2]}
        runner.close()
    if "weft" in runners:
        counted = runners["weft"].report
        line["weft"] = {k: counted[k] for k in ("flops", "bytes", "peak_bytes", "compile_ms")}
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only workloads whose names contain one of these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each tool in each round")
    parser.add_argument("--keep", action="store_true", help="write docs/benchmarks.{md,json}")
    args = parser.parse_args()
    BENCH.mkdir(parents=True, exist_ok=True)
    chosen = [w for w in load_all() if not args.names or any(n in w.name for n in args.names)]
    document = {"date": time.strftime("%Y-%m-%d"), "load": os.getloadavg()[0],
                "machine": machine.describe(), "lines": []}
    for workload in chosen:
        for threads in workload.threads:
            line = measure(workload, threads, args.rounds, args.seconds)
            document["lines"].append(line)
            print(report.brief(line, document), flush=True)
    if not args.names or "process" in args.names:
        document["process"] = process.measure(WEFT, BENCH)
        print(report.brief_process(document["process"]), flush=True)
    if args.keep:
        docs = ROOT / "docs"
        (docs / "benchmarks.json").write_text(json.dumps(document, indent=1) + "\n")
        (docs / "benchmarks.md").write_text(report.page(document))
    return 0


sys.exit(main())
