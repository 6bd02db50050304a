"""Recurrences with two or three dimensions: tables, grids, matrices."""

import numpy as np

from peers import numba_compiled
from workload import C, Workload


def words(n):
    def make():
        rng = np.random.default_rng(17)
        return {k: rng.integers(0, 4, n).astype(np.int32) for k in ("a", "b")}

    return make


def edit_distance(a):
    """Row by row; the cells to the left by a running minimum."""
    x, y = a["a"], a["b"]
    steps = np.arange(len(y) + 1)
    row = steps.copy()
    for i, letter in enumerate(x):
        new = np.empty_like(row)
        new[0] = i + 1
        new[1:] = np.minimum(row[1:] + 1, row[:-1] + (y != letter))
        row = np.minimum.accumulate(new - steps) + steps
    return np.int32(row[-1])


def edit_loop(a, b):
    row = np.arange(b.shape[0] + 1).astype(np.int32)
    for i in range(a.shape[0]):
        diagonal = row[0]
        row[0] = i + 1
        left = row[0]
        for j in range(b.shape[0]):
            up = row[j + 1]
            left = min(min(up, left) + 1, diagonal + (0 if a[i] == b[j] else 1))
            diagonal = up
            row[j + 1] = left
    return row[-1]


def smith_waterman(a):
    """Diagonal by diagonal; `h[i]` of a diagonal is cell `(i, d - i)`."""
    x, y = a["a"], a["b"]
    m, n = len(x), len(y)
    far = -1000
    h2, h1 = np.zeros(m + 1, int), np.zeros(m + 1, int)
    e1, f1 = np.full(m + 1, far), np.full(m + 1, far)
    best = 0
    for d in range(2, m + n + 1):
        i = np.arange(max(1, d - n), min(m, d - 1) + 1)
        e, f, h = np.full(m + 1, far), np.full(m + 1, far), np.zeros(m + 1, int)
        e[i] = np.maximum(e1[i] - 1, h1[i] - 3)
        f[i] = np.maximum(f1[i - 1] - 1, h1[i - 1] - 3)
        same = h2[i - 1] + np.where(x[i - 1] == y[d - i - 1], 2, -1)
        h[i] = np.maximum(np.maximum(0, same), np.maximum(e[i], f[i]))
        best = max(best, h.max())
        h2, h1, e1, f1 = h1, h, e, f
    return np.int32(best)


def plane(n):
    def make():
        rng = np.random.default_rng(19)
        return {"start": rng.standard_normal((n, n))}

    return make


def with_steps(make, steps):
    return lambda: {**make(), "T": steps}


def wave(a):
    before, u = a["start"], a["start"]
    for _ in range(2, a["T"]):
        v = np.zeros_like(u)
        c = u[1:-1, 1:-1]
        v[1:-1, 1:-1] = 2 * c - before[1:-1, 1:-1] + 0.25 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * c)
        before, u = u, v
    return u


def seidel_loop(start, T):
    a = start.copy()
    n = a.shape[0]
    for _ in range(T):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                           + a[i, j - 1] + a[i, j] + a[i, j + 1]
                           + a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]) / 9.0
    return a


def seidel(a):
    import numba

    return numba.njit(seidel_loop)(a["start"], a["T"])


def distances(n):
    def make():
        rng = np.random.default_rng(23)
        return {"direct": rng.uniform(1, 100, (n, n)).astype(np.float32)}

    return make


def floyd_warshall(a):
    d = a["direct"].astype(np.float64)
    for k in range(len(d)):
        d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
    return d


def definite(n):
    def make():
        rng = np.random.default_rng(29)
        half = rng.standard_normal((n, n))
        return {"A": half @ half.T + n * np.eye(n)}

    return make


def seen(n):
    def make():
        rng = np.random.default_rng(31)
        return {"z": np.cumsum(rng.standard_normal(n) * 0.1)}

    return make


def kalman(a):
    z = a["z"]
    F, Q = np.array([[1.0, 1.0], [0.0, 1.0]]), np.diag([0.01, 0.02])
    x, P, out = np.zeros(2), np.eye(2), np.empty(len(z))
    for t, seen_now in enumerate(z):
        if t > 0:
            x, P = F @ x, F @ P @ F.T + Q
        K = P[:, 0] / (P[0, 0] + 0.25)
        x = x + K * (seen_now - x[0])
        P = P - np.outer(K, P[0])
        out[t] = x[0]
    return out


def square(n):
    return lambda a: (n, n)


WORKLOADS = [
    Workload(
        name="edit distance 4000^2",
        program="edit_distance.ein",
        output="distance",
        dtype="i32",
        inputs=words(4000),
        reference=edit_distance,
        peers={"numba": numba_compiled(edit_loop, "a", "b")},
        c=C("tables.c", "edit_distance", lambda a: (), {"N": 4000, "EDIT": 1}),
        goals={"c": 3.0},
        tolerance=0.0,
    ),
    Workload(
        name="Smith-Waterman 2000^2",
        program="smith_waterman.ein",
        output="score",
        dtype="i32",
        inputs=words(2000),
        reference=smith_waterman,
        c=C("tables.c", "smith_waterman", lambda a: (), {"N": 2000}),
        goals={"c": 0.8},
        tolerance=0.0,
    ),
    Workload(
        name="wave 512^2 500 steps",
        program="wave.ein",
        output="last",
        dtype="f64",
        inputs=with_steps(plane(512), 500),
        reference=wave,
        c=C("grids.c", "wave", square(512), {"N": 512, "STEPS": 500}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-8,
    ),
    Workload(
        name="seidel 400^2 100 steps",
        program="seidel.ein",
        output="end",
        dtype="f64",
        inputs=with_steps(plane(400), 100),
        reference=seidel,
        peers={"numba": numba_compiled(seidel_loop, "start", "T")},
        c=C("grids.c", "seidel", square(400), {"N": 400, "STEPS": 100}),
        goals={"c": 0.8},
        tolerance=1e-10,
    ),
    Workload(
        name="Floyd-Warshall 512",
        program="floyd_warshall.ein",
        output="path",
        dtype="f32",
        inputs=distances(512),
        reference=floyd_warshall,
        c=C("matrices.c", "floyd_warshall", square(512), {"N": 512}),
        goals={"c": 0.8},
    ),
    Workload(
        name="Cholesky 512",
        program="cholesky.ein",
        output="L",
        dtype="f64",
        inputs=definite(512),
        reference=lambda a: np.linalg.cholesky(a["A"]),
        c=C("matrices.c", "cholesky", square(512), {"N": 512}),
        goals={"c": 0.8},
        tolerance=1e-10,
    ),
    Workload(
        name="Kalman filter 10^5 steps",
        program="kalman.ein",
        output="filtered",
        dtype="f64",
        inputs=seen(100_000),
        reference=kalman,
        c=C("kalman.c", "kalman", lambda a: a["z"].shape, {"N": 100_000}),
        goals={"c": 0.8},
        tolerance=1e-9,
    ),
]
