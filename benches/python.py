"""What Weft costs from Python, beside JAX where that is installed. `make bench` runs it; with `--keep` it
writes docs/python-benchmarks.md.

The least and the median of many rounds by turns: other work on the machine makes times longer, never
shorter. Starts and loops are measured by the processor time that they take, which other work does not
count in; JAX computes on threads of its own, so its loops and calls are measured by the clock."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

import machine
import numpy

import weft

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/python-benchmarks.md"

STARTS = 9
CALLS = 20_000
ROUNDS = 60

BEGIN = "import time\nnow = time.process_time\nbegin = now()\n"
END = "print((imported - begin) * 1e3, (now() - imported) * 1e3)"

START = {
    "Weft": BEGIN
    + """
import weft
imported = now()
program = weft.compile("input x: [f64; n]; let y = sum[i](x[i] ** 2);")
assert program(x=[0.5] * 1000).y == 250.0
"""
    + END,
    "JAX": BEGIN
    + """
import jax
imported = now()
assert jax.jit(lambda x: (x ** 2).sum())(jax.numpy.full(1000, 0.5)) == 250.0
"""
    + END,
}

MODEL = """
    use std::math::exp;
    input x: [f64; m, n];
    input label: [i64; m];
"""

STEP = MODEL + """
    input w: [f64; k, n];
    let z[i, c] = sum[j](x[i, j] * w[c, j]);
    let e[i, c] = exp(z[i, c] - max[d](z[i, d]));
    let s[i] = sum[c](e[i, c]);
    let q[i, c] = e[i, c] / s[i] - (if label[i] == c { 1.0 } else { 0.0 });
    let next[c, j] = w[c, j] - 0.001 * sum[i](q[i, c] * x[i, j]);
"""

LOOP = MODEL + """
    input w0: [f64; k, n];
    input steps: i64;
    let w[0, c in 0..k, j in 0..n] = w0[c, j];
    let z[t in 1..steps, i, c] = sum[j](x[i, j] * w[t - 1, c, j]);
    let e[t in 1..steps, i, c] = exp(z[t, i, c] - max[d](z[t, i, d]));
    let s[t in 1..steps, i] = sum[c](e[t, i, c]);
    let q[t in 1..steps, i, c] = e[t, i, c] / s[t, i] - (if label[i] == c { 1.0 } else { 0.0 });
    let w[t in 1..steps, c in 0..k, j in 0..n] =
        w[t - 1, c, j] - 0.001 * sum[i](q[t, i, c] * x[i, j]);
    let last[c, j] = w[steps - 1, c, j];
"""

# Images of eight by eight points, ten classes, and steps that are timed together: about as long, and
# short beside what the system gives a process at once. The last is all of `examples/data`.
ROWS = {16: 1_000, 256: 200, 1797: 40}


def jax_or_none():
    try:
        import jax
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    return jax


JAX = jax_or_none()
TOOLS = ["Weft", "JAX"] if JAX else ["Weft"]


def shown(times, unit):
    """The least and the median."""
    return f"{min(times):.2f} {unit} ({statistics.median(times):.2f})"


def clock(tool):
    return time.perf_counter if tool == "JAX" else time.thread_time


def starts():
    """Import and first answer of processes that begin anew."""
    with tempfile.TemporaryDirectory() as folder:
        ways = {tool: (tool, {}) for tool in TOOLS}
        ways["Weft, nothing kept on disk"] = ("Weft", {"WEFT_CACHE_DIR": "off"})
        ways["Weft"] = ("Weft", {"WEFT_CACHE_DIR": folder})
        times = {name: [] for name in ways}
        for _ in range(STARTS + 1):
            for name, (tool, extra) in ways.items():
                command = [sys.executable, "-c", START[tool]]
                told = subprocess.check_output(command, text=True, env={**os.environ, **extra})
                times[name].append(tuple(map(float, told.split())))
    # The first of each finds nothing in the system's memory.
    return {name: list(zip(*found[1:])) for name, found in times.items()}


def calls():
    """A warm call on so many numbers, its kernel included."""
    program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;")
    ways = {"Weft": lambda x: program(x=x).y}
    if JAX:
        jitted = JAX.jit(lambda x: 2.0 * x + 1.0)
        ways["JAX"] = lambda x: jitted(x).block_until_ready()
    found = {}
    for length in (8, 1_000):
        for tool, way in ways.items():
            x, times = numpy.ones(length), []
            for _ in range(CALLS):
                begin = time.perf_counter()
                way(x)
                times.append((time.perf_counter() - begin) * 1e6)
            found[length, tool] = times
    return found


def training_ways():
    step, loop = weft.compile(STEP, threads=1), weft.compile(LOOP, threads=1)

    def driven(x, label, w, steps):
        for _ in range(steps):
            w = step(x=x, label=label, w=w).array("next")
        return w.numpy()

    def kept(x, label, w, steps):
        step.forget()
        step.run(x=x, label=label, w=w, keep={"w": "next"})
        for _ in range(steps - 1):
            step.run(x=x, label=label, keep={"w": "next"})
        return step.kept["w"].numpy()

    def recurrence(x, label, w, steps):
        return loop(x=x, label=label, w0=w, steps=steps + 1).last

    ways = {"recurrence": recurrence, "calls": driven, "runs that keep": kept}
    if JAX:
        jnp = JAX.numpy

        @JAX.jit
        def one(x, label, w):
            q = JAX.nn.softmax(x @ w.T) - JAX.nn.one_hot(label, w.shape[0])
            return w - 0.001 * q.T @ x

        def by_jax(x, label, w, steps):
            x, label, w = jnp.asarray(x), jnp.asarray(label), jnp.asarray(w)
            for _ in range(steps):
                w = one(x, label, w)
            return numpy.asarray(w.block_until_ready())

        ways["JAX"] = by_jax
    return ways


def training():
    """A step of a loop that Python drives, and of the same loop as a recurrence."""
    ways, found = training_ways(), {}
    rng = numpy.random.default_rng(0)
    for rows, steps in ROWS.items():
        x, label = rng.standard_normal((rows, 64)), rng.integers(0, 10, rows)
        w = rng.standard_normal((10, 64))
        results = {name: way(x, label, w, 1_000) for name, way in ways.items()}
        for name, result in results.items():
            assert numpy.allclose(result, results["recurrence"]), name
        for _ in range(ROUNDS):
            for name, way in ways.items():
                now = clock(name)
                begin = now()
                way(x, label, w, steps)
                found.setdefault((rows, name), []).append((now() - begin) / steps * 1e6)
    return found


def rows_of_a_jacobian():
    """One row of a Jacobian of 10^10 entries, and the values that it is of."""
    n = 100_000
    x = numpy.random.default_rng(0).standard_normal(n)
    program = weft.compile("use std::math::sin; input x: [f64; n]; let y[i] = sin(x[i]) * sum(x);", threads=1)
    ways = {
        "values": lambda: program(x=x).array("y"),
        "a row": lambda: program(x=x).d("y", "x")[7],
        "a column": lambda: program(x=x).d("y", "x")[:, 7],
    }
    row = numpy.full(n, numpy.sin(x[7]))
    row[7] += numpy.cos(x[7]) * x.sum()
    assert numpy.allclose(ways["a row"](), row)
    if JAX:
        values = lambda x: JAX.numpy.sin(x) * x.sum()
        unit = numpy.zeros(n)
        unit[7] = 1.0
        jitted = JAX.jit(lambda x, e: JAX.vjp(values, x)[1](e)[0])
        ways["a row, JAX"] = lambda: jitted(x, unit).block_until_ready()
        assert numpy.allclose(ways["a row, JAX"](), row)
    found = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            now = clock("JAX" if name.endswith("JAX") else "Weft")
            begin = now()
            way()
            found[name].append((now() - begin) * 1e3)
    return found


def described():
    cores, (load, *_) = len(os.sched_getaffinity(0)), os.getloadavg()
    tools = [f"Python {sys.version.split()[0]}", f"numpy {numpy.__version__}"]
    tools += [f"jax {JAX.__version__}"] if JAX else []
    return f"{machine.cpu_name()}, {cores} cores; {', '.join(tools)}. The load was {load:.1f} before."


def lines():
    yield "# What Weft costs from Python\n"
    yield f"Made by `make bench` on {date.today()}: {described()}"
    yield "Least times, with medians behind them.\n"
    yield "| fresh process, processor time | import | first answer, of 1,000 numbers |\n|---|---|---|"
    for name, (imported, first) in starts().items():
        yield f"| {name} | {shown(imported, 'ms')} | {shown(first, 'ms')} |"
    yield "\n| warm call | Weft | JAX |\n|---|---|---|"
    found = calls()
    for length in (8, 1_000):
        cells = [shown(found[length, tool], "µs") for tool in TOOLS]
        yield f"| {length:,} numbers | {' | '.join(cells)} |"
    found = training()
    names = list(dict.fromkeys(name for _, name in found))
    yield f"\n| a step of a training loop | {' | '.join(names)} |\n|---|{'---|' * len(names)}"
    for rows in ROWS:
        least = min(found[rows, "recurrence"])
        more = {name: 100 * min(found[rows, name]) / least - 100 for name in names}
        cells = [f"{shown(found[rows, n], 'µs')} {more[n]:+.1f} %" for n in names]
        yield f"| {rows:,} images | {' | '.join(cells)} |"
    yield "\n| Jacobian of 10⁵ by 10⁵ | time |\n|---|---|"
    for name, times in rows_of_a_jacobian().items():
        yield f"| {name} | {shown(times, 'ms')} |"


text = ""
for line in lines():
    print(line, flush=True)
    text += line + "\n"
if "--keep" in sys.argv:
    PAGE.write_text(text)
