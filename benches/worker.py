"""One tool on one workload, in a process of its own: `worker.py WORKLOAD TOOL THREADS`.

Says `ready` when its result is written and it is warm; for each line `SECONDS` on its
input it runs that long and answers with the times in milliseconds. Processes of several
tools take turns this way.
"""

import os
import sys

threads = int(sys.argv[3])
for name in ("OPENBLAS", "OMP", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = str(threads)
multi = "true" if threads > 1 else "false"
given = os.environ.get("XLA_FLAGS", "")
os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen={multi}"
os.environ["JAX_PLATFORMS"] = "cpu"
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])

import json  # noqa: E402
import time  # noqa: E402

import numpy as np  # noqa: E402

import native_c  # noqa: E402
from workload import ROOT, load_all  # noqa: E402

MOST_RUNS = 1000


def find(name):
    return next(w for w in load_all() if w.name == name)


def main():
    workload, tool = find(sys.argv[1]), sys.argv[2]
    inputs = workload.inputs()
    run = native_c.prepare(workload, inputs) if tool == "c" else workload.peers[tool](inputs)
    if tool == "torch":
        import torch

        torch.set_num_threads(threads)
    result = np.asarray(run())
    np.save(ROOT / "target" / "bench" / f"result-{tool}.npy", result)
    run()
    print("ready", flush=True)
    for line in sys.stdin:
        times, end = [], time.perf_counter() + float(line)
        while not times or (time.perf_counter() < end and len(times) < MOST_RUNS):
            start = time.perf_counter_ns()
            run()
            times.append((time.perf_counter_ns() - start) / 1e6)
        print(json.dumps(times), flush=True)


main()
