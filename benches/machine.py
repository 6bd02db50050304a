"""The machine: what it is, and what it can do at most."""

import ctypes
import os
import platform
import subprocess
import time

import numpy as np

import native_c


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return "missing"


def cpu_name():
    lines = open("/proc/cpuinfo").read().splitlines()
    return next((l.split(":")[1].strip() for l in lines if l.startswith("model name")), "unknown")


def versions():
    found = {"gcc": first_line(["gcc", "--version"]).rsplit(" ", 1)[-1]}
    for tool in ("numpy", "numba", "jax", "torch"):
        try:
            found[tool] = __import__(tool).__version__
        except ImportError:
            found[tool] = "missing"
    return found


def best_seconds(run, times=7):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def peaks():
    """Operations and bytes per second of one thread."""
    library = native_c.compiled("peak.c")
    library.per_round.restype = ctypes.c_uint64
    rounds, found = 2_000_000, {}
    for dtype, size in (("f32", 4), ("f64", 8)):
        function = getattr(library, f"flops_{dtype}")
        function.restype = ctypes.c_double
        seconds = best_seconds(lambda: function(ctypes.c_uint64(rounds)))
        found[dtype] = library.per_round(size) * rounds / seconds
    n = 20_000_000
    arrays = [np.ones(n) for _ in range(3)]
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in arrays]
    seconds = best_seconds(lambda: library.triad(*pointers, ctypes.c_size_t(n)))
    found["bytes"] = 3 * 8 * n / seconds
    return found


def describe():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": cpu_name(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}",
        "versions": versions(),
        "peak_per_second": peaks(),
    }
