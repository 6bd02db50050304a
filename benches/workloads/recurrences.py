"""Recurrences, where each step needs the one before."""

from dataclasses import replace

import numpy as np

from peers import jitted, numba_compiled
from workload import C, Workload

try:
    from numba import prange
except ImportError:
    prange = range

POINTS, STEPS = 10_000, 10_000
COUNT, MODULUS = 10_000_000, 1_000_000_007


LARGE, FEW = 1_000_000, 200


def heat_start(points=POINTS, steps=STEPS):
    u = np.zeros(points)
    u[points // 2] = 1.0
    return {"start": u, "T": steps}


def heat(a):
    u = a["start"].copy()
    for _ in range(a["T"] - 1):
        v = np.zeros_like(u)
        v[1:-1] = u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
        u = v
    return u


def heat_loop(start, T):
    u, v = start.copy(), np.zeros_like(start)
    for _ in range(T - 1):
        for i in prange(1, u.shape[0] - 1):
            v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u, v = v, u
        u[0] = 0
        u[-1] = 0
    return u


def heat_scan(steps):
    def run(a):
        import jax

        def step(u, _):
            inner = u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
            return u.at[1:-1].set(inner).at[0].set(0.0).at[-1].set(0.0), None

        return jax.lax.scan(step, a["start"], None, length=steps - 1)[0]

    return run


def fibonacci_scan(a):
    import jax

    def step(pair, _):
        return (pair[1], (pair[0] + pair[1]) % MODULUS), None

    zero, one = jax.numpy.int64(0), jax.numpy.int64(1)
    return jax.lax.scan(step, (zero, one), None, length=COUNT - 1)[0][0]


def fibonacci_loop(n, m):
    a, b = 0, 1
    for _ in range(n - 1):
        a, b = b, (a + b) % m
    return np.int64(a)


def fibonacci(a):
    return np.int64(fibonacci_loop(a["n"], a["m"]))


def heat_peers(steps):
    return {
        "numba": numba_compiled(heat_loop, "start", "T", parallel=True),
        "jax": jitted(heat_scan(steps)),
    }


WORKLOADS = [
    Workload(
        name="heat 10^4 points 10^4 steps",
        program="heat.ein",
        output="last",
        dtype="f64",
        inputs=heat_start,
        reference=heat,
        peers=heat_peers(STEPS),
        c=C("heat.c", "heat", lambda a: a["start"].shape, {"POINTS": POINTS, "STEPS": STEPS}),
        goals={"c": 0.7},
        threads=(1, 2),
        tolerance=1e-10,
    ),
    Workload(
        name="heat 10^6 points 200 steps",
        program="heat.ein",
        output="last",
        dtype="f64",
        inputs=lambda: heat_start(LARGE, FEW),
        reference=heat,
        peers=heat_peers(FEW),
        c=C("heat.c", "heat", lambda a: a["start"].shape, {"POINTS": LARGE, "STEPS": FEW}),
        goals={"c": 1.3},
        threads=(1, 2),
        tolerance=1e-10,
    ),
    Workload(
        name="Fibonacci mod m 10^7",
        program="fibonacci.ein",
        output="last",
        dtype="i64",
        inputs=lambda: {"n": COUNT, "m": MODULUS},
        reference=fibonacci,
        peers={
            "numba": numba_compiled(fibonacci_loop, "n", "m"),
            "jax": jitted(fibonacci_scan),
        },
        goals={"numba": 0.9},
        threads=(1, 2),
        tolerance=0.0,
    ),
]

WORKLOADS += [
    replace(w, name=f"{w.name}, no types", program="fibonacci_open.ein", threads=(1,))
    for w in WORKLOADS
    if w.program == "fibonacci.ein"
]
