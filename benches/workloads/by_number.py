"""Gathers and scatters: rows and sums by number."""

from dataclasses import replace

import numpy as np

from peers import jitted, numba_compiled, numpy_result
from workload import C, Workload

LEVELS, WORDS, WIDTH, NUMBERS, NODES = 1_000_000, 20_000, 64, 50_000, 10_000


def levels():
    return {"level": np.random.default_rng(1).integers(0, 256, LEVELS).astype(np.int32)}


def histogram_loop(level):
    count = np.zeros(256, np.int64)
    for x in level:
        count[x] += 1
    return count


def text():
    r = np.random.default_rng(2)
    return {
        "table": r.standard_normal((WORDS, WIDTH)).astype(np.float32),
        "word": r.integers(0, WORDS, NUMBERS).astype(np.int32),
    }


def weighted():
    r = np.random.default_rng(3)
    return {**text(), "weight": r.standard_normal((NUMBERS, WIDTH)).astype(np.float32)}


def slope(a):
    found = np.zeros(a["table"].shape)
    np.add.at(found, a["word"], 2.0 * a["weight"] * a["table"][a["word"]])
    return found


def jax_slope(a):
    import jax

    loss = lambda table: (a["weight"] * table[a["word"]] ** 2).sum()
    return jax.grad(loss)(a["table"])


def graph():
    r = np.random.default_rng(4)
    node = lambda: r.integers(0, NODES, NUMBERS).astype(np.int32)
    state = r.standard_normal((NODES, WIDTH)).astype(np.float32)
    return {"state": state, "source": node(), "target": node()}


def messages(a):
    found = np.zeros(a["state"].shape, np.float32)
    np.add.at(found, a["target"], a["state"][a["source"]])
    return found


def jax_messages(a):
    import jax

    return jax.numpy.zeros_like(a["state"]).at[a["target"]].add(a["state"][a["source"]])


WORKLOADS = [
    Workload(
        name="histogram 1e6",
        program="histogram.ein",
        output="count",
        dtype="i64",
        inputs=levels,
        reference=lambda a: np.bincount(a["level"], minlength=256),
        peers={
            "numpy": numpy_result(lambda a: np.bincount(a["level"], minlength=256)),
            "numba": numba_compiled(histogram_loop, "level"),
        },
        c=C("by_number.c", "histogram", lambda a: (256,), {"N": LEVELS}),
        goals={"numpy": 1.0, "c": 0.8},
        tolerance=0.0,
    ),
    Workload(
        name="embedding 50000 of 20000x64",
        program="embedding.ein",
        output="rows",
        dtype="f32",
        inputs=text,
        reference=lambda a: a["table"][a["word"]],
        peers={
            "numpy": numpy_result(lambda a: a["table"][a["word"]]),
            "jax": jitted(lambda a: a["table"][a["word"]]),
        },
        goals={"numpy": 1.0},
        tolerance=0.0,
    ),
    Workload(
        name="embedding gradient",
        program="embedding_gradient.ein",
        output="slope",
        dtype="f32",
        inputs=weighted,
        reference=slope,
        peers={"jax": jitted(jax_slope)},
        goals={"jax": 1.0},
    ),
    Workload(
        name="messages 50000 edges x 64",
        program="messages.ein",
        output="arrived",
        dtype="f32",
        inputs=graph,
        reference=messages,
        peers={"numpy": numpy_result(messages), "jax": jitted(jax_messages)},
        c=C("by_number.c", "messages", lambda a: a["state"].shape,
            {"N": NUMBERS, "NODES": NODES, "WIDTH": WIDTH}),
        goals={"numpy": 1.0, "c": 0.8},
    ),
]

# The same in other words.
WAYS = {
    "histogram 1e6": {"a choice": "histogram_if.ein", "truth values": "histogram_cast.ein"},
    "embedding 50000 of 20000x64": {"where": "embedding_where.ein"},
}

WORKLOADS += [
    replace(w, name=f"{w.name}, {how}", program=program)
    for w in WORKLOADS
    for how, program in WAYS.get(w.name, {}).items()
]
