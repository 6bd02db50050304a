#!/usr/bin/env python3
"""Writes the cases of this folder: what the library's functions give, by NumPy and SciPy.

    pip install numpy scipy; python3 tests/run/library/reference.py

The random numbers are those of a second implementation of Threefry-4x32-20, here."""

import math

import numpy as np
from scipy import linalg, ndimage, optimize, signal, special

from writer import case

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

a = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
q = np.array([[0.0, 1.0, 0.0], [0.2, 0.3, 0.5]])
p = np.array([[0.1, 0.9, 0.2], [0.5, 0.0, 1.0]])
d = a - q
clipped = np.clip(p, 1e-7, 1 - 1e-7)
huber = lambda delta: np.where(abs(d) <= delta, d * d / 2, delta * (abs(d) - delta / 2)).mean(-1)
img = np.arange(1.0, 9.0).reshape(1, 2, 2, 2)
case(
    "ml_ex.ein",
    "Matrices that are often wanted, and losses.",
    ["use std::ml::ml_ex::*;"],
    [
        "let a: [f64; 2, 3] = [[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]];",
        "let q: [f64; 2, 3] = [[0.0, 1.0, 0.0], [0.2, 0.3, 0.5]];",
        "let p: [f64; 2, 3] = [[0.1, 0.9, 0.2], [0.5, 0.0, 1.0]];",
        "let img: [f64; 1, 2, 2, 2] = [[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]];",
    ],
    [
        ("image_scaler(img, 2.0, [10.0, 20.0])", img * 2 + np.array([10, 20]).reshape(1, 2, 1, 1)),
        ("eye(2)", np.eye(2)),
        ("eye(2, 3, 1)", np.eye(2, 3, 1)),
        ('eye(3, k = -1, dtype = "f64")', np.eye(3, k=-1)),
        ("diag_extract(a)", np.diag(a)),
        ("diag_extract([a, q])", np.array([np.diag(a), np.diag(q)])),
        ("diag_construct(a)", np.array([np.diag(r) for r in a])),
        ("trace(a)", np.trace(a)),
        ("frobenius_norm(a)", np.linalg.norm(a)),
        ("outer(a[0], q[1])", np.outer(a[0], q[1])),
        ("kron(a, q)", np.kron(a, q) + 0.0),
        ("tril(a)", np.tril(a)),
        ("tril(a, 1)", np.tril(a, 1)),
        ("triu(a, 1)", np.triu(a, 1)),
        ("triu(a, -1)", np.triu(a, -1)),
        ("cross_entropy_loss(a, q)", -(q * special.log_softmax(a, -1)).sum(-1)),
        ("mse_loss(a, q)", (d * d).mean(-1)),
        ("mae_loss(a, q)", abs(d).mean(-1)),
        ("huber_loss(a, q)", huber(1)),
        ("huber_loss(a, q, 2.0)", huber(2)),
        ("binary_cross_entropy(p, q)", -(q * np.log(clipped) + (1 - q) * np.log(1 - clipped)).sum(-1)),
        ("cosine_similarity(a, q)", (a * q).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(q, axis=-1)),
    ],
)

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
B = np.array([[0.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
b = np.array([1.0, 2.0, 3.0])
both = np.array([A, A + np.eye(3)])
lower, upper, unit = np.tril(A), np.triu(A), np.tril(A, -1) + np.eye(3)
U = np.array([[4.0, 1.0, 0.5], [0.0, 2.75, 0.075], [0.0, 0.0, 2.0 - 0.0625 - 0.075 * 0.075 / 2.75]])
L = A @ np.linalg.inv(U)
case(
    "linalg_ops.ein",
    "Norms, factors, solvers and products of matrices.",
    ["use std::ml::linalg_ops::*;", "use std::ml::layers::linear;"],
    [
        "let A: [f64; 3, 3] = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];",
        "let B: [f64; 3, 3] = [[0.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]];",
        "let b: [f64; 3] = [1.0, 2.0, 3.0];",
        "let both[n in 0..2, i, j] = A[i, j] + (if i == j { n as f64 } else { 0.0 });",
        "let big: [f64; 2] = [3e200, 4e200];",
        "let factors = lu(A);",
    ],
    [
        ("vec_norm_2(A)", np.linalg.norm(A, axis=-1)),
        ("vec_norm_2([0.0, 0.0])", 0.0),
        ("vec_norm_2(big) / 1e200", 5.0),
        ("matrix_norm_frobenius(both)", np.linalg.norm(both, axis=(1, 2))),
        ("cholesky(A)", np.linalg.cholesky(A)),
        ("cholesky(both)", np.linalg.cholesky(both)),
        ("solve_triangular_lower(A, b)", np.linalg.solve(lower, b)),
        ("solve_triangular_lower(A, B)", np.linalg.solve(lower, B) + 0.0),
        ("solve_triangular_lower_unit(A, b)", np.linalg.solve(unit, b)),
        ("solve_triangular_upper(A, b)", np.linalg.solve(upper, b)),
        ("solve_cholesky(A, b)", np.linalg.solve(A, b)),
        ("factors.0", L + 0.0),
        ("factors.1", U),
        ("solve(B, b)", np.linalg.solve(B, b)),
        ("solve(B, A)", np.linalg.solve(B, A)),
        ("solve(both, [b, b])", np.linalg.solve(both, np.array([b, b])[..., None])[..., 0]),
        ("matmul(A, b)", A @ b),
        ("matmul(b, B)", b @ B),
        ("matmul(b, b)", b @ b),
        ("matmul(both, B)", both @ B),
        ("batch_matmul(B, both)", B @ both),
        ("linear(A, B, b)", A @ B.T + b),
        ("linear(b, B)", B @ b),
    ],
)

S = np.array([[0.0, 1.0, 0.5, 2.0], [1.0, 3.0, 0.2, -1.0], [0.5, 0.2, 2.0, 0.0], [2.0, -1.0, 0.0, -4.0]])
tall = np.array([[0.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0], [1.0, 1.0, 1.0]])
flat = np.array([[1.0, 2.0], [2.0, 4.0]])
pair = np.array([S, S + np.diag([0.0, 1.0, 2.0, 3.0])])
P, L, U = linalg.lu(S)


def positive(q, r):
    """The factors with no diagonal of R below 0."""
    s = np.where(np.diag(r) < 0, -1.0, 1.0)
    return q * s + 0.0, r * s[:, None] + 0.0


def upright(v):
    return v * np.sign(np.take_along_axis(v, abs(v).argmax(-2, keepdims=True), -2))


w, V = np.linalg.eigh(pair)
V = upright(V)
Q, R = positive(*np.linalg.qr(tall))
wide = positive(*np.linalg.qr(tall.T))
three = np.diag([4.0, 5.0, 6.0]) + np.diag([1.0, 2.0], -1) + np.diag([0.5, 0.25], 1)
spd = S @ S + np.eye(4)
right = np.array([1.0, 2.0, 3.0, 4.0])
case(
    "linalg.ein",
    "Factors, determinants, eigenvalues, least squares, the exponential.",
    ["use std::linalg::*;"],
    [
        "let S: [f64; 4, 4] = [[0.0, 1.0, 0.5, 2.0], [1.0, 3.0, 0.2, -1.0], [0.5, 0.2, 2.0, 0.0], [2.0, -1.0, 0.0, -4.0]];",
        "let tall: [f64; 4, 3] = [[0.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0], [1.0, 1.0, 1.0]];",
        "let wide[i, j] = tall[j, i];",
        "let flat: [f64; 2, 2] = [[1.0, 2.0], [2.0, 4.0]];",
        "let pair[n in 0..2, i, j] = S[i, j] + (if i == j { (n * i) as f64 } else { 0.0 });",
        "let right: [f64; 4] = [1.0, 2.0, 3.0, 4.0];",
        "let (L, U, p) = lu_pivot(S);",
        "let (w, V) = eigh(pair);",
        "let (Q, R) = qr(tall);",
        "let (Qw, Rw) = qr(wide);",
        "let logs = slogdet(pair);",
        "let spd[i, j] = sum[k](S[i, k] * S[k, j]) + (if i == j { 1.0 } else { 0.0 });",
        "let steps = cg(spd, right, tol = 1e-12, max_iters = 20);",
        "let whole = cg(|x| 4 * x, right);",
    ],
    [
        ("L", L),
        ("U", U + 0.0),
        ("p", np.argmax(P, 0)),
        ("det(pair)", np.linalg.det(pair)),
        ("det(flat)", -0.0),
        ("logs.0", np.linalg.slogdet(pair)[0]),
        ("logs.1", np.linalg.slogdet(pair)[1]),
        ("inv(pair)", np.linalg.inv(pair)),
        ("Q", Q),
        ("R", R),
        ("Qw", wide[0]),
        ("Rw", wide[1]),
        ("w", w),
        ("V", V),
        ("eigh([[2.5]]).0", 2.5),
        ("eigh(flat).0 + 1", np.array([1.0, 6.0])),
        ("expm(S)", linalg.expm(S)),
        ("expm(0 * flat)", np.eye(2)),
        ("norm(tall)", np.linalg.norm(tall, axis=-1)),
        ("norm(tall, 3)", (abs(tall) ** 3).sum(-1) ** (1 / 3)),
        ("norm(tall, std::math::infinity())", abs(tall).max(-1)),
        ("solve_tridiagonal([1.0, 2.0], [4.0, 5.0, 6.0], [0.5, 0.25], [1.0, 2.0, 3.0])", np.linalg.solve(three, [1.0, 2.0, 3.0])),
        ("lstsq(tall, right)", np.linalg.lstsq(tall, right, rcond=None)[0]),
        ("lstsq(tall, S)", np.linalg.lstsq(tall, S, rcond=None)[0]),
        ("steps.0", np.linalg.solve(spd, right)),
        ("whole.0", right / 4),
        ("whole.1", np.array(1)),
    ],
)

X = np.array([[[1.0, 2.0, 4.0], [0.5, -1.0, 2.0]], [[3.0, 0.0, 1.0], [2.5, 1.5, -2.0]]])
s, h, w = np.array([1.5, 0.5]), np.array([0.1, -0.2]), np.array([1.0, 2.0, 0.5])
col = lambda v: np.asarray(v)[:, None]
batch = lambda mu, v: (X - col(mu)) / np.sqrt(col(v) + 1e-5) * col(s) + col(h)
over = lambda axes: (X - X.mean(axes, keepdims=True)) / np.sqrt(X.var(axes, keepdims=True) + 1e-5)
case(
    "norm_ops.ein",
    "Normalisations.",
    ["use std::ml::norm_ops::*;"],
    [
        "let X: [f64; 2, 2, 3] = [[[1.0, 2.0, 4.0], [0.5, -1.0, 2.0]], [[3.0, 0.0, 1.0], [2.5, 1.5, -2.0]]];",
        "let s: [f64; 2] = [1.5, 0.5];",
        "let h: [f64; 2] = [0.1, -0.2];",
        "let w: [f64; 3] = [1.0, 2.0, 0.5];",
        "let trained = batch_normalization(X, s, h, [0.5, 1.0], [2.0, 3.0], training_mode = true);",
    ],
    [
        ("batch_normalization(X, s, h, [0.5, 1.0], [2.0, 3.0])", batch([0.5, 1.0], [2.0, 3.0])),
        ("trained.0", batch(X.mean((0, 2)), X.var((0, 2)))),
        ("trained.1", 0.9 * np.array([0.5, 1.0]) + 0.1 * X.mean((0, 2))),
        ("trained.2", 0.9 * np.array([2.0, 3.0]) + 0.1 * X.var((0, 2))),
        ("instance_normalization(X, s, h)", over(2) * col(s) + col(h)),
        ("layer_normalization(X, w)", over(2) * w + 0.0),
        ("layer_normalization(X, w, w)", over(2) * w + w),
        ("layer_normalization(X, X[0], X[1], axis = 1)", over((1, 2)) * X[0] + X[1]),
        ("rms_normalization(X, w)", X / np.sqrt((X**2).mean(-1, keepdims=True) + 1e-5) * w),
        ("lp_normalization(X)", X / np.linalg.norm(X, axis=-1, keepdims=True)),
        ("lp_normalization(X, 1, 1)", X / abs(X).sum(1, keepdims=True)),
        ("group_normalization(X, s, h, 1)", over((1, 2)) * col(s) + col(h)),
        ("group_normalization(X, s, h, 2)", over(2) * col(s) + col(h)),
    ],
)

z = np.array([[1.0, 2.0, 4.0], [0.5, -1.0, 2.0], [2.0, 0.0, 0.5]])
spots = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [1.0, 4.0]])
fit = np.linalg.lstsq(np.column_stack([spots, np.ones(5)]), [1.0, 2.0, 5.0, 7.0, 6.0], rcond=None)[0]
tall_rows = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [1.0, 4.0]])
case(
    "stats.ein",
    "Statistics along all axes, one, several.",
    ["use std::stats::*;", "use std::array::{linspace, all_close};", "use std::math::{infinity, nan};"],
    [
        "let z: [f64; 3, 3] = [[1.0, 2.0, 4.0], [0.5, -1.0, 2.0], [2.0, 0.0, 0.5]];",
        "let tall: [f64; 5, 2] = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [1.0, 4.0]];",
        "let q: [f64; 7] = [1e-300, 1e-30, 0.01, 0.08, 0.5, 0.6, 0.999];",
    ],
    [
        ("mean(z)", z.mean()),
        ("mean(z, 0)", z.mean(0)),
        ("variance(z)", z.var()),
        ("variance(z, -1, 1)", z.var(1, ddof=1)),
        ("variance(z, [0], keepdims = true)", z.var(0)),
        ("stddev(z, [0, 1], ddof = 1)", z.std(ddof=1)),
        ("median(z)", np.median(z, -1)),
        ("median([4, 1, 3, 2])", 2.5),
        ("median(tall, 0)", np.median(tall_rows, 0)),
        ("quantile(z, 0.3)", np.quantile(z, 0.3, axis=-1)),
        ("quantile(tall, [[0.0, 0.25], [0.9, 1.0]], 0)", np.quantile(tall_rows, [[0.0, 0.25], [0.9, 1.0]], axis=0)),
        ("quantile([7.0], 0.4)", 7.0),
        ("covariance(z)", np.cov(z.T)),
        ("correlation(z)", np.corrcoef(z.T)),
        ("normal_pdf(z)", np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)),
        ("normal_cdf(z)", special.ndtr(z)),
        ("normal_cdf(z, 1.0, 2.0)", special.ndtr((z - 1) / 2)),
        ("normal_ppf(q)", special.ndtri([1e-300, 1e-30, 0.01, 0.08, 0.5, 0.6, 0.999])),
        ("normal_ppf(q, 1.0, 2.0)", 1 + 2 * special.ndtri([1e-300, 1e-30, 0.01, 0.08, 0.5, 0.6, 0.999])),
        ("normal_ppf([0.0, 1.0]) == [-infinity(), infinity()]", np.array([True, True])),
        ("linear_regression(tall, [1.0, 2.0, 5.0, 7.0, 6.0]).0", fit[:2]),
        ("linear_regression(tall, [1.0, 2.0, 5.0, 7.0, 6.0]).1", fit[2]),
        ("histogram(z, 4).0", np.histogram(z, 4)[0]),
        ("histogram(z, 4).1", np.histogram(z, 4)[1]),
        ("histogram(z, 3, 0, 2).0", np.histogram(z, 3, (0, 2))[0]),
        ("linspace(-1.0, 2.0, 4)", np.linspace(-1, 2, 4)),
        ("linspace(2, 3, 1)", 2.0),
        ("all_close(z, z + 1e-9)", np.array(True)),
        ("all_close(z, z + 1e-3)", np.array(False)),
        ("all_close([nan()], [nan()])", np.array(False)),
    ],
)


def steps(step, u, n):
    out = [np.asarray(u, float)]
    for k in range(n):
        out.append(step(k, out[-1]))
    return np.array(out)


def rk4(f, h):
    def step(k, u):
        t = k * h
        e = f(t, u)
        g = f(t + h / 2, u + h / 2 * e)
        i = f(t + h / 2, u + h / 2 * g)
        return u + h / 6 * (e + 2 * g + 2 * i + f(t + h, u + h * i))

    return step


S = np.array([[0.0, 1.0], [-1.0, -0.1]])
drive = lambda t, u: S @ u + np.array([0.0, t])
decay = lambda t, u: -2 * u
middle = lambda k, u: u + 0.25 * drive(k * 0.25 + 0.125, u + 0.125 * drive(k * 0.25, u))
xs, vs = [1.0], [0.0]
for _ in range(8):
    xs.append(xs[-1] + 0.125 * vs[-1] - 0.125**2 / 2 * xs[-1])
    vs.append(vs[-1] - 0.125 / 2 * (xs[-2] + xs[-1]))
slope = lambda v: 2 * (v - 2) * np.array([1.0, 2.0])
start = np.array([0.0, 5.0])
mo, ve = [start], np.zeros(2)
ad, m1, m2 = [start], np.zeros(2), np.zeros(2)
for k in range(1, 5):
    ve = 0.9 * ve + slope(mo[-1])
    mo.append(mo[-1] - 0.1 * ve)
    g = slope(ad[-1])
    m1, m2 = 0.9 * m1 + 0.1 * g, 0.999 * m2 + 0.001 * g * g
    ad.append(ad[-1] - 0.1 * m1 / (1 - 0.9**k) / (np.sqrt(m2 / (1 - 0.999**k)) + 1e-8))
y = np.arange(5.0) ** 2
P, r = np.array([[0.9, 0.5], [0.1, 0.5]]), np.array([1.0, 2.0])
case(
    "numerics.ein",
    "Differential equations, minima, integrals, polynomials, dynamic programming.",
    [
        "use std::numerics::ode::*;",
        "use std::numerics::optim;",
        "use std::numerics::quad::{trapezoid, simpson};",
        "use std::numerics::interp::{polyval, polyfit, linear};",
        "use std::numerics::dp;",
    ],
    [
        "let S: [f64; 2, 2] = [[0.0, 1.0], [-1.0, -0.1]];",
        "fn drive(t, u) { let d[i] = sum[j](S[i, j] * u[j]) + (if i == 1 { t } else { 0.0 }); d }",
        "let u0: [f64; 2] = [1.0, 0.5];",
        "let one: f64 = 1.0;",
        "let orbit = verlet(|x| -x, one, 0.0, 0.0, 1.0, 8);",
        "fn bowl(x) { sum[i]((x[i] - 2) ** 2 * (i + 1)) }",
        "let start: [f64; 2] = [0.0, 5.0];",
        "let y: [f64; 5] = [0.0, 1.0, 4.0, 9.0, 16.0];",
        "let P: [f64; 2, 2] = [[0.9, 0.5], [0.1, 0.5]];",
        "let r: [f64; 2] = [1.0, 2.0];",
    ],
    [
        ("euler_decay(1.0, 2.0, 0.1, 4)", steps(lambda k, u: u * 0.8, 1.0, 4)),
        ("midpoint_decay(1.0, 2.0, 0.1, 4)", steps(lambda k, u: u * (1 - 0.2 + 0.02), 1.0, 4)),
        ("rk4_decay(1.0, 2.0, 0.1, 4)", steps(rk4(decay, 0.1), 1.0, 4)),
        ("euler_linear(u0, S, 0.1, 3, 2)", steps(lambda k, u: u + 0.1 * S @ u, [1.0, 0.5], 3)),
        ("euler_linear_step(u0, S, 0.1, 2)", np.array([1.0, 0.5]) + 0.1 * S @ np.array([1.0, 0.5])),
        ("euler(drive, u0, 0.0, 1.0, 4)", steps(lambda k, u: u + 0.25 * drive(k * 0.25, u), [1.0, 0.5], 4)),
        ("midpoint(drive, u0, 0.0, 1.0, 4)", steps(middle, [1.0, 0.5], 4)),
        ("rk4(drive, u0, 0.0, 1.0, 4)", steps(rk4(drive, 0.25), [1.0, 0.5], 4)),
        ("rk4(|t, u| -2 * u, one, 0.0, 1.0, 4)", steps(rk4(decay, 0.25), 1.0, 4)),
        ("orbit.0", np.array(xs)),
        ("orbit.1", np.array(vs)),
        ("optim::gradient_descent(bowl, start, 0.1, 4)", steps(lambda k, v: v - 0.1 * slope(v), start, 4)),
        ("optim::momentum(bowl, start, 0.1, 4)", np.array(mo)),
        ("optim::adam(bowl, start, 4, 0.1)", np.array(ad)),
        ("optim::sgd_step(start, r, 0.5)", start - 0.5 * r),
        ("optim::momentum_step(start, r, r, 0.1).0", start - 0.1 * 1.9 * r),
        ("optim::adam_step(start, 0 * r, 0 * r, r, 1, 0.1, decay = 0.01).0", start - 0.1 * (1 + 0.01 * start)),
        ("trapezoid(y)", np.trapezoid(y)),
        ("trapezoid([y, y], 0.5, axis = 0)", 0.5 * y),
        ("simpson(y, 0.5)", 64 / 3 * 0.5),
        ("polyval([1.0, 2.0, 3.0], y)", 1 + 2 * y + 3 * y**2),
        ("polyfit([0.0, 1.0, 2.0, 3.0, 5.0], y, 2)", np.polyfit([0.0, 1.0, 2.0, 3.0, 5.0], y, 2)[::-1]),
        ("linear(y, [1.0, 2.0, 5.0], [1.0, 3.0, -1.0])", np.interp(y, [1.0, 2.0, 5.0], [1.0, 3.0, -1.0])),
        ('linear([0.0, 8.0], [1.0, 2.0, 5.0], [1.0, 3.0, -1.0], "extend")', np.array([-1.0, -5.0])),
        ("linear(3.5, [1.0, 2.0, 5.0], [y, 2 * y, y])", 1.5 * y),
        ("dp::value_iteration(r, P, 0.9, 2, 3)", steps(lambda k, v: r + 0.9 * P.T @ v, np.zeros(2), 3)),
        ("dp::bellman_residual(r, r, P, 0.9, 2)", abs(0.9 * P.T @ r).max()),
        ("dp::discounted_return(r, 0.5, 2)", 2.0),
        ("dp::expected_value_at_state(r, P, 1, 2)", P[:, 1] @ r),
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
odds = np.array([[0.0, 1.0, 2.0], [1.0, 0.5, 0.0]])
gumbel = np.array([((w >> 9) + 0.5) * 2.0**-23 for w in words[:6]]).reshape(2, 3)
case(
    "random.ein",
    "Random numbers by known answers.",
    ["use std::random::{key, split, fold_in, uniform, normal, integers, permutation, shuffle, bernoulli, categorical};"],
    ["let k = key(42);", "let odds: [f32; 2, 3] = [[0.0, 1.0, 2.0], [1.0, 0.5, 0.0]];"],
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
        ("categorical(k, odds)", np.argmax(odds - np.log(-np.log(gumbel)), 1)),
        ("categorical(k, odds, 0)", np.argmax(odds - np.log(-np.log(gumbel)), 0)),
    ],
    tolerance="1e-5",
)

z = np.array([1.0, 2.0, 4.0, -1.0, 0.5])
k = np.array([1.0, 0.5, -0.25])
long = np.array([1.0, 3.0, -2.0, 4.0, 0.5, 7.0, 2.0, 2.0, -1.0, 3.0, 8.0, 0.0])
bell = np.array([0.0, 1.0, 2.0, 1.0, 0.0])


def stft(x, w, hop):
    at = range(0, len(x) - len(w) + 1, hop)
    return np.stack([np.fft.rfft(w * x[i : i + len(w)]) for i in at])


case(
    "signal.ein",
    "Convolution, correlation, filters, windows and spectra.",
    ["use std::signal::*;"],
    ["let z: [f64; 5] = [1.0, 2.0, 4.0, -1.0, 0.5];", "let k: [f64; 3] = [1.0, 0.5, -0.25];", "let both[i, j in 0..2] = z[i] * (j + 1.0);",
        "let long: [f64; 12] = [1.0, 3.0, -2.0, 4.0, 0.5, 7.0, 2.0, 2.0, -1.0, 3.0, 8.0, 0.0];",
        "let both_long[j in 0..2, i] = long[i] ** (j + 1);",
        "let w: [f64; 5] = [0.0, 1.0, 2.0, 1.0, 0.0];",
        "let u[i in 0..12]: f64 = i + 1.0;"],
    [
        ("convolve(z, k)", np.convolve(z, k)),
        ('convolve(z, k, "same")', np.convolve(z, k, "same")),
        ('convolve(z, k, mode = "valid")', np.convolve(z, k, "valid")),
        ('convolve(z, [1.0, 2.0, 3.0, 4.0], "same")', signal.convolve(z, [1.0, 2.0, 3.0, 4.0], "same")),
        ("convolve(both, k, axis = 0)", np.stack([np.convolve(z, k), 2 * np.convolve(z, k)], 1)),
        ("correlate(z, k)", signal.correlate(z, k)),
        ('correlate(z, k, "same")', signal.correlate(z, k, "same")),
        ("lfilter([1.0, 0.5], [2.0, -0.5, 0.25], z)", signal.lfilter([1.0, 0.5], [2.0, -0.5, 0.25], z)),
        ("lfilter([1.0], [1.0, -0.5], both, 0)", signal.lfilter([1.0], [1.0, -0.5], np.stack([z, 2 * z], 1), axis=0)),
        ("medfilt(z, 3)", ndimage.median_filter(z, 3, mode="nearest")),
        ("medfilt(both, 5, axis = 0)", ndimage.median_filter(np.stack([z, 2 * z], 1), (5, 1), mode="nearest")),
        ("stft(long, 6, 2)[0]", stft(long, np.ones(6), 2).real),
        ("stft(long, 6, 2)[1]", stft(long, np.ones(6), 2).imag),
        ("stft(long, 5, 3, w)[0]", stft(long, bell, 3).real),
        ("stft(long, 5, 3, w)[1]", stft(long, bell, 3).imag),
        ("istft(stft(long, 6, 2), 6, 2)", long),
        ("istft(stft(long, 5, 3, w), 5, 3, w)", np.concatenate([[0.0], long[1:10], [0.0]])),
        ("periodogram(long)[1]", signal.periodogram(long)[1]),
        ("periodogram(long, 4)[1]", signal.periodogram(long, 4)[1]),
        ("periodogram(both_long, window = u)[1]", signal.periodogram(np.stack([long, long**2]), window=np.arange(1.0, 13.0))[1]),
        ("periodogram([1.0, 0.0, 2.0], 3)[0]", signal.periodogram([1.0, 0.0, 2.0], 3)[0]),
        ('hann(4, dtype = "f64")', signal.windows.hann(4, sym=False)),
        ('hann(5, false, "f64")', signal.windows.hann(5)),
        ('hamming(5, dtype = "f64")', signal.windows.hamming(5, sym=False)),
        ("hann(1)", 1.0),
    ],
)

both = optimize.fsolve(lambda v: [v[0] ** 2 + v[1] - 2, v[0] - v[1]], [0.5, 0.5], xtol=1e-13)
case(
    "root.ein",
    "Roots of functions of one number and of several, and fixed points.",
    ["use std::numerics::root::*;", "use std::math::{cos, exp};"],
    [
        "fn pair(x) { [x[0] * x[0] + x[1] - 2, x[0] - x[1]] }",
        "let start: [f64; 2] = [0.5, 0.5];",
        "let one: f64 = 1.0;",
        "let zero: f64 = 0.0;",
    ],
    [
        ("bisect(|x| x * x - 2, zero, 2.0, 1e-12)", 2**0.5),
        ("bisect(|x| 0.25 - x, one, 0.0, 1e-12)", 0.25),
        ("bisect(|x| x, zero, one, 0)", 0.0),
        ("brent(|x| cos(x) - x, zero, 1.0, 1e-12)", optimize.brentq(lambda x: np.cos(x) - x, 0, 1)),
        ("brent(|x| exp(x) - 1e10, zero, 100.0, 1e-12)", math.log(1e10)),
        ("brent(|x| x ** 3 - 8, one, 10.0, 1e-12)", 2.0),
        ("newton(|x| x * x - 2, one, 1e-12)", 2**0.5),
        ("newton(pair, start, 1e-12)", both),
        ("fixed_point(cos, one, 1e-12)", optimize.brentq(lambda x: np.cos(x) - x, 0, 1)),
        ("fixed_point(|x| cos(x) / 2, start, 1e-12)", optimize.brentq(lambda x: np.cos(x) / 2 - x, 0, 1) * np.ones(2)),
    ],
)

v = np.array([[0.0, 1.0, 0.5, -1.0], [1.0, 0.0, 2.0, 0.3], [2.0, 2.0, -1.0, 1.0]])
turn = (np.arange(3) + 2)[:, None] * 100.0 ** (-2 * np.arange(2) / 4)
places = np.arange(4)[:, None] / 10000 ** (np.arange(6) // 2 * 2 / 6)
case(
    "nn.ein",
    "Layers and their parameters.",
    ["use std::nn::*;", "use std::random::{key, uniform, normal};", "use std::math::tanh;"],
    [
        "let v: [f64; 3, 4] = [[0.0, 1.0, 0.5, -1.0], [1.0, 0.0, 2.0, 0.3], [2.0, 2.0, -1.0, 1.0]];",
        "let (W, b) = dense_init(key(42), 4, 2);",
    ],
    [
        ("shape(W)", np.array([2, 4])),
        ("W", -1 + 2 * u32[:8]),
        ("b", np.zeros(2)),
        ("he_normal(key(42), [1, 2, 2, 1])", 2**-0.5 * normal(u32[:8])),
        ("embedding_init(key(42), 2, 2)", normal(u32[:8])),
        ("dense(v, v, [1.0, 2.0, 3.0], tanh)", np.tanh(v @ v.T + [1.0, 2.0, 3.0])),
        ("embedding([[2, 0]], v)", v[[2, 0]]),
        ('sinusoidal_positions(4, 6, "f64")', np.where(np.arange(6) % 2, np.cos(places), np.sin(places))),
        ("rope(v, 100.0, 2)", np.hstack([v[:, :2] * np.cos(turn) - v[:, 2:] * np.sin(turn), v[:, 2:] * np.cos(turn) + v[:, :2] * np.sin(turn)])),
        ("clip_by_norm(v, 2.0)", v * 2 / np.linalg.norm(v)),
        ("clip_by_norm(v, 9.0)", v),
    ],
    tolerance="1e-5",
)

c, i, j = np.indices((2, 5, 6))
image = ((i * 7 + j * j * 3 + c * 5) % 11).astype(float)
one = image[0]
colour = np.stack([image[0], image[1], image[0] * 2])
odd = np.array([[1.0, 0.0, 0.5], [0.0, 2.0, 0.0], [0.25, 0.0, -1.0]])
M = np.array([[0.5, 0.1, 0.2], [-0.1, 0.7, 0.3]])
far = np.array([[0.0, 1.5, -1.3], [1.2, 0.0, 0.4]])


def each(f, *args, **kwargs):
    return np.stack([f(x, *args, **kwargs) for x in image])


def gaussian(x, sigma, mode):
    r = int(np.ceil(3 * sigma))
    w = np.exp(-0.5 * (np.arange(-r, r + 1) / sigma) ** 2)
    for axis in (0, 1):
        x = ndimage.correlate1d(x, w / w.sum(), axis, mode=mode)
    return x


def warped(x, M, shape, order, fill):
    # Rows first there.
    turned = M[::-1, [1, 0]]
    mode = "grid-constant" if order else "constant"
    return ndimage.affine_transform(x, turned, M[::-1, 2], shape, order=order, mode=mode, cval=fill)


case(
    "image.ein",
    "Filters, morphology and sampling of images.",
    ["use std::image::*;"],
    [
        "let x[c in 0..2, i in 0..5, j in 0..6] = ((i * 7 + j * j * 3 + c * 5) % 11) as f64;",
        "let one[i, j] = x[0, i, j];",
        "let k: [f64; 3, 3] = [[1.0, 0.0, 0.5], [0.0, 2.0, 0.0], [0.25, 0.0, -1.0]];",
        "let M: [f64; 2, 3] = [[0.5, 0.1, 0.2], [-0.1, 0.7, 0.3]];",
        "let far: [f64; 2, 3] = [[0.0, 1.5, -1.3], [1.2, 0.0, 0.4]];",
        "let colour[c in 0..3, i, j] = if c == 2 { 2 * x[0, i, j] } else { x[min(c, 1), i, j] };",
    ],
    [
        ("filter2d(x, k)", each(ndimage.correlate, odd, mode="mirror")),
        ('filter2d(one, k, "constant")', ndimage.correlate(one, odd, mode="constant")),
        ('filter2d(one, [[1.0, 2.0, 4.0]], "wrap")', ndimage.correlate(one, [[1.0, 2.0, 4.0]], mode="wrap")),
        ("gaussian_blur(x, 0.8)", each(gaussian, 0.8, "mirror")),
        ('gaussian_blur(one, 0.6, "edge")', gaussian(one, 0.6, "nearest")),
        ("box_blur(x, 1)", each(ndimage.uniform_filter, 3, mode="mirror")),
        ('box_blur(one, 2, "edge")', ndimage.uniform_filter(one, 5, mode="nearest")),
        ("sobel(x)[0]", each(ndimage.sobel, 1, mode="mirror")),
        ("sobel(x)[1]", each(ndimage.sobel, 0, mode="mirror")),
        ('sobel(one, "edge")[1]', ndimage.sobel(one, 0, mode="nearest")),
        ("median_filter(x, 1)", each(ndimage.median_filter, 3, mode="mirror")),
        ('median_filter(one, 2, "edge")', ndimage.median_filter(one, 5, mode="nearest")),
        ("erode(x, 1)", each(ndimage.minimum_filter, 3, mode="nearest")),
        ("dilate(one, 2)", ndimage.maximum_filter(one, 5, mode="nearest")),
        ("dilate([[1, 2], [4, 3]], 0)", np.array([[1, 2], [4, 3]])),
        ("rgb_to_gray(colour)", np.tensordot([0.299, 0.587, 0.114], colour, 1)),
        ("warp_affine(one, M, 4, 5)", warped(one, M, (4, 5), 1, 0.0)),
        ("warp_affine(one, far, 6, 6, fill = -2)", warped(one, far, (6, 6), 1, -2.0)),
        ('warp_affine(one, far, 6, 6, "nearest", 9)', warped(one, far, (6, 6), 0, 9.0)),
        ("warp_affine(x, M, 3, 3)", np.stack([warped(v, M, (3, 3), 1, 0.0) for v in image])),
        ("resize(one, 5, 6)", one),
        ("resize(x, 1, 1)[0, 0, 0] > 0.0", np.array(True)),
    ],
)
