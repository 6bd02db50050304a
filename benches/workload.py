"""What a benchmark is: a program, its inputs, and the same in other tools.

A file in `workloads/` lists some in `WORKLOADS`; nothing else has to change.
"""

from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


@dataclass(frozen=True)
class C:
    """A function `void symbol(const void **in, void *out)` in `c/FILE`."""

    file: str
    symbol: str
    shape: Callable  # of the result, from the inputs
    defines: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Workload:
    """One line of the table.

    `inputs` makes arrays by name, and numbers that the program takes as literals.
    `reference` computes the result from them, in `f64` where that matters; every tool's
    result is held against it before anything is timed.
    `peers` maps a tool to a function that takes the inputs, prepares, and returns what is
    timed. `goals` are the ratios wanted: peer's time / ours, or `rate of NAME`: our
    operations per second over those of another line.
    """

    name: str
    program: str
    output: str
    dtype: str
    inputs: Callable
    reference: Callable
    peers: dict = field(default_factory=dict)
    c: C | None = None
    goals: dict = field(default_factory=dict)
    threads: tuple = (1,)
    # More flags for Weft, and variables of the peers' environment.
    flags: tuple = ()
    environment: dict = field(default_factory=dict)
    tolerance: float = 1e-4

    def tools(self):
        """Everything that runs it, besides Weft."""
        return list(self.peers) + (["c"] if self.c else [])


def load_all():
    """Every workload, in the order of the files and within them."""
    found = []
    for path in sorted((HERE / "workloads").glob("*.py")):
        spec = util.spec_from_file_location(f"workloads.{path.stem}", path)
        module = util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found += module.WORKLOADS
    names = [w.name for w in found]
    assert len(set(names)) == len(names), "two workloads of one name"
    return found
