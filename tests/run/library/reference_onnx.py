#!/usr/bin/env python3
"""Writes the cases of the functions that are named as operators of ONNX: what these give by
onnxruntime, and where that has no kernel for doubles by the reference evaluator of ONNX.

    pip install numpy onnx onnxruntime; python3 tests/run/library/reference_onnx.py"""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from writer import case

TYPES = {
    "f": TensorProto.FLOAT,
    "d": TensorProto.DOUBLE,
    "l": TensorProto.INT64,
    "i": TensorProto.INT32,
    "?": TensorProto.BOOL,
}


def model(name, inputs, outputs, attributes):
    given = [f"x{n}" if v is not None else "" for n, v in enumerate(inputs)]
    infos = [
        helper.make_tensor_value_info(f"x{n}", TYPES[v.dtype.char], v.shape) for n, v in enumerate(inputs) if v is not None
    ]
    results = [helper.make_empty_tensor_value_info(f"y{n}") for n in range(outputs)]
    for r in results:
        r.type.tensor_type.elem_type = TYPES[inputs[0].dtype.char]
    node = helper.make_node(name, given, [f"y{n}" for n in range(outputs)], **attributes)
    graph = helper.make_graph([node], "g", infos, results)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def op(name, *inputs, outputs=1, **attributes):
    """What the operator gives; of small integers in f32, of all else in f64."""
    feeds = {f"x{n}": v for n, v in enumerate(inputs) if v is not None}
    made = model(name, inputs, outputs, attributes)
    try:
        found = onnxruntime.InferenceSession(made.SerializeToString()).run(None, feeds)
    except Exception:
        found = ReferenceEvaluator(made).run(None, feeds)
    return found[0] if outputs == 1 else found


def exact(name, *inputs, **attributes):
    """The same of small integers: f32 is exact there, and onnxruntime has it."""
    y = op(name, *[v if v is None or v.dtype.kind != "f" else v.astype(np.float32) for v in inputs], **attributes)
    return y.astype(np.float64)


def cells(shape, *factors, modulus=11, offset=5, scale=1.0):
    at = np.indices(shape)
    return (sum(f * i for f, i in zip(factors, at)) % modulus - offset) * scale


def source(name, shape, *factors, modulus=11, offset=5, scale=1.0):
    """The same tensor in source."""
    names = "abcde"[: len(shape)]
    slots = ", ".join(f"{n} in 0..{e}" for n, e in zip(names, shape))
    body = " + ".join(f"{f} * {n}" for f, n in zip(factors, names))
    return f"let {name}[{slots}]: f64 = (({body}) % {modulus} - {offset}) * {scale};"


both = lambda name, *rest, **kw: (cells(*rest, **kw), source(name, *rest, **kw))
X, x_source = both("X", (2, 4, 5, 6), 7, 3, 5, 4)
W, w_source = both("W", (2, 4, 3, 2), 5, 2, 7, 3)
V, v_source = both("V", (4, 2, 3, 2), 3, 5, 2, 7)
D, d_source = both("D", (8, 1, 2, 3), 3, 1, 5, 2)
L, l_source = both("L", (2, 3, 7), 5, 3, 4)
K, k_source = both("K", (2, 3, 3), 4, 7, 5)
Q, q_source = both("Q", (1, 2, 3, 4, 5), 1, 5, 3, 7, 2)
C, c_source = both("C", (2, 2, 2, 2, 2), 3, 7, 5, 2, 9)
B = np.array([0.5, -2.0])
case(
    "convolution.ein",
    "Convolutions: pads, strides, dilations, groups, one to three axes.",
    ["use std::ml::conv_ops::*;", "use std::ml::layers::conv2d;"],
    [x_source, w_source, v_source, d_source, l_source, k_source, q_source, c_source, "let B: [f64; 2] = [0.5, -2.0];"],
    [
        ("conv(X, W)", exact("Conv", X, W)),
        ("conv(X, W, B)", exact("Conv", X, W, B)),
        ("conv(X, W, B, [2, 1], [1, 0], [1, 2])", exact("Conv", X, W, B, strides=[2, 1], pads=[1, 0, 1, 0], dilations=[1, 2])),
        ("conv(X, W, pads = [0, 1, 2, 3])", exact("Conv", X, W, pads=[0, 1, 2, 3])),
        ("conv(X, V, group = 2)", exact("Conv", X, V, group=2)),
        ("conv(X, V, strides = [2, 2], pads = [1, 1], group = 2)", exact("Conv", X, V, strides=[2, 2], pads=[1] * 4, group=2)),
        ('conv(X, W, auto_pad = "SAME_UPPER")', exact("Conv", X, W, auto_pad="SAME_UPPER")),
        ('conv(X, W, strides = [2, 3], auto_pad = "SAME_LOWER")', exact("Conv", X, W, strides=[2, 3], auto_pad="SAME_LOWER")),
        ('conv(X, W, auto_pad = "VALID")', exact("Conv", X, W)),
        ("depthwise_conv(X, D, strides = [1, 2], pads = [1, 0])", exact("Conv", X, D, strides=[1, 2], pads=[1, 0, 1, 0], group=4)),
        ("conv2d(X, W, B, 2, 1, 1, 0, dilation_w = 2)", exact("Conv", X, W, B, strides=[2, 1], pads=[1, 0, 1, 0], dilations=[1, 2])),
        ("conv(L, K, strides = [2], pads = [1])", exact("Conv", L, K, strides=[2], pads=[1, 1])),
        ("conv(Q, C, pads = [1, 0, 0])", exact("Conv", Q, C, pads=[1, 0, 0, 1, 0, 0])),
        ("shape(conv(L, K, dilations = [4]))", np.array([2, 2, 0])),
    ],
)
T, t_source = both("T", (1, 4, 3, 2), 5, 2, 7, 3)
U, u_source = both("U", (4, 2, 3, 2), 3, 5, 2, 7)
case(
    "transposed_convolution.ein",
    "Transposed convolutions: strides, pads, groups, shapes that are asked for.",
    ["use std::ml::conv_ops::*;"],
    [t_source, u_source, l_source, "let R[a in 0..3, b in 0..1, c in 0..2]: f64 = a - b + 2 * c;", "let B: [f64; 2] = [0.5, -2.0];"],
    [
        ("conv_transpose(T, U)", exact("ConvTranspose", T, U)),
        ("conv_transpose(T, U, B, [2, 3])", exact("ConvTranspose", T, U, B, strides=[2, 3])),
        ("conv_transpose(T, U, [], [2, 2], [1, 0, 0, 1], [1, 1])", exact("ConvTranspose", T, U, strides=[2, 2], pads=[1, 0, 0, 1], output_padding=[1, 1])),
        ("conv_transpose(T, U, dilations = [2, 1])", exact("ConvTranspose", T, U, dilations=[2, 1])),
        ("conv_transpose(T, U, strides = [2, 1], group = 2)", exact("ConvTranspose", T, U, strides=[2, 1], group=2)),
        ("conv_transpose(T, U, strides = [3, 2], output_shape = [9, 4])", exact("ConvTranspose", T, U, strides=[3, 2], output_shape=[9, 4])),
        ('conv_transpose(T, U, strides = [2, 2], auto_pad = "SAME_UPPER")', exact("ConvTranspose", T, U, strides=[2, 2], auto_pad="SAME_UPPER")),
        ('conv_transpose(T, U, strides = [2, 2], auto_pad = "SAME_LOWER")', exact("ConvTranspose", T, U, strides=[2, 2], auto_pad="SAME_LOWER")),
        ("conv_transpose(L, R, strides = [2])", exact("ConvTranspose", L, np.array([[[a + 2 * c for c in range(2)]] for a in range(3)], float), strides=[2])),
    ],
)
P, p_source = both("P", (1, 2, 6, 7), 1, 5, 3, 7)
case(
    "pooling.ein",
    "Pooling: pads, strides, dilations, windows that are rounded up.",
    ["use std::ml::pool_ops::*;", "use std::math::nan;"],
    [p_source, l_source, q_source, "let ties: [i32; 1, 1, 2, 2] = [[[[-3, -3], [-7, -3]]]];"],
    [
        ("max_pool(P, [2, 3])", exact("MaxPool", P, kernel_shape=[2, 3])),
        ("max_pool(P, [3, 3], [2, 2], [1, 1])", exact("MaxPool", P, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)),
        ("max_pool(P, [2, 2], [1, 3], [0, 1, 1, 0], [2, 1])", exact("MaxPool", P, kernel_shape=[2, 2], strides=[1, 3], pads=[0, 1, 1, 0], dilations=[2, 1])),
        ("max_pool(P, [3, 2], [2, 2], ceil_mode = true)", exact("MaxPool", P, kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1)),
        ('max_pool(P, [3, 2], [2, 2], auto_pad = "SAME_LOWER")', exact("MaxPool", P, kernel_shape=[3, 2], strides=[2, 2], auto_pad="SAME_LOWER")),
        ("max_pool(L, [3], pads = [1])", exact("MaxPool", L, kernel_shape=[3], pads=[1, 1])),
        ("max_pool(Q, [2, 2, 3])", exact("MaxPool", Q, kernel_shape=[2, 2, 3])),
        ("max_pool(ties, [2, 2], pads = [1, 1])", np.array([-3, -3, -3, -3, -3, -3, -7, -3, -3])[[0, 1, 2, 3, 4, 5, 6, 7, 8]]),
        ("average_pool(P, [2, 2])", exact("AveragePool", P, kernel_shape=[2, 2])),
        ("average_pool(P, [3, 3], [2, 2], [1, 1]) * 36", exact("AveragePool", 36 * P, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)),
        ("average_pool(P, [2, 2], [2, 2], [1, 1], true)", exact("AveragePool", P, kernel_shape=[2, 2], strides=[2, 2], pads=[1] * 4, count_include_pad=1)),
        ("average_pool(P, [2, 2], [2, 2], ceil_mode = true)", exact("AveragePool", P, kernel_shape=[2, 2], strides=[2, 2], ceil_mode=1)),
        ("average_pool(P, [2, 4], dilations = [3, 1])", exact("AveragePool", P, kernel_shape=[2, 4], dilations=[3, 1])),
        ("lp_pool(P, [2, 3], [1, 2])", op("LpPool", P, kernel_shape=[2, 3], strides=[1, 2], p=2)),
        ("lp_pool(P, [2, 2], p = 3, pads = [1, 0])", op("LpPool", P, kernel_shape=[2, 2], pads=[1, 0, 1, 0], p=3)),
        ("global_average_pool(P)", P.mean((2, 3), keepdims=True)),
        ("global_max_pool(Q)", Q.max((2, 3, 4), keepdims=True)),
    ],
)

# Gates in the order of the library's: ONNX has input, output, forget, cell; update, reset, candidate.
LSTM = [0, 2, 3, 1]
GRU = [1, 0, 2]


def gates(w, order):
    """A weight of ONNX's order in the library's, gates along axis 0 of halves or wholes."""
    h = w.shape[0] // len(order)
    return np.concatenate([w[k * h : (k + 1) * h] for k in order])


def bias(b, order):
    n = len(b) // 2
    return np.concatenate([gates(b[:n], order), gates(b[n:], order)])


def onnx_order(w, order):
    return gates(w, [order.index(k) for k in range(len(order))])


def onnx_bias(b, order):
    return bias(b, [order.index(k) for k in range(len(order))])


x, x_source = both("X", (4, 2, 3), 5, 3, 7, scale=0.2)
w, w_source = both("W", (8, 3), 5, 7, scale=0.1)
r, r_source = both("R", (8, 2), 3, 5, scale=0.1)
b, b_source = both("B", (16,), 3, scale=0.05)
w2, w2_source = both("W2", (2, 8, 3), 4, 5, 7, scale=0.1)
r2, r2_source = both("R2", (2, 8, 2), 2, 3, 5, scale=0.1)
b2, b2_source = both("B2", (2, 16), 7, 3, scale=0.05)
h, h_source = both("h", (2, 2), 5, 3, scale=0.1)
c, c_source = both("c", (2, 2), 3, 7, scale=0.3)
h2, h2_source = both("h2", (2, 2, 2), 7, 5, 3, scale=0.1)
p, p_source = both("p", (6,), 3, scale=0.1)
lens = np.array([4, 2], np.int32)
peep = np.concatenate([p[:2], p[2:4], p[4:]])


def recurrent(kind, order, x, w, r, b=None, lens=None, h=None, c=None, p=None, both_ways=False, **attributes):
    lead = (lambda v: v) if both_ways else (lambda v: None if v is None else v[None])
    turned = lambda f, v: None if v is None else np.array([f(k, order) for k in v])
    inputs = [x, turned(onnx_order, lead(w)), turned(onnx_order, lead(r)), turned(onnx_bias, lead(b)), lens, lead(h)]
    if kind == "LSTM":
        inputs += [lead(c), lead(p)]
    while inputs[-1] is None:
        inputs.pop()
    inputs = [v if v is None or v.dtype.kind != "f" else v.astype(np.float32) for v in inputs]
    found = op(kind, *inputs, outputs=3 if kind == "LSTM" else 2, hidden_size=r.shape[-1], **attributes)
    if both_ways:
        return found
    return [found[0][:, 0]] + [f[0] for f in found[1:]]


forward = recurrent("LSTM", LSTM, x, w, r, b)
states = recurrent("LSTM", LSTM, x, w, r, b, lens, h, c, peep)
reverse = recurrent("LSTM", LSTM, x, w, r, None, lens, direction="reverse")
twice = recurrent("LSTM", LSTM, x, w2, r2, b2, None, h2, both_ways=True, direction="bidirectional")
bound = recurrent("RNN", [0], x, w[:2], r[:2], b[:4], activations=["Tanh"])
relu = recurrent("RNN", [0], x, w[:2], r[:2], b[:4], lens, h, activations=["Relu"], direction="reverse")
sigmoid = recurrent("RNN", [0], x, w2[:, :2], r2[:, :2], None, both_ways=True, activations=["Sigmoid", "Sigmoid"], direction="bidirectional")
gru = recurrent("GRU", GRU, x, w[:6], r[:6], b[:12])
linear = recurrent("GRU", GRU, x, w[:6], r[:6], b[:12], lens, h, linear_before_reset=1)


def gru_by_hand(x, w, r, b, h):
    """h' = (1 - z) h + z * candidate, where ONNX has z h + (1 - z) * candidate."""
    n = len(h[0])
    out = []
    sig = lambda v: 1 / (1 + np.exp(-v))
    for t in x:
        i, u = t @ w.T + b[: 3 * n], h @ r.T + b[3 * n :]
        reset, update = sig(i[:, :n] + u[:, :n]), sig(i[:, n : 2 * n] + u[:, n : 2 * n])
        h = (1 - update) * h + update * yield_candidate(i[:, 2 * n :], reset, h, r[2 * n :], b[5 * n :])
        out.append(h)
    return np.array(out)


def yield_candidate(i, reset, h, r, b):
    return np.tanh(i + (reset * h) @ r.T + b)


published = gru_by_hand(x, w[:6], r[:6], b[:12], h)
# The candidates of ONNX are those of 1 - z: negated weights of the update gate swap the two.
flip = lambda v: np.concatenate([v[:2], -v[2:4], v[4:6]])
flipped = lambda v: np.concatenate([flip(v[:6]), flip(v[6:12])])
by_onnx = recurrent("GRU", GRU, x, flip(w[:6]), flip(r[:6]), flipped(b[:12]), None, h)
assert np.allclose(by_onnx[0], published, atol=1e-6)
stopped = recurrent("GRU", GRU, x, flip(w[:6]), flip(r[:6]), flipped(b[:12]), lens, h, linear_before_reset=1)
case(
    "recurrent.ein",
    "Recurrent layers: directions, sequences of several lengths, peepholes, layouts.",
    ["use std::ml::recurrent_ops::*;"],
    [x_source, w_source, r_source, b_source, w2_source, r2_source, b2_source, h_source, c_source, h2_source, p_source]
    + [
        "let whole = lstm(X, W, R, B);",
        "let states = lstm(X, W, R, B, h, c, sequence_lens = [4, 2], P = p);",
        "let reverse = lstm(X, W, R, direction = 1, sequence_lens = [4, 2]);",
        "let twice = lstm(X, W2, R2, B2, h2, direction = 2);",
        "let back = rnn(X, W[0..2], R[0..2], B[0..4], h, direction = 1, activation = \"Relu\", sequence_lens = [4, 2]);",
        "let sigmoid = rnn(X, W2[0..2, 0..2], R2[0..2, 0..2], direction = 2, activation = \"Sigmoid\");",
        "let units = gru(X, W[0..6], R[0..6], B[0..12], h);",
        "let linear = gru(X, W[0..6], R[0..6], B[0..12], h, linear_before_reset = 1, sequence_lens = [4, 2]);",
        "let Z[b in 0..2, t in 0..4, i in 0..3] = X[t, b, i];",
        "let first = lstm(Z, W, R, B, layout = 1);",
    ],
    [
        ("whole.0", forward[0]),
        ("whole.1", forward[1]),
        ("whole.2", forward[2]),
        ("states.0", states[0]),
        ("states.1", states[1]),
        ("states.2", states[2]),
        ("reverse.0", reverse[0]),
        ("reverse.1", reverse[1]),
        ("twice.0", twice[0]),
        ("twice.1", twice[1]),
        ("twice.2", twice[2]),
        ("rnn(X, W[0..2], R[0..2], B[0..4]).0", bound[0]),
        ("back.0", relu[0]),
        ("back.1", relu[1]),
        ("sigmoid.0", sigmoid[0]),
        ("units.0", by_onnx[0]),
        ("units.1", by_onnx[1]),
        ("linear.0", stopped[0]),
        ("linear.1", stopped[1]),
        ("first.0", forward[0].transpose(1, 0, 2)),
    ],
    tolerance="1e-4",
)

x, x_source = both("x", (2, 3, 4), 7, 3, 5)
row = np.array([10.0, 20.0, 30.0, 40.0])
tall = np.array([[[1.0]], [[2.0]]])
case(
    "broadcasting.ein",
    "Arithmetic, comparisons and truth values that broadcast.",
    ["use std::ml::{math_ops, comparison_ops, logical_ops};", "use std::ml::utility_ops;"],
    [x_source, "let row: [f64; 4] = [10.0, 20.0, 30.0, 40.0];", "let tall: [f64; 2, 1, 1] = [[[1.0]], [[2.0]]];", "let t = [[true], [false]];"],
    [
        ("math_ops::add(x, row)", x + row),
        ("math_ops::subtract(tall, row)", tall - row),
        ("math_ops::multiply(x, tall)", x * tall),
        ("math_ops::divide(row, tall)", row / tall),
        ("math_ops::add(x, 1)", x + 1),
        ("math_ops::add([1, 2], [[10], [20]])", np.array([[11, 12], [21, 22]])),
        ("math_ops::rsqrt(row)", row**-0.5),
        ("comparison_ops::equal(x, tall)", (x == tall) * 1.0),
        ("comparison_ops::not_equal(x, tall)", (x != tall) * 1.0),
        ("comparison_ops::greater(x, 0)", (x > 0) * 1.0),
        ("comparison_ops::greater_or_equal(tall, x)", (tall >= x) * 1.0),
        ("comparison_ops::less(x, tall)", (x < tall) * 1.0),
        ("comparison_ops::less_or_equal(2, x)", (2 <= x) * 1.0),
        ("comparison_ops::not(x)", x == 0),
        ("logical_ops::logical_and(t, [1.0, 0.0])", np.array([[True, False], [False, False]])),
        ("logical_ops::logical_or(t, [1, 0])", np.array([[True, True], [True, False]])),
        ("logical_ops::logical_xor(t, [true, false])", np.array([[False, True], [True, False]])),
        ("logical_ops::logical_not(tall)", tall == 0),
        ("utility_ops::where(t, row[0..2], 0)", np.array([[10.0, 20.0], [0.0, 0.0]])),
        ("utility_ops::where(x, tall, row)", np.where(x != 0, tall, row)),
        ("utility_ops::where(true, 1.5, [1.0, 2.0])", np.array([1.5, 1.5])),
    ],
)
at = np.array([[1, -1], [0, 2]])
el = np.array([[[2, 0, 1, -3]], [[0, 0, 2, 1]]])
ups, u_source = both("u", (2, 1, 4), 5, 1, 3)
two = np.array([[[2, 0, 2, 1], [2, 1, -1, 1]], [[0, 0, 2, 1], [0, -3, 1, 1]]])
more, m_source = both("w", (2, 2, 4), 5, 9, 3)
case(
    "indexing.ein",
    "Gathers, scatters, one-hot rows; indices below 0, cells that are written twice.",
    ["use std::ml::indexing_ops::*;"],
    [
        x_source,
        u_source,
        m_source,
        "let at = [[1, -1], [0, 2]];",
        "let el = [[[2, 0, 1, -3]], [[0, 0, 2, 1]]];",
        "let two = [[[2, 0, 2, 1], [2, 1, -1, 1]], [[0, 0, 2, 1], [0, -3, 1, 1]]];",
    ],
    [
        ("gather(x, at, 1)", op("Gather", x, at, axis=1)),
        ("gather(x, [1, 0])", op("Gather", x, np.array([1, 0]))),
        ("gather(x, -1, axis = -1)", op("Gather", x, np.array(-1), axis=-1)),
        ("gather_elements(x, el, 1)", op("GatherElements", x, el, axis=1)),
        ("scatter_elements(x, el, u, 1)", op("ScatterElements", x, el, ups, axis=1)),
        ("scatter(x, el, u, axis = -2)", op("ScatterElements", x, el, ups, axis=1)),
        ("scatter_elements(x, two, w, 1)", op("ScatterElements", x, two, more, axis=1)),
        ("scatter_add(x, two, w, 1)", op("ScatterElements", x, two, more, axis=1, reduction="add")),
        ('scatter_elements(x, two, w, 1, "mul")', op("ScatterElements", x, two, more, axis=1, reduction="mul")),
        ('scatter_elements(x, two, w, 1, "min")', op("ScatterElements", x, two, more, axis=1, reduction="min")),
        ('scatter_elements(x, two, w, 1, "max")', op("ScatterElements", x, two, more, axis=1, reduction="max")),
        ("onehot(at, 3, [0.5, 2.0])", op("OneHot", at, np.array(3), np.array([0.5, 2.0]))),
        ("onehot([0, 7, -2], 3, [0, 1], axis = 0)", np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]])),
        ("segment_sum(x, [1, 0, 1], 3, 1)", np.stack([x[:, 1], x[:, 0] + x[:, 2], 0 * x[:, 0]], 1)),
    ],
)
im, i_source = both("im", (1, 8, 2, 3), 3, 5, 7, 2)
case(
    "shapes.ein",
    "Shapes and places: reshaping, padding, blocks, tiles, transposition.",
    ["use std::ml::shape_ops;", "use std::ml::transform_ops::*;", "use std::ml::transform_ops as places;"],
    [x_source, i_source],
    [
        ("shape_ops::shape(shape_ops::reshape(x, [0, -1]))", np.array([2, 12])),
        ("shape_ops::reshape(x, [4, -1, 1])", x.reshape(4, 6, 1)),
        ("shape_ops::reshape([7.0], [])", 7.0),
        ("shape_ops::shape(shape_ops::squeeze([[[1.0, 2.0]]], [0, -2]))", np.array([2])),
        ("shape_ops::shape(shape_ops::unsqueeze(x, [0, -1]))", np.array([1, 2, 3, 4, 1])),
        ("shape_ops::expand([[1.0], [2.0]], [3, 1, 2])", np.broadcast_to([[1.0], [2.0]], (3, 2, 2))),
        ("shape_ops::broadcast_to([1.0, 2.0], [2, 2])", np.array([[1.0, 2.0], [1.0, 2.0]])),
        ("shape_ops::shape(x, 1)", np.array([3, 4])),
        ("shape_ops::shape(x, -2, -1)", np.array([3])),
        ("pad(x, [0, 1, 2, 0, 0, 1], 9)", op("Pad", x, np.array([0, 1, 2, 0, 0, 1]), np.array(9.0))),
        ("pad(x, [1])", np.pad(x, 1)),
        ("pad(x, [0, -1, 0, 0, -1, 1])", op("Pad", x, np.array([0, -1, 0, 0, -1, 1]))),
        ('pad(x, [2, 3, 2, 3], mode = "reflect", axes = [1, -1])', op("Pad", x, np.array([0, 2, 3, 0, 2, 3]), mode="reflect")),
        ('pad(x, [0, 2, 3, 0, 1, 9], mode = "edge")', op("Pad", x, np.array([0, 2, 3, 0, 1, 9]), mode="edge")),
        ('pad(x, [0, 2, 3, 0, 1, 9], mode = "wrap")', op("Pad", x, np.array([0, 2, 3, 0, 1, 9]), mode="wrap")),
        ("depth_to_space(im, 2)", exact("DepthToSpace", im, blocksize=2, mode="CRD")),
        ('depth_to_space(im, 2, "DCR")', exact("DepthToSpace", im, blocksize=2, mode="DCR")),
        ('space_to_depth(depth_to_space(im, 2, "DCR"), 2, "DCR")', im),
        ("space_to_depth(depth_to_space(im, 2), 2)", im),
        ("range(3, 11, 3)", np.array([3, 6, 9])),
        ("range(1.0, -0.5, -0.5)", np.array([1.0, 0.5, 0.0])),
        ("shape_ops::shape(range(5, 1))", np.array([0])),
        ("constant_of_shape([2, 1], 7)", np.array([7, 7])),
        ("concat(x, x, 1)", np.concatenate([x, x], 1)),
        ("tile(x, [1, 2, 1])", np.tile(x, (1, 2, 1))),
        ("tile(x, 2)", np.tile(x, 2)),
        ("transpose(x)", x.swapaxes(1, 2)),
        ("transpose(im, [2, 0, -1, 1])", im.transpose(2, 0, 3, 1)),
        ("places::flatten(x, -1)", x.reshape(6, 4)),
        ("shape_ops::shape(places::flatten(x, 0))", np.array([1, 24])),
    ],
)
sums = np.cumsum
q8 = np.array([[1, -2], [3, 100]])
case(
    "utilities.ein",
    "Slices, running sums, quantised numbers, selections, labels.",
    ["use std::ml::utility_ops::*;", "use std::ml::selection_ops as selection;", "use std::ml::ml_ex::{roll, flip, repeat_interleave, softmax_cross_entropy_loss};", "use std::ml::special_ops::*;", "use std::ml::layers::gemm;", "use std::math::{nan, infinity};"],
    [x_source, "let odd = [1.0, nan(), infinity(), -infinity()];", "let best = selection::topk(x, 2);", "let least = selection::topk(x, [1], 1, false);", "let q: [i8; 2, 2] = [[1, -2], [3, 100]];"],
    [
        ("slice(x, [1, 0], [3, 2], [1, 2])", x[:, 1:3, 0:2]),
        ("slice(x, [-1], [-100], [2], [-2])", x[:, :, -1::-2]),
        ("slice(x, [1], [100])", x[1:100]),
        ("shape(slice(x, [2], [1], [1]))", np.array([2, 0, 4])),
        ("cumsum(x)", sums(x, -1)),
        ("cumsum(x, 1)", sums(x, 1)),
        ("cumsum(x, 2, true)", op("CumSum", x, np.array(2), exclusive=1)),
        ("cumsum(x, 2, reverse = true)", op("CumSum", x, np.array(2), reverse=1)),
        ("cumsum(x, 0, true, true)", op("CumSum", x, np.array(0), exclusive=1, reverse=1)),
        ("l2_normalize(x)", x / np.sqrt((x * x).sum(-1, keepdims=True) + 1e-12)),
        ("numel(x)", np.array(24)),
        ("size(1.5)", np.array(1)),
        ('cast([1.7, -2.7], "i64")', np.array([1, -2])),
        ("cast(x[0, 0], 2)", x[0, 0] != 0),
        ("quantize_linear([0.0, 1.0, 3.0, -5.0, 900.0], 2.0)", np.array([0, 0, 2, -2, 127])),
        ("quantize_linear([0.0, 1.0, 3.0, -500.0, 900.0], 2.0, 128 as u8)", np.array([128, 128, 130, 0, 255])),
        ("quantize_linear(x[0], [1.0, 2.0, 4.0, 0.5], axis = -1)", np.round(x[0] / [1, 2, 4, 0.5]).astype(int)),
        ("dequantize_linear(q, 0.5, 3 as i8)", (q8 - 3) * 0.5),
        ("dequantize_linear(q, [0.5, 2.0])", q8 * [0.5, 2.0]),
        ("qmatmul(q, 0.5, q, 2.0)", (q8 @ q8) * 1.0),
        ("qlinear(q, 0.5, q, 1.0, [1.0, 2.0])", (q8 @ q8) * 0.5 + [1.0, 2.0]),
        ("gemm(x[0], x[1], 1.0, 0.5, 2.0, transB = 1)", 0.5 * x[0] @ x[1].T + 2),
        ("gemm(x[0], x[1], [1.0, 2.0, 3.0, 4.0], transA = 1)", x[0].T @ x[1] + [1.0, 2.0, 3.0, 4.0]),
        ("best.0", -np.sort(-x, -1)[..., :2]),
        ("best.1", np.argsort(-x, -1, kind="stable")[..., :2]),
        ("least.1", np.argsort(x, 1, kind="stable")[:, :1]),
        ("selection::argmax(x, 1)", x.argmax(1)),
        ("selection::argmin(x, -1, true)", x.argmin(-1)),
        ("selection::argmax([1, 3, 3, 2], select_last_index = true)", np.array(2)),
        ("selection::nonzero(x)", np.argwhere(x)),
        ("selection::nonzero([0, 4, 0, 5])", np.array([1, 3])),
        ("roll(x, 1)", np.roll(x, 1, -1)),
        ("roll(x, -5, 1)", np.roll(x, -5, 1)),
        ("flip(x, 0)", x[::-1]),
        ("repeat_interleave(x, 2, 1)", np.repeat(x, 2, 1)),
        ("is_nan(odd)", np.array([0.0, 1.0, 0.0, 0.0])),
        ("is_inf(odd)", np.array([0.0, 0.0, 1.0, 1.0])),
        ("is_inf(odd, detect_positive = false)", np.array([0.0, 0.0, 0.0, 1.0])),
        ("softmax_cross_entropy_loss(x[0], [3, 0, 2])", op("SoftmaxCrossEntropyLoss", x[0], np.array([3, 0, 2]), reduction="none")),
        ('softmax_cross_entropy_loss(x[0], [3, 0, 2], [0.5, 1.0, 2.0, 4.0], 0, "mean")', op("SoftmaxCrossEntropyLoss", x[0], np.array([3, 0, 2]), np.array([0.5, 1.0, 2.0, 4.0]), ignore_index=0, reduction="mean")),
        ('softmax_cross_entropy_loss(x[0], [3, 0, 2], reduction = "sum")', op("SoftmaxCrossEntropyLoss", x[0], np.array([3, 0, 2]), reduction="sum")),
        ("softmax_cross_entropy_loss(x[0], x[1])", -(x[1] * (x[0] - np.log(np.exp(x[0]).sum(-1, keepdims=True)))).sum(-1)),
    ],
)


def attend(q, k, v, scale, bias=0.0, cap=0.0):
    s = q @ k.swapaxes(-1, -2) * scale
    s = s if np.isscalar(bias) and bias == 0 else s + bias
    if cap:
        s = np.where(np.isinf(s), s, cap * np.tanh(s / cap))
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(top), 0, top))
    total = e.sum(-1, keepdims=True)
    return e @ v / np.where(total == 0, 1, total)


parts = lambda x, n: x.reshape(*x.shape[:2], n, -1).transpose(0, 2, 1, 3)
whole = lambda y: y.transpose(0, 2, 1, 3).reshape(y.shape[0], y.shape[2], -1)
q, q_source = both("q", (2, 3, 4), 5, 3, 7, scale=0.2)
k, k_source = both("k", (2, 5, 4), 7, 5, 3, scale=0.2)
v, v_source = both("v", (2, 5, 4), 3, 7, 5, scale=0.2)
g, g_source = both("g", (2, 3, 8), 5, 3, 7, scale=0.2)
keep = np.array([[[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 1, 0, 0, 1]]] * 2)
gone = lambda m: np.where(m > 0, 0, -np.inf)
causal = np.where(np.tri(3, 5), 0, -np.inf)
case(
    "attention.ein",
    "Attention: masks, queries with nothing left, groups of heads, bounded scores.",
    ["use std::ml::attention_ops::*;"],
    [q_source, k_source, v_source, g_source, "let row = [[1, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 1, 0, 0, 1]];", "let keep = [row, row];", "let bias = [[0.5], [-1.0], [0.0]];"],
    [
        ("attention_dummy(q, k, v)", attend(q, k, v, 0.5)),
        ("attention_dummy(q, k, v, 0.3, keep)", attend(q, k, v, 0.3, gone(keep))),
        ("multi_head_attention_simple(q, k, v, 2)", whole(attend(parts(q, 2), parts(k, 2), parts(v, 2), 0.5**0.5))),
        ("multi_head_attention(q, k, v, 2, mask = keep)", whole(attend(parts(q, 2), parts(k, 2), parts(v, 2), 0.5**0.5, gone(keep)[:, None]))),
        ("attention(q, k, v, is_causal = true, q_num_heads = 1, kv_num_heads = 1)", attend(q, k, v, 0.5, causal)),
        ("attention(q, k, v, bias, true, 0.7, 0.5, 2, 2)", whole(attend(parts(q, 2), parts(k, 2), parts(v, 2), 0.7, np.array([[0.5], [-1.0], [0.0]]) + causal, 0.5))),
        ("attention(g, k, v, [[[true], [false], [true]]], q_num_heads = 4, kv_num_heads = 2)", whole(attend(parts(g, 4), np.repeat(parts(k, 2), 2, 1), np.repeat(parts(v, 2), 2, 1), 0.5**0.5, np.where([[True], [False], [True]], 0, -np.inf)))),
        ("attention([q], [k], [v])", attend(q, k, v, 0.5)),
    ],
)

c, i, j = np.indices((2, 5, 6))
image = ((i * 7 + j * j * 3 + c * 5) % 11).astype(float)


def resized(h, w, mode="linear", **attributes):
    batch = image[None]
    sizes = np.array([1, 2, h, w], np.int64)
    return op("Resize", batch, None, None, sizes, mode=mode, **attributes)[0]


case(
    "image_sizes.ein",
    "Images in other sizes.",
    ["use std::image::resize;"],
    ["let x[c in 0..2, i in 0..5, j in 0..6] = ((i * 7 + j * j * 3 + c * 5) % 11) as f64;"],
    [
        ("resize(x, 3, 4)", resized(3, 4, antialias=1)),
        ("resize(x, 2, 11)", resized(2, 11, antialias=1)),
        ("resize(x, 1, 1)", resized(1, 1, antialias=1)),
        ("resize(x, 7, 9)", resized(7, 9, antialias=1)),
        ('resize(x, 3, 4, "linear", false)', resized(3, 4)),
        ('resize(x, 8, 13, "linear", false)', resized(8, 13)),
        ('resize(x, 4, 9, "nearest")', resized(4, 9, "nearest")),
        ('resize(x, 10, 3, "nearest")', resized(10, 3, "nearest")),
    ],
    tolerance="1e-6",
)
