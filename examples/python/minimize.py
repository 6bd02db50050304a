"""A curve fitted by SciPy, with values and gradients from one program."""

import numpy
from scipy.optimize import minimize

import weft

fit = weft.compile(
    """
    use std::math::exp;
    input p: [f64; 3];
    input t: [f64; n];
    input y: [f64; n];
    let r[i] = p[0] * exp(-p[1] * t[i]) + p[2] - y[i];
    let loss = sum[i](r[i] ** 2);
    """
).grad("loss", "p")

t = numpy.linspace(0.0, 4.0, 200)
noise = 0.01 * numpy.random.default_rng(0).standard_normal(200)
y = 2.5 * numpy.exp(-1.3 * t) + 0.5 + noise


def value_and_gradient(p):
    return fit(p, t, y)["loss", "d_loss_d_p"]


found = minimize(value_and_gradient, [1.0, 1.0, 0.0], jac=True)
print(found.x.round(2), f"after {found.nit} steps")
assert numpy.allclose(found.x, [2.5, 1.3, 0.5], atol=0.02)
