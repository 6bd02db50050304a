"""Gradients, rows, columns and whole Jacobians."""

import numpy as np

from peers import jitted, numpy_result
from workload import Workload

POINTS, BATCH, WIDTH = 1_000, 512, 256


def network():
    r = np.random.default_rng(1)
    draw = lambda *shape: (r.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
    label = np.zeros((BATCH, 10), np.float32)
    label[np.arange(BATCH), r.integers(0, 10, BATCH)] = 1
    x = r.standard_normal((BATCH, 784)).astype(np.float32)
    return {"x": x, "label": label, "W1": draw(784, 512), "W2": draw(512, 512), "W3": draw(512, 10)}


def network_loss(a):
    h1 = np.maximum(a["x"] @ a["W1"], 0)
    z = np.maximum(h1 @ a["W2"], 0) @ a["W3"]
    top = z.max(axis=1, keepdims=True)
    return np.mean(top[:, 0] + np.log(np.exp(z - top).sum(axis=1)) - (z * a["label"]).sum(axis=1))


def network_gradient(a):
    h1 = np.maximum(a["x"] @ a["W1"], 0)
    h2 = np.maximum(h1 @ a["W2"], 0)
    z = h2 @ a["W3"]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    dz = (e / e.sum(axis=1, keepdims=True) - a["label"]) / BATCH
    d2 = (dz @ a["W3"].T) * (h2 > 0)
    d1 = (d2 @ a["W2"].T) * (h1 > 0)
    return np.concatenate([a["x"].T @ d1, h1.T @ d2])


def jax_network_gradient(a):
    import jax
    import jax.numpy as jnp

    def loss(w1, w2):
        z = jax.nn.relu(jax.nn.relu(a["x"] @ w1) @ w2) @ a["W3"]
        return jnp.mean(jax.nn.logsumexp(z, axis=1) - (z * a["label"]).sum(axis=1))

    return jnp.concatenate(jax.grad(loss, argnums=(0, 1))(a["W1"], a["W2"]))


def flow(steps):
    return lambda: {"start": 1.2 + np.sin(0.02 * np.arange(POINTS)), "T": steps}


def heat_step(u):
    return u[1:-1] + 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])


def burgers_step(u):
    m = u[1:-1]
    return m - 0.2 * m * (m - u[:-2]) + 0.1 * (u[:-2] - 2 * m + u[2:])


def run(step):
    def primal(a):
        u = a["start"]
        for _ in range(a["T"] - 1):
            u = np.concatenate([[0.0], step(u), [0.0]])
        return np.float64((u**2).sum())

    return primal


def heat_gradient(a):
    u, g = a["start"], None
    for _ in range(a["T"] - 1):
        u = np.concatenate([[0.0], heat_step(u), [0.0]])
    g = 2 * u
    for _ in range(a["T"] - 1):
        d, g = g[1:-1], np.zeros(POINTS)
        g[1:-1] += 0.5 * d
        g[:-2] += 0.25 * d
        g[2:] += 0.25 * d
    return g


def burgers_gradient(a):
    all_u = [a["start"]]
    for _ in range(a["T"] - 1):
        all_u.append(np.concatenate([[0.0], burgers_step(all_u[-1]), [0.0]]))
    g = 2 * all_u.pop()
    while all_u:
        u, d, g = all_u.pop(), g[1:-1], np.zeros(POINTS)
        m, before = u[1:-1], u[:-2]
        g[1:-1] += d * (0.8 - 0.4 * m + 0.2 * before)
        g[:-2] += d * (0.2 * m + 0.1)
        g[2:] += 0.1 * d
    return g


def jax_gradient(step, steps):
    def gradient(a):
        import jax
        import jax.numpy as jnp

        def energy(start):
            body = lambda u, _: (jnp.pad(step(u), 1), None)
            u, _ = jax.lax.scan(body, start, None, length=steps - 1)
            return (u**2).sum()

        return jax.grad(energy)(a["start"])

    return gradient


def layers():
    r = np.random.default_rng(2)
    return {"A": r.standard_normal((WIDTH, WIDTH)) / 16, "x": r.standard_normal(WIDTH)}


def value(a):
    return np.tanh(a["A"] @ np.tanh(a["A"] @ a["x"]))


def jacobian(a):
    h = np.tanh(a["A"] @ a["x"])
    y = np.tanh(a["A"] @ h)
    return (1 - y**2)[:, None] * (a["A"] @ ((1 - h**2)[:, None] * a["A"]))


def jax_layers(part):
    def derivative(a):
        import jax
        import jax.numpy as jnp

        f = lambda x: jnp.tanh(a["A"] @ jnp.tanh(a["A"] @ x))
        if part == "full":
            return jax.jacrev(f)(a["x"])
        unit = jnp.zeros(WIDTH).at[7].set(1.0)
        return jax.vjp(f, a["x"])[1](unit)[0] if part == "row" else jax.jvp(f, (a["x"],), (unit,))[1]

    return derivative


def line(name, program, output, inputs, reference, peers, goals=None, dtype="f64", tolerance=1e-9):
    return Workload(name=name, program=program, output=output, inputs=inputs, reference=reference,
                    peers=peers, goals=goals or {}, dtype=dtype, tolerance=tolerance)


HEAT, BURGERS = flow(1_000), flow(500)

WORKLOADS = [
    line("network loss", "mlp_gradient.ein", "loss", network, network_loss,
         {"numpy": numpy_result(network_loss)}, dtype="f32", tolerance=1e-4),
    line("network gradient", "mlp_gradient.ein", "both", network, network_gradient,
         {"numpy": numpy_result(network_gradient), "jax": jitted(jax_network_gradient)},
         {"jax": 0.75}, dtype="f32", tolerance=1e-3),
    line("heat 1000 steps", "heat_gradient.ein", "energy", HEAT, run(heat_step), {}),
    line("heat gradient", "heat_gradient.ein", "by_start", HEAT, heat_gradient,
         {"jax": jitted(jax_gradient(heat_step, 1_000))}, {"jax": 1.0}),
    line("burgers 500 steps", "burgers_gradient.ein", "energy", BURGERS, run(burgers_step), {}),
    line("burgers gradient", "burgers_gradient.ein", "by_start", BURGERS, burgers_gradient,
         {"jax": jitted(jax_gradient(burgers_step, 500))}, {"jax": 2.0}),
    line("two layers", "jacobian.ein", "y", layers, value, {"numpy": numpy_result(value)}),
    line("jacobian row", "jacobian.ein", "row", layers, lambda a: jacobian(a)[7],
         {"jax": jitted(jax_layers("row"))}),
    line("jacobian column", "jacobian.ein", "column", layers, lambda a: jacobian(a)[:, 7],
         {"jax": jitted(jax_layers("column"))}),
    line("jacobian", "jacobian.ein", "full", layers, jacobian,
         {"numpy": numpy_result(jacobian), "jax": jitted(jax_layers("full"))}, {"jax": 1.5}),
]
