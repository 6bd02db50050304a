#!/usr/bin/env python3
"""Writes the cases of this folder: what the library's functions give, by NumPy and SciPy.

    pip install numpy scipy; python3 tests/run/library/reference.py

Each case is a list of (expression, value) under some lines of source. The random numbers are
those of a second implementation of Threefry-4x32-20, here."""

import math
from pathlib import Path

import numpy as np
from scipy import special

HERE = Path(__file__).parent


def text(value):
    """A number or an array as `{x:.8f}` writes it, with the lines of NumPy."""
    if isinstance(value, str):
        return value
    value = np.asarray(value)
    if value.dtype == bool:
        return str(value).replace("True", "true").replace("False", "false") if value.ndim else str(bool(value)).lower()
    if value.dtype.kind in "iu":
        return np.array2string(value, max_line_width=10_000)
    if value.ndim == 0:
        return f"{float(value):.8f}"
    return "[" + (" " if value.ndim == 1 else " ").join(text(v) for v in value) + "]"


def case(name, head, uses, source, pairs):
    lines = [f"// {head}", "// Written by reference.py.", "//@ tolerance: 1e-7"]
    body = list(source)
    for expression, value in pairs:
        value = np.asarray(value)
        flat = value.ravel()
        whole = value.dtype.kind in "iub"
        form = "{v}" if whole else "{v:.8f}"
        lines.append("//@ expect: " + " ".join(text(v) for v in flat))
        body.append(f"show{'_whole' if whole else ''}({expression});")
    shows = [
        "fn show(x) { let y = flatten(x); let text = [\"{y[i]:.8f}\" | i in 0..len(y)]; print(joined(text, 0)); }",
        "fn show_whole(x) { let y = flatten(x); let text = [\"{y[i]}\" | i in 0..len(y)]; print(joined(text, 0)); }",
        "fn joined(text, at) { if at == len(text) - 1 { text[at] } else { text[at] + \" \" + joined(text, at + 1) } }",
    ]
    HERE.joinpath(name).write_text("\n".join(lines + uses + ["use std::array::flatten;"] + shows + body) + "\n")


x = np.array([-3.0, -1.0, -0.25, 0.0, 0.25, 1.0, 7.0])
sig = special.expit
tanh = np.tanh
gelu_tanh = 0.5 * x * (1 + tanh(0.79788456 * (x + 0.044715 * x**3)))
elu = lambda a: np.where(x > 0, x, a * np.expm1(x))
m = np.array([[1.0, 2.0], [3.0, 5.0]])
case(
    "activations.ein",
    "Activations of numbers, vectors and matrices.",
    ["use std::ml::activations::*;"],
    ["let x: [f64; 7] = [-3.0, -1.0, -0.25, 0.0, 0.25, 1.0, 7.0];", "let m: [f64; 2, 2] = [[1.0, 2.0], [3.0, 5.0]];"],
    [
        ("relu(x)", np.maximum(x, 0)),
        ("sigmoid(x)", sig(x)),
        ("softmax(x)", special.softmax(x)),
        ("softmax(m, axis = 0)", special.softmax(m, axis=0)),
        ("softmax(m)", special.softmax(m, axis=-1)),
        ("log_softmax(x)", special.log_softmax(x)),
        ("log_softmax(m, -2)", special.log_softmax(m, axis=0)),
        ("leaky_relu(x)", np.where(x > 0, x, 0.01 * x)),
        ("leaky_relu(x, alpha = 0.2)", np.where(x > 0, x, 0.2 * x)),
        ("elu(x)", elu(1)),
        ("elu_alpha(x, 0.5)", elu(0.5)),
        ("gelu(x)", gelu_tanh),
        ("gelu_tanh(x)", gelu_tanh),
        ('gelu(x, "none")', x * special.ndtr(x)),
        ("swish(x)", x * sig(x)),
        ("swish(x, 2)", x * sig(2 * x)),
        ("selu(x)", 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))),
        ("softplus(x)", np.logaddexp(0, x)),
        ("hardtanh(x)", np.clip(x, -1, 1)),
        ("hardtanh(x, -0.5, 2)", np.clip(x, -0.5, 2)),
        ("relu6(x)", np.clip(x, 0, 6)),
        ("celu(x, 2)", np.where(x > 0, x, 2 * np.expm1(x / 2))),
        ("softsign(x)", x / (1 + abs(x))),
        ("tanhshrink(x)", x - tanh(x)),
        ("softshrink(x)", np.sign(x) * np.maximum(abs(x) - 0.5, 0) + 0.0),
        ("hardshrink(x)", np.where(abs(x) > 0.5, x, 0)),
        ("threshold(x, 0.5, 9.0)", np.where(x <= 0.5, 9.0, x)),
        ("hardswish(x)", x * np.clip(x + 3, 0, 6) / 6),
        ("thresholded_relu(x)", np.where(x > 1, x, 0)),
        ("hardsigmoid(x)", np.clip(x / 6 + 0.5, 0, 1)),
        ("mish(x)", x * tanh(np.logaddexp(0, x))),
        ("softmax([1e10, 1e10])", [0.5, 0.5]),
        ("sigmoid([-800.0, 800.0])", [0.0, 1.0]),
        ("softplus([-1000.0, 1000.0])", [0.0, 1000.0]),
        ("relu([-2, 3])", np.array([0, 3])),
    ],
)

t = np.arange(1.0, 13.0).reshape(2, 3, 2)
t[1, 2, 1] = -7
lse = special.logsumexp
case(
    "reductions.ein",
    "Reductions along one axis, several and all; axes below 0; axes that stay.",
    ["use std::ml::reduction_ops::*;"],
    ["let t: [f64; 2, 3, 2] = [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, -7.0]]];"],
    [
        ("reduce_sum(t)", t.sum(-1)),
        ("reduce_sum(t, [0, -1])", t.sum((0, 2))),
        ("reduce_sum(t, [])", t.sum()),
        ("shape(reduce_sum(t, [], true))", np.array([1, 1, 1])),
        ("shape(reduce_sum(t, [2, 0], keepdims = true))", np.array([1, 3, 1])),
        ("reduce_sum(t, 1, true)", t.sum(1)),
        ("reduce_mean(t, [0, 2])", t.mean((0, 2))),
        ("reduce_mean(t, [])", t.mean()),
        ("reduce_max(t, 0)", t.max(0)),
        ("reduce_min(t, [1, 0])", t.min((0, 1))),
        ("reduce_prod(t, [])", t.prod()),
        ("reduce_prod(t, 1)", t.prod(1)),
        ("reduce_l1(t, [1])", abs(t).sum(1)),
        ("reduce_l2(t, 0)", np.sqrt((t**2).sum(0))),
        ("reduce_sum_square(t)", (t**2).sum(-1)),
        ("reduce_log_sum(t, [1])", np.log(t.sum(1))),
        ("reduce_log_sum_exp(t, [])", lse(t)),
        ("reduce_log_sum_exp(t, [0, 2])", lse(t, axis=(0, 2))),
        ("reduce_log_sum_exp([1e4, 1e4])", 1e4 + math.log(2)),
        ("reduce_sum([1, 2, 3])", np.array(6)),
    ],
)

# Threefry-4x32-20: Salmon, Moraes, Dror and Shaw 2011, section 4.2 and table 4.
MASK = 0xFFFFFFFF
ROTATIONS = [(10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20)]


def threefry(key, counter):
    turn = lambda v, n: ((v << n) | (v >> (32 - n))) & MASK
    ks = [*key, 0x1BD11BDA ^ key[0] ^ key[1] ^ key[2] ^ key[3]]
    s = [(c + k) & MASK for c, k in zip(counter, ks)]
    for r in range(20):
        one, other = (1, 3) if r % 2 == 0 else (3, 1)
        for into, by, n in ((0, one, ROTATIONS[r % 8][0]), (2, other, ROTATIONS[r % 8][1])):
            s[into] = (s[into] + s[by]) & MASK
            s[by] = turn(s[by], n) ^ s[into]
        if r % 4 == 3:
            n = r // 4 + 1
            s = [(v + ks[(n + i) % 5]) & MASK for i, v in enumerate(s)]
            s[3] = (s[3] + n) & MASK
    return s


assert threefry([0] * 4, [0] * 4) == [0x9C6CA96A, 0xE17EAE66, 0xFC10ECD4, 0x5256A7D8]
assert threefry([MASK] * 4, [MASK] * 4) == [0x2A881696, 0x57012287, 0xF6C7446E, 0xA16A6732]

key = [42, 0, 0, 0]
words = [w for b in range(16) for w in threefry(key, [b, 0, 0, 0])]
u32 = np.array([(w >> 8) * 2.0**-24 for w in words])
pairs = [words[2 * i] | words[2 * i + 1] << 32 for i in range(32)]
u64 = np.array([(p >> 11) * 2.0**-53 for p in pairs])
normal = lambda u: np.sqrt(-2 * np.log(1 - u[0::2])) * np.cos(2 * np.pi * u[1::2])
order = np.array(sorted(range(9), key=lambda i: pairs[i]))
case(
    "random.ein",
    "Random numbers by known answers.",
    ["use std::random::{key, split, fold_in, uniform, normal, integers, permutation, shuffle, bernoulli};"],
    ["let k = key(42);"],
    [
        ("key(1099511627781)", np.array([5, 256, 0, 0])),
        ("split(k, 3)", np.array([threefry(key, [i, 0, MASK, MASK]) for i in range(3)])),
        ("fold_in(k, 2)", np.array(threefry(key, [2, 0, MASK, MASK]))),
        ("uniform(k, [2, 3])", u32[:6].reshape(2, 3)),
        ("uniform(k)", u32[0]),
        ('uniform(k, [5], -1.0, 3.0, "f64")', -1 + 4 * u64[:5]),
        ("normal(k, [4])", normal(u32[:8])),
        ('normal(k, [4], 2.0, 0.5, dtype = "f64")', 2 + normal(u64[:8]) / 2),
        ("integers(k, [8], -3, 4)", np.array([-3 + (p * 7 >> 64) for p in pairs[:8]])),
        ('integers(k, [3], 0, 1000000000000007, "i64")', np.array([p * (10**15 + 7) >> 64 for p in pairs[:3]])),
        ("permutation(k, 9)", order),
        ("shuffle(k, [[1, 2, 3, 4, 5, 6, 7, 8, 9]], axis = 1)", 1 + order),
        ("bernoulli(k, [6], 0.3)", u32[:6] < 0.3),
    ],
)
