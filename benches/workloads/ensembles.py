"""Ensembles: a recurrence for each member, written out in clauses and through a function."""

import numpy as np

from workload import Workload

MEMBERS, STEPS = 1_000, 1_000

# What a function costs beside its clauses, at most a tenth.
ALIKE = 0.9


def inputs():
    return {"p": 0.5 + 0.0005 * np.arange(MEMBERS), "T": STEPS}


def states(a):
    s = [np.ones(MEMBERS)]
    for _ in range(a["T"] - 1):
        s.append(s[-1] * a["p"] - 0.001 * s[-1] ** 2)
    return np.array(s)


def loss(a):
    return (states(a) ** 2).sum()


def gradient(a):
    s, g = states(a), np.zeros(MEMBERS)
    adjoint = 2 * s[-1]
    for before in s[-2::-1]:
        g += adjoint * before
        adjoint = adjoint * (a["p"] - 0.002 * before) + 2 * before
    return g


def line(name, program, output, reference, goals=None):
    return Workload(name=name, program=program, output=output, dtype="f64", inputs=inputs,
                    reference=reference, goals=goals or {}, tolerance=1e-9)


WORKLOADS = [
    line("ensemble", "ensemble.ein", "loss", loss),
    line("ensemble through a function", "ensemble_function.ein", "loss", loss,
         {"rate of ensemble": ALIKE}),
    line("ensemble gradient", "ensemble.ein", "by_member", gradient),
    line("ensemble gradient through a function", "ensemble_function.ein", "by_member", gradient,
         {"rate of ensemble gradient": ALIKE}),
]
