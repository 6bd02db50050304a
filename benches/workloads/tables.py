"""Recurrences with two or three dimensions: tables, grids, matrices."""

from dataclasses import replace

import numpy as np

from peers import jitted, numba_compiled
from workload import C, Workload

try:
    from numba import prange
except ImportError:
    prange = range


WAVE_STEPS = 500


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


def edit_scan(a):
    """A scan over rows; within a row the cells to the left by a running minimum."""
    import jax
    import jax.numpy as jnp

    steps = jnp.arange(a["b"].shape[0] + 1, dtype=jnp.int32)

    def step(row, letter):
        cells = jnp.minimum(row[1:] + 1, row[:-1] + (a["b"] != letter))
        new = jnp.concatenate([row[:1] + 1, cells]) - steps
        return jax.lax.cummin(new) + steps, None

    return jax.lax.scan(step, steps, a["a"])[0][-1]


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


def smith_loop(a, b):
    n = b.shape[0]
    h, f = np.zeros(n + 1, np.int32), np.full(n + 1, -1000, np.int32)
    best = 0
    for i in range(a.shape[0]):
        diagonal, left, e = h[0], 0, -1000
        for j in range(n):
            up = h[j + 1]
            e = max(e - 1, left - 3)
            f[j + 1] = max(f[j + 1] - 1, up - 3)
            left = max(max(0, diagonal + (2 if a[i] == b[j] else -1)), max(e, f[j + 1]))
            diagonal = up
            h[j + 1] = left
            best = max(best, left)
    return np.int32(best)


def smith_scan(a):
    """A scan over rows; gaps to the left by a running maximum: one never opens in another."""
    import jax
    import jax.numpy as jnp

    n = a["b"].shape[0]
    at = jnp.arange(n, dtype=jnp.int32)
    none = jnp.zeros(1, jnp.int32)

    def step(state, letter):
        h, f, best = state
        f = jnp.maximum(f - 1, h[1:] - 3)
        fresh = jnp.maximum(jnp.maximum(0, h[:-1] + jnp.where(a["b"] == letter, 2, -1)), f)
        before = jnp.concatenate([none, fresh[:-1]])
        cells = jnp.maximum(fresh, jax.lax.cummax(before + at) - at - 3)
        h = jnp.concatenate([none, cells])
        return (h, f, jnp.maximum(best, cells.max())), None

    start = (jnp.zeros(n + 1, jnp.int32), jnp.full(n, -1000, jnp.int32), jnp.int32(0))
    return jax.lax.scan(step, start, a["a"])[0][2]


def bases(n):
    def make():
        rng = np.random.default_rng(23)
        return {"bases": rng.integers(0, 4, n).astype(np.int32)}

    return make


def nussinov(a):
    """Intervals by their first base, from the last on; the parts of one by a maximum."""
    x = a["bases"]
    n = len(x)
    t = np.zeros((n + 1, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(t[i, j - 1], t[i + 1, j])
            if i < j - 1:
                best = max(best, t[i + 1, j - 1] + (x[i] + x[j] == 3))
                best = max(best, (t[i, i + 1 : j] + t[i + 2 : j + 1, j]).max())
            t[i, j] = best
    return np.int32(t[0, n - 1])


def nussinov_loop(bases):
    n = bases.shape[0]
    t = np.zeros((n + 1, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(t[i, j - 1], t[i + 1, j])
            if i < j - 1:
                best = max(best, t[i + 1, j - 1] + (1 if bases[i] + bases[j] == 3 else 0))
            for k in range(i + 1, j):
                best = max(best, t[i, k] + t[k + 1, j])
            t[i, j] = best
    return t[0, n - 1]


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


def wave_loop(start, T):
    n = start.shape[0]
    a, b, c = start.copy(), start.copy(), np.zeros_like(start)
    for _ in range(2, T):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                c[i, j] = 2 * b[i, j] - a[i, j] + 0.25 * (
                    b[i + 1, j] + b[i - 1, j] + b[i, j + 1] + b[i, j - 1] - 4 * b[i, j])
        c[0], c[-1], c[:, 0], c[:, -1] = 0, 0, 0, 0
        a, b, c = b, c, a
    return b


def wave_scan(a):
    import jax

    def step(state, _):
        before, u = state
        c = u[1:-1, 1:-1]
        inner = 2 * c - before[1:-1, 1:-1] + 0.25 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * c)
        return (u, jax.numpy.pad(inner, 1)), None

    return jax.lax.scan(step, (a["start"], a["start"]), None, length=WAVE_STEPS - 2)[0][1]


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


def floyd_loop(direct):
    d = direct.copy()
    n = d.shape[0]
    for k in range(n):
        through = d[k].copy()
        for i in prange(n):
            to = d[i, k]
            for j in range(n):
                d[i, j] = min(d[i, j], to + through[j])
    return d


def floyd_scan(a):
    import jax
    import jax.numpy as jnp

    def step(d, k):
        return jnp.minimum(d, d[:, k, None] + d[None, k, :]), None

    return jax.lax.scan(step, a["direct"], jnp.arange(a["direct"].shape[0]))[0]


def definite(n):
    def make():
        rng = np.random.default_rng(29)
        half = rng.standard_normal((n, n))
        return {"A": half @ half.T + n * np.eye(n)}

    return make


def cholesky_loop(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for j in range(n):
        s = A[j, j]
        for k in range(j):
            s -= L[j, k] * L[j, k]
        root = np.sqrt(s)
        L[j, j] = root
        for i in prange(j + 1, n):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / root
    return L


def cholesky_scan(a):
    """A scan over columns, each as a product of all before."""
    import jax
    import jax.numpy as jnp

    n = a["A"].shape[0]
    rows = jnp.arange(n)

    def step(L, j):
        column = a["A"][:, j] - L @ L[j]
        column = jnp.where(rows >= j, column / jnp.sqrt(column[j]), 0.0)
        return L.at[:, j].set(column), None

    return jax.lax.scan(step, jnp.zeros((n, n)), rows)[0]


def lu_loop(A):
    a = A.copy()
    n = a.shape[0]
    for i in range(n):
        for k in range(i):
            a[i, k] /= a[k, k]
            factor = a[i, k]
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]
    return a


def lu(a):
    """Column by column."""
    f = a["A"].copy()
    for k in range(len(f)):
        f[k + 1 :, k] /= f[k, k]
        f[k + 1 :, k + 1 :] -= np.outer(f[k + 1 :, k], f[k, k + 1 :])
    return f


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


def kalman_loop(z):
    out = np.empty_like(z)
    x, v, a, b, c = 0.0, 0.0, 1.0, 0.0, 1.0
    for t in range(z.shape[0]):
        if t > 0:
            x += v
            a += 2 * b + c + 0.01
            b += c
            c += 0.02
        k, l, off = a / (a + 0.25), b / (a + 0.25), z[t] - x
        x += k * off
        v += l * off
        c -= l * b
        b -= k * b
        a -= k * a
        out[t] = x
    return out


def kalman_scan(a):
    import jax
    import jax.numpy as jnp

    F, Q = jnp.array([[1.0, 1.0], [0.0, 1.0]]), jnp.diag(jnp.array([0.01, 0.02]))

    def step(state, z):
        x, P = state
        K = P[:, 0] / (P[0, 0] + 0.25)
        x, P = x + K * (z - x[0]), P - jnp.outer(K, P[0])
        return (F @ x, F @ P @ F.T + Q), x[0]

    return jax.lax.scan(step, (jnp.zeros(2), jnp.eye(2)), a["z"])[1]


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
        peers={
            "numba": numba_compiled(edit_loop, "a", "b"),
            "jax": jitted(edit_scan),
        },
        c=C("tables.c", "edit_distance", lambda a: (), {"N": 4000, "EDIT": 1}),
        goals={"c": 3.0},
        threads=(1, 2),
        tolerance=0.0,
    ),
    Workload(
        name="Smith-Waterman 2000^2",
        program="smith_waterman.ein",
        output="score",
        dtype="i32",
        inputs=words(2000),
        reference=smith_waterman,
        peers={
            "numba": numba_compiled(smith_loop, "a", "b"),
            "jax": jitted(smith_scan),
        },
        c=C("tables.c", "smith_waterman", lambda a: (), {"N": 2000}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=0.0,
    ),
    Workload(
        name="Nussinov 1000",
        program="nussinov.ein",
        output="pairs",
        dtype="i32",
        inputs=bases(1000),
        reference=nussinov,
        peers={"numba": numba_compiled(nussinov_loop, "bases")},
        c=C("nussinov.c", "nussinov", lambda a: (), {"N": 1000}),
        goals={},
        threads=(1, 2),
        tolerance=0.0,
    ),
    Workload(
        name="wave 512^2 500 steps",
        program="wave.ein",
        output="last",
        dtype="f64",
        inputs=with_steps(plane(512), WAVE_STEPS),
        reference=wave,
        peers={
            "numba": numba_compiled(wave_loop, "start", "T", parallel=True),
            "jax": jitted(wave_scan),
        },
        c=C("grids.c", "wave", square(512), {"N": 512, "STEPS": WAVE_STEPS}),
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
        peers={
            "numba": numba_compiled(seidel_loop, "start", "T"),
        },
        c=C("grids.c", "seidel", square(400), {"N": 400, "STEPS": 100}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-10,
    ),
    Workload(
        name="Floyd-Warshall 512",
        program="floyd_warshall.ein",
        output="path",
        dtype="f32",
        inputs=distances(512),
        reference=floyd_warshall,
        peers={
            "numba": numba_compiled(floyd_loop, "direct", parallel=True),
            "jax": jitted(floyd_scan),
        },
        c=C("matrices.c", "floyd_warshall", square(512), {"N": 512}),
        goals={"c": 0.8},
        threads=(1, 2),
    ),
    Workload(
        name="Cholesky 512",
        program="cholesky.ein",
        output="L",
        dtype="f64",
        inputs=definite(512),
        reference=lambda a: np.linalg.cholesky(a["A"]),
        peers={
            "numba": numba_compiled(cholesky_loop, "A", parallel=True),
            "jax": jitted(cholesky_scan),
        },
        c=C("matrices.c", "cholesky", square(512), {"N": 512}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-10,
    ),
    *(
        Workload(
            name=f"LU {n}",
            program="lu.ein",
            output="F",
            dtype="f64",
            inputs=definite(n),
            reference=lu,
            peers={"numba": numba_compiled(lu_loop, "A")},
            c=C("matrices.c", "lu", square(n), {"N": n}),
            goals={"c": 0.8},
            tolerance=1e-10,
        )
        for n in (512, 1024)
    ),
    Workload(
        name="Kalman filter 10^5 steps",
        program="kalman.ein",
        output="filtered",
        dtype="f64",
        inputs=seen(100_000),
        reference=kalman,
        peers={
            "numba": numba_compiled(kalman_loop, "z"),
            "jax": jitted(kalman_scan),
        },
        c=C("kalman.c", "kalman", lambda a: a["z"].shape, {"N": 100_000}),
        goals={"c": 0.8},
        threads=(1, 2),
        tolerance=1e-9,
    ),
]

# The same as it is written by who states no types, and in which ways.
UNTYPED = {
    "edit distance 4000^2": {
        "no types": "edit_distance_open.ein",
        "no types, a function": "edit_distance_function.ein",
        "no types, one clause": "edit_distance_cases.ein",
    },
    "Smith-Waterman 2000^2": {"no types": "smith_waterman_open.ein"},
    "Nussinov 1000": {"no types": "nussinov_open.ein"},
}

WORKLOADS += [
    replace(w, name=f"{w.name}, {how}", program=program, goals={}, threads=(1,))
    for w in WORKLOADS
    for how, program in UNTYPED.get(w.name, {}).items()
]
