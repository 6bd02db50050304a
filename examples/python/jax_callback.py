"""A program as a function of JAX, with its derivative: a callback of a compiled function."""

import jax
import jax.numpy as jnp
import numpy

import weft

SOURCE = """
use std::math::tanh;
input w: [f32; n];
input x: [f32; m, n];
let y[i] = tanh(sum[j](x[i, j] * w[j]));
"""

forward = weft.compile(SOURCE)
# What flows back: the derivative of sum(g * y) for the gradient g of what comes behind.
backward = weft.compile(
    SOURCE + "input g: [f32; m]; let back = sum[i](g[i] * y[i]);"
).grad("back", ["w", "x"])


@jax.custom_vjp
def layer(w, x):
    shape = jax.ShapeDtypeStruct(x.shape[:1], x.dtype)
    return jax.pure_callback(lambda w, x: forward(w, x).y, shape, w, x)


def layer_forward(w, x):
    return layer(w, x), (w, x)


def layer_backward(saved, g):
    w, x = saved
    shapes = (jax.ShapeDtypeStruct(w.shape, w.dtype), jax.ShapeDtypeStruct(x.shape, x.dtype))
    names = ("d_back_d_w", "d_back_d_x")
    return jax.pure_callback(lambda w, x, g: backward(w, x, g)[names], shapes, w, x, g)


layer.defvjp(layer_forward, layer_backward)

rng = numpy.random.default_rng(0)
w = jnp.asarray(rng.standard_normal(3), "float32")
x = jnp.asarray(rng.standard_normal((5, 3)), "float32")
found = jax.jit(jax.grad(lambda w: layer(w, x).sum()))(w)
expected = jax.grad(lambda w: jnp.tanh(x @ w).sum())(w)
assert numpy.allclose(found, expected, atol=1e-5)
print(found)
