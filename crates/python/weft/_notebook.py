"""Weft in IPython and notebooks: the cell magic ``%%weft``."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from ._weft import compile

if TYPE_CHECKING:
    from ._weft import Outputs


class _Words(argparse.ArgumentParser):
    """What stands behind the magic; what is wrong with it ends the cell, not the interpreter."""

    def error(self, message: str) -> Any:
        raise ValueError(f"{message}\n{self.format_usage()}")


def _words() -> _Words:
    words = _Words(prog="%%weft", add_help=False)
    words.add_argument("names", nargs="*", metavar="NAME", help="outputs that become names here")
    words.add_argument("--program", metavar="NAME", help="what the program is called here")
    words.add_argument("--strict", action="store_true", help="floats in the order of the text")
    words.add_argument("--threads", type=int, help="threads that compute")
    return words


def cell(line: str, text: str, names: dict[str, Any]) -> Outputs:
    """Runs a cell.

    Its inputs are the values of the same names in ``names``; those that are not there have their
    defaults. The outputs that ``line`` lists are computed together and put there.
    """
    asked = _words().parse_args(shlex.split(line))
    mode = "strict" if asked.strict else "fast"
    program = compile(text, root=".", name="<cell>", float_mode=mode, threads=asked.threads)
    known = {d.name for d in program.outputs}
    for name in asked.names:
        if name not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise KeyError(f"the cell has no output `{name}`; it has {listed}")
    given = {d.name: names[d.name] for d in program.inputs if d.name in names}
    # What the cell prints and asserts comes with the outputs that are asked for.
    out = program(**given).compute(*asked.names) if asked.names else program.run(**given)
    names.update({name: out[name] for name in asked.names})
    if asked.program:
        names[asked.program] = program
    return out


def register(shell: Any) -> None:
    """Adds the magic to an IPython; ``%load_ext weft`` does so."""

    def weft(line: str, text: str) -> Any:
        """%%weft [NAME ...] [--program NAME] [--strict] [--threads N]

        Runs the cell as a program: inputs are values of the notebook, outputs that are named
        become values of it. The cell's own value is all its outputs, computed as they are read.
        """
        return cell(line, text, shell.user_ns)

    shell.register_magic_function(weft, "cell", "weft")
