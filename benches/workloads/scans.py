"""Linear recurrences of small states, which associative scans compute in lanes."""

import numpy as np

from peers import jitted, numba_compiled
from workload import C, Workload

N = 10_000_000


def signal(shape):
    return lambda: {"x": np.random.default_rng(7).standard_normal(shape)}


def system():
    turn = np.array([[0.9, -0.3], [0.3, 0.9]])
    return {"A": turn, "b": np.random.default_rng(7).standard_normal((N // 2, 2))}


def ema_loop(x):
    y = np.empty_like(x)
    s = x[0]
    y[0] = s
    for t in range(1, x.shape[0]):
        s = 0.9 * s + 0.1 * x[t]
        y[t] = s
    return y


def tracking_loop(x):
    s = x[0]
    error = 0.0
    for t in range(1, x.shape[0]):
        s = 0.9 * s + 0.1 * x[t]
        error += (s - x[t]) * (s - x[t])
    return np.float64(error)


def system_loop(A, b):
    y = np.empty_like(b)
    u, v = b[0, 0], b[0, 1]
    y[0, 0], y[0, 1] = u, v
    for t in range(1, b.shape[0]):
        u, v = (
            A[0, 0] * u + A[0, 1] * v + b[t, 0],
            A[1, 0] * u + A[1, 1] * v + b[t, 1],
        )
        y[t, 0], y[t, 1] = u, v
    return y


def ema_scan(a):
    """As maps `f * y + x`, of which two are one."""
    import jax

    x = a["x"]
    first = jax.numpy.arange(x.shape[0]) == 0
    factors = jax.numpy.where(first, 0.0, 0.9)
    terms = jax.numpy.where(first, x, 0.1 * x)
    after = lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1])
    return jax.lax.associative_scan(after, (factors, terms))[1]


def tracking_scan(a):
    return ((ema_scan(a) - a["x"]) ** 2).sum()


def system_scan(a):
    import jax

    def step(y, b):
        y = a["A"] @ y + b
        return y, y

    rest = jax.lax.scan(step, a["b"][0], a["b"][1:])[1]
    return jax.numpy.concatenate([a["b"][:1], rest])


WORKLOADS = [
    Workload(
        name="linear recurrence 10^7",
        program="ema.ein",
        output="y",
        dtype="f64",
        inputs=signal(N),
        reference=lambda a: ema_loop(a["x"]),
        peers={"numba": numba_compiled(ema_loop, "x"), "jax": jitted(ema_scan)},
        c=C("linear.c", "ema", lambda a: a["x"].shape, {"N": N}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-9,
    ),
    Workload(
        name="error of a linear recurrence 10^7",
        program="tracking.ein",
        output="error",
        dtype="f64",
        inputs=signal(N),
        reference=lambda a: tracking_loop(a["x"]),
        peers={"numba": numba_compiled(tracking_loop, "x"), "jax": jitted(tracking_scan)},
        c=C("linear.c", "tracking", lambda a: (), {"N": N}),
        goals={"c": 0.8},
        tolerance=1e-9,
    ),
    Workload(
        name="linear system of two states 5*10^6",
        program="state_space.ein",
        output="y",
        dtype="f64",
        inputs=system,
        reference=lambda a: system_loop(a["A"], a["b"]),
        peers={"numba": numba_compiled(system_loop, "A", "b"), "jax": jitted(system_scan)},
        c=C("linear.c", "state_space", lambda a: a["b"].shape, {"N": N // 2}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-9,
    ),
]
