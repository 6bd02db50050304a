"""Transposed copies and operands."""

import numpy as np

from peers import jitted, numpy_result
from workload import C, Workload

N = 4096


def squares(dtype, *names):
    def make():
        rng = np.random.default_rng(17)
        return {k: rng.standard_normal((N, N)).astype(dtype) for k in names}

    return make


def chain(a):
    return (a["x"] + a["y"].T) * a["x"] - np.float32(0.5) * a["y"].T


def copied(dtype, goals):
    name = "f32" if dtype == np.float32 else "f64"
    return Workload(
        name=f"transpose 4096 {name}",
        program=f"transpose_{name}.ein",
        output="y",
        dtype=name,
        inputs=squares(dtype, "x"),
        reference=lambda a: a["x"].T,
        peers={"numpy": numpy_result(lambda a: np.ascontiguousarray(a["x"].T)),
               "jax": jitted(lambda a: a["x"].T.copy())},
        c=C("transpose.c", "transpose", lambda a: (N, N),
            {"T": "float" if name == "f32" else "double", "N": N}),
        goals=goals,
        tolerance=0.0,
    )


WORKLOADS = [
    copied(np.float32, {"numpy": 2.0, "c": 1.0}),
    copied(np.float64, {"numpy": 2.0, "c": 1.0}),
    Workload(
        name="chain with a transposed operand 4096",
        program="transposed_chain.ein",
        output="z",
        dtype="f32",
        inputs=squares(np.float32, "x", "y"),
        reference=chain,
        peers={"numpy": numpy_result(chain), "jax": jitted(chain)},
        c=C("transpose.c", "transposed_chain", lambda a: (N, N), {"T": "float", "N": N}),
        goals={"numpy": 3.0, "c": 1.0},
        tolerance=1e-5,
    ),
]
