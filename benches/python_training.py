"""A training loop driven from Python beside the same loop as a recurrence, and beside JAX where that is
installed: `PYTHONPATH=target/python/in-place python benches/python_training.py`, after `make test`.

Processor time of one thread, the least of five rounds by turns: what other processes take is not counted."""

import time

import numpy

import weft

STEPS = 1_000

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

step = weft.compile(STEP, threads=1)
loop = weft.compile(LOOP, threads=1)


def by_weft(x, label, w, steps):
    for _ in range(steps):
        w = step(x=x, label=label, w=w).array("next")
    return w.numpy()


def kept(x, label, w, steps):
    step.forget()
    step.run(x=x, label=label, w=w, keep={"w": "next"})
    x, label = numpy.asarray(x), numpy.asarray(label)
    for _ in range(steps - 1):
        step.run(x=x, label=label, keep={"w": "next"})
    return step.kept["w"].numpy()


def recurrence(x, label, w, steps):
    return loop(x=x, label=label, w0=w, steps=steps + 1).last


def by_jax():
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    @jax.jit
    def one(x, label, w):
        q = jax.nn.softmax(x @ w.T) - jax.nn.one_hot(label, w.shape[0])
        return w - 0.001 * q.T @ x

    def run(x, label, w, steps):
        x, label, w = jnp.asarray(x), jnp.asarray(label), jnp.asarray(w)
        for _ in range(steps):
            w = one(x, label, w)
        return numpy.asarray(w.block_until_ready())

    return run


ways = {"recurrence": recurrence, "calls": by_weft, "runs that keep": kept}
try:
    ways["JAX"] = by_jax()
except ImportError:
    print("JAX is not installed")

rng = numpy.random.default_rng(0)
for rows in (16, 256, 1797):
    x, label = rng.standard_normal((rows, 64)), rng.integers(0, 10, rows)
    w = rng.standard_normal((10, 64))
    least = {}
    results = {}
    for _ in range(5):
        for name, way in ways.items():
            # JAX computes on threads of its own.
            clock = time.perf_counter if name == "JAX" else time.thread_time
            begin = clock()
            results[name] = way(x, label, w, STEPS)
            took = (clock() - begin) / STEPS * 1e6
            least[name] = min(took, least.get(name, took))
    for name in ways:
        assert numpy.allclose(results[name], results["recurrence"]), name
    shown = [f"{n} {t:.1f} us ({100 * t / least['recurrence'] - 100:+.1f} %)" for n, t in least.items()]
    print(f"{rows} rows a step:", ", ".join(shown))
