"""Chains of elementwise operations, and reductions over rows."""

import numpy as np

from peers import jitted, numba_compiled, numpy_result, torch_compiled
from workload import C, Workload

N = 10_000_000


def vectors(dtype, *names, n=N):
    def make():
        rng = np.random.default_rng(11)
        return {k: rng.standard_normal(n).astype(dtype) for k in names}

    return make


def rows():
    rng = np.random.default_rng(13)
    return {"x": rng.standard_normal((4096, 1024), dtype=np.float32)}


def chain(a):
    return ((a["x"] + a["y"]) * a["x"] - a["y"]) * 0.5 + a["x"]


def softmax(a):
    x = a["x"]
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def torch_softmax(a):
    import torch

    return torch.softmax(a["x"], 1)


def layernorm(a):
    x = a["x"]
    m = x.mean(axis=1, keepdims=True)
    v = ((x - m) ** 2).mean(axis=1, keepdims=True)
    return (x - m) / np.sqrt(v + 1e-5)


def layernorm_rows(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        s = np.float32(0)
        for j in range(x.shape[1]):
            s += x[i, j]
        m = s / np.float32(x.shape[1])
        q = np.float32(0)
        for j in range(x.shape[1]):
            d = x[i, j] - m
            q += d * d
        r = np.float32(1) / np.sqrt(q / np.float32(x.shape[1]) + np.float32(1e-5))
        for j in range(x.shape[1]):
            out[i, j] = (x[i, j] - m) * r
    return out


def chain_loop(x, y):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        out[i] = ((x[i] + y[i]) * x[i] - y[i]) * 0.5 + x[i]
    return out


def f64(make):
    return lambda a: make({k: v.astype(np.float64) for k, v in a.items()})


def cumsum_loop(x):
    y = np.empty_like(x)
    sum = x.dtype.type(0)
    for i in range(x.shape[0]):
        sum += x[i]
        y[i] = sum
    return y


def cumsum(dtype, goal):
    name = "f32" if dtype == np.float32 else "f64"
    return Workload(
        name=f"cumulative sum 10^7 {name}",
        program=f"cumsum_{name}.ein",
        output="y",
        dtype=name,
        inputs=vectors(dtype, "x"),
        reference=f64(lambda a: np.cumsum(a["x"])),
        peers={
            "numpy": numpy_result(lambda a: np.cumsum(a["x"])),
            "numba": numba_compiled(cumsum_loop, "x"),
            "jax": jitted(lambda a: __import__("jax").numpy.cumsum(a["x"])),
        },
        c=C("cumsum.c", "cumsum", lambda a: a["x"].shape,
            {"T": "float" if name == "f32" else "double", "N": N}),
        goals={"c": goal},
        threads=(1, 2),
        tolerance=1e-2 if name == "f32" else 1e-9,
    )


WORKLOADS = [
    Workload(
        name="five operations 10^7",
        program="chain.ein",
        output="z",
        dtype="f64",
        inputs=vectors(np.float64, "x", "y"),
        reference=chain,
        peers={
            "numpy": numpy_result(chain),
            "numba": numba_compiled(chain_loop, "x", "y"),
            "jax": jitted(chain),
        },
        c=C("chain.c", "chain", lambda a: a["x"].shape, {"N": N}),
        goals={"numpy": 3.0, "c": 0.9},
        tolerance=1e-12,
    ),
    Workload(
        name="five operations and a sum 10^7",
        program="chain_sum.ein",
        output="s",
        dtype="f64",
        inputs=vectors(np.float64, "x", "y"),
        reference=lambda a: chain(a).sum(),
        peers={"numpy": numpy_result(lambda a: chain(a).sum()), "jax": jitted(lambda a: chain(a).sum())},
        c=C("chain.c", "chain_sum", lambda a: (), {"N": N}),
        goals={"numpy": 6.0},
        tolerance=1e-9,
    ),
    Workload(
        name="softmax 4096x1024",
        program="softmax.ein",
        output="p",
        dtype="f32",
        inputs=rows,
        reference=f64(softmax),
        peers={"numpy": numpy_result(softmax), "jax": jitted(lambda a: __import__("jax").nn.softmax(a["x"], 1)),
               "torch": torch_compiled(torch_softmax)},
        goals={"numpy": 3.0, "torch": 0.8},
    ),
    Workload(
        name="layer normalisation 4096x1024",
        program="layernorm.ein",
        output="y",
        dtype="f32",
        inputs=rows,
        reference=f64(layernorm),
        peers={"numpy": numpy_result(layernorm), "numba": numba_compiled(layernorm_rows, "x")},
        goals={"numba": 0.8},
    ),
    cumsum(np.float64, 0.95),
    cumsum(np.float32, 1.5),
]
