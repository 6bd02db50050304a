"""Cases of this folder, each a list of (expression, value) under some lines of source."""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def text(value):
    """A number or truth value as the programs print it."""
    if value.dtype == bool:
        return str(bool(value)).lower()
    return str(value) if value.dtype.kind in "iu" else f"{value:.8f}"


def case(name, head, uses, source, pairs, tolerance="1e-7"):
    by = Path(sys.argv[0]).name
    lines = [f"// {head}", f"// Written by {by}.", f"//@ tolerance: {tolerance}"]
    body = list(source)
    for expression, value in pairs:
        value = np.asarray(value)
        flat = value.ravel()
        whole = value.dtype.kind in "iub"
        lines.append("//@ expect: " + " ".join(text(v) for v in flat))
        body.append(f"show{'_whole' if whole else ''}({expression});")
    shows = [
        "fn show(x) { let y = flatten(x); let text = [\"{y[i]:.8f}\" | i in 0..len(y)]; print(joined(text, 0)); }",
        "fn show_whole(x) { let y = flatten(x); let text = [\"{y[i]}\" | i in 0..len(y)]; print(joined(text, 0)); }",
        "fn joined(text, at) { if at == len(text) - 1 { text[at] } else { text[at] + \" \" + joined(text, at + 1) } }",
    ]
    HERE.joinpath(name).write_text("\n".join(lines + uses + ["use std::array::flatten;"] + shows + body) + "\n")
