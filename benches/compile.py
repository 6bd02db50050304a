"""What compiling takes, pass by pass, held against a budget; and how it grows with a program.

Code is made anew each time. The least of some runs counts: what else the machine does only
adds to it.
"""

import json
import subprocess

import numpy as np

RUNS = 7
PASSES = ("check_ms", "plan_ms", "lower_ms", "code_ms")

# Milliseconds for each pass, in the order of PASSES: some times what a machine of two cores
# takes when it is idle, so that they hold on one that is not.
BUDGETS = {
    "matmul.ein": (3, 1, 1, 150),
    "conv2d.ein": (3, 1, 1, 200),
    "softmax.ein": (4, 1, 1, 150),
    "transpose_f32.ein": (3, 1, 1, 100),
    "mlp_gradient.ein": (8, 5, 8, 900),
    "heat_gradient.ein": (10, 3, 2, 300),
    "burgers_gradient.ein": (10, 3, 2, 300),
}
# Shapes of the inputs, and numbers: small ones, since nothing is to run for long.
SHAPES = {
    "matmul.ein": {"A": (64, 64), "B": (64, 64)},
    "conv2d.ein": {"X": (1, 4, 12, 12), "W": (16, 4, 3, 3)},
    "softmax.ein": {"x": (64, 64)},
    "transpose_f32.ein": {"x": (128, 128)},
    "mlp_gradient.ein": {"x": (16, 784), "W1": (784, 512), "W2": (512, 512), "W3": (512, 10),
                         "label": (16, 10)},
    "heat_gradient.ein": {"start": (64,), "T": 10},
    "burgers_gradient.ein": {"start": (64,), "T": 10},
}
OUTPUTS = {"matmul.ein": ["C"], "conv2d.ein": ["Y"], "softmax.ein": ["p"],
           "transpose_f32.ein": ["y"], "mlp_gradient.ein": ["both"],
           "heat_gradient.ein": ["by_start"], "burgers_gradient.ein": ["by_start"]}

# What arrays hold where that is not f32.
TYPES = {"heat_gradient.ein": np.float64, "burgers_gradient.ein": np.float64}

# A chain of so many definitions; compiling the last may take as much more for each than the
# one before as the factor says.
LENGTHS = (1, 10, 100, 1000)
GROWTH = 1.5


def chain(n):
    """Definitions that read each other, of which the last is looked at."""
    lines = ["input x: [f64; n];", "let a0[i] = x[i] * 1.5;"]
    lines += [f"let a{k}[i] = a{k - 1}[i] * 0.5 + x[i] * {k}.25;" for k in range(1, n)]
    return "\n".join(lines + [f"print(sum[i](a{n - 1}[i]));"])


def passes(weft, *args):
    """The least milliseconds of each pass."""
    found = []
    for _ in range(RUNS):
        command = [str(weft), "bench", "--json", "--tier", "native", "--cache-dir", "off",
                   "--seconds", "0", *args]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found.append(json.loads(out)["passes"])
    return [min(f[p] for f in found) for p in PASSES]


def measure(weft, folder, programs):
    """A table of what was found, and what was allowed."""
    lines = {}
    for name, budget in BUDGETS.items():
        args = [str(programs / name)]
        for given, shape in SHAPES[name].items():
            value = shape
            if isinstance(shape, tuple):
                value = folder / f"compile-{given}.npy"
                np.save(value, np.full(shape, 0.01, TYPES.get(name, np.float32)))
            args += ["--input", f"{given}={value}"]
        for output in OUTPUTS.get(name, []):
            args += ["--output", output]
        lines[name] = {"passes": passes(weft, *args), "budget": list(budget)}
    grown = {}
    for n in LENGTHS:
        program = folder / "chain.ein"
        program.write_text(chain(n))
        grown[n] = passes(weft, str(program), "--input", "x=[1, 2, 3]")
    return {"programs": lines, "chain": grown}


def broken(found):
    """What is over its budget, in words."""
    out = []
    for name, line in found["programs"].items():
        for p, ms, most in zip(PASSES, line["passes"], line["budget"]):
            if ms > most:
                out.append(f"{name}: {p} {ms:.1f}, more than {most}")
    totals = [(n, sum(ms)) for n, ms in found["chain"].items()]
    for (n, before), (m, after) in zip(totals[1:], totals[2:]):
        if after / m > GROWTH * before / n:
            out.append(f"{m} definitions: {after / m:.3f} ms each, {n} take {before / n:.3f} each")
    return out


def page(found):
    """The same as a part of the page."""
    head = [p.removesuffix("_ms") for p in PASSES]
    rows = ["", "What compiling takes, in milliseconds, with the budget of each pass:", "",
            "| program | " + " | ".join(head) + " |", "|---" * (1 + len(head)) + "|"]
    for name, line in found["programs"].items():
        cells = [f"{ms:.1f} (≤ {most})" for ms, most in zip(line["passes"], line["budget"])]
        rows.append(f"| {name} | " + " | ".join(cells) + " |")
    for n, ms in found["chain"].items():
        rows.append(f"| chain of {n} | " + " | ".join(f"{x:.1f}" for x in ms) + " |")
    over = broken(found)
    rows += ["", "Over budget: " + "; ".join(over) + "." if over else "All are within their budgets."]
    return "\n".join(rows)
