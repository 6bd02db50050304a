"""What checking takes: a long program, and recurrences within each other.

    python3 benches/checking.py WEFT [OTHER]

With another command of an earlier state both take turns, and the ratio is shown. The least of
some runs counts: what else the machine does only adds to it.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
LINES = 10_000
DEPTHS = (8, 32)


def long_program(lines):
    """Definitions, functions, reductions and recurrences in equal parts."""
    out = ["input x: [f64; n];", "let a0[i] = x[i] * 1.5;", "let s0 = sum[i](x[i] * x[i]);"]
    k = 0
    while len(out) < lines - 1:
        k += 1
        out += [
            f"let a{k}[i] = a{k - 1}[i] * 0.5 + x[i] * {k}.25;",
            f"let b{k}[i, j] = if a{k}[i] > x[j] {{ a{k}[i] }} else {{ x[j] - 1.0 }};",
            f"fn f{k}(u: f64, v: f64) {{ let w = u * {k}.5 + v; w * w - u / (1.0 + v * v) }}",
            f"let c{k}[i] = f{k}(a{k}[i], x[i]);",
            f"let s{k} = sum[i](a{k}[i] * c{k}[i]) + s{k - 1} * 0.5;",
            f"let m{k}[i] = max[j](b{k}[i, j] * x[j]);",
            f"let r{k}[0] = s{k};",
            f"let r{k}[t in 1..len(x)] = r{k}[t - 1] * 0.5 + c{k}[t];",
        ]
    return "\n".join(out[: lines - 1] + ["print(s1);"])


def nested(depth, place):
    """Recurrences so deep within each other, in the base or in the step."""
    inner = "1.0"
    for k in range(depth):
        base, step = (inner, "") if place == "base" else ("1.0", f" + {inner}")
        inner = (f"{{ let x{k}[0] = {base}; let x{k}[t{k} in 1..4] = 0.5 * x{k}[t{k} - 1]{step}; "
                 f"x{k}[3] }}")
    return f"let y = {inner};\nprint(y);"


def checked(weft, program):
    """Seconds of one `weft check`, the whole command."""
    start = time.perf_counter()
    subprocess.run([weft, "check", str(program)], check=False, capture_output=True)
    return time.perf_counter() - start


def main():
    commands = sys.argv[1:]
    texts = {f"{LINES} lines": long_program(LINES), "one line": "print(1);"}
    texts |= {f"{d} deep in the {p}": nested(d, p) for p in ("base", "step") for d in DEPTHS}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            program = Path(folder) / "program.ein"
            program.write_text(text)
            rounds = [[checked(c, program) for c in commands] for _ in range(RUNS)]
            least = [min(times) for times in zip(*rounds)]
            ratio = f"  ratio {least[0] / least[1]:.2f}" if len(least) > 1 else ""
            print(f"{name:20}" + "".join(f"{1e3 * t:9.1f} ms" for t in least) + ratio)


main()
