"""The whole command: from its start to its end, with and without machine code on disk."""

import os
import shutil
import subprocess
import time

PROGRAM = """
let n = 256;
let A[i in 0..n, j in 0..n] = ((i * 7 + j * 3) % 11) as f32;
let B[i in 0..n, j in 0..n] = ((i * 5 + j * 2) % 13) as f32;
let C[i, j] = sum[k](A[i, k] * B[k, j]);
print(C[3, 5]);
"""
RUNS = 15
GOALS = {"warm": 40.0, "empty": 150.0}


def measure(weft, folder):
    """Milliseconds of a forced native 256² matmul, with a warm and an empty cache."""
    cache, found = folder / "process-cache", {}
    command = [str(weft), "run", "--tier", "native", "--cache-dir", str(cache), "-c", PROGRAM]
    for state in ("empty", "warm"):
        times, busy = [], []
        for _ in range(RUNS):
            if state == "empty":
                shutil.rmtree(cache, ignore_errors=True)
            before, start = os.times(), time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(1e3 * (time.perf_counter() - start))
            after = os.times()
            busy.append(1e3 * (after[2] + after[3] - before[2] - before[3]))
        times.sort()
        found[state] = {"min_ms": times[0], "median_ms": times[RUNS // 2],
                        "processor_ms": sorted(busy)[RUNS // 2], "goal_ms": GOALS[state]}
    return found
