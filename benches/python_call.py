"""What a call from Python costs besides its kernel: `PYTHONPATH=target/python/in-place python
benches/python_call.py`, after `make test`."""

import statistics
import subprocess
import sys
import time

import numpy

import weft

CALLS = 20_000

START = """
import time
begin = time.perf_counter()
import weft
imported = time.perf_counter()
program = weft.compile("input x: [f64; n]; let y = sum[i](x[i] ** 2);")
assert program(x=[3.0, 4.0]).y == 25.0
print((imported - begin) * 1e3, (time.perf_counter() - imported) * 1e3)
"""

runs = [subprocess.check_output([sys.executable, "-c", START], text=True) for _ in range(11)]
times = sorted(tuple(map(float, run.split())) for run in runs)
print(f"import {times[5][0]:.1f} ms, first answer {statistics.median(t[1] for t in times):.1f} ms")

program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;")
for length in (8, 1_000):
    x = numpy.ones(length)
    micros = []
    for _ in range(CALLS):
        begin = time.perf_counter()
        program(x=x).y
        micros.append((time.perf_counter() - begin) * 1e6)
    micros.sort()
    print(f"{length} numbers: median {micros[CALLS // 2]:.2f} us, least {micros[0]:.2f} us")
