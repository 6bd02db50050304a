#!/usr/bin/env python3
"""Writes numpy_display.txt: arrays, and how NumPy 2.4 prints them.

Booleans are in lower case, as the language spells them; nothing else is changed. A case is
`=== TYPE [SHAPE]`, a line of values (or `iota SCALE OFFSET` for `arange(n) * SCALE + OFFSET`),
`---` and the text.
"""
import sys
import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "bool": np.bool_}
out = []


def case(ty, shape, values):
    n = int(np.prod(shape))
    if isinstance(values, tuple):
        scale, offset = values
        a = (np.arange(n) * scale + offset).astype(TYPES[ty])
        line = f"iota {scale} {offset}"
    else:
        assert len(values) == n, (shape, values)
        a = np.array(values, dtype=TYPES[ty])
        line = " ".join(repr(v) for v in values)
    text = str(a.reshape(shape))
    out.append(f"=== {ty} {list(shape)}\n{line.lower() if ty == 'bool' else line}\n---\n")
    out.append((text.lower() if ty == "bool" else text) + "\n")


inf, nan = float("inf"), float("nan")
for ty in ["f32", "f64"]:
    case(ty, (3,), [1.0, 2.0, 3.0])
    case(ty, (1,), [0.5])
    case(ty, (4,), [1.0, -2.5, 10.25, 100.0])
    case(ty, (3,), [0.0, -0.0, 1.0])
    case(ty, (2, 2), [1.5, -2.0, 0.125, 3.0])
    case(ty, (2, 2, 2), [1.5, -2.0, 0.125, 3.0, 4.0, 5.0, 6.0, 7.0])
    case(ty, (2, 1, 2, 1), [1.0, 2.0, 3.0, 4.0])
    case(ty, (3,), [0.1, 0.2, 0.30000000000000004])
    case(ty, (2,), [1 / 3, 2 / 3])
    case(ty, (3,), [1e-5, 1.0, 2.0])
    case(ty, (3,), [1e-4, 0.05, 0.02])
    case(ty, (2,), [1e8, 1.0])
    case(ty, (2,), [99999999.0, 1e5])
    case(ty, (2,), [999999.0, 1e5])
    case(ty, (2,), [1e6, 1e5])
    case(ty, (2,), [1e16, 1e16])
    case(ty, (3,), [1e30, -1e-30, 0.0])
    case(ty, (2,), [1.5e10, 2.25e10])
    case(ty, (2,), [1000.0, 1.0])
    case(ty, (2,), [1001.0, 1.0])
    case(ty, (3,), [nan, 1.0, 2.5])
    case(ty, (3,), [inf, 1.0, 2.5])
    case(ty, (3,), [-inf, 1.0, 2.5])
    case(ty, (3,), [-inf, inf, nan])
    case(ty, (2,), [nan, nan])
    case(ty, (2,), [inf, 1e20])
    case(ty, (3,), [nan, 123.456, -inf])
    case(ty, (1,), [0.0])
    case(ty, (2,), [0.001953125, 0.0009765625])
    case(ty, (3,), [0.123456789, 0.987654321, 0.5])
    case(ty, (3,), [0.999999999, 0.5, 0.25])
    case(ty, (2,), [123456.789, 98765.4321])
    case(ty, (2,), [3.1415926535, 2.7182818284])
    case(ty, (2,), [1.000000001e20, 1e20])
    case(ty, (20,), (0.1, 0.0))
    case(ty, (40,), (0.25, -3.0))
    case(ty, (2, 20), (0.125, 0.0))
    case(ty, (2, 3, 30), (1.0, 0.0))
    case(ty, (5, 5), (0.1, -1.0))
    case(ty, (7, 200), (0.5, 0.0))
    case(ty, (1001,), (1.0, 0.0))
    case(ty, (1000,), (1.0, 0.0))
    case(ty, (2, 501), (0.01, 0.0))
    case(ty, (501, 2), (1e-3, 1.0))
    case(ty, (10, 11, 12), (1.0, 0.5))
    case(ty, (3, 400), (1.0, 0.0))
    case(ty, (0,), [])
    case(ty, (2, 0), [])
    case(ty, (0, 3), [])
case("f64", (2,), [1e100, 1e-100])
case("f64", (2,), [1e100, 1.0])
case("f64", (2,), [1e99, 1e-99])
case("f64", (2,), [5e-324, 1.7976931348623157e308])
case("f64", (2,), [1.23456789012345, 1.2])
case("f64", (2,), [1.23456789012345e20, 1.2e20])
case("f64", (3,), [-1.5e-10, 2e10, 3.25])
case("f64", (2,), [12345678.123456789, 1234567.0])
case("f32", (2,), [16777216.0, 1.0])
case("f32", (3,), [0.1, 1e-3, 1e-2])
case("f32", (2,), [3.4028235e38, 1e-45])
case("f32", (8,), [0.3, 0.7, 1.1, 1e-3, 0.2, 9.99, 0.999, 0.05])
for ty in ["i32", "i64"]:
    case(ty, (3,), [1, 2, 3])
    case(ty, (3,), [1, -20, 300])
    case(ty, (2, 3), [1, 20, 300, -4, 5, 6])
    case(ty, (2, 2, 2), [1, 2, 3, 4, 5, 6, 7, 8])
    case(ty, (0,), [])
    case(ty, (1,), [0])
    case(ty, (50,), (1, 0))
    case(ty, (30,), (-1000, 5))
    case(ty, (2, 40), (1, 0))
    case(ty, (1001,), (1, 0))
    case(ty, (100, 100), (1, 0))
    case(ty, (2, 2000), (-1, 0))
    case(ty, (7, 150), (1, 0))
    case(ty, (1, 1, 1, 1, 5), [1, 2, 3, 4, 5])
case("i32", (2,), [-2147483648, 2147483647])
case("i64", (2,), [-9223372036854775808, 9223372036854775807])
case("i64", (5,), [9223372036854775807] * 5)
case("bool", (2,), [True, False])
case("bool", (2,), [True, True])
case("bool", (2, 2), [True, False, False, True])
case("bool", (1,), [False])
case("bool", (40,), [True, False] * 20)
case("bool", (0,), [])
rng = np.random.default_rng(7)
for k in range(60):
    ty = ["f32", "f64"][k % 2]
    shape = [(6,), (3, 4), (13,), (2, 2, 3), (2, 9)][k % 5]
    n = int(np.prod(shape))
    scale = 10.0 ** rng.integers(-6, 9)
    kind = k % 4
    v = rng.normal(size=n) * scale
    if kind == 1:
        v = np.round(v, 2)
    if kind == 2:
        v = v * 10.0 ** rng.integers(-3, 4, size=n)
    if kind == 3 and k % 3 == 0:
        v[rng.integers(0, n)] = nan
    case(ty, shape, [float(TYPES[ty](x)) for x in v])
sys.stdout.write("".join(out))
